package pager

// Held is how a conversation stands.
type Held struct {
	Bytes  int    // that its next request carries as things stand
	Whole  int    // that it would carry in full
	Budget int    // of the model's window, in bytes; 0 where there is no pressure
	Zone   Zone   // at the last request
	Levels [5]int // blocks at each level of fidelity, what was brought back left out
	Stats  Stats
}

// Held tells how the conversation stands.
func (e *Engine) Held() Held {
	h := Held{Bytes: e.carried(), Budget: e.o.Budget, Zone: e.stats.Zone, Stats: e.stats}
	for _, b := range e.blocks {
		if !b.page {
			h.Whole += b.size
			h.Levels[b.level]++
		}
	}
	return h
}
