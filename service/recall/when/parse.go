package when

import (
	"slices"
	"strings"
)

// relation says how a window lies to the expression that it was made of.
type relation int

const (
	within relation = iota
	since
	until
	before
	after
	fromTo
)

// reading is one way to read a part of the question.
type reading struct {
	rel         relation
	left, right *expr // right of a range alone
	from, to    int   // tokens
	weight      int
}

type parser struct {
	ts      []token
	classes string
	text    string
	joined  bool // the language puts words such as "before" behind
	depth   int  // of distances from distances
	atoms   map[int]atom
}

// atom is what the longest rule makes of the tokens from one on; weak where they have other meanings as well.
type atom struct {
	cs   []constraint
	next int
	weak bool
}

const (
	mostDepth  = 3
	mostTokens = 14 // that one rule may look at
	mostAtoms  = 8  // of one expression
)

func newParser(l *language, text string, year int) *parser {
	ts := lex(l, text, year)
	var b strings.Builder
	for _, t := range ts {
		b.WriteByte(byte(t.class))
	}
	return &parser{ts: ts, classes: b.String(), text: text, joined: l.joined, atoms: map[int]atom{}}
}

func (p *parser) is(i int, classes string) bool {
	return i >= 0 && i < len(p.classes) && strings.IndexByte(classes, p.classes[i]) >= 0
}

// atom reads the longest rule that matches at a token, once for each token.
func (p *parser) atom(i int) atom {
	a, ok := p.atoms[i]
	if !ok {
		if !p.is(i, "wx") {
			a.cs, a.next, a.weak = p.readAtom(i)
		}
		p.atoms[i] = a
	}
	return a
}

func (p *parser) readAtom(i int) (cs []constraint, next int, weak bool) {
	window := p.classes[i:min(len(p.classes), i+mostTokens)]
	for _, r := range rules {
		at := r.re.FindStringSubmatchIndex(window)
		if at == nil || i+at[1] <= next {
			continue
		}
		var g []token
		said, sure := 0, false
		for k := 2; k < len(at); k += 2 {
			if at[k] < 0 {
				g = append(g, token{})
				continue
			}
			t := p.ts[i+at[k]]
			g = append(g, t)
			said++
			sure = sure || !t.weak
		}
		if made, ok := r.make(g); ok {
			cs, next = made, i+at[1]
			alone := len(strings.Trim(p.classes[i:next], "fF,.")) == 1
			weak = said == 1 && alone && (!sure || g[0].class == cUnit || g[0].class == 'p')
		}
	}
	return cs, next, weak
}

// expr reads constraints that stand one after the other. bare takes a number for a day, as in ranges.
func (p *parser) expr(i int, bare bool) (*expr, int) {
	if e, next := p.distance(i); e != nil {
		return e, next
	}
	e, end := &expr{weak: true}, i
	for j, n := i, 0; n < mostAtoms; n++ {
		cs, next, weak := p.more(e, j, i)
		if next == 0 {
			break
		}
		e.cs = append(e.cs, cs...)
		e.weak = e.weak && weak
		j, end = next, next
	}
	if len(e.cs) == 0 {
		if bare && p.is(i, "NO") && p.ts[i].n >= 1 && p.ts[i].n <= 31 && !p.ts[i].few {
			e.cs = []constraint{dayOn(p.ts[i].n)}
			return e, i + 1
		}
		return nil, i
	}
	if len(e.cs) == 1 && e.has(kPart) {
		return nil, i
	}
	return e, end
}

// more reads the next constraints of an expression, past fillers.
func (p *parser) more(e *expr, j, first int) (cs []constraint, next int, weak bool) {
	for k := j; k < len(p.ts) && k <= j+3; k++ {
		if a := p.atom(k); a.next > max(k, next) && e.fits(a.cs) {
			cs, next, weak = a.cs, a.next, a.weak
		}
		if k == first || !p.is(k, "fF,.") {
			break
		}
	}
	return cs, next, weak
}

// distance reads "two weeks before" with what it counts from.
func (p *parser) distance(i int) (*expr, int) {
	e := &expr{n: 1}
	j := i
	if p.is(j, "N") && !p.ts[j].few {
		e.n, j = p.ts[j].n, j+1
	} else if p.is(j, "f") {
		j++
	}
	if !p.is(j, "U") || e.n > 10000 || p.depth == mostDepth {
		return nil, i
	}
	p.depth++
	defer func() { p.depth-- }()
	counted := p.is(i, "N")
	e.unit, j = p.ts[j].unit, j+1
	switch {
	case p.is(j, "bG"):
		e.n = -e.n
	case p.is(j, "e"):
	case p.is(j, "F") && counted && p.ts[j].n == 1:
	default:
		return nil, i
	}
	j++
	for p.is(j, "f") {
		j++
	}
	var next int
	if e.base, next = p.expr(j, false); e.base == nil {
		if e.anchor, next = p.anchor(j); e.anchor == "" {
			return nil, i
		}
	}
	e.roll = !counted
	return e, next
}

const mostAnchor = 8 // words

// anchor reads words for something that happened, up to the end of the phrase.
func (p *parser) anchor(i int) (string, int) {
	for p.is(i, "f") {
		i++
	}
	j := i
	for j < len(p.ts) && j-i < mostAnchor && !p.is(j, "x,") && !(p.is(j, ".") && p.ts[j].end < p.gap(j)) {
		j++
	}
	for j > i && p.is(j-1, "f.") {
		j--
	}
	if j == i {
		return "", i
	}
	return p.text[p.ts[i].at:p.ts[j-1].end], j
}

// gap is where the token after one begins.
func (p *parser) gap(i int) int {
	if i+1 < len(p.ts) {
		return p.ts[i+1].at
	}
	return len(p.text) + 1
}

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
