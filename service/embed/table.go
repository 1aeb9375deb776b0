package embed

import (
	"context"
	"fmt"
	"math"
	"sync"
)

// Table is a static embedding model: a vector for each word that it knows, and for the pieces of those that it does not. It reads
// the bytes that it was made of where they lie and copies none, so that one embedded in a program takes no memory of its own. It
// is safe for use by several goroutines at once.
type Table struct {
	layout
	raw []byte
}

// NewTable checks a table and returns it; raw must not change afterwards. The error says what is damaged.
func NewTable(raw []byte) (*Table, error) {
	l, err := readLayout(raw)
	if err != nil {
		return nil, fmt.Errorf("embedding table: %w; it is part of the program, so install the program anew", err)
	}
	return &Table{layout: l, raw: raw}, nil
}

// Model is the table as a model. Its name comes from the table's content.
func (t *Table) Model() Model {
	return Model{Name: fmt.Sprintf("dormouse-static-%08x", t.sum), Dims: t.dims, Embed: t.Embed, Query: t.Embed, Known: t.Known}
}

// Embed gives the vectors of texts. It fails only when ctx ends.
func (t *Table) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = t.Vector(text)
	}
	return out, nil
}

var cutters = sync.Pool{New: func() any { return new(Cutter) }}

// Vector is the direction of a text: the sum of the vectors of its words, brought to the length 1. How much a word counts is the
// length of its vector. Of a word that the table does not know, the mean of its pieces stands in. It is all zero where nothing
// is known. Only the first 64 KiB of a text count.
func (t *Table) Vector(text string) []float32 {
	sum := make([]float32, t.dims)
	c := cutters.Get().(*Cutter)
	defer cutters.Put(c)
	var pieces []int
	c.Cut(text, func(word []byte, whole bool) {
		if row, ok := t.find(word); ok {
			t.add(sum, row, 1)
			return
		}
		if whole {
			return
		}
		pieces = pieces[:0]
		Subwords(word, t.buckets, func(b int) { pieces = append(pieces, b) })
		for _, b := range pieces {
			t.add(sum, t.words+b, float32(1)/float32(len(pieces)))
		}
	})
	unit(sum)
	return sum
}

// Known is the share of a text's words that the table has whole, 0 to 1; of a text without words 0. The rest is guessed from pieces of
// words, so in a language that the table was not made of, a vector says little of what a text means.
func (t *Table) Known(text string) float64 {
	c := cutters.Get().(*Cutter)
	defer cutters.Put(c)
	words, known := 0, 0
	c.Cut(text, func(word []byte, whole bool) {
		if whole {
			return
		}
		words++
		if _, ok := t.find(word); ok {
			known++
		}
	})
	if words == 0 {
		return 0
	}
	return float64(known) / float64(words)
}

// find looks a word up.
func (t *Table) find(word []byte) (row int, ok bool) {
	mask := uint32(t.slots - 1)
	for s := hash(word) & mask; ; s = (s + 1) & mask {
		n := t.slot(t.raw, s)
		if n == 0 {
			return 0, false
		}
		if string(t.word(t.raw, int(n-1))) == string(word) {
			return int(n - 1), true
		}
	}
}

// add adds a row to sum, times by. The conversions keep a compiler from fusing two operations into one, which would round
// otherwise on another processor.
func (t *Table) add(sum []float32, row int, by float32) {
	scale := float32(t.scale(t.raw, row) * by)
	numbers := t.row(t.raw, row)
	sum = sum[:len(numbers)]
	for i, q := range numbers {
		sum[i] += float32(scale * float32(int8(q)))
	}
}

// unit brings v to the length 1, unless it is all zero.
func unit(v []float32) {
	length := 0.0
	for _, x := range v {
		length += float64(float64(x) * float64(x))
	}
	if length == 0 {
		return
	}
	length = math.Sqrt(length)
	for i, x := range v {
		v[i] = float32(float64(x) / length)
	}
}
