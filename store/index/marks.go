package index

import "encoding/binary"

// marks are the scores of a piece's documents, by their places, and which of the query's terms each has, one bit a term. All are clear
// but those of the places that are listed, so that a query costs what it touches.
type marks struct {
	scores  []float64
	words   []uint64
	seen    []uint64 // one bit a document: it is listed
	touched []uint32
}

// fit makes room for n documents.
func (m *marks) fit(n int) {
	if len(m.scores) < n {
		m.scores, m.words, m.seen = make([]float64, n), make([]uint64, n), make([]uint64, (n+63)/64)
	}
}

// clear takes all marks away.
func (m *marks) clear() {
	for _, place := range m.touched {
		m.scores[place], m.words[place], m.seen[place>>6] = 0, 0, 0
	}
	m.touched = m.touched[:0]
}

// adding is how postings are added to marks.
type adding struct {
	lens    []uint16 // of the piece's documents
	allow   []uint64 // one bit a document
	weights *weights
	bit     uint64 // of the term
	// need is what a document that has none of the earlier terms must get from this one to have a chance; 0 where each has one.
	need float64
}

// add marks the allowed documents of a term's postings. Where nothing in a stretch has a chance, it is passed over.
func (m *marks) add(l *postings, a *adding) error {
	if l.stretches == nil {
		return m.stretch(l.buf, -1, a)
	}
	before, begin := -1, 0
	for i := range l.stretches {
		s := &l.stretches[i]
		if anyBit(a.allow, before+1, s.last) &&
			(a.need <= 0 || len(m.touched) > 0 && anyBit(m.seen, before+1, s.last) || a.weights.most(s.peaks) >= a.need) {
			if err := m.stretch(l.buf[begin:s.end], before, a); err != nil {
				return err
			}
		}
		before, begin = s.last, s.end
	}
	return nil
}

// stretch is add of postings that follow on a document, see walk.
func (m *marks) stretch(buf []byte, local int, a *adding) error {
	size := len(a.lens)
	scores, words, lens, allow, w := m.scores[:size], m.words[:size], a.lens, a.allow, a.weights
	for i := 0; i < len(buf); {
		v := uint64(buf[i])
		if v < 0x80 {
			i++
		} else {
			n := 0
			if v, n = binary.Uvarint(buf[i:]); n <= 0 {
				return errCorrupt
			}
			i += n
		}
		tf := uint64(1)
		if v&1 == 0 {
			n := 0
			if tf, n = binary.Uvarint(buf[i:]); n <= 0 || tf == 0 {
				return errCorrupt
			}
			i += n
		}
		if v>>1 >= uint64(size) {
			return errCorrupt
		}
		if local += int(v>>1) + 1; local >= size {
			return errCorrupt
		}
		if allow[local>>6]>>(local&63)&1 == 0 {
			continue
		}
		if words[local] == 0 {
			m.touched = append(m.touched, uint32(local))
			m.seen[local>>6] |= 1 << (local & 63)
		}
		words[local] |= a.bit
		scores[local] += w.of(uint32(tf), lens[local])
	}
	return nil
}
