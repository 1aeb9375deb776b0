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

// walker reads postings one after the other. At the end, and where the bytes are not what was written, next is false.
type walker struct {
	buf   []byte
	at    int
	local int // the place that was read last, -1 at first
	tf    uint32
	size  int // documents in the segment: a posting beyond them is an error
	err   error
}

func newWalker(buf []byte, size int) walker { return walker{buf: buf, local: -1, size: size} }

func (w *walker) next() bool {
	if w.at >= len(w.buf) {
		return false
	}
	// Most distances take one byte.
	v := uint64(w.buf[w.at])
	if v < 0x80 {
		w.at++
	} else if v = w.uvarint(); w.err != nil {
		return false
	}
	tf := uint64(1)
	if v&1 == 0 {
		if tf = w.uvarint(); w.err != nil {
			return false
		}
	}
	if v>>1 >= uint64(w.size) || w.local+int(v>>1)+1 >= w.size || tf == 0 {
		w.err = errCorrupt
		return false
	}
	w.local += int(v>>1) + 1
	w.tf = uint32(tf)
	return true
}

func (w *walker) uvarint() uint64 {
	v, n := binary.Uvarint(w.buf[w.at:])
	if n <= 0 {
		w.err = errCorrupt
		return 0
	}
	w.at += n
	return v
}

// walk calls fn for each posting. size is the number of documents in the segment; a posting beyond it is an error.
func walk(buf []byte, size int, fn func(local int, tf uint32)) error {
	w := newWalker(buf, size)
	for w.next() {
		fn(w.local, w.tf)
	}
	return w.err
}
