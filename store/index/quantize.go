package index

import (
	"math"
	"math/bits"
)

// coded is a vector as it is stored. vals is nil for a vector of zeros, which is near nothing.
type coded struct {
	scale float32 // makes vals a vector of unit length
	vals  []int8
	code  []uint64 // one bit a number of the turned vector: its sign
}

// quantize gives each number of a vector as one of 255 steps.
func quantize(v []float32) (scale float32, vals []int8) {
	top := float32(0)
	for _, x := range v {
		top = max(top, float32(math.Abs(float64(x))))
	}
	if top == 0 {
		return 0, nil
	}
	vals = make([]int8, len(v))
	sum := 0
	for i, x := range v {
		n := int(math.Round(float64(x) / float64(top) * 127))
		vals[i] = int8(n)
		sum += n * n
	}
	return float32(1 / math.Sqrt(float64(sum))), vals
}

// asked is the vector of a query in the forms in which it is compared.
type asked struct {
	wide   []int16    // each number in 1/32767 of the largest
	unit   float64    // what a product with wide is multiplied by
	code   []uint64   // as in coded
	exact  []float32  // of unit length
	turned []float32  // the vector whose signs are the code
	tables [][256]f32 // for each byte of a code, what it adds to the product with turned
}

type f32 = float32

// newAsked is nil for a vector of zeros.
func newAsked(v []float32) *asked {
	norm := 0.0
	top := 0.0
	for _, x := range v {
		norm += float64(float64(x) * float64(x))
		top = max(top, math.Abs(float64(x)))
	}
	if norm == 0 {
		return nil
	}
	a := &asked{wide: make([]int16, len(v)), unit: top / 32767 / math.Sqrt(norm), turned: turn(v), exact: make([]float32, len(v))}
	for i, x := range v {
		a.exact[i] = float32(float64(x) / math.Sqrt(norm))
		a.wide[i] = int16(math.Round(float64(x) / top * 32767))
	}
	a.code = signs(a.turned)
	return a
}

// cosine is the cosine of the query and a stored vector. Whole numbers are added, so it is the same on every processor.
func (a *asked) cosine(scale float32, vals []byte) float64 {
	sum := int64(0)
	wide := a.wide[:len(vals)]
	for i, x := range vals {
		sum += int64(int32(wide[i]) * int32(int8(x)))
	}
	return float64(sum) * (a.unit * float64(scale))
}

// prepare makes the tables by which score is quick.
func (a *asked) prepare() {
	padded := make([]float32, 64*len(a.code))
	copy(padded, a.turned)
	a.tables = make([][256]f32, 8*len(a.code))
	for t := range a.tables {
		part := padded[8*t : 8*t+8]
		table := &a.tables[t]
		for _, x := range part {
			table[0] -= x
		}
		for b := 1; b < 256; b++ { // one bit more than a number before
			table[b] = table[b&(b-1)] + 2*part[bits.TrailingZeros8(uint8(b))]
		}
	}
}

// score estimates the product with a vector of which the code alone is known, from a word on: larger is nearer.
func (a *asked) score(from int, code []uint64) float32 {
	sum := float32(0)
	for w, word := range code {
		t := (*[8][256]f32)(a.tables[8*(from+w):])
		sum += t[0][byte(word)]
		sum += t[1][byte(word>>8)]
		sum += t[2][byte(word>>16)]
		sum += t[3][byte(word>>24)]
		sum += t[4][byte(word>>32)]
		sum += t[5][byte(word>>40)]
		sum += t[6][byte(word>>48)]
		sum += t[7][byte(word>>56)]
	}
	return sum
}

// leastBits is how many bits a code has at least. Fewer tell too little apart: a vector of fewer numbers is turned in several ways,
// each of which gives its signs.
const leastBits = 256

// turns is in how many ways a vector is turned.
func turns(dims int) int { return max(1, leastBits/dims) }

func codeWords(dims int) int { return (turns(dims)*dims + 63) / 64 }

// signs is one bit a number: whether it is positive.
func signs(v []float32) []uint64 {
	out := make([]uint64, (len(v)+63)/64)
	for i, x := range v {
		if x > 0 {
			out[i>>6] |= 1 << (i & 63)
		}
	}
	return out
}

// turn turns a vector in fixed ways that spread what a few of its numbers say over all of them, so that the signs of all say about as
// much: signs by a fixed series and Hadamard's transform, twice (Ailon and Chazelle 2009). Angles stay.
func turn(v []float32) (out []float32) {
	state := uint64(0x9e3779b97f4a7c15)
	for range turns(len(v)) {
		at := len(out)
		out = append(out, v...)
		state = turnOnce(out[at:], state)
	}
	return out
}

func turnOnce(v []float32, state uint64) uint64 {
	p := 1
	for 2*p <= len(v) {
		p *= 2
	}
	for range 2 {
		for i := range v {
			state = splitmix(state)
			if state>>63 != 0 {
				v[i] = -v[i]
			}
		}
		hadamard(v[:p])
		if p < len(v) {
			hadamard(v[len(v)-p:])
		}
	}
	return state
}

func splitmix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hadamard transforms a vector of 2^n numbers in place; its length stays.
func hadamard(v []float32) {
	for step := 1; step < len(v); step *= 2 {
		for i := 0; i < len(v); i += 2 * step {
			for j := i; j < i+step; j++ {
				v[j], v[j+step] = v[j]+v[j+step], v[j]-v[j+step]
			}
		}
	}
	f := float32(1 / math.Sqrt(float64(len(v))))
	for i := range v {
		v[i] = float32(v[i] * f)
	}
}
