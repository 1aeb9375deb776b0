package index

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"dormouse/store/memory"
)

// How many documents are looked at more closely at each step from the codes to the vectors. They are numbers of documents of the
// whole index, so that an answer does not depend on how it is cut into segments.
const (
	nearHeads   = 64_000 // by the bits in which the heads of the codes differ
	nearCodes   = 4000   // by the bits in which the codes differ
	nearVectors = 320    // by the estimate from the code; at least twice the limit
	nearNibbles = 64     // by that from four bits a number, where there is one; at least twice the limit
	sampled     = 128    // for the spread of all cosines
)

// spot is a place of a document.
type spot struct {
	piece, place int
}

// near is a document that the vectors know something of.
type near struct {
	spot
	num    uint32
	time   int64
	hash   uint64
	cosine float64
}

// scan is a look through the vectors of the allowed documents.
type scan struct {
	ix    *Index
	txn   *badger.Txn
	asked *asked
	allow [][]uint64 // by piece, one bit a document; nil where there is none
	docs  int        // allowed documents with a vector
}

// nearest finds the allowed documents that are nearest to the query's vector, nearest first; mu is held.
func (s *scan) nearest(ctx context.Context, view memory.View, limit int) ([]near, Spread, error) {
	if err := s.count(ctx); err != nil || s.docs == 0 {
		return nil, Spread{}, err
	}
	sample, total := s.sample(), s.docs
	list, err := s.records(ctx, view, limit)
	if err != nil {
		return nil, Spread{}, err
	}
	rest, err := s.rest(limit)
	if err != nil {
		return nil, Spread{}, err
	}
	list = append(list, rest...)
	if err := s.measure(list); err != nil {
		return nil, Spread{}, err
	}
	if total == len(list) {
		sample = list
	} else if err := s.measureSample(sample); err != nil {
		return nil, Spread{}, err
	}
	spread := spreadOf(sample, total)
	slices.SortFunc(list, near.before)
	return list[:min(limit, len(list))], spread, nil
}

// before orders by cosine, of equal ones the newer first, then by a hash of the id.
func (n near) before(o near) int {
	return cmp.Or(cmp.Compare(o.cosine, n.cosine), cmp.Compare(o.time, n.time), cmp.Compare(n.hash, o.hash))
}

// count drops what has no vector from what is allowed.
func (s *scan) count(ctx context.Context) error {
	for i, p := range s.ix.pieces {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.allow[i] == nil || p.vecs[serving] == nil {
			s.allow[i] = nil
			continue
		}
		with := make([]uint64, len(s.allow[i]))
		for w, has := range p.vecs[serving].has {
			with[w] = s.allow[i][w] & has
			s.docs += bits.OnesCount64(with[w])
		}
		s.allow[i] = with
	}
	return nil
}

// each calls fn for every place that is looked at.
func (s *scan) each(fn func(piece, place int)) {
	for i, allow := range s.allow {
		for w, word := range allow {
			for ; word != 0; word &= word - 1 {
				fn(i, w<<6+bits.TrailingZeros64(word))
			}
		}
	}
}

func (s *scan) all(n int) []near {
	out := make([]near, 0, n)
	s.each(func(piece, place int) { out = append(out, s.at(piece, place)) })
	return out
}

func (s *scan) at(piece, place int) near {
	c := s.ix.pieces[piece].cols
	return near{spot: spot{piece, place}, num: c.nums[place], time: c.times[place], hash: c.hashes[place]}
}

// estimated keeps the places whose codes, or better nibbles, promise the highest cosines: as many as are wanted, and others that promise as
// much as the last of those, the newest of them.
func (s *scan) estimated(spots []spot, limit int) ([]near, error) {
	scores, want, err := s.estimate(spots)
	if err != nil {
		return nil, err
	}
	want = min(max(want, 2*limit), len(scores))
	least := kth(slices.Clone(scores), len(scores)-want)
	var above, equal []near
	for i, at := range spots {
		switch {
		case scores[i] > least:
			above = append(above, s.at(at.piece, at.place))
		case scores[i] == least:
			equal = append(equal, s.at(at.piece, at.place))
		}
	}
	slices.SortFunc(equal, func(a, b near) int { return cmp.Or(cmp.Compare(b.time, a.time), cmp.Compare(a.hash, b.hash)) })
	return append(above, equal[:min(want, len(equal))]...), nil
}

