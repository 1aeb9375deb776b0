package replay

import (
	"strings"
	"time"

	"dormouse/service/pager"
)

// none leaves everything as it is.
type none struct{}

func (none) request(*run, time.Time)        {}
func (none) fault(*run, *live, []int32) int { return 0 }
func (none) added(pager.Message)            {}

// fifo shortens each result of at least least bytes once tau messages of the user's side came after its own; at every every-th
// request alone.
type fifo struct{ tau, least, every int }

func (f fifo) request(r *run, _ time.Time) {
	if f.every > 1 && r.nreq%f.every != 0 {
		return
	}
	for _, b := range r.seq {
		if b.kind == pager.Result && !b.evicted && !b.failed && b.size >= f.least && r.users-b.at >= f.tau {
			r.shorten(b, b.stub, nil)
		}
	}
}

func (f fifo) fault(r *run, b *live, _ []int32) int {
	r.restore(b)
	return b.size
}
func (fifo) added(pager.Message) {}

// engine is the product's own.
type engine struct{ e *pager.Engine }

func (g engine) added(m pager.Message) { g.e.Add(m) }

func (g engine) request(r *run, now time.Time) {
	for _, ed := range g.e.Request(now) {
		b := r.seq[ed.Block]
		bytes, text := len(ed.Text), ed.Text
		if b.kind == pager.Call {
			bytes += len(b.tool)
			text = strings.Join(stringsIn([]byte(ed.Text)), "\n")
		}
		r.shorten(b, bytes, r.number(text))
	}
}

func (g engine) fault(r *run, b *live, missing []int32) int {
	names := map[int32]bool{}
	for _, l := range missing {
		names[l] = true
	}
	var asked []string
	for s, n := range r.ready.lines {
		if names[n] {
			asked = append(asked, s)
		}
	}
	text := g.e.Restore(b.index, strings.Join(asked, "\n"))
	p := r.push(&block{kind: pager.Result, size: len(text), tool: b.tool, lines: r.number(text)})
	p.page = true
	return len(text)
}
