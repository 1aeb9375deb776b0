package index

import (
	"cmp"
	"math/bits"
)

// distance counts the bits in which two codes differ.
func distance(a, b []uint64) int {
	n := 0
	for i, w := range a {
		n += bits.OnesCount64(w ^ b[i])
	}
	return n
}

// kth is what would stand at place k if the numbers were sorted (Hoare's selection). It changes their order.
func kth[T cmp.Ordered](list []T, k int) T {
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
