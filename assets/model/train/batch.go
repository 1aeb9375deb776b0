package main

import (
	"math"
	"sync"
)

// The two sides of a pair, and how many goroutines share a step. The number is fixed, since sums depend on it.
const (
	sides   = 2
	workers = 2
)

// negligible is the gradient of a similarity from which on nothing is learned, which saves half of the time.
const negligible = 1e-6

// dropped is the share of words that are taken for unknown in a step, so that their pieces learn to stand in.
const dropped = 0.15

// batch is the memory of a step.
type batch struct {
	n       *net
	place   map[int32]int32 // of each word of the step in words
	words   []int32
	vectors []float32 // of the words
	slopes  []float32 // gradients of the words
	unknown []bool    // of the words
	texts   [sides][]float32
	turns   [sides][]float32 // gradients of the texts
	lengths [sides][]float32
	logits  []float32
}

func newBatch(n *net) *batch {
	b := &batch{n: n, place: map[int32]int32{}, logits: make([]float32, n.o.batch*n.o.batch)}
	for s := range sides {
		b.texts[s] = make([]float32, n.o.batch*n.o.dims)
		b.turns[s] = make([]float32, n.o.batch*n.o.dims)
		b.lengths[s] = make([]float32, n.o.batch)
	}
	return b
}

// step learns from one group and returns its loss.
func (b *batch) step(group []*example, rate float32) float64 {
	b.collect(group)
	both(func(s int) { b.forward(group, s) })
	b.similar(len(group))
	loss := b.loss(len(group))
	b.back(len(group))
	for s := range sides { // one after the other: both add to the same words
		b.spread(group, s)
	}
	b.update(rate)
	return loss
}

// both runs a part of the work for 0 and 1 at once.
func both(do func(int)) {
	var wg sync.WaitGroup
	for s := range workers {
		wg.Go(func() { do(s) })
	}
	wg.Wait()
}

func wordsOf(e *example, side int) []int32 {
	if side == 0 {
		return e.a
	}
	return e.b
}

// collect makes the vectors of all words of the group.
func (b *batch) collect(group []*example) {
	clear(b.place)
	b.words, b.unknown = b.words[:0], b.unknown[:0]
	for _, e := range group {
		for s := range sides {
			for _, w := range wordsOf(e, s) {
				if _, ok := b.place[w]; !ok {
					b.place[w] = int32(len(b.words))
					b.words = append(b.words, w)
					b.unknown = append(b.unknown, b.n.rand.Float64() < dropped && len(b.n.pieces[w]) > 0)
				}
			}
		}
	}
	d := b.n.o.dims
	b.vectors, b.slopes = grow(b.vectors, len(b.words)*d), grow(b.slopes, len(b.words)*d)
	clear(b.slopes)
	both(func(s int) {
		for i := s; i < len(b.words); i += workers {
			b.n.word(b.words[i], b.unknown[i], b.vectors[i*d:(i+1)*d])
		}
	})
}

func grow(s []float32, n int) []float32 {
	if cap(s) < n {
		s = make([]float32, n+n/2)
	}
	return s[:n]
}

// forward makes the vectors of one side's texts.
func (b *batch) forward(group []*example, side int) {
	d := b.n.o.dims
	for i, e := range group {
		sum := b.texts[side][i*d : (i+1)*d]
		clear(sum)
		for _, w := range wordsOf(e, side) {
			p := int(b.place[w])
			axpy(1, b.vectors[p*d:(p+1)*d], sum)
		}
		length := float32(math.Sqrt(float64(dot(sum, sum)))) + 1e-6
		b.lengths[side][i] = length
		for j := range sum {
			sum[j] /= length
		}
	}
}

// similar makes the similarity of each text to each other one.
func (b *batch) similar(n int) {
	d, heat := b.n.o.dims, float32(1/b.n.o.heat)
	both(func(s int) {
		for i := s; i < n; i += workers {
			row := b.logits[i*n : (i+1)*n]
			x := b.texts[0][i*d : (i+1)*d]
			for j := range row {
				row[j] = heat * dot(x, b.texts[1][j*d:(j+1)*d])
			}
		}
	})
}

