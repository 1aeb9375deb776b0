package index

import "encoding/binary"

// The counts and lengths for which weights are computed in advance.
const (
	tableCounts  = 4
	tableLengths = 1024
	// tableDocs is from how many documents of a term on that pays.
	tableDocs = 4096
)

// weights tells what a term adds to the scores of documents. A division a posting is what a query for frequent words would spend most on.
type weights struct {
	rank  *ranker
	idf   float64
	table []float64 // by count and length; nil where it does not pay
}

// weights are those of a term that df of the documents hold.
func (r *ranker) weights(df int) *weights {
	w := &weights{rank: r, idf: idf(r.docs, df)}
	if df < tableDocs {
		return w
	}
	w.table = make([]float64, tableCounts*tableLengths)
	for i := range w.table {
		w.table[i] = r.weight(w.idf, uint32(i/tableLengths)+1, uint16(i%tableLengths))
	}
	return w
}

func (w *weights) of(tf uint32, length uint16) float64 {
	if i := int(tf-1)*tableLengths + int(length); length < tableLengths && i < len(w.table) {
		return w.table[i]
	}
	return w.rank.weight(w.idf, tf, length)
}

// add marks the allowed documents of a term's postings, see walk. lens are the lengths of the piece's documents.
func (m *marks) add(buf []byte, lens []uint16, allow []uint64, w *weights, bit uint64) error {
	local, size := -1, len(lens)
	scores, words := m.scores[:size], m.words[:size]
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
		}
		words[local] |= bit
		scores[local] += w.of(uint32(tf), lens[local])
	}
	return nil
}
