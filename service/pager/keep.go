package pager

import "time"

// Kept is what of an engine outlives its process: which blocks were shown in short, and when the last request was. It holds nothing of
// what was said.
type Kept struct {
	Requests int       `json:"requests"`
	Last     time.Time `json:"last"`
	Forms    []Form    `json:"forms"`
	Stats    Stats     `json:"stats"`
}

// Form says how much of a block was shown, by its index.
type Form struct {
	Block int   `json:"block"`
	Level Level `json:"level"`
}

// Keep is what is to be kept of the engine after a request.
func (e *Engine) Keep() Kept {
	k := Kept{Requests: e.reqs, Last: e.last, Stats: e.stats, Forms: []Form{}}
	for _, b := range e.blocks {
		if b.level != Full && !b.page {
			k.Forms = append(k.Forms, Form{b.index, b.level})
		}
	}
	return k
}

// Resume makes a new engine, to which the messages of the last request were added, what another one was after that request, and returns
// the forms that the request had, each byte for byte. Forms of blocks that are not there, or that have no such form, are left out.
func (e *Engine) Resume(k Kept) []Edit {
	var edits []Edit
	for _, f := range k.Forms {
		if f.Block < 0 || f.Block >= len(e.blocks) {
			continue
		}
		if x, ok := e.again(e.blocks[f.Block], f.Level); ok {
			edits = append(edits, x)
		}
	}
	e.reqs, e.last, e.stats = k.Requests, k.Last, k.Stats
	e.remember()
	return edits
}

// again gives a block a form that it had.
func (e *Engine) again(b *block, l Level) (Edit, bool) {
	if b.Fixed || b.Kind != Call && b.Kind != Result || b.Kind == Call != (l == Compact) || l != Compact && l != Stub && l != Evicted || !e.shrinks(b) {
		return Edit{}, false
	}
	text, n := e.form(b)
	if l == Evicted {
		text, n = b.emptied(), len(b.emptied())
	}
	b.level, b.bytes = l, n
	return Edit{Block: b.index, Level: l, Text: text}, true
}

// Pass notes a request that goes out in the forms of the one before it: nothing is decided.
func (e *Engine) Pass(now time.Time) {
	cold := e.cold(now)
	e.reqs++
	e.account(cold)
	e.last = now
}

// remember takes the blocks as they stand for those of the last request.
func (e *Engine) remember() {
	e.whole, e.sent = 0, e.sent[:0]
	for _, b := range e.blocks {
		if !b.page && !b.Memory {
			e.whole += b.size
		}
		e.sent = append(e.sent, b.bytes)
	}
}
