package index

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestASampleIsThoseWithTheLowestHashes holds the quick way of finding a sample of many documents against looking at all.
func TestASampleIsThoseWithTheLowestHashes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, count := range []int{500, 9_000, 60_000} {
		ix := &Index{}
		s := &scan{ix: ix}
		for num := uint32(0); int(num) < count; {
			p := &piece{cols: newColumns()}
			for range min(7_000, count-int(num)) {
				p.cols.add(num, 1, 0, r.Uint64(), nil)
				num++
			}
			again, err := decodeColumns(p.cols.encode())
			if err != nil || !slices.Equal(again.low, p.cols.low) {
				t.Fatalf("after reading the columns again: %v", err)
			}
			allow := make([]uint64, (p.cols.count()+63)/64)
			for place := range p.cols.count() {
				if r.IntN(8) > 0 {
					allow[place>>6] |= 1 << (place & 63)
					s.docs++
				}
			}
			ix.pieces, s.allow = append(ix.pieces, p), append(s.allow, allow)
		}
		below := ^uint64(0) / uint64(s.docs) * sampled
		var want, got []uint32
		s.each(func(piece, place int) {
			if c := ix.pieces[piece].cols; c.hashes[place] <= below {
				want = append(want, c.nums[place])
			}
		})
		for _, n := range s.sample() {
			got = append(got, n.num)
		}
		if !slices.Equal(got, want) || len(got) < sampled/2 || len(got) > 2*sampled {
			t.Errorf("of %d documents %d are the sample, want %d", s.docs, len(got), len(want))
		}
	}
}

func TestKthIsWhatSortingGives(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		list := make([]float32, 1+r.IntN(200))
		for i := range list {
			list[i] = float32(r.IntN(40)) - 20
		}
		k := r.IntN(len(list))
		if got, want := kth(slices.Clone(list), k), slices.Sorted(slices.Values(list))[k]; got != want {
			t.Fatalf("place %d of %v: %v, want %v", k, list, got, want)
		}
	}
}

// TestDistancesOfCodesInARow holds the quick way for the codes of the default model against the definition.
func TestDistancesOfCodesInARow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	c := newVecColumn(256, 200)
	for i := range c.codes {
		c.codes[i] = r.Uint64()
	}
	code := []uint64{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
	allow := []uint64{^uint64(0), r.Uint64(), ^uint64(0), 0b1011}
	histogram := make([]int32, 257)
	var want []uint16
	counts := make([]int32, 257)
	for place := range 200 {
		if allow[place>>6]>>(place&63)&1 != 0 {
			n := distance(c.code(place), code)
			want = append(want, uint16(n))
			counts[n]++
		}
	}
	if got := c.distances(nil, allow, code, histogram); !slices.Equal(got, want) || !slices.Equal(histogram, counts) {
		t.Errorf("%v, want %v", got, want)
	}
}
