package index

import "math/bits"

// vecColumn holds of one piece and generation, by place, which documents have a vector, and its code.
type vecColumn struct {
	words int
	made  []uint64 // one bit a document: its vector is made; the others wait
	has   []uint64 // one bit a document: it is not all zeros
	codes []uint64 // words a document
}

func newVecColumn(dims, count int) *vecColumn {
	c := &vecColumn{words: codeWords(dims)}
	c.grow(count)
	return c
}

// grow makes room for so many documents.
func (c *vecColumn) grow(count int) {
	for n := (count + 63) / 64; len(c.made) < n; {
		c.made, c.has = append(c.made, 0), append(c.has, 0)
	}
	if more := count*c.words - len(c.codes); more > 0 {
		c.codes = append(c.codes, make([]uint64, more)...)
	}
}

// set notes the vector of a place; nil means that it waits.
func (c *vecColumn) set(place int, v *coded) {
	bit := uint64(1) << (place & 63)
	c.made[place>>6] &^= bit
	c.has[place>>6] &^= bit
	if v == nil {
		return
	}
	c.made[place>>6] |= bit
	if v.vals != nil {
		c.note(place, v.code)
	}
}

func (c *vecColumn) note(place int, code []uint64) {
	c.has[place>>6] |= 1 << (place & 63)
	copy(c.codes[place*c.words:(place+1)*c.words], code)
}

func (c *vecColumn) isMade(place int) bool { return c.made[place>>6]>>(place&63)&1 != 0 }
func (c *vecColumn) hasOne(place int) bool { return c.has[place>>6]>>(place&63)&1 != 0 }

func (c *vecColumn) code(place int) []uint64 {
	return c.codes[place*c.words : (place+1)*c.words]
}

// moveVectors makes the column of a new segment out of those of its sources; mu is held.
func moveVectors(slot, dims int, p *piece, sources []*source) *vecColumn {
	out := newVecColumn(dims, p.cols.count())
	for _, s := range sources {
		from := s.vecs[slot]
		for i, to := range s.moved {
			if to < 0 || !from.isMade(i) {
				continue
			}
			out.made[to>>6] |= 1 << (to & 63)
			if from.hasOne(i) {
				out.note(int(to), from.code(i))
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
