package index

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Vectors lie under the numbers of their documents, which never change, and not in the segments: merging leaves them where
// they are, and a vector that comes late has its place. A block holds the vectors of 16 numbers in a row,
//
//	uint16 which are made, uint16 which of those are not all zeros
//	for each of the latter: float32 scale, one byte a number
//
// and a chunk the codes of 256 numbers,
//
//	4 uint64 which are made, 4 uint64 which of those are not all zeros
//	for each of the latter: the words of its code
//
// all of it little-endian. A query compares codes in memory and reads the blocks of the few that are near.
const (
	blockDocs = 16
	chunkDocs = 256
)

// vecBlock is a block taken apart.
type vecBlock struct {
	made, has uint16
	entries   [blockDocs][]byte // scale and numbers
}

func entrySize(dims int) int { return 4 + dims }

func decodeVecBlock(buf []byte, dims int) (*vecBlock, error) {
	if len(buf) < 4 {
		return nil, fmt.Errorf("%w: vectors", errCorrupt)
	}
	b := &vecBlock{made: binary.LittleEndian.Uint16(buf), has: binary.LittleEndian.Uint16(buf[2:])}
	size := entrySize(dims)
	if b.has&^b.made != 0 || len(buf) != 4+size*bits.OnesCount16(b.has) {
		return nil, fmt.Errorf("%w: vectors", errCorrupt)
	}
	rest := buf[4:]
	for i := range b.entries {
		if b.has>>i&1 != 0 {
			b.entries[i], rest = rest[:size], rest[size:]
		}
	}
	return b, nil
}

func (b *vecBlock) encode() []byte {
	out := binary.LittleEndian.AppendUint16(nil, b.made)
	out = binary.LittleEndian.AppendUint16(out, b.has)
	for i, e := range b.entries {
		if b.has>>i&1 != 0 {
			out = append(out, e...)
		}
	}
	return out
}

// set stores a vector, or that there is none.
func (b *vecBlock) set(i int, v *coded) {
	b.clear(i)
	if v == nil {
		return
	}
	b.made |= 1 << i
	if v.vals == nil {
		return
	}
	b.has |= 1 << i
	e := binary.LittleEndian.AppendUint32(make([]byte, 0, entrySize(len(v.vals))), math.Float32bits(v.scale))
	for _, x := range v.vals {
		e = append(e, byte(x))
	}
	b.entries[i] = e
}

func (b *vecBlock) clear(i int) {
	b.made &^= 1 << i
	b.has &^= 1 << i
	b.entries[i] = nil
}

// entryOf finds the vector at a place of a block without taking the block apart; nil where there is none.
func entryOf(buf []byte, dims, i int) (scale float32, vals []byte, err error) {
	size := entrySize(dims)
	if len(buf) < 4 {
		return 0, nil, fmt.Errorf("%w: vectors", errCorrupt)
	}
	has := binary.LittleEndian.Uint16(buf[2:])
	if len(buf) != 4+size*bits.OnesCount16(has) {
		return 0, nil, fmt.Errorf("%w: vectors", errCorrupt)
	}
	if has>>i&1 == 0 {
		return 0, nil, nil
	}
	at := 4 + size*bits.OnesCount16(has&(1<<i-1))
	return math.Float32frombits(binary.LittleEndian.Uint32(buf[at:])), buf[at+4 : at+size], nil
}

// codeChunk is a chunk taken apart. The codes of those that have none are not there.
type codeChunk struct {
	made, has [chunkDocs / 64]uint64
	codes     [chunkDocs][]uint64
}

const chunkHead = 2 * chunkDocs / 8

func decodeChunk(buf []byte, dims int) (*codeChunk, error) {
	c := &codeChunk{}
	if len(buf) < chunkHead {
		return nil, fmt.Errorf("%w: codes of vectors", errCorrupt)
	}
	n := 0
	for w := range c.made {
		c.made[w] = binary.LittleEndian.Uint64(buf[8*w:])
		c.has[w] = binary.LittleEndian.Uint64(buf[chunkHead/2+8*w:])
		n += bits.OnesCount64(c.has[w])
		if c.has[w]&^c.made[w] != 0 {
			return nil, fmt.Errorf("%w: codes of vectors", errCorrupt)
		}
	}
	words := codeWords(dims)
	if len(buf) != chunkHead+8*words*n {
		return nil, fmt.Errorf("%w: codes of vectors", errCorrupt)
	}
	all := make([]uint64, words*n)
	for i := range all {
		all[i] = binary.LittleEndian.Uint64(buf[chunkHead+8*i:])
	}
	for i := range c.codes {
		if c.has[i>>6]>>(i&63)&1 != 0 {
			c.codes[i], all = all[:words], all[words:]
		}
	}
	return c, nil
}

func (c *codeChunk) encode() []byte {
	var out []byte
	for _, w := range slices.Concat(c.made[:], c.has[:]) {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	for _, code := range c.codes {
		for _, w := range code {
			out = binary.LittleEndian.AppendUint64(out, w)
		}
	}
	return out
}

func (c *codeChunk) set(i int, v *coded) {
	bit := uint64(1) << (i & 63)
	c.made[i>>6] &^= bit
	c.has[i>>6] &^= bit
	c.codes[i] = nil
	if v == nil {
		return
	}
	c.made[i>>6] |= bit
	if v.vals != nil {
		c.has[i>>6] |= bit
		c.codes[i] = v.code
	}
}

func (c *codeChunk) empty() bool { return c.made == [chunkDocs / 64]uint64{} }
