package index

import (
	"math/bits"
	"slices"
)

// distance counts the bits in which two codes differ.
func distance(a, b []uint64) int {
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w ^ b[i])
	}
	return n
}

// distances appends the number of bits in which each allowed code differs from that of the query, and counts how many differ in how many
// bits.
func (c *vecColumn) distances(out []uint16, allow, code []uint64, histogram []int32) []uint16 {
	for w, word := range allow {
		if word == ^uint64(0) && len(code) == 4 {
			out = slices.Grow(out, 64)[:len(out)+64]
			distances4((*[64]uint16)(out[len(out)-64:]), (*[256]uint64)(c.codes[256*w:]), (*[4]uint64)(code), (*[257]int32)(histogram))
			continue
		}
		for ; word != 0; word &= word - 1 {
			n := distance(c.code(w<<6+bits.TrailingZeros64(word)), code)
			out = append(out, uint16(n))
			histogram[n]++
		}
	}
	return out
}

// distances4 is distances of 64 codes of 256 bits that lie in a row, as those of the default model do: of a million documents it is what
// takes longest.
func distances4(out *[64]uint16, codes *[256]uint64, code *[4]uint64, histogram *[257]int32) {
	q0, q1, q2, q3 := code[0], code[1], code[2], code[3]
	for i := range out {
		c := (*[4]uint64)(codes[4*i : 4*i+4])
		n := bits.OnesCount64(c[0]^q0) + bits.OnesCount64(c[1]^q1) + bits.OnesCount64(c[2]^q2) + bits.OnesCount64(c[3]^q3)
		out[i] = uint16(n)
		histogram[n]++
	}
}

// kth is what would stand at place k if the numbers were sorted (Hoare's selection). It changes their order.
func kth(list []float32, k int) float32 {
	for lo, hi := 0, len(list)-1; lo < hi; {
		pivot := list[(lo+hi)/2]
		i, j := lo, hi
		for i <= j {
			for list[i] < pivot {
				i++
			}
			for list[j] > pivot {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return list[k]
		}
	}
	return list[k]
}
