package index

import (
	"container/heap"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/dgraph-io/badger/v4"
)

// partSize is how long the values of columns, facets and first terms are at most, in bytes.
const partSize = 256 << 10

// source is a piece that goes into a new segment, with the deletions that were in force when the work began.
type source struct {
	*piece
	dead  *roaring.Bitmap
	moved []int32 // for each place the place in the new segment; -1 for the dead
}

// build writes a new segment of neighbouring pieces. Nothing refers to it before commit.
func (ix *Index) build(id uint32, sources []*source) (*piece, segmentEntry, error) {
	p := &piece{id: id, cols: mergeColumns(sources), packed: true}
	e := segmentEntry{ID: id, Packed: true}
	wb, end, err := ix.db.batch()
	if err != nil {
		return nil, e, err
	}
	defer end()
	blocks := &blockWriter{emit: func(first string, block []byte) error {
		p.first = append(p.first, first)
		if err := ix.room(len(block)); err != nil {
			return err
		}
		return wb.Set(segmentKey(id, partBlock, len(p.first)-1), slices.Clone(block))
	}}
	err = ix.db.view(func(txn *badger.Txn) error {
		return mergeTerms(txn, sources, func(term string, l *list) error {
			raw, err := l.pack(p.cols)
			if err != nil {
				return err
			}
			return blocks.add(term, l.n, raw)
		})
	})
	if err == nil {
		err = blocks.flush()
	}
	if err != nil {
		return nil, e, err
	}
	facets, err := p.cols.facets.encode()
	if err != nil {
		return nil, e, err
	}
	var first []byte
	for _, t := range p.first {
		first = binary.AppendUvarint(first, uint64(len(t)))
		first = append(first, t...)
	}
	e.Blocks = len(p.first)
	for _, part := range []struct {
		name byte
		raw  []byte
		n    *int
	}{{partColumns, p.cols.encode(), &e.Columns}, {partFacets, facets, &e.Facets}, {partFirst, first, &e.First}} {
		if *part.n, err = ix.writeParts(wb, id, part.name, part.raw); err != nil {
			return nil, e, err
		}
	}
	if err := wb.Flush(); err != nil {
		return nil, e, fmt.Errorf("write segment %d: %w", id, err)
	}
	p.setDead(nil)
	return p, e, nil
}

func (ix *Index) writeParts(wb *badger.WriteBatch, seg uint32, part byte, raw []byte) (n int, err error) {
	for chunk := range slices.Chunk(raw, partSize) {
		if err := ix.room(len(chunk)); err != nil {
			return n, err
		}
		if err := wb.Set(segmentKey(seg, part, n), chunk); err != nil {
			return n, fmt.Errorf("write segment %d: %w", seg, err)
		}
		n++
	}
	return n, nil
}

// mergeColumns joins the columns of the living and fills in where each document moves.
func mergeColumns(sources []*source) *columns {
	out := newColumns()
	for _, s := range sources {
		s.moved = make([]int32, s.cols.count())
		for i := range s.moved {
			if s.dead.ContainsInt(i) {
				s.moved[i] = -1
				continue
			}
			s.moved[i] = int32(out.count())
			out.add(s.cols.nums[i], s.cols.lens[i], s.cols.times[i], s.cols.hashes[i], nil)
		}
		for name, set := range s.cols.facets {
			for it := set.Iterator(); it.HasNext(); {
				if to := s.moved[it.Next()]; to >= 0 {
					out.facets.add(name, uint32(to))
				}
			}
		}
	}
	return out
}

// mergeTerms calls add for each term of the sources in ascending order with the postings of the living.
func mergeTerms(txn *badger.Txn, sources []*source, add func(term string, l *list) error) error {
	var queue cursors
	for order, s := range sources {
		c := newCursor(txn, s, order)
		defer c.stop()
		if c.next() {
			queue = append(queue, c)
		}
		if c.err != nil {
			return c.err
		}
	}
	heap.Init(&queue)
	for len(queue) > 0 {
		term := queue[0].term
		out := newList()
		for len(queue) > 0 && queue[0].term == term {
			c := queue[0]
			err := walk(c.postings, c.src.cols.count(), func(local int, tf uint32) {
				if to := c.src.moved[local]; to >= 0 {
					out.add(int(to), tf)
				}
			})
			if err != nil {
				return fmt.Errorf("term %q of segment %d: %w", term, c.src.id, err)
			}
			if c.next() {
				heap.Fix(&queue, 0)
			} else {
				heap.Pop(&queue)
			}
			if c.err != nil {
				return c.err
			}
		}
		if out.n == 0 {
			continue
		}
		if err := add(term, out); err != nil {
			return err
		}
	}
	return nil
}
