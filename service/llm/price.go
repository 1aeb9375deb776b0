package llm

// Price is what a model's tokens cost, in US dollars per million.
type Price struct {
	Input  float64
	Output float64
}

// cost is what tokens cost, in millionths of a dollar, rounded up. A dollar per million tokens is a millionth per token.
func (p Price) cost(in, out int64) int64 {
	c := p.Input*float64(in) + p.Output*float64(out)
	n := int64(c)
	if float64(n) < c {
		n++
	}
	return n
}
