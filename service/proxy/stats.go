package proxy

import (
	"maps"
	"time"
)

// Stats are what passed since the proxy began.
type Stats struct {
	Since     time.Time
	Requests  int64 // that were passed on
	Read      int64 // of them, calls of models that were read on the way
	Refused   int64 // that went no further: no token, a web page, another machine
	TooLong   int64
	Unreached int64 // whose provider could not be reached
	Errors    int64 // that the provider answered with an error, which was passed on
	Broken    int64 // streams that broke in their middle

	Calls     int64            // whose usage is known
	Untold    int64            // of which the provider told no usage
	Paged     int64            // requests that went out shorter than they came
	Saved     int64            // bytes by that
	SentAnew  int64            // requests that a provider refused as they were changed, and that were sent as they came
	Untouched map[string]int64 // requests that were not shortened because of a doubt, by what it was

	Offered   int64            // requests whose model was offered the memory's tools
	Unoffered map[string]int64 // and was not, though that is switched on, by what hindered it
	Tools     Asked

	// Tokens of the calls: Input is all of it, CacheRead what of it came from the provider's cache.
	Input, CacheRead, Output int64
}

// Asked is what models asked the memory with its tools.
type Asked struct {
	Queries, Restores, Releases int64
	Misses                      int64 // of them, what could not be answered, which the model was told
	Rounds                      int64 // requests that the proxy made itself, with the results
	Forgotten                   int64 // answers in which the memory was asked and that are not put back, because there are too many
}

// Stats are the sums so far.
func (p *Proxy) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.stats
	out.Untouched, out.Unoffered = maps.Clone(out.Untouched), maps.Clone(out.Unoffered)
	return out
}

func (p *Proxy) count(f func(*Stats)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f(&p.stats)
}
