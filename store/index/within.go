package index

import "math/bits"

// mostOfAll is the share of all live documents, in tenths, from which on those that a query may find are taken for all.
const mostOfAll = 9

// rankerWithin takes the numbers of the documents that a query may find, one bit a document in allow: a word that every document of a
// project has tells nothing there, however rare it is elsewhere. Where nearly all documents may be found, or none, the numbers of all are
// taken, which cost nothing. mu is held.
func (ix *Index) rankerWithin(allow [][]uint64) ranker {
	r := ix.ranker()
	docs, length := 0, int64(0)
	for _, set := range allow {
		docs += countBits(set)
	}
	if docs == 0 || docs*10 >= r.docs*mostOfAll {
		return r
	}
	for i, p := range ix.pieces {
		for w, word := range allow[i] {
			for ; word != 0; word &= word - 1 {
				length += int64(p.cols.lens[w<<6+bits.TrailingZeros64(word)])
			}
		}
	}
	r.docs, r.per, r.within = docs, 0, true
	if length > 0 {
		r.per = k1 * b * float64(docs) / float64(length)
	}
	return r
}

func countBits(set []uint64) (n int) {
	for _, word := range set {
		n += bits.OnesCount64(word)
	}
	return n
}

// countIn counts the documents of a list that are in a set.
func countIn(l *postings, size int, set []uint64) (int, error) {
	n := 0
	err := l.each(set, size, func(local int, _ uint32) { n += int(set[local>>6] >> (local & 63) & 1) })
	return n, err
}
