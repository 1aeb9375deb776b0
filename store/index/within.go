package index

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
)

// mostOfAll is the share of all live documents, in tenths, from which on those that a query may find are taken for all.
const mostOfAll = 9

// rankerWithin takes the numbers of the documents that a query may find, one bit a document in allow, and counts for each term how
// many of them hold it: a word that every document of a project has tells nothing there, however rare it is elsewhere. Terms that none of
// them holds keep the count 0. Where nearly all documents may be found, the numbers of all are taken, which cost nothing. mu is held.
func (ix *Index) rankerWithin(allow [][]uint64, asked []askedTerm) (ranker, error) {
	r := ix.ranker()
	docs, length := 0, int64(0)
	for _, set := range allow {
		docs += countBits(set)
	}
	if docs == 0 || docs*10 >= r.docs*mostOfAll {
		return r, nil
	}
	for i, p := range ix.pieces {
		for w, word := range allow[i] {
			for ; word != 0; word &= word - 1 {
				length += int64(p.cols.lens[w<<6+bits.TrailingZeros64(word)])
			}
		}
	}
	r.docs, r.per = docs, 0
	if length > 0 {
		r.per = k1 * b * float64(docs) / float64(length)
	}
	for k := range asked {
		t := &asked[k]
		t.df = 0
		for i, p := range ix.pieces {
			n, err := countIn(t.postings[i], p.cols.count(), allow[i])
			if err != nil {
				return r, fmt.Errorf("term %q of segment %d: %w", t.term, p.id, err)
			}
			t.df += n
		}
	}
	// The order in which scores are added up follows from the counts.
	slices.SortFunc(asked, func(a, b askedTerm) int { return cmp.Or(cmp.Compare(a.df, b.df), cmp.Compare(a.term, b.term)) })
	return r, nil
}

func countBits(set []uint64) (n int) {
	for _, word := range set {
		n += bits.OnesCount64(word)
	}
	return n
}

// countIn counts the documents of a list that are allowed.
func countIn(postings []byte, size int, allow []uint64) (int, error) {
	if postings == nil || allow == nil {
		return 0, nil
	}
	n := 0
	err := walk(postings, size, func(local int, _ uint32) { n += int(allow[local>>6] >> (local & 63) & 1) })
	return n, err
}
