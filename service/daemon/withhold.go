package daemon

import (
	"encoding/json"
	"slices"

	"dormouse/store/memory"
)

// withheldArea is the area of the index that says which nodes it was made without.
const withheldArea = "withheld"

// indexedArea is that in which the indexer keeps how far each session is indexed.
const indexedArea = "indexed"

// withhold has the sessions indexed again whose nodes may be found no more, or again: what is private changed. Their old documents go
// when that is done; until then no answer shows them.
func (d *Daemon) withhold() error {
	var now map[string][]string
	d.ledger.Read(func(s *memory.State) { now = s.Withheld() })
	area := d.index.Area(withheldArea)
	raw, _, err := area.Get("nodes")
	if err != nil {
		return err
	}
	had := map[string][]string{}
	if len(raw) > 0 && json.Unmarshal(raw, &had) != nil {
		had = map[string][]string{} // those sessions are indexed again when something changes
	}
	var again []string
	for _, some := range []map[string][]string{now, had} {
		for id := range some {
			if !slices.Equal(now[id], had[id]) && !slices.Contains(again, id) {
				again = append(again, id)
			}
		}
	}
	if len(again) == 0 {
		return nil
	}
	d.filling.Lock()
	defer d.filling.Unlock()
	for _, id := range again {
		if err := d.index.Area(indexedArea).Delete(id); err != nil {
			return err
		}
	}
	if raw, err = json.Marshal(now); err != nil {
		return err
	}
	if err := area.Put("nodes", raw); err != nil {
		return err
	}
	d.behind.Store(true)
	select {
	case d.wake <- struct{}{}:
	default:
	}
	return nil
}
