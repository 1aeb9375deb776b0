package index

import (
	"maps"
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

// TestTheFewestBitsAreFound holds the quick way to the places whose codes are nearest against sorting all of them.
func TestTheFewestBitsAreFound(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 3))
	for _, kind := range []string{"few", "many", "many, unlike"} {
		ix := &Index{}
		ix.chosen.New = func() any { return new([]codedSpot) }
		s := &scan{ix: ix, asked: &asked{code: []uint64{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}}}
		heads, tails := map[spot]int{}, map[spot]int{}
		for i := range 3 {
			count := 5_000
			if kind != "few" {
				count = 70_000
			}
			p := &piece{cols: &columns{nums: make([]uint32, count)}}
			c := newVecColumn(5*64, count)
			allow := make([]uint64, (count+63)/64)
			for place := range count {
				code := []uint64{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
				if kind == "many, unlike" && place>>6%guessedEvery == 0 { // those that the cut is guessed from are near
					code[0], code[1] = s.asked.code[0], s.asked.code[1]
				}
				c.note(place, code)
				if r.IntN(400) > 0 {
					allow[place>>6] |= 1 << (place & 63)
					heads[spot{i, place}] = distance(code[:headWords], s.asked.code)
					tails[spot{i, place}] = distance(code[headWords:], s.asked.code[headWords:])
					s.docs++
				}
			}
			p.vecs[serving] = c
			ix.pieces, s.allow = append(ix.pieces, p), append(s.allow, allow)
		}
		want := leastOf(heads, nearHeads)
		for at := range want {
			want[at] = heads[at] + tails[at]
		}
		want = leastOf(want, nearCodes)
		got := s.coded()
		for _, at := range got {
			if _, ok := want[at]; !ok {
				t.Fatalf("%s: %v is not among the nearest", kind, at)
			}
		}
		if len(got) != len(want) || len(got) < nearCodes {
			t.Errorf("%s: %d are found, want %d", kind, len(got), len(want))
		}
	}
}

// leastOf keeps the places with the least bits, so many and all that have as few.
func leastOf(bits map[spot]int, want int) map[spot]int {
	sorted := slices.Sorted(maps.Values(bits))
	cut := sorted[min(want, len(sorted))-1]
	out := map[spot]int{}
	for at, n := range bits {
		if n <= cut {
			out[at] = n
		}
	}
	return out
}
