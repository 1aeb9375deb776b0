package replay

import (
	"slices"
	"time"

	"dormouse/service/pager"
)

// Result are the sums of a policy over the requests of a trace. Sizes are in bytes of UTF-8, costs in tenths of a byte's price.
type Result struct {
	ID             string
	Requests       int
	Raw            int     // all requests without a policy
	Sent           int     // all requests with it
	Refault        int     // requests that had to be made again for a fault, with what was brought back
	Cost           float64 // of all requests, with prompt-cache prices
	RefaultCost    float64 // of the requests made again
	Peak           int
	Evictions      int // results that were shortened, once each unless they were brought back
	ReadEvictions  int
	CallEvictions  int // calls whose arguments were shortened: not counted as evictions
	StubEvents     int // shortened results, summed over requests
	F1, F2, F3, F4 int
	ByTool         map[string]int
}

// policy decides what is shortened before a request.
type policy interface {
	// request is told of the run before each request; now is its time, zero when unknown; cold says that the cache is gone.
	request(r *run, now time.Time)
	// fault is told that lines of a block were needed which were not there. The policy brings them back and says with how many bytes.
	fault(r *run, at *live, missing []int32) int
	// added is told of each message after it came.
	added(m pager.Message)
}

// live is a block in a running window.
type live struct {
	*block
	index   int
	bytes   int     // in the next request
	shown   []int32 // lines that are there now
	at      int     // messages of the user's side when it came
	evicted bool
	page    bool
}

type run struct {
	res     *Result
	ready   *ready
	seq     []*live
	newest  map[string]*live
	lineN   []int
	anchN   []int
	users   int
	nreq    int // requests of this window
	prev    []entry
	prevAt  time.Time
	evicted []*live
}

type entry struct {
	index, bytes int
	short        bool
}

func (r *run) show(b *live, d int) {
	for _, l := range b.shown {
		r.lineN[l] += d
	}
	for _, a := range b.anchors {
		r.anchN[a] += d
	}
}

// shorten replaces a block by another text with some of its lines.
func (r *run) shorten(b *live, bytes int, shown []int32) {
	r.show(b, -1)
	if !b.evicted {
		b.evicted = true
		r.evicted = append(r.evicted, b)
		switch {
		case b.kind == pager.Call:
			r.res.CallEvictions++
		default:
			r.res.Evictions++
			if b.tool == "Read" {
				r.res.ReadEvictions++
			}
		}
	}
	b.bytes, b.shown = bytes, shown
	for _, l := range b.shown {
		r.lineN[l]++
	}
}

// restore brings a whole block back in its place.
func (r *run) restore(b *live) {
	for _, l := range b.shown {
		r.lineN[l]--
	}
	b.evicted, b.at, b.bytes, b.shown = false, r.users, b.size, b.lines
	r.evicted = slices.DeleteFunc(r.evicted, func(x *live) bool { return x == b })
	r.show(b, 1)
}

// number gives the significant lines of a text that a policy made their numbers, and those that are new their counters.
func (r *run) number(text string) []int32 {
	lines := r.ready.intern(r.ready.lines, pager.SignificantLines(text))
	if n := len(r.ready.lines) - len(r.lineN); n > 0 {
		r.lineN = append(r.lineN, make([]int, n)...)
	}
	return lines
}

func (r *run) push(b *block) *live {
	l := &live{block: b, index: len(r.seq), bytes: b.size, shown: b.lines, at: r.users}
	r.seq = append(r.seq, l)
	r.show(l, 1)
	return l
}

// cold says whether the provider's cache has forgotten the conversation when a request goes out.
func (r *run) cold(now time.Time) bool {
	return r.prev == nil || !now.IsZero() && !r.prevAt.IsZero() && now.Sub(r.prevAt) > 300*time.Second
}

