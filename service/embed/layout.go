package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// A table's bytes, little-endian, each part following the one before:
//
//	8          magic, with the version of the format
//	4 × uint32 dims, words, buckets, slots (a power of two)
//	float32    scale of each row: words first, then buckets
//	uint32     of each slot: 0, or the number of a word from 1 on; a word is in the first free slot from its hash on
//	uint32     where each word begins in the text of all words, and the end of the last
//	bytes      the words, one after the other
//	int8       dims numbers of each row, to be multiplied by its scale
//	uint32     CRC-32C of all that stands before
const (
	magic      = "dormEMB1"
	headerSize = len(magic) + 4*4
	maxDims    = 4096
	maxRows    = 1 << 24
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// layout says where the parts of a table begin.
type layout struct {
	dims, words, buckets, slots     int
	scales, index, ends, text, rows int // offsets
	sum                             uint32
}

func (l layout) scale(raw []byte, row int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(raw[l.scales+4*row:]))
}

func (l layout) slot(raw []byte, i uint32) uint32 {
	return binary.LittleEndian.Uint32(raw[l.index+4*int(i):])
}

func (l layout) word(raw []byte, i int) []byte {
	at := l.ends + 4*i
	return raw[l.text+int(binary.LittleEndian.Uint32(raw[at:])) : l.text+int(binary.LittleEndian.Uint32(raw[at+4:]))]
}

func (l layout) row(raw []byte, i int) []byte {
	at := l.rows + i*l.dims
	return raw[at : at+l.dims]
}

// readLayout checks a table from end to end.
func readLayout(raw []byte) (layout, error) {
	var l layout
	if len(raw) < headerSize+8 || string(raw[:len(magic)]) != magic {
		return l, fmt.Errorf("it does not begin with %s: it is cut off, or of another version", magic)
	}
	field := func(i int) int { return int(binary.LittleEndian.Uint32(raw[len(magic)+4*i:])) }
	l.dims, l.words, l.buckets, l.slots = field(0), field(1), field(2), field(3)
	if l.dims < 1 || l.dims > maxDims || l.words < 1 || l.words > maxRows || l.buckets > maxRows || l.slots > 4*maxRows ||
		l.slots <= l.words || l.slots&(l.slots-1) != 0 {
		return l, fmt.Errorf("its head is damaged: %d numbers, %d words, %d buckets, %d slots", l.dims, l.words, l.buckets, l.slots)
	}
	l.scales = headerSize
	l.index = l.scales + 4*(l.words+l.buckets)
	l.ends = l.index + 4*l.slots
	l.text = l.ends + 4*(l.words+1)
	if l.text > len(raw) {
		return l, errors.New("it is cut off")
	}
	l.rows = l.text + int(binary.LittleEndian.Uint32(raw[l.text-4:]))
	if want := l.rows + (l.words+l.buckets)*l.dims + 4; want != len(raw) {
		return l, fmt.Errorf("it has %d bytes and should have %d", len(raw), want)
	}
	l.sum = binary.LittleEndian.Uint32(raw[len(raw)-4:])
	if crc32.Checksum(raw[:len(raw)-4], castagnoli) != l.sum {
		return l, errors.New("its checksum is wrong: some of its bytes were changed")
	}
	return l, l.check(raw)
}

// check looks at what find and add rely on, for tables that were made wrong.
func (l layout) check(raw []byte) error {
	free := 0
	for i := range l.slots {
		switch n := l.slot(raw, uint32(i)); {
		case n == 0:
			free++
		case int(n) > l.words:
			return fmt.Errorf("slot %d names the word %d of %d", i, n, l.words)
		}
	}
	if free == 0 {
		return errors.New("it has no free slot")
	}
	last := uint32(0)
	for i := range l.words + 1 {
		end := binary.LittleEndian.Uint32(raw[l.ends+4*i:])
		if end < last || i == 0 && end != 0 {
			return fmt.Errorf("word %d ends before it begins", i)
		}
		last = end
	}
	for i := range l.words + l.buckets {
		if s := float64(l.scale(raw, i)); math.IsNaN(s) || s < 0 || s > 1e6 {
			return fmt.Errorf("row %d has the scale %g", i, s)
		}
	}
	return nil
}
