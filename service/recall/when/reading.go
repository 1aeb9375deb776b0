package when

import "slices"

// span reads a range, or an expression and how the window lies to it, that begins at a token.
func (p *parser) span(i int) (reading, bool) {
	if r, ok := p.between(i); ok {
		return r, true
	}
	for _, o := range []struct {
		classes string
		rel     relation
	}{{"s", since}, {"tu", until}, {"bG", before}, {"e", after}} {
		if !p.is(i, o.classes) {
			continue
		}
		if e, next := p.expr(p.past(i+1), false); e != nil && next > i+1 {
			return reading{rel: o.rel, left: e, from: i, to: next}, true
		}
	}
	e, next := p.expr(i, false)
	if e == nil {
		return reading{}, false
	}
	r := reading{left: e, from: i, to: next}
	switch {
	case p.is(next, "z"):
		r.rel, r.to = since, next+1
	case p.is(next, "b") && p.joined:
		r.rel, r.to = before, next+1
	case p.is(next, "e") && p.joined:
		r.rel, r.to = after, next+1
	}
	return r, true
}

// past skips fillers.
func (p *parser) past(i int) int {
	for n := 0; n < 3 && p.is(i, "fF"); n++ {
		i++
	}
	return i
}

// between reads a range.
func (p *parser) between(i int) (reading, bool) {
	start, two := i, "tud"
	opened := p.is(i, "BFs")
	if p.is(i, "B") {
		two = "atd"
	}
	if opened {
		i = p.past(i + 1)
	}
	left, j := p.expr(i, true)
	if left == nil {
		return reading{}, false
	}
	for n := 0; n < 2 && p.is(j, "f,."); n++ {
		j++
	}
	and := !opened && p.is(j, "a")
	if !and && !p.is(j, two) {
		return reading{}, false
	}
	j = p.past(j + 1)
	if p.is(j, "tu") { // "tot en met"
		j = p.past(j + 1)
	}
	right, next := p.expr(j, true)
	if right == nil || and && !p.is(next, "q") || left.loose() && right.loose() && !(opened && p.is(i, "O")) {
		return reading{}, false
	}
	if p.is(next, "q") {
		next++
	}
	return reading{rel: fromTo, left: left, right: right, from: start, to: next}, true
}

// loose is a day of an unknown month.
func (e *expr) loose() bool { return e.weak && len(e.cs) == 1 && e.has(kDay) }

// best is the reading that explains most of the question.
func (p *parser) best() (reading, bool) {
	var best reading
	for i := range p.ts {
		if p.is(i, "wx,.d/q") || p.is(i, "f") && p.is(i+1, "w") {
			continue
		}
		r, ok := p.span(i)
		if !ok {
			continue
		}
		if r.weight = p.weigh(&r); r.weight > best.weight {
			best = r
		}
	}
	return best, best.weight > 0
}

// weigh counts the words that a reading explains. What has other meanings counts only with a preposition, or alone.
func (p *parser) weigh(r *reading) int {
	n := 0
	for i := r.from; i < r.to; i++ {
		if !p.is(i, "f,.") {
			n += 2
		}
	}
	if r.rel != within || !r.left.weak {
		return n + 100
	}
	switch {
	case p.supported(r), p.alone(r):
		return n + 1
	}
	return 0
}

func (p *parser) supported(r *reading) bool {
	i := r.from - 1
	return p.is(i, "sbeFBtuvGRU") || p.is(i, "f") && p.ts[i].n == 1 || p.is(r.from, "f")
}

// alone reports whether there are no words but the reading's.
func (p *parser) alone(r *reading) bool {
	return !slices.ContainsFunc(p.ts[:r.from], isWord) && !slices.ContainsFunc(p.ts[r.to:], isWord)
}

func isWord(t token) bool { return t.class == cWord }

// anchored reads "before the release" and "during the outage": a window around something that happened.
func (p *parser) anchored() (reading, bool) {
	for i := range p.ts {
		rel, ok := map[byte]relation{'s': since, 'u': until, 'b': before, 'e': after, 'G': before, 'v': within}[p.classes[i]]
		if !ok {
			continue
		}
		if words, next := p.anchor(i + 1); words != "" {
			return reading{rel: rel, left: &expr{anchor: words}, from: i, to: next, weight: 3}, true
		}
	}
	return reading{}, false
}
