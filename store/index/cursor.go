package index

import (
	"cmp"
	"errors"
	"iter"

	"github.com/dgraph-io/badger/v4"
)

// cursor walks the terms of a source.
type cursor struct {
	src      *source
	order    int // of the source among its neighbours
	term     string
	postings []byte
	err      error

	pull func() (termPostings, bool)
	stop func()
}

type termPostings struct {
	term     string
	postings []byte
}

var errStopped = errors.New("stopped")

func newCursor(txn *badger.Txn, s *source, order int) *cursor {
	c := &cursor{src: s, order: order}
	c.pull, c.stop = iter.Pull(func(yield func(termPostings) bool) {
		err := s.each(txn, func(term string, _ int, postings []byte) error {
			if !yield(termPostings{term, postings}) {
				return errStopped
			}
			return nil
		})
		if !errors.Is(err, errStopped) {
			c.err = err
		}
	})
	return c
}

// next moves on; it is false at the end and after an error.
func (c *cursor) next() bool {
	t, ok := c.pull()
	c.term, c.postings = t.term, t.postings
	return ok
}

// cursors is a heap by term, equal terms in the order of their sources.
type cursors []*cursor

func (q cursors) Len() int { return len(q) }
func (q cursors) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[i].term, q[j].term), cmp.Compare(q[i].order, q[j].order)) < 0
}
func (q cursors) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *cursors) Push(x any)   { *q = append(*q, x.(*cursor)) }
func (q *cursors) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}