// loss is the mean of the losses in both directions; it leaves the gradients of the similarities in logits.
func (b *batch) loss(n int) float64 {
	rows, columns := make([]float64, n), make([]float64, n)
	for i := range n {
		for j, x := range b.logits[i*n : (i+1)*n] {
			e := math.Exp(float64(x))
			rows[i] += e
			columns[j] += e
		}
	}
	loss := 0.0
	for i := range n {
		loss += (math.Log(rows[i]) + math.Log(columns[i])) / 2
		loss -= float64(b.logits[i*n+i])
	}
	both(func(s int) {
		for i := s; i < n; i += workers {
			row := b.logits[i*n : (i+1)*n]
			for j, x := range row {
				e := math.Exp(float64(x))
				row[j] = float32((e/rows[i] + e/columns[j]) / float64(2*n))
			}
			row[i] -= 1 / float32(n)
		}
	})
	return loss / float64(n)
}

// back makes the gradients of the texts.
func (b *batch) back(n int) {
	d, heat := b.n.o.dims, float32(1/b.n.o.heat)
	both(func(side int) {
		clear(b.turns[side])
		for i := range n {
			to := b.turns[side][i*d : (i+1)*d]
			for j := range n {
				slope := b.logits[i*n+j]
				if side == 1 {
					slope = b.logits[j*n+i]
				}
				if slope > negligible || slope < -negligible {
					axpy(slope*heat, b.texts[1-side][j*d:(j+1)*d], to)
				}
			}
			x := b.texts[side][i*d : (i+1)*d]
			along := dot(to, x) // a text's vector has a fixed length, so nothing is learned along it
			for j := range to {
				to[j] = (to[j] - float32(along*x[j])) / b.lengths[side][i]
			}
		}
	})
}

// spread adds the gradients of one side's texts to those of their words.
func (b *batch) spread(group []*example, side int) {
	d := b.n.o.dims
	for i, e := range group {
		for _, w := range wordsOf(e, side) {
			p := int(b.place[w])
			axpy(1, b.turns[side][i*d:(i+1)*d], b.slopes[p*d:(p+1)*d])
		}
	}
}

// update moves the vectors against their gradients. Each goroutine has its own half of the numbers of a vector.
func (b *batch) update(rate float32) {
	d := b.n.o.dims
	both(func(s int) {
		from, to := s*d/workers, (s+1)*d/workers
		for i, w := range b.words {
			slope := b.slopes[i*d+from : i*d+to]
			if !b.unknown[i] {
				b.n.move(w, slope, 1, rate, from, to)
				continue
			}
			by := 1 / float32(max(1, len(b.n.pieces[w])))
			for _, p := range b.n.pieces[w] {
				b.n.move(p, slope, by, rate, from, to)
			}
		}
	})
}

// move is one step of Adagrad on the numbers from..to of a row.
func (n *net) move(row int32, slope []float32, by, rate float32, from, to int) {
	own, grown := n.own[row][from:to], n.grown[row][from:to]
	for j, g := range slope {
		g *= by
		if g == 0 {
			continue
		}
		grown[j] += float32(g * g)
		own[j] -= rate * g / (float32(math.Sqrt(float64(grown[j]))) + 1e-8)
	}
}

// dot and axpy keep a compiler from fusing operations, see embed.Table.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float32(a[i] * b[i])
		s1 += float32(a[i+1] * b[i+1])
		s2 += float32(a[i+2] * b[i+2])
		s3 += float32(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float32(a[i] * b[i])
	}
	return s0 + s1 + (s2 + s3)
}

func axpy(by float32, x, to []float32) {
	to = to[:len(x)]
	for i := range x {
		to[i] += float32(by * x[i])
	}
}
