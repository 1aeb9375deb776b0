package index

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// A long list of postings is cut into stretches of so many, so that a search need not read those in which nothing can be found. Before
// the postings of such a list a segment has
//
//	uvarint length of the directory, the directory: for each stretch
//		uvarint distance of its last document from that of the stretch before
//		uvarint length of its postings in bytes
//		uvarint number of peaks, each uvarint count and uvarint length of the document
//	uvarint length of the sample, the sample: the postings of documents whose hashes are at most lowHash
const stretchPostings = 128

// mostPeaks is how many peaks a stretch has at most.
const mostPeaks = 6

// peak is the count of a term in a document and the document's length, both as BM25 takes them.
type peak struct {
	tf  uint32
	len uint16
}

// peaks are of some postings those that no other of them beats, whatever the mean length is: none has as high a count in as short a
// document. They ascend in both. The highest score among them is the highest of all postings, or a little more.
type peaks []peak

func (p peaks) add(x peak) peaks {
	at := len(p)
	for at > 0 && p[at-1].tf >= x.tf {
		at--
	}
	if at < len(p) && p[at].len <= x.len { // as high a count in as short a document
		return p
	}
	if at < len(p) && p[at].tf == x.tf {
		p = slices.Delete(p, at, at+1)
	}
	from := at
	for from > 0 && p[from-1].len >= x.len {
		from--
	}
	return slices.Replace(p, from, at, x)
}

// few makes the peaks few, by taking neighbours together whose counts are most alike.
func (p peaks) few() peaks {
	for len(p) > mostPeaks {
		best, ratio := 0, 0.0
		for i := range len(p) - 1 {
			if r := float64(p[i].tf) / float64(p[i+1].tf); r > ratio {
				best, ratio = i, r
			}
		}
		p[best+1].len = p[best].len
		p = slices.Delete(p, best, best+1)
	}
	return p
}

// pack writes a list as a segment has it; c are the columns of the segment.
func (l *list) pack(c *columns) ([]byte, error) {
	if l.n <= stretchPostings {
		return l.buf, nil
	}
	var dir []byte
	var top peaks
	sample := newList()
	w := newWalker(l.buf, c.count())
	before, begin, n := -1, 0, 0
	for w.next() {
		top = top.add(peak{w.tf, c.lens[w.local]})
		if c.hashes[w.local] <= lowHash {
			sample.add(w.local, w.tf)
		}
		if n++; n%stretchPostings != 0 && n < l.n {
			continue
		}
		top = top.few()
		dir = binary.AppendUvarint(dir, uint64(w.local-before))
		dir = binary.AppendUvarint(dir, uint64(w.at-begin))
		dir = binary.AppendUvarint(dir, uint64(len(top)))
		for _, p := range top {
			dir = binary.AppendUvarint(dir, uint64(p.tf))
			dir = binary.AppendUvarint(dir, uint64(p.len))
		}
		before, begin, top = w.local, w.at, top[:0]
	}
	if w.err != nil || n != l.n {
		return nil, fmt.Errorf("%w: %d postings of %d", errCorrupt, n, l.n)
	}
	out := binary.AppendUvarint(make([]byte, 0, len(dir)+len(sample.buf)+len(l.buf)+8), uint64(len(dir)))
	out = append(out, dir...)
	out = binary.AppendUvarint(out, uint64(len(sample.buf)))
	out = append(out, sample.buf...)
	return append(out, l.buf...), nil
}

// stretch is a part of a long list.
type stretch struct {
	last  int // its last document
	end   int // of its postings
	peaks peaks
}

// postings are what a piece has of a term.
type postings struct {
	n         int
	buf       []byte    // as walk reads them
	stretches []stretch // nil where the list is short, in memory, or of a segment that was written without
	sample    []byte    // where there are stretches
}

