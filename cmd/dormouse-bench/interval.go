package main

import (
	"math/rand/v2"
	"slices"
)

// draws is how often a sample is drawn anew for an interval.
const draws = 2000

// interval is the bootstrap 95 % interval of a figure over n items: figure is asked of draws of n indices with repetition. Equal
// input gives equal bounds.
func interval(n int, figure func(pick []int) float64) (low, high float64) {
	if n == 0 {
		return 0, 0
	}
	r := rand.New(rand.NewPCG(1, uint64(n)))
	pick := make([]int, n)
	out := make([]float64, draws)
	for i := range out {
		for k := range pick {
			pick[k] = r.IntN(n)
		}
		out[i] = figure(pick)
	}
	slices.Sort(out)
	return out[draws*25/1000], out[draws*975/1000-1]
}

// percent is part of whole in percent; 0 of nothing.
func percent(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}
