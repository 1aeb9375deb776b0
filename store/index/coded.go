package index

import (
	"math/bits"
	"slices"
)

// codedSpot is a place and the number of bits in which its code, or a part of it, differs from that of the query.
type codedSpot struct {
	piece, place, bits int32
}

// fewest gathers the places that differ in the fewest bits: as many as are wanted, and all that differ in as few as the last of those.
type fewest struct {
	want   int
	counts []int // of the gathered places by their bits
	cut    int   // what differs in more bits is not among them
	below  int   // gathered places that differ in less
	list   []codedSpot
}

// newFewest begins with a cut; a place beyond it is not looked for.
func newFewest(want, cut int, list []codedSpot) *fewest {
	return &fewest{want: want, counts: make([]int, cut+1), cut: cut, list: list[:0]}
}

// add takes a place that lies within the cut, and lowers that as far as the places allow.
func (f *fewest) add(piece, place, bits int) {
	f.list = append(f.list, codedSpot{int32(piece), int32(place), int32(bits)})
	f.counts[bits]++
	if bits == f.cut {
		return
	}
	for f.below++; f.below >= f.want; {
		f.cut--
		f.below -= f.counts[f.cut]
	}
}

// done is what was gathered; ok is false where the cut to begin with was too low to find as many as are wanted.
func (f *fewest) done() (list []codedSpot, ok bool) {
	list = slices.DeleteFunc(f.list, func(c codedSpot) bool { return int(c.bits) > f.cut })
	return list, len(list) >= f.want
}

// coded finds the places whose codes differ in the fewest bits: nearCodes of them, and all that differ in as few. Of many documents
// only those are compared whose heads differ in the fewest.
func (s *scan) coded() []spot {
	kept := s.ix.chosen.Get().(*[]codedSpot)
	defer s.ix.chosen.Put(kept)
	if s.docs > nearHeads {
		*kept = s.heads(*kept)
	} else {
		*kept = s.allHeads(*kept)
	}
	counts := make([]int, 64*len(s.asked.code)+1)
	s.addTails(*kept)
	for i := range *kept {
		counts[(*kept)[i].bits]++
	}
	cut, sum := 0, counts[0]
	for sum < nearCodes && cut+1 < len(counts) {
		cut++
		sum += counts[cut]
	}
	out := make([]spot, 0, sum)
	for _, h := range *kept {
		if int(h.bits) <= cut {
			out = append(out, spot{int(h.piece), int(h.place)})
		}
	}
	return out
}

// allHeads is every place with the bits in which its head differs.
func (s *scan) allHeads(buf []codedSpot) []codedSpot {
	buf = slices.Grow(buf[:0], s.docs)
	s.each(func(piece, place int) {
		buf = append(buf, codedSpot{int32(piece), int32(place), int32(s.headBits(s.ix.pieces[piece].vecs[serving], place))})
	})
	return buf
}

// addTails adds the bits in which the rest of each code differs.
func (s *scan) addTails(list []codedSpot) {
	code := s.asked.code[headWords:]
	for len(list) > 0 {
		piece := list[0].piece
		n := len(list)
		if i := slices.IndexFunc(list, func(h codedSpot) bool { return h.piece != piece }); i > 0 {
			n = i
		}
		c := s.ix.pieces[piece].vecs[serving]
		if len(code) == 2 {
			addTails2(list[:n], c.tails, code[0], code[1])
		} else {
			for i := range list[:n] {
				list[i].bits += int32(distance(c.tail(int(list[i].place)), code))
			}
		}
		list = list[n:]
	}
}

func addTails2(list []codedSpot, tails []uint64, q0, q1 uint64) {
	for i := range list {
		at := 2 * int(list[i].place)
		t := (*[2]uint64)(tails[at : at+2])
		list[i].bits += int32(bits.OnesCount64(t[0]^q0) + bits.OnesCount64(t[1]^q1))
	}
}

func (s *scan) headBits(c *vecColumn, place int) int { return distance(c.head(place), s.asked.code) }

// heads finds the places whose heads differ in the fewest bits, nearHeads of them. The cut to begin with is guessed from a part of the
// documents, since places that are gathered and dropped again take longest.
func (s *scan) heads(buf []codedSpot) []codedSpot {
	const all = 64 * headWords
	for _, cut := range []int{s.guessedCut(), all} {
		f := newFewest(nearHeads, cut, buf)
		for i, allow := range s.allow {
			if allow != nil {
				f.scan(i, s.ix.pieces[i].vecs[serving], allow, s.asked.code)
			}
		}
		list, ok := f.done()
		if ok || cut == all {
			return list
		}
		buf = list
	}
	return nil
}

// scan gathers the allowed places of a piece by their heads.
func (f *fewest) scan(piece int, c *vecColumn, allow, code []uint64) {
	for w, word := range allow {
		base := w << 6
		if word == ^uint64(0) {
			word = nearer((*[64 * headWords]uint64)(c.heads[base*headWords:]), code[0], code[1], f.cut)
		}
		for ; word != 0; word &= word - 1 {
			place := base + bits.TrailingZeros64(word)
			if n := distance(c.head(place), code); n <= f.cut {
				f.add(piece, place, n)
			}
		}
	}
}

// nearer tells which of 64 heads differ from that of the query in so many bits at most, one bit each. It has hardly a branch: of a million
// documents it is what takes longest.
func nearer(heads *[64 * headWords]uint64, q0, q1 uint64, cut int) (mask uint64) {
	for i := 0; i < len(heads); i += 8 {
		h := (*[8]uint64)(heads[i:])
		a := bits.OnesCount64(h[0]^q0) + bits.OnesCount64(h[1]^q1)
		b := bits.OnesCount64(h[2]^q0) + bits.OnesCount64(h[3]^q1)
		c := bits.OnesCount64(h[4]^q0) + bits.OnesCount64(h[5]^q1)
		d := bits.OnesCount64(h[6]^q0) + bits.OnesCount64(h[7]^q1)
		if min(a, b, c, d) <= cut {
			few := uint64(a-cut-1)>>63 | uint64(b-cut-1)>>63<<1 | uint64(c-cut-1)>>63<<2 | uint64(d-cut-1)>>63<<3
			mask |= few << (i / headWords)
		}
	}
	return mask
}

// guessedEvery is of how many words of 64 documents one is looked at to guess the cut.
const guessedEvery = 32

// guessedCut is in how many bits the heads differ at most that are gathered, as a part of the documents has it, and a little more.
func (s *scan) guessedCut() int {
	var counts [64*headWords + 1]int
	docs := 0
	for i, allow := range s.allow {
		for w := 0; w < len(allow); w += guessedEvery {
			for word := allow[w]; word != 0; word &= word - 1 {
				counts[s.headBits(s.ix.pieces[i].vecs[serving], w<<6+bits.TrailingZeros64(word))]++
				docs++
			}
		}
	}
	want := docs * nearHeads / s.docs * 5 / 4
	cut := 0
	for sum := counts[0]; sum < want && cut+1 < len(counts); sum += counts[cut] {
		cut++
	}
	return cut
}