// plain takes the postings out of what a segment has of a term.
func plain(n int, packed bool, raw []byte) ([]byte, error) {
	if !packed || n <= stretchPostings {
		return raw, nil
	}
	r := reader{buf: raw}
	r.bytes(r.uvarint())
	r.bytes(r.uvarint())
	if r.bad {
		return nil, errCorrupt
	}
	return r.buf, nil
}

// readPostings reads what a segment of so many documents has of a term. The result refers to raw.
func readPostings(n int, packed bool, raw []byte, size int) (*postings, error) {
	p := &postings{n: n, buf: raw}
	if !packed || n <= stretchPostings {
		return p, nil
	}
	r := reader{buf: raw}
	dir := reader{buf: r.bytes(r.uvarint())}
	p.sample = r.bytes(r.uvarint())
	p.buf = r.buf
	if r.bad {
		return nil, errCorrupt
	}
	p.stretches = make([]stretch, (n+stretchPostings-1)/stretchPostings)
	room := make(peaks, 0, 3*len(p.stretches))
	last, end := -1, 0
	for i := range p.stretches {
		gap, length, count := dir.uvarint(), dir.uvarint(), dir.uvarint()
		if dir.bad || gap == 0 || gap > uint64(size) || length > uint64(len(p.buf)) || count == 0 || count > mostPeaks {
			return nil, errCorrupt
		}
		last, end = last+int(gap), end+int(length)
		from := len(room)
		for range count {
			room = append(room, peak{uint32(dir.uvarint()), uint16(dir.uvarint())})
		}
		p.stretches[i] = stretch{last, end, room[from:len(room):len(room)]}
	}
	if dir.bad || len(dir.buf) > 0 || last >= size || end != len(p.buf) {
		return nil, errCorrupt
	}
	return p, nil
}

// bytes is about what the postings take in memory.
func (p *postings) bytes() int {
	return len(p.buf) + len(p.sample) + len(p.stretches)*(40+3*8)
}

// each calls fn for the postings of every stretch that may hold a place of which wanted has a bit, in ascending order. It may be called
// for others too.
func (p *postings) each(wanted []uint64, size int, fn func(local int, tf uint32)) error {
	if p.stretches == nil {
		return walk(p.buf, size, fn)
	}
	before, begin := -1, 0
	for i := range p.stretches {
		s := &p.stretches[i]
		if anyBit(wanted, before+1, s.last) {
			w := walker{buf: p.buf[:s.end], at: begin, local: before, size: size}
			for w.next() {
				fn(w.local, w.tf)
			}
			if w.err != nil || w.local != s.last {
				return errCorrupt
			}
		}
		before, begin = s.last, s.end
	}
	return nil
}

// pick calls fn for each of some places, ascending, that the postings have; i is its index.
func (p *postings) pick(places []uint32, size int, fn func(i int, tf uint32)) error {
	w := newWalker(p.buf, size)
	at := -1 // the stretch that is read
	for i, place := range places {
		want := int(place)
		if p.stretches != nil && (at < 0 || p.stretches[at].last < want) {
			at++
			for at < len(p.stretches) && p.stretches[at].last < want {
				at++
			}
			if at == len(p.stretches) {
				return nil
			}
			w = walker{buf: p.buf[:p.stretches[at].end], local: -1, size: size}
			if at > 0 {
				w.at, w.local = p.stretches[at-1].end, p.stretches[at-1].last
			}
		}
		for w.local < want && w.next() {
		}
		if w.err != nil {
			return w.err
		}
		if w.local == want {
			fn(i, w.tf)
		}
	}
	return nil
}

// anyBit reports whether a bit from place from to place to is set. A nil set has all.
func anyBit(set []uint64, from, to int) bool {
	if set == nil {
		return true
	}
	first, last := from>>6, to>>6
	head, tail := ^uint64(0)<<(from&63), ^uint64(0)>>(63-to&63)
	if first == last {
		return set[first]&head&tail != 0
	}
	if set[first]&head != 0 {
		return true
	}
	for _, w := range set[first+1 : last] {
		if w != 0 {
			return true
		}
	}
	return set[last]&tail != 0
}
