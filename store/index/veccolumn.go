package index

import (
	"math/bits"
	"slices"
)

// headWords is how many words of each code lie apart from the others. They are compared first, so that of a million documents most of the
// codes need not be read.
const headWords = 2

// vecColumn holds of one piece and generation, by place, which documents have a vector, and its code.
type vecColumn struct {
	words int
	made  []uint64     // one bit a document: its vector is made; the others wait
	has   []uint64     // one bit a document: it is not all zeros
	heads []uint64     // headWords a document
	tails []uint64     // the other words of the code
	fine  *lazyNibbles // nil where vectors are too long for it
}

func newVecColumn(dims, count int) *vecColumn {
	c := &vecColumn{words: codeWords(dims)}
	if dims <= mostNibbleDims {
		c.fine = &lazyNibbles{nibbles: newNibbles(dims, 0)}
	}
	c.grow(count)
	return c
}

// grow makes room for so many documents.
func (c *vecColumn) grow(count int) {
	for n := (count + 63) / 64; len(c.made) < n; {
		c.made, c.has = append(c.made, 0), append(c.has, 0)
	}
	if more := count*headWords - len(c.heads); more > 0 {
		c.heads = append(c.heads, make([]uint64, more)...)
		c.tails = append(c.tails, make([]uint64, count*c.rest()-len(c.tails))...)
	}
	if n := c.nibbles(); n != nil {
		n.grow(count)
	}
}

func (c *vecColumn) rest() int { return c.words - headWords }

// set notes the vector of a place; nil means that it waits.
func (c *vecColumn) set(place int, v *coded) {
	bit := uint64(1) << (place & 63)
	c.made[place>>6] &^= bit
	c.has[place>>6] &^= bit
	n := c.nibbles()
	if n != nil {
		n.unset(place)
	}
	if v == nil {
		return
	}
	c.made[place>>6] |= bit
	if v.vals != nil {
		c.note(place, v.code)
		if n != nil {
			n.set(place, bytesOfSteps(v.vals))
		}
	}
}

// nibbles are those of the column; nil where they are not made yet, or never.
func (c *vecColumn) nibbles() *nibbles {
	if c.fine == nil {
		return nil
	}
	return c.fine.nibbles
}

// forgetNibbles has them made anew by the next query.
func (c *vecColumn) forgetNibbles() {
	if c.fine != nil {
		c.fine.nibbles = nil
	}
}

func (c *vecColumn) note(place int, code []uint64) {
	c.has[place>>6] |= 1 << (place & 63)
	copy(c.head(place), code)
	copy(c.tail(place), code[headWords:])
}

func (c *vecColumn) isMade(place int) bool { return c.made[place>>6]>>(place&63)&1 != 0 }
func (c *vecColumn) hasOne(place int) bool { return c.has[place>>6]>>(place&63)&1 != 0 }

func (c *vecColumn) head(place int) []uint64 { return c.heads[place*headWords : (place+1)*headWords] }

func (c *vecColumn) tail(place int) []uint64 {
	return c.tails[place*c.rest() : (place+1)*c.rest()]
}

// code appends the code of a place to buf.
func (c *vecColumn) code(buf []uint64, place int) []uint64 {
	return append(append(buf, c.head(place)...), c.tail(place)...)
}

// moveVectors makes the column of a new segment out of those of its sources; mu is held.
func moveVectors(slot, dims int, p *piece, sources []*source) *vecColumn {
	out := newVecColumn(dims, p.cols.count())
	if slices.ContainsFunc(sources, func(s *source) bool { return s.vecs[slot].nibbles() == nil }) {
		out.forgetNibbles()
	}
	var code []uint64
	for _, s := range sources {
		from := s.vecs[slot]
		for i, to := range s.moved {
			if to < 0 || !from.isMade(i) {
				continue
			}
			out.made[to>>6] |= 1 << (to & 63)
			if from.hasOne(i) {
				code = from.code(code[:0], i)
				out.note(int(to), code)
				if n := out.nibbles(); n != nil {
					n.move(int(to), from.nibbles(), i)
				}
			}
		}
	}
	return out
}

// addVector notes the vector of the document that was added last.
func (p *piece) addVector(slot, dims int, v *coded) {
	if p.vecs[slot] == nil {
		p.vecs[slot] = newVecColumn(dims, 0)
	}
	p.vecs[slot].grow(p.cols.count())
	p.vecs[slot].set(p.cols.count()-1, v)
}

// waiting counts the live documents of a piece whose vector is not made.
func (p *piece) waiting(slot int) int {
	n := 0
	for w, made := range p.vecs[slot].made {
		left := ^made
		if rest := p.cols.count() - 64*w; rest < 64 {
			left &= 1<<rest - 1
		}
		n += bits.OnesCount64(left)
	}
	for it := p.dead.Iterator(); it.HasNext(); {
		if !p.vecs[slot].isMade(int(it.Next())) {
			n--
		}
	}
	return n
}
