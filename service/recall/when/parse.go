package when

import (
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