// estimate is what the vectors of some places promise, and of how many of them the best are found by that.
func (s *scan) estimate(spots []spot) (scores []float32, want int, err error) {
	scores = make([]float32, len(spots))
	if s.ix.gens[serving].entry.Dims <= mostNibbleDims {
		return scores, nearNibbles, s.byNibbles(spots, scores)
	}
	s.asked.prepare()
	for i, at := range spots {
		c := s.ix.pieces[at.piece].vecs[serving]
		scores[i] = s.asked.score(0, c.head(at.place)) + s.asked.score(headWords, c.tail(at.place))
	}
	return scores, nearVectors, nil
}

func (s *scan) byNibbles(spots []spot, scores []float32) error {
	tables := nibbleTables(s.asked.exact)
	var n *nibbles
	for i, at := range spots {
		if i == 0 || at.piece != spots[i-1].piece {
			var err error
			if n, err = s.nibblesOf(s.ix.pieces[at.piece]); err != nil {
				return err
			}
		}
		scores[i] = n.cosine(tables, at.place)
	}
	return nil
}

// measure reads the vectors and fills the cosines in.
func (s *scan) measure(list []near) error {
	slices.SortFunc(list, func(a, b near) int { return cmp.Compare(a.num, b.num) })
	g := s.ix.gens[serving]
	for len(list) > 0 {
		n := 1
		block := list[0].num / blockDocs
		for n < len(list) && list[n].num/blockDocs == block {
			n++
		}
		item, err := s.txn.Get(vecKey(keyVectors, g.entry.ID, block))
		if err == nil {
			err = item.Value(func(v []byte) error { return s.asked.fill(list[:n], v, g.entry.Dims) })
		}
		if err != nil {
			return fmt.Errorf("vectors from number %d on: %w", block*blockDocs, missing(err))
		}
		list = list[n:]
	}
	return nil
}

// fill computes the cosines of documents whose vectors are in one block.
func (a *asked) fill(list []near, block []byte, dims int) error {
	for i := range list {
		scale, vals, err := entryOf(block, dims, int(list[i].num%blockDocs))
		if err == nil && vals == nil {
			err = fmt.Errorf("%w: the vector of document %d is missing", errCorrupt, list[i].num)
		}
		if err != nil {
			return err
		}
		list[i].cosine = a.cosine(scale, vals)
	}
	return nil
}

// sample is a part of what is looked through, chosen by the hashes of the ids, so that it is always the same.
func (s *scan) sample() (out []near) {
	below := ^uint64(0)
	if s.docs > sampled {
		below = below / uint64(s.docs) * sampled
	}
	if below > lowHash {
		s.each(func(piece, place int) {
			if s.ix.pieces[piece].cols.hashes[place] <= below {
				out = append(out, s.at(piece, place))
			}
		})
		return out
	}
	for i, allow := range s.allow {
		if allow == nil {
			continue
		}
		for _, d := range s.ix.pieces[i].cols.low {
			if d.hash <= below && allow[d.place>>6]>>(d.place&63)&1 != 0 {
				out = append(out, s.at(i, int(d.place)))
			}
		}
	}
	return out
}

func spreadOf(list []near, total int) Spread {
	t := tally{total: total}
	for _, n := range list {
		t.add(n.cosine)
	}
	return t.spread()
}

// rest picks what of the turns may be among the nearest.
func (s *scan) rest(limit int) ([]near, error) {
	n := 0
	for _, allow := range s.allow {
		n += countBits(allow)
	}
	if n <= max(nearVectors, 2*limit) { // few enough to know them all exactly
		return s.all(n), nil
	}
	return s.estimated(s.coded(), limit)
}
