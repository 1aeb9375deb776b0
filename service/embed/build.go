package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// Build writes a table: rows holds the vector of each word and then that of each bucket of pieces, all of one size. It is what
// the trainer calls.
func Build(words []string, rows [][]float32) ([]byte, error) {
	if len(words) == 0 || len(rows) < len(words) {
		return nil, errors.New("build a table: it needs a word, and a row for each word")
	}
	dims, slots := len(rows[0]), 1
	for slots < 2*len(words) {
		slots *= 2
	}
	raw := []byte(magic)
	for _, n := range []int{dims, len(words), len(rows) - len(words), slots} {
		raw = binary.LittleEndian.AppendUint32(raw, uint32(n))
	}
	for i, row := range rows {
		if len(row) != dims {
			return nil, fmt.Errorf("build a table: row %d has %d numbers, the first has %d", i, len(row), dims)
		}
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(scaleOf(row)))
	}
	index, err := place(words, slots)
	if err != nil {
		return nil, err
	}
	for _, n := range index {
		raw = binary.LittleEndian.AppendUint32(raw, n)
	}
	raw = appendText(raw, words)
	for _, row := range rows {
		scale := scaleOf(row)
		for _, x := range row {
			raw = append(raw, quantise(x, scale))
		}
	}
	return binary.LittleEndian.AppendUint32(raw, crc32.Checksum(raw, castagnoli)), nil
}

// place puts each word into a slot.
func place(words []string, slots int) ([]uint32, error) {
	index := make([]uint32, slots)
	for i, w := range words {
		s := hash([]byte(w)) & uint32(slots-1)
		for ; index[s] != 0; s = (s + 1) & uint32(slots-1) {
			if words[index[s]-1] == w {
				return nil, fmt.Errorf("build a table: the word %q is there twice", w)
			}
		}
		index[s] = uint32(i + 1)
	}
	return index, nil
}

func appendText(raw []byte, words []string) []byte {
	end := 0
	raw = binary.LittleEndian.AppendUint32(raw, 0)
	for _, w := range words {
		end += len(w)
		raw = binary.LittleEndian.AppendUint32(raw, uint32(end))
	}
	for _, w := range words {
		raw = append(raw, w...)
	}
	return raw
}

// scaleOf is what the greatest number of a row is 127 times of.
func scaleOf(row []float32) float32 {
	most := float32(0)
	for _, x := range row {
		most = max(most, x, -x)
	}
	return most / 127
}

func quantise(x, scale float32) byte {
	if scale == 0 {
		return 0
	}
	return byte(int8(math.RoundToEven(float64(x) / float64(scale))))
}
