package daemon

import (
	"maps"
	"slices"
	"sync"
)

// pending is a set of session ids that wait for something.
type pending struct {
	mu  sync.Mutex
	ids map[string]bool
}

// add puts an id in and reports whether it is new.
func (p *pending) add(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ids == nil {
		p.ids = map[string]bool{}
	}
	old := p.ids[id]
	p.ids[id] = true
	return !old
}

// take empties the set and returns what was in it, sorted.
func (p *pending) take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := slices.Sorted(maps.Keys(p.ids))
	p.ids = nil
	return out
}

// size is how many ids wait.
func (p *pending) size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.ids)
}
