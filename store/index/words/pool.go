package words

import "sync"

// pooled is how many idle Analyzers a Pool keeps.
const pooled = 2

// Pool lends Analyzers to goroutines and keeps those that come back with the stems they remember, unlike a sync.Pool, which
// forgets them at each garbage collection. The zero Pool is ready for use.
type Pool struct {
	mu   sync.Mutex
	idle []*Analyzer
}

// Get lends an Analyzer.
func (p *Pool) Get() *Analyzer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		a := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return a
	}
	return New()
}

// Put takes an Analyzer back.
func (p *Pool) Put(a *Analyzer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) < pooled {
		p.idle = append(p.idle, a)
	}
}
