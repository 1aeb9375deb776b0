package redact

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// lead is how a match begins: a literal and then count bytes of a class. It decides in a few nanoseconds that a short anchor
// such as "sk" is only part of a word.
type lead struct {
	literal string
	fold    bool // the literal matches in any case
	class   *[256]bool
	count   int
	closed  bool // no more is known of what follows
}

// maxLead is how many bytes after the literal are worth a look.
const maxLead = 24

// leadsOf returns a lead for each anchor, in the anchors' order, or nil where the expression does not begin with them.
func leadsOf(re *syntax.Regexp, anchors []string) []lead {
	byLiteral := map[string]lead{}
	for _, l := range extend([]lead{{}}, re) {
		low := strings.ToLower(l.literal)
		if _, twice := byLiteral[low]; twice {
			return nil
		}
		byLiteral[low] = l
	}
	var out []lead
	for _, a := range anchors {
		l, ok := byLiteral[a]
		if !ok {
			return nil
		}
		out = append(out, l)
	}
	if len(out) != len(byLiteral) {
		return nil
	}
	return out
}

// extend adds what re says to the leads that are still open.
func extend(leads []lead, re *syntax.Regexp) []lead {
	var out []lead
	for _, l := range leads {
		if l.closed {
			out = append(out, l)
			continue
		}
		out = append(out, extendOne(l, re)...)
		if len(out) > maxLiterals {
			return nil
		}
	}
	return out
}

func extendOne(l lead, re *syntax.Regexp) []lead {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpBeginText, syntax.OpWordBoundary:
		return []lead{l}
	case syntax.OpCapture:
		return extendOne(l, re.Sub[0])
	case syntax.OpConcat:
		out := []lead{l}
		for _, s := range re.Sub {
			out = extend(out, s)
		}
		return out
	case syntax.OpAlternate:
		var out []lead
		for _, s := range re.Sub {
			out = append(out, extendOne(l, s)...)
		}
		return out
	case syntax.OpLiteral:
		if fold := re.Flags&syntax.FoldCase != 0; l.literal == "" || fold == l.fold {
			l.literal, l.fold = l.literal+string(re.Rune), fold
			return []lead{l}
		}
	case syntax.OpCharClass, syntax.OpPlus, syntax.OpRepeat:
		l.class, l.count = classRun(re)
	}
	l.closed = true
	return []lead{l}
}

// classRun is the class and the least number of its bytes that re begins with; nil where re is not a run of ASCII.
func classRun(re *syntax.Regexp) (*[256]bool, int) {
	sub, n := re, 1
	switch {
	case re.Op == syntax.OpPlus:
		sub = re.Sub[0]
	case re.Op == syntax.OpRepeat:
		sub, n = re.Sub[0], re.Min
	}
	if sub.Op != syntax.OpCharClass || n == 0 {
		return nil, 0
	}
	var r reach
	r.alphabet(sub)
	if r.set[utf8.RuneSelf] && sub.Rune[len(sub.Rune)-1] > '\u212a' {
		return nil, 0
	}
	return &r.set, min(n, maxLead)
}

// holds reports whether the literal that ends at end in s can begin a match.
func (l *lead) holds(s string, end int) bool {
	if !l.fold && s[end-len(l.literal):end] != l.literal {
		return false
	}
	if len(s)-end < l.count {
		return false
	}
	for i := range l.count {
		if !l.class[s[end+i]] {
			return false
		}
	}
	return true
}
