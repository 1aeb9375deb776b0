package transcript

import "sync"

// Reasons of skips that readers and parsers share.
const (
	TooLong     = "line too long"
	NotJSON     = "not valid JSON"
	TooDeep     = "nested too deep"
	NotObject   = "not a JSON object"
	NulBytes    = "NUL bytes"
	BadUTF8     = "invalid UTF-8 (replaced)"
	UnknownType = "unknown record type"
	BadShape    = "record without its usual fields"
	ClippedText = "text over the limit (head and tail kept)"
)

// Skip is a piece of a transcript that was not used, or not used whole.
type Skip struct {
	Reason string `json:"reason"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Bytes  int64  `json:"bytes"`
}

// keptPlaces is how many of the newest places of a reason are kept.
const keptPlaces = 100

// Tally counts skips by reason and keeps the newest places. The zero Tally is empty and ready.
type Tally struct {
	mu sync.Mutex
	by map[string]*Count
}

// Count is what a Tally knows of one reason.
type Count struct {
	Times  int    `json:"times"`
	Bytes  int64  `json:"bytes"`
	Places []Skip `json:"places"` // the newest, oldest first
}

// Add counts one skip.
func (t *Tally) Add(s Skip) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by = map[string]*Count{}
	}
	c := t.by[s.Reason]
	if c == nil {
		c = &Count{}
		t.by[s.Reason] = c
	}
	c.Times++
	c.Bytes += s.Bytes
	c.Places = append(c.Places, s)
	if len(c.Places) > keptPlaces {
		c.Places = append([]Skip(nil), c.Places[len(c.Places)-keptPlaces:]...)
	}
}

// Counts is a copy of the counts by reason.
func (t *Tally) Counts() map[string]Count {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make(map[string]Count, len(t.by))
	for reason, c := range t.by {
		copied := *c
		copied.Places = append([]Skip(nil), c.Places...)
		out[reason] = copied
	}
	return out
}

// Join adds the counts of another tally, as if its skips had come after this one's.
func (t *Tally) Join(counts map[string]Count) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by = map[string]*Count{}
	}
	for reason, o := range counts {
		c := t.by[reason]
		if c == nil {
			c = &Count{}
			t.by[reason] = c
		}
		c.Times += o.Times
		c.Bytes += o.Bytes
		c.Places = append(append([]Skip(nil), c.Places...), o.Places...)
		if len(c.Places) > keptPlaces {
			c.Places = c.Places[len(c.Places)-keptPlaces:]
		}
	}
}
