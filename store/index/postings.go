package index

import (
	"encoding/binary"
	"errors"
)

// errCorrupt says that bytes of the index can't be what was written.
var errCorrupt = errors.New("the bytes are not what was written")

// list is the postings of one term in one segment: for each document that holds the term, in ascending order, the distance
// from the one before and the weighted count of the term. A count of one takes no byte of its own.
type list struct {
	n    int // documents
	last int // the last document, -1 at first
	buf  []byte
}

func newList() *list { return &list{last: -1} }

// add appends a document, which must come after all that were added.
func (l *list) add(local int, tf uint32) {
	delta := uint64(local - l.last - 1)
	l.last = local
	l.n++
	if tf == 1 {
		l.buf = binary.AppendUvarint(l.buf, delta<<1|1)
		return
	}
	l.buf = binary.AppendUvarint(l.buf, delta<<1)
	l.buf = binary.AppendUvarint(l.buf, uint64(tf))
}

// walk calls fn for each posting. size is the number of documents in the segment; a posting beyond it is an error.
func walk(buf []byte, size int, fn func(local int, tf uint32)) error {
	local := -1
	for i := 0; i < len(buf); {
		// Most distances take one byte.
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
			if tf, n = binary.Uvarint(buf[i:]); n <= 0 {
				return errCorrupt
			}
			i += n
		}
		if v>>1 >= uint64(size) {
			return errCorrupt
		}
		local += int(v>>1) + 1
		if local >= size {
			return errCorrupt
		}
		fn(local, uint32(tf))
	}
	return nil
}
