package index

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/dgraph-io/badger/v4"
)

// piece is a part of the index that holds a range of document numbers: a segment on disk, or documents in memory that no
// segment holds yet. Everything but dead, live and length is fixed once the piece is a segment or frozen.
type piece struct {
	id   uint32 // of the segment; 0 in memory
	cols *columns

	dead   *roaring.Bitmap // places of deleted documents
	live   int             // documents that are not dead
	length int64           // sum of their lengths

	vecs [slots]*vecColumn // of each generation; nil where there is none

	packed bool             // of a segment: its long lists are cut into stretches
	first  []string         // of a segment: the first term of each block
	lists  map[string]*list // in memory: the postings
}

func newHot() *piece {
	return &piece{cols: newColumns(), dead: roaring.New(), lists: map[string]*list{}}
}

// add appends a document in memory.
func (p *piece) add(h *hotDoc) {
	local := p.cols.count()
	p.cols.add(h.num, h.length, h.time, h.hash, h.facets)
	for _, t := range h.terms {
		l := p.lists[t.term]
		if l == nil {
			l = newList()
			p.lists[t.term] = l
		}
		l.add(local, t.tf)
	}
	p.live++
	p.length += int64(h.length)
}

// kill marks the document at a place as deleted and reports whether it was alive.
func (p *piece) kill(place int) bool {
	if !p.dead.CheckedAdd(uint32(place)) {
		return false
	}
	p.live--
	p.length -= int64(p.cols.lens[place])
	return true
}

// setDead puts the deletions that were read from disk in force.
func (p *piece) setDead(dead *roaring.Bitmap) {
	p.dead, p.live, p.length = roaring.New(), p.cols.count(), 0
	for _, n := range p.cols.lens {
		p.length += int64(n)
	}
	if dead == nil {
		return
	}
	for it := dead.Iterator(); it.HasNext(); {
		if v := it.Next(); int(v) < p.cols.count() {
			p.kill(int(v))
		}
	}
}

// lookup finds the postings of a term, those of dead documents included; nil where there is none.
func (p *piece) lookup(txn *badger.Txn, term string) (out *postings, err error) {
	if p.lists != nil {
		if l := p.lists[term]; l != nil {
			return &postings{n: l.n, buf: l.buf}, nil
		}
		return nil, nil
	}
	block := sort.Search(len(p.first), func(i int) bool { return p.first[i] > term }) - 1
	if block < 0 {
		return nil, nil
	}
	item, err := txn.Get(segmentKey(p.id, partBlock, block))
	if err == nil {
		err = item.Value(func(v []byte) error {
			n, raw, err := find(v, term)
			if err != nil || n == 0 {
				return err
			}
			out, err = readPostings(n, p.packed, slices.Clone(raw), p.cols.count())
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("block %d of segment %d: %w", block, p.id, missing(err))
	}
	return out, nil
}

func (p *piece) block(txn *badger.Txn, n int) ([]byte, error) {
	buf, err := value(txn, segmentKey(p.id, partBlock, n))
	if err != nil {
		return nil, fmt.Errorf("block %d of segment %d: %w", n, p.id, err)
	}
	return buf, nil
}

// liveIn counts the documents of a list that are not dead.
func (p *piece) liveIn(l *postings) (int, error) {
	if p.dead.IsEmpty() {
		return l.n, nil
	}
	dead, err := countIn(l, p.cols.count(), p.deadBits())
	return l.n - dead, err
}

// deadBits is the dead documents as one bit a document.
func (p *piece) deadBits() []uint64 {
	out := make([]uint64, max((p.cols.count()+63)/64, int(p.dead.DenseSize())))
	p.dead.WriteDenseTo(out)
	return out
}

// each calls fn for every term in ascending order.
func (p *piece) each(txn *badger.Txn, fn func(term string, n int, postings []byte) error) error {
	if p.lists != nil {
		for _, term := range slices.Sorted(maps.Keys(p.lists)) {
			if err := fn(term, p.lists[term].n, p.lists[term].buf); err != nil {
				return err
			}
		}
		return nil
	}
	for n := range p.first {
		buf, err := p.block(txn, n)
		if err != nil {
			return err
		}
		for e, err := range entries(buf) {
			var raw []byte
			if err == nil {
				raw, err = plain(e.n, p.packed, e.postings)
			}
			if err == nil {
				err = fn(string(e.term), e.n, raw)
			}
			if err != nil {
				return fmt.Errorf("block %d of segment %d: %w", n, p.id, err)
			}
		}
	}
	return nil
}

// value reads a key that must be there. The bytes are the caller's own.
func value(txn *badger.Txn, key []byte) ([]byte, error) {
	item, err := txn.Get(key)
	if err != nil {
		return nil, missing(err)
	}
	return item.ValueCopy(nil)
}

// missing makes a key that is not there, and must be, a sign of damage.
func missing(err error) error {
	if errors.Is(err, badger.ErrKeyNotFound) {
		return fmt.Errorf("%w: a key is missing", errCorrupt)
	}
	return err
}
