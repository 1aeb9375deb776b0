package redact

import (
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// reach bounds how far a match can extend from any byte inside it: at most fixed bytes, and runs stretches of any length
// that consist of the bytes in set.
type reach struct {
	fixed, runs int
	set         [256]bool
}

// maxReach is where a bound is no use any more; an expression with a longer one is run over the whole text.
const maxReach = 1 << 16

// reachOf bounds the matches of an expression.
func reachOf(re *syntax.Regexp) reach {
	var r reach
	r.fixed, r.runs = r.add(re)
	if r.fixed > maxReach || r.runs > 64 {
		r.fixed, r.runs = 0, 1
		for i := range r.set {
			r.set[i] = true
		}
	}
	return r
}

func (r *reach) add(re *syntax.Regexp) (fixed, runs int) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			fixed += width(c, re.Flags&syntax.FoldCase != 0)
		}
	case syntax.OpCharClass:
		fixed = utf8.UTFMax
		if n := len(re.Rune); n > 0 {
			fixed = max(1, utf8.RuneLen(re.Rune[n-1]))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		fixed = utf8.UTFMax
	case syntax.OpCapture, syntax.OpQuest:
		return r.add(re.Sub[0])
	case syntax.OpConcat:
		for _, s := range re.Sub {
			f, n := r.add(s)
			fixed, runs = fixed+f, runs+n
		}
	case syntax.OpAlternate:
		for _, s := range re.Sub {
			f, n := r.add(s)
			fixed, runs = max(fixed, f), max(runs, n)
		}
	case syntax.OpStar, syntax.OpPlus:
		r.alphabet(re.Sub[0])
		return 0, 1
	case syntax.OpRepeat:
		if re.Max < 0 {
			r.alphabet(re.Sub[0])
			return 0, 1
		}
		f, n := r.add(re.Sub[0])
		return min(f*re.Max, maxReach+1), min(n*re.Max, 65)
	}
	return min(fixed, maxReach+1), min(runs, 65)
}

// alphabet adds to the set every byte that a match of re can hold.
func (r *reach) alphabet(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			r.addRange(c, c)
			if re.Flags&syntax.FoldCase != 0 {
				for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
					r.addRange(f, f)
				}
			}
		}
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			r.addRange(re.Rune[i], re.Rune[i+1])
		}
	case syntax.OpAnyChar:
		r.addRange(0, unicode.MaxRune)
	case syntax.OpAnyCharNotNL:
		r.addRange(0, '\n'-1)
		r.addRange('\n'+1, unicode.MaxRune)
	}
	for _, s := range re.Sub {
		r.alphabet(s)
	}
}

func (r *reach) addRange(lo, hi rune) {
	for c := lo; c <= min(hi, utf8.RuneSelf-1); c++ {
		r.set[c] = true
	}
	if hi >= utf8.RuneSelf {
		for c := utf8.RuneSelf; c < 256; c++ {
			r.set[c] = true
		}
	}
}

// width is the most bytes that a literal character can match.
func width(c rune, fold bool) int {
	n := max(1, utf8.RuneLen(c))
	if fold {
		for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
			n = max(n, utf8.RuneLen(f))
		}
	}
	return n
}