func runWindow(rd *ready, w window, p policy, res *Result) {
	r := &run{res: res, ready: rd, newest: map[string]*live{},
		lineN: make([]int, len(rd.lines)), anchN: make([]int, len(rd.anchors))}
	for i, m := range w.msgs {
		if m.User {
			r.userMessage(m, w.blocks[i], p)
		} else {
			r.assistantMessage(m, w.blocks[i], p)
		}
	}
}

func (r *run) userMessage(m pager.Message, bs []*block, p policy) {
	r.users++
	for _, b := range bs {
		l := r.push(b)
		if b.kind == pager.Result && b.key != "" {
			if old := r.newest[b.key]; old != nil && old.evicted && len(old.lines) > 0 && 2*common(old.lines, b.lines) >= len(old.lines) {
				r.res.F2++
				r.res.ByTool["F2 "+b.tool]++
			}
			r.newest[b.key] = l
		}
	}
	p.added(m)
}

func (r *run) assistantMessage(m pager.Message, bs []*block, p policy) {
	r.nreq++
	cold := r.cold(m.Time)
	p.request(r, m.Time)
	c := r.count(m.Time, cold)
	for _, b := range bs {
		if b.kind == pager.Call {
			c += r.faults(b, c, p)
		}
	}
	for _, b := range bs {
		r.push(b)
	}
	p.added(m)
}

// count adds a request's size and cost, and returns its size.
func (r *run) count(now time.Time, cold bool) int {
	raw, c, cached := 0, 0, 0
	stubs := 0
	same := !cold
	next := make([]entry, 0, len(r.seq))
	for i, b := range r.seq {
		if !b.page {
			raw += b.size
		}
		c += b.bytes
		e := entry{b.index, b.bytes, b.evicted}
		if same && i < len(r.prev) && r.prev[i] == e {
			cached += b.bytes
		} else {
			same = false
		}
		if b.evicted && b.kind != pager.Call {
			stubs++
		}
		next = append(next, e)
	}
	r.prev, r.prevAt = next, now
	r.res.Requests++
	r.res.Raw += raw
	r.res.Sent += c
	r.res.Cost += float64(cached) + 12.5*float64(c-cached)
	r.res.StubEvents += stubs
	r.res.Peak = max(r.res.Peak, c)
	return c
}

// faults counts what a call shows to have been missing in a request of c bytes, and returns by how many bytes it grew.
func (r *run) faults(b *block, c int, p policy) int {
	if b.tool == "Read" {
		if n := r.newest[b.key]; n != nil && n.evicted {
			r.res.F1++
		}
	}
	grown := 0
	var missing []int32
	for _, l := range b.old {
		if r.lineN[l] <= 0 {
			missing = append(missing, l)
		}
	}
	if len(missing) > 0 {
		if best := r.holder(missing); best != nil {
			r.res.F3++
			r.res.ByTool["F3 "+best.tool]++
			before := r.bytes()
			back := p.fault(r, best, missing)
			grown = r.bytes() - before
			r.res.Refault += c + back
			r.res.RefaultCost += float64(c) + 12.5*float64(back)
		}
	}
	r.anchorFault(b)
	return grown
}

func (r *run) bytes() (n int) {
	for _, b := range r.seq {
		n += b.bytes
	}
	return n
}

// holder is the shortened block that has most of the lines, nil where none has any.
func (r *run) holder(missing []int32) (best *live) {
	most := 0
	for _, e := range r.evicted {
		if n := common(missing, e.lines); n > most {
			best, most = e, n
		}
	}
	return best
}

func (r *run) anchorFault(b *block) {
	for _, a := range b.anchors {
		if r.anchN[a] > 0 {
			continue
		}
		for _, e := range r.evicted {
			if _, ok := slices.BinarySearch(e.anchors, a); ok {
				r.res.F4++
				return
			}
		}
	}
}

// common is how many numbers two sorted lists share.
func common(a, b []int32) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			n, i, j = n+1, i+1, j+1
		}
	}
	return n
}
