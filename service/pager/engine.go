package pager

import "time"

// Engine holds one conversation and decides the forms of its blocks. It is not safe for use by several goroutines at once.
type Engine struct {
	o      Options
	blocks []*block
	calls  map[string]*block   // by the id of a call
	newest map[string]*block   // by key, the newest result
	asked  map[string]int      // by key, how often
	named  map[string]*block   // by handle
	files  map[string][]string // by the name of a file, the keys of those that were read
	users  int                 // messages of the user's side so far
	reqs   int                 // requests so far
	sent   []int               // bytes of each block in the last request, in order
	last   time.Time           // of the last request; zero when unknown
	whole  int                 // bytes of the last request as the client made it
	span   string              // the head of what was said since the last prompt
	stats  Stats
}

// Stats are an engine's sums over the conversation.
type Stats struct {
	Requests  int
	Bytes     int     // of all requests as the client made them
	Sent      int     // of all requests as they went out
	Saved     float64 // in bytes at full price, with the prices of the prompt cache; negative when it cost more
	Shortened int     // blocks, once each
	Refetched int     // results that were asked for again while they were short
	Restored  int     // blocks of which text was brought back
	Goals     int     // new goals; see Options.Goals
	Predicted int     // blocks that were likely to be needed for a new goal
	Met       int     // of them, those that calls were about, or that were asked for again
	Zone      Zone    // at the last request
}

// New returns an engine for one conversation.
func New(o Options) *Engine {
	e := &Engine{o: o}
	e.Reset()
	return e
}

// Reset forgets the conversation: the client compacted it, or began another one.
func (e *Engine) Reset() {
	*e = Engine{o: e.o, calls: map[string]*block{}, newest: map[string]*block{}, asked: map[string]int{}, named: map[string]*block{}, files: map[string][]string{}}
}

// Stats are the sums so far.
func (e *Engine) Stats() Stats { return e.stats }

// Add takes the next message of the conversation.
func (e *Engine) Add(m Message) {
	if m.User {
		e.users++
	}
	e.noteSaid(m)
	for _, b := range m.Blocks {
		e.add(b)
	}
}

// Request is called before a request goes out, after all of its messages were added. It returns what changes from this request on,
// in the order of the blocks. A zero time says that nothing is known of how old the cache is: it is taken to be there.
func (e *Engine) Request(now time.Time) []Edit {
	cold := e.cold(now)
	e.reqs++
	edits := e.plan(cold)
	e.account(cold)
	e.last = now
	return edits
}

// cold says that the provider's cache holds nothing of the conversation.
func (e *Engine) cold(now time.Time) bool {
	return e.reqs == 0 || !e.last.IsZero() && !now.IsZero() && now.Sub(e.last) > e.o.CacheLife
}

// account adds what the request would have cost as the client made it, and what it does cost.
func (e *Engine) account(cold bool) {
	whole, bytes, cached, same := 0, 0, 0, !cold
	for i, b := range e.blocks {
		if !b.page && !b.Memory {
			whole += b.size
		}
		bytes += b.bytes
		if same = same && i < len(e.sent) && e.sent[i] == b.bytes; same {
			cached += b.bytes
		}
	}
	kept := e.whole
	if cold {
		kept = 0
	}
	e.stats.Requests++
	e.stats.Bytes += whole
	e.stats.Sent += bytes
	e.stats.Saved += e.o.price(whole, kept) - e.o.price(bytes, cached)
	e.whole, e.sent = whole, e.sent[:0]
	for _, b := range e.blocks {
		e.sent = append(e.sent, b.bytes)
	}
}

// Restore notes that text of a block was needed after all, and brings it back as a new block at the end of the conversation, where
// no cached byte changes. It is the whole block where that is short and paid for by what was saved, else what stands around the
// lines that were asked for. The index is the block's, as in Edit; it returns the text, which is "" for a block that is not there.
func (e *Engine) Restore(index int, asked string) string {
	if index < 0 || index >= len(e.blocks) {
		return ""
	}
	b := e.blocks[index]
	text, carried := b.text(), e.carried()
	if len(text) > e.o.RestoreWhole || e.stats.Saved < e.o.price(carried+len(text), carried) {
		text = around(text, asked, e.o.RestoreBytes)
	}
	e.stats.Restored++
	e.stats.Saved -= e.o.price(carried+len(text), carried)
	p := e.add(Block{Kind: Text, Text: text})
	p.page = true
	return text
}

// carried is how many bytes the next request has as things stand.
func (e *Engine) carried() (n int) {
	for _, b := range e.blocks {
		n += b.bytes
	}
	return n
}
