package index

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkCodes measures the steps from the codes of a million documents to those whose vectors are read.
func BenchmarkCodes(b *testing.B) {
	const pieces, count = 4, 250_000
	r := rand.New(rand.NewPCG(1, 1))
	ix := &Index{}
	ix.gens[serving] = &generation{entry: generationEntry{Dims: 128}}
	ix.chosen.New = func() any { return new([]codedSpot) }
	v := make([]float32, 128)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	s := &scan{ix: ix, asked: newAsked(v)}
	for range pieces {
		c := newVecColumn(128, count)
		for i := range c.heads {
			c.heads[i] = r.Uint64()
			c.tails[i] = r.Uint64()
		}
		for place := range count {
			n := c.nibbles()
			n.scale[place] = 1.0 / 64
			for i := range n.width() {
				n.vals[place*n.width()+i] = byte(1+r.IntN(15)) | byte(1+r.IntN(15))<<4
			}
		}
		p := &piece{cols: &columns{nums: make([]uint32, count), times: make([]int64, count), hashes: make([]uint64, count)}}
		p.vecs[serving] = c
		allow := make([]uint64, (count+63)/64)
		for i := range allow {
			allow[i] = ^uint64(0)
		}
		allow[len(allow)-1] = 1<<(count%64) - 1
		ix.pieces, s.allow = append(ix.pieces, p), append(s.allow, allow)
		s.docs += count
	}
	b.Run("heads", func(b *testing.B) {
		var buf []codedSpot
		for b.Loop() {
			buf = s.heads(buf)
		}
		b.ReportMetric(float64(len(buf)), "kept")
	})
	b.Run("codes", func(b *testing.B) {
		for b.Loop() {
			s.coded()
		}
	})
	spots := s.coded()
	b.Run("estimates", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.estimated(spots, 10); err != nil {
				b.Fatal(err)
			}
		}
	})
}
