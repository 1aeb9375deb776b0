package index

import (
	"math"
	"math/bits"
)

// tally adds numbers up for a Spread, as whole parts of a fixed size, so that the sums do not depend on the order.
type tally struct {
	n     int
	total int // of the set that the numbers were taken from, where it is larger
	sum   int64
	high  uint64 // of the sum of squares
	low   uint64
}

const tallyUnit = 1 << 20

func (t *tally) add(x float64) {
	y := int64(min(max(x, -2000), 2000) * tallyUnit)
	t.n++
	t.sum += y
	var carry uint64
	t.low, carry = bits.Add64(t.low, uint64(y*y), 0)
	t.high += carry
}

func (t *tally) spread() Spread {
	s := Spread{N: max(t.n, t.total)}
	if t.n == 0 {
		return s
	}
	n := float64(t.n)
	s.Mean = float64(t.sum) / tallyUnit / n
	if t.n > 1 {
		squares := (float64(t.high)*(1<<64) + float64(t.low)) / (tallyUnit * tallyUnit) / n
		s.Dev = math.Sqrt(max(0, squares-float64(s.Mean*s.Mean)))
	}
	return s
}
