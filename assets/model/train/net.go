package main

import (
	"log"
	"math"
	"math/rand/v2"

	"dormouse/service/embed"
)

type netOptions struct {
	dims, buckets, epochs, batch int
	rate, heat, common           float64
	seed                         int64
}

// net is the vectors that are learned: one a word, and one a bucket of pieces. Now and then a word is taken for unknown, and the mean
// of its pieces stands in for it: so the pieces learn to stand in for words that are unknown indeed.
type net struct {
	o      netOptions
	v      *vocab
	own    [][]float32 // of words, then of buckets
	grown  [][]float32 // sums of the squares of the gradients, which slow learning down (Adagrad)
	pieces [][]int32   // rows of each word's pieces
	rand   *rand.Rand
}

func newNet(v *vocab, o netOptions) *net {
	n := &net{o: o, v: v, rand: rand.New(rand.NewPCG(uint64(o.seed), 0))}
	rows := len(v.words) + o.buckets
	numbers, squares := make([]float32, rows*o.dims), make([]float32, rows*o.dims)
	for i := range rows {
		row := numbers[i*o.dims : (i+1)*o.dims : (i+1)*o.dims]
		weight := 1.0
		if i < len(v.words) {
			weight = o.common / (o.common + float64(v.count[i])/float64(v.total))
		}
		for j := range row {
			row[j] = float32(n.rand.NormFloat64() * weight / math.Sqrt(float64(o.dims)))
		}
		n.own = append(n.own, row)
		n.grown = append(n.grown, squares[i*o.dims:(i+1)*o.dims:(i+1)*o.dims])
	}
	for _, w := range v.words {
		var p []int32
		embed.Subwords([]byte(w), o.buckets, func(b int) { p = append(p, int32(len(v.words)+b)) })
		n.pieces = append(n.pieces, p)
	}
	return n
}

// word puts the vector of a word into out: its own, or what stands in for it where it is unknown.
func (n *net) word(w int32, unknown bool, out []float32) {
	if !unknown {
		copy(out, n.own[w])
		return
	}
	clear(out)
	by := 1 / float32(max(1, len(n.pieces[w])))
	for _, p := range n.pieces[w] {
		axpy(by, n.own[p], out)
	}
}

// rare is how much more a word counts that the table does not know than one that was taken for unknown: it is rarer, and so tells more.
const rare = 2

// rows are the vectors of the table.
func (n *net) rows() [][]float32 {
	for _, row := range n.own[len(n.v.words):] {
		for j := range row {
			row[j] *= rare
		}
	}
	return n.own
}

// learn sees all examples epochs times.
func (n *net) learn(all []example) {
	batches := n.batches(all)
	steps := n.o.epochs * len(batches)
	b := newBatch(n)
	loss, seen := 0.0, 0
	for step := range steps {
		if step%len(batches) == 0 {
			if step > 0 {
				batches = n.batches(all)
			}
			n.rand.Shuffle(len(batches), func(i, j int) { batches[i], batches[j] = batches[j], batches[i] })
		}
		rate := n.o.rate * (1 - float64(step)/float64(steps))
		loss += b.step(batches[step%len(batches)], float32(rate))
		if seen++; seen == 500 || step == steps-1 {
			log.Printf("step %d of %d: loss %.4f", step+1, steps, loss/float64(seen))
			loss, seen = 0, 0
		}
	}
}

// batches are the examples in groups of one kind each, in an order of chance. What is left of a kind and fills no group waits for
// another order.
func (n *net) batches(all []example) [][]*example {
	byKind := map[string][]*example{}
	var kinds []string
	for i := range all {
		if byKind[all[i].kind] == nil {
			kinds = append(kinds, all[i].kind)
		}
		byKind[all[i].kind] = append(byKind[all[i].kind], &all[i])
	}
	var out [][]*example
	for _, k := range kinds {
		list := byKind[k]
		n.rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for ; len(list) >= n.o.batch; list = list[n.o.batch:] {
			out = append(out, list[:n.o.batch])
		}
	}
	return out
}
