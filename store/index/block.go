package index

import (
	"bytes"
	"encoding/binary"
	"iter"
)

// blockSize is where a block of terms ends, in bytes. A query reads one block a term and segment.
const blockSize = 4096

// A block holds terms in ascending order. Each entry is
//
//	uvarint length of the prefix that the term shares with the one before (0 for the first)
//	uvarint length of the rest, the rest
//	uvarint number of documents
//	uvarint length of the postings, the postings
type blockWriter struct {
	buf   []byte
	first string
	last  string
	emit  func(first string, block []byte) error
}

// add appends a term, which must come after all that were added. A long list gets a block of its own, so that its
// neighbours stay cheap to read.
func (w *blockWriter) add(term string, n int, postings []byte) error {
	if len(w.buf) > 0 && len(w.buf)+len(postings) > blockSize {
		if err := w.flush(); err != nil {
			return err
		}
	}
	shared := 0
	if len(w.buf) == 0 {
		w.first = term
	} else {
		shared = commonPrefix(w.last, term)
	}
	w.buf = binary.AppendUvarint(w.buf, uint64(shared))
	w.buf = binary.AppendUvarint(w.buf, uint64(len(term)-shared))
	w.buf = append(w.buf, term[shared:]...)
	w.buf = binary.AppendUvarint(w.buf, uint64(n))
	w.buf = binary.AppendUvarint(w.buf, uint64(len(postings)))
	w.buf = append(w.buf, postings...)
	w.last = term
	return nil
}

func (w *blockWriter) flush() error {
	if len(w.buf) == 0 {
		return nil
	}
	err := w.emit(w.first, w.buf)
	w.buf = w.buf[:0]
	return err
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// entry is one term of a block. Its slices are valid until the next one is read.
type entry struct {
	term     []byte
	n        int
	postings []byte
}

// entries reads a block.
func entries(block []byte) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		var e entry
		r := reader{buf: block}
		for len(r.buf) > 0 {
			shared := r.uvarint()
			rest := r.bytes(r.uvarint())
			n := r.uvarint()
			postings := r.bytes(r.uvarint())
			if r.bad || shared > uint64(len(e.term)) || n > uint64(len(postings)) {
				yield(entry{}, errCorrupt)
				return
			}
			e.term = append(e.term[:shared], rest...)
			e.n, e.postings = int(n), postings
			if !yield(e, nil) {
				return
			}
		}
	}
}

// find looks a term up in a block. n is 0 where the block does not hold it.
func find(block []byte, term string) (n int, postings []byte, err error) {
	want := []byte(term)
	for e, err := range entries(block) {
		if err != nil {
			return 0, nil, err
		}
		switch bytes.Compare(e.term, want) {
		case 0:
			return e.n, e.postings, nil
		case 1:
			return 0, nil, nil
		}
	}
	return 0, nil, nil
}

// reader takes values off the front of a buffer. After a value that is not there, bad is set and all values are zero.
type reader struct {
	buf []byte
	bad bool
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.buf)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.buf = r.buf[n:]
	return v
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.buf)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.buf = r.buf[n:]
	return v
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.buf)) {
		r.fail()
		return nil
	}
	out := r.buf[:n]
	r.buf = r.buf[n:]
	return out
}

func (r *reader) string() string { return string(r.bytes(r.uvarint())) }

func (r *reader) fail() { r.bad, r.buf = true, nil }
