package index

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"sync"

	"github.com/dgraph-io/badger/v4"
)

// mostNibbleDims is how many numbers a vector has at most that is kept in memory with four bits a number, half a byte: a million documents
// take 68 MB then. Of longer ones more vectors are read instead, see nearVectors.
const mostNibbleDims = 128

// nibbles are the vectors of a column with four bits a number: nearly the vectors themselves, so that only those need be read from the
// database that are shown, and a few more. Reading one costs as much as estimating several hundred.
type nibbles struct {
	dims  int
	vals  []byte    // width a document: two numbers a byte, the first in the low half, from 1 for -7 to 15 for 7
	scale []float32 // makes a document's numbers a vector of unit length; 0 where there is none
}

// lazyNibbles are made at the first query that needs them: the codes alone are read when the index is opened.
type lazyNibbles struct {
	sync.Mutex
	*nibbles // nil until then
}

func newNibbles(dims, count int) *nibbles {
	n := &nibbles{dims: dims}
	n.grow(count)
	return n
}

func (n *nibbles) width() int { return (n.dims + 1) / 2 }

// grow makes room for so many documents.
func (n *nibbles) grow(count int) {
	if more := count - len(n.scale); more > 0 {
		n.vals = append(n.vals, make([]byte, more*n.width())...)
		n.scale = append(n.scale, make([]float32, more)...)
	}
}

// nibble is one of 255 steps as one of 15.
func nibble(x int8) int {
	if x < 0 {
		return -(int(-int(x))*7 + 63) / 127
	}
	return (int(x)*7 + 63) / 127
}

// set notes the vector of a place, as it is stored.
func (n *nibbles) set(place int, vals []byte) {
	row := n.vals[place*n.width() : (place+1)*n.width()]
	clear(row)
	sum := 0
	for i, x := range vals {
		v := nibble(int8(x))
		sum += v * v
		row[i>>1] |= byte(v+8) << (i & 1 * 4)
	}
	n.scale[place] = float32(1 / math.Sqrt(float64(max(sum, 1))))
}

// unset notes that a place has no vector.
func (n *nibbles) unset(place int) { n.scale[place] = 0 }

// move notes the vector of a place of another column.
func (n *nibbles) move(to int, other *nibbles, from int) {
	w := n.width()
	copy(n.vals[to*w:(to+1)*w], other.vals[from*w:])
	n.scale[to] = other.scale[from]
}

// nibbleBytes is what nibbles take a document whose code has so many words, or a little more.
func nibbleBytes(words int) int { return 4 + min(mostNibbleDims, 64*words)/2 }

// bytesOfSteps are the numbers of a vector as they are stored.
func bytesOfSteps(vals []int8) []byte {
	out := make([]byte, len(vals))
	for i, x := range vals {
		out[i] = byte(x)
	}
	return out
}

// nibbleTables are for each byte of a row what it adds to the product with a vector.
func nibbleTables(exact []float32) [][256]f32 {
	tables := make([][256]f32, (len(exact)+1)/2)
	for t := range tables {
		low, high := exact[2*t], float32(0)
		if 2*t+1 < len(exact) {
			high = exact[2*t+1]
		}
		for b := range tables[t] {
			tables[t][b] = float32(low*float32(b&15-8)) + float32(high*float32(b>>4-8))
		}
	}
	return tables
}

// cosine is nearly the cosine of a place's vector and the one that the tables are of.
func (n *nibbles) cosine(tables [][256]f32, place int) float32 {
	row := n.vals[place*n.width():]
	row = row[:len(tables)]
	var a, b float32
	for i := 0; i+1 < len(row); i += 2 {
		a += tables[i][row[i]]
		b += tables[i+1][row[i+1]]
	}
	if len(row)&1 != 0 {
		a += tables[len(row)-1][row[len(row)-1]]
	}
	return float32(float32(a+b) * n.scale[place])
}

// nibblesOf are the nibbles of a piece; nil where its vectors are too long. mu is held.
func (s *scan) nibblesOf(p *piece) (*nibbles, error) {
	c := p.vecs[serving]
	if c.fine == nil {
		return nil, nil
	}
	c.fine.Lock()
	defer c.fine.Unlock()
	if c.fine.nibbles == nil {
		n := newNibbles(s.ix.gens[serving].entry.Dims, p.cols.count())
		if err := n.read(s.txn, s.ix.gens[serving].entry, p, c); err != nil {
			return nil, err
		}
		c.fine.nibbles = n
	}
	return c.fine.nibbles, nil
}

// read fills in what the database has of a piece.
func (n *nibbles) read(txn *badger.Txn, g generationEntry, p *piece, c *vecColumn) error {
	opt := badger.DefaultIteratorOptions
	opt.PrefetchValues = false
	opt.Prefix = numKey(keyVectors, g.ID)
	it := txn.NewIterator(opt)
	defer it.Close()
	at := blockWalk{piece: p, column: c}
	for at.skip(); at.place < p.cols.count(); {
		block := p.cols.nums[at.place] / blockDocs
		if !it.Valid() || binary.BigEndian.Uint32(it.Item().Key()[5:]) != block {
			it.Seek(vecKey(keyVectors, g.ID, block))
		}
		if !it.Valid() || binary.BigEndian.Uint32(it.Item().Key()[5:]) != block {
			return fmt.Errorf("vectors from number %d on: %w: a key is missing", block*blockDocs, errCorrupt)
		}
		if err := it.Item().Value(func(v []byte) error { return at.take(n, v, block) }); err != nil {
			return fmt.Errorf("vectors from number %d on: %w", block*blockDocs, err)
		}
		it.Next()
	}
	return nil
}

// blockWalk walks the places of a piece that have a vector.
type blockWalk struct {
	piece  *piece
	column *vecColumn
	place  int
}

// skip goes on to the next place that has a vector, this one included.
func (w *blockWalk) skip() {
	for word := w.place >> 6; word < len(w.column.has); word++ {
		if left := w.column.has[word] &^ (1<<(w.place&63) - 1); left != 0 {
			w.place = word<<6 + bits.TrailingZeros64(left)
			return
		}
		w.place = (word + 1) << 6
	}
	w.place = max(w.place, w.piece.cols.count())
}

// take notes the vectors of a block.
func (w *blockWalk) take(n *nibbles, buf []byte, block uint32) error {
	for w.place < w.piece.cols.count() && w.piece.cols.nums[w.place]/blockDocs == block {
		_, vals, err := entryOf(buf, n.dims, int(w.piece.cols.nums[w.place]%blockDocs))
		if err == nil && vals == nil {
			err = errCorrupt
		}
		if err != nil {
			return err
		}
		n.set(w.place, vals)
		w.place++
		w.skip()
	}
	return nil
}
