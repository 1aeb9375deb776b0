package index

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"sync"
)

// The parameters of BM25.
const (
	k1 = 1.2
	b  = 0.75
)

// idf is the weight of a term that df of n documents hold. It is never negative.
func idf(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}

// ranker scores documents with the numbers of the whole index.
type ranker struct {
	docs int
	flat float64    // k1·(1-b)
	per  float64    // k1·b / mean length
	pool *sync.Pool // of *marks

	within bool // the numbers are those of what a query may find, and not of all documents
	all    int  // postings from which on not all are read
}

// ranker takes the numbers of all live documents; mu is held.
func (ix *Index) ranker() ranker {
	docs, length := 0, int64(0)
	for _, p := range ix.pieces {
		docs += p.live
		length += p.length
	}
	r := ranker{docs: docs, flat: k1 * (1 - b), pool: &ix.marks, all: ix.opts.rules.exhaustive}
	if length > 0 {
		r.per = k1 * b * float64(docs) / float64(length)
	}
	return r
}

// weight is what a term with the given idf adds to a document's score. The conversions keep a compiler from fusing two
// operations into one, which would round otherwise on another processor.
func (r ranker) weight(idf float64, tf uint32, length uint16) float64 {
	norm := r.flat + float64(r.per*float64(length))
	return float64(float64(idf*(k1+1))*float64(tf)) / (float64(tf) + norm)
}

// candidate is a document with its score and what orders it among equals.
type candidate struct {
	score float64
	words uint64
	time  int64
	hash  uint64
	piece int
	place int
}

// before orders candidates, best first.
func (c candidate) before(o candidate) int {
	return cmp.Or(cmp.Compare(o.score, c.score), cmp.Compare(o.time, c.time), cmp.Compare(c.hash, o.hash))
}

// best keeps the best candidates: a heap with the worst of them on top.
type best struct {
	limit int
	floor float64 // a lower score has no chance
	list  []candidate
}

func newBest(limit int) *best { return &best{limit: limit} }

func (h *best) Len() int           { return len(h.list) }
func (h *best) Less(i, j int) bool { return h.list[i].before(h.list[j]) > 0 }
func (h *best) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *best) Push(x any)         { h.list = append(h.list, x.(candidate)) }
func (h *best) Pop() any {
	x := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	return x
}

func (h *best) offer(c candidate) {
	switch {
	case len(h.list) < h.limit:
		heap.Push(h, c)
	case c.before(h.list[0]) < 0:
		h.list[0] = c
		heap.Fix(h, 0)
	default:
		return
	}
	if len(h.list) == h.limit {
		h.floor = h.list[0].score
	}
}

func (h *best) sorted() []candidate {
	slices.SortFunc(h.list, candidate.before)
	return h.list
}
