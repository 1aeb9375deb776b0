package redact

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// literals is what is known of the texts that an expression matches, in lower case.
type literals struct {
	exact  []string // all of them; nil if there are too many
	prefix []string // each begins with one of these; nil if nothing is known
	needed []string // each holds one of these; nil if nothing is known
}

// maxLiterals is how many alternatives are worth following.
const maxLiterals = 48

// anchorFinder looks for the literals that an expression cannot match without. It prefers those that hold a keyword.
type anchorFinder struct{ keywords []string }

// anchors returns literals in lower case of which every match of re holds at least one, case aside: of the possible sets one
// that implies a keyword, and of these the one whose shortest member is longest. It is nil where there is no such set.
func (f anchorFinder) anchors(re *syntax.Regexp) []string {
	l := f.literals(re)
	best := slices.Clone(f.better(f.better(l.needed, l.exact), l.prefix))
	if !holdsOne(best, f.keywords) || shortest(best) < 2 {
		return nil
	}
	slices.Sort(best)
	return slices.Compact(best)
}

func (f anchorFinder) literals(re *syntax.Regexp) literals {
	switch re.Op {
	case syntax.OpLiteral:
		return exactly(lowerASCII(re.Rune))
	case syntax.OpCharClass:
		return exactly(classMembers(re.Rune))
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return exactly([]string{""})
	case syntax.OpCapture:
		return f.literals(re.Sub[0])
	case syntax.OpConcat:
		return f.concatenated(re.Sub)
	case syntax.OpAlternate:
		return f.alternated(re.Sub)
	case syntax.OpQuest:
		if sub := f.literals(re.Sub[0]); sub.exact != nil {
			return exactly(append([]string{""}, sub.exact...))
		}
	case syntax.OpPlus, syntax.OpRepeat:
		if re.Op == syntax.OpPlus || re.Min > 0 {
			sub := f.literals(re.Sub[0])
			return literals{prefix: first(sub.exact, sub.prefix), needed: f.better(sub.needed, sub.exact)}
		}
	}
	return literals{}
}

func exactly(all []string) literals { return literals{exact: all, prefix: all} }

func (f anchorFinder) concatenated(subs []*syntax.Regexp) literals {
	out, sets := f.sequence(subs)
	for _, set := range sets {
		out.needed = f.better(out.needed, set)
	}
	return out
}

// sequence follows the parts of an expression one after the other. The sets are all those of which each match holds one.
func (f anchorFinder) sequence(subs []*syntax.Regexp) (out literals, sets [][]string) {
	run, whole := []string{""}, true
	for _, s := range subs {
		l := f.literals(s)
		if joined := product(run, l.exact); joined != nil {
			run = joined
			continue
		}
		begin := run
		if joined := product(run, l.prefix); joined != nil {
			begin = joined
		}
		sets = append(sets, begin, l.needed)
		if whole {
			out.prefix = begin
		}
		run, whole = []string{""}, false
	}
	if whole {
		return exactly(run), nil
	}
	return out, append(sets, run)
}

// second returns another set of which each match holds one, for a look at a window before the expression runs.
func (f anchorFinder) second(re *syntax.Regexp, anchors []string) []string {
	if re.Op != syntax.OpConcat {
		return nil
	}
	var best []string
	_, sets := f.sequence(re.Sub)
	for _, set := range sets {
		set = slices.Clone(set)
		slices.Sort(set)
		if set = slices.Compact(set); shortest(set) > max(1, shortest(best)) && !slices.Equal(set, anchors) {
			best = set
		}
	}
	return best
}

func (f anchorFinder) alternated(subs []*syntax.Regexp) literals {
	var exact, prefix, needed []string
	for i, s := range subs {
		l := f.literals(s)
		exact, prefix = union(i, exact, l.exact), union(i, prefix, first(l.exact, l.prefix))
		needed = union(i, needed, f.better(l.needed, first(l.exact, l.prefix)))
	}
	return literals{exact: exact, prefix: prefix, needed: needed}
}

// better is the set that implies a keyword, else the one with the longer shortest member.
func (f anchorFinder) better(a, b []string) []string {
	if ha, hb := holdsOne(a, f.keywords), holdsOne(b, f.keywords); ha != hb {
		if hb {
			return b
		}
		return a
	}
	if shortest(b) > shortest(a) {
		return b
	}
	return a
}

// union adds b to the sets joined so far; a set that is unknown makes the union unknown.
func union(i int, a, b []string) []string {
	if b == nil || i > 0 && a == nil || len(a)+len(b) > maxLiterals {
		return nil
	}
	return append(slices.Clone(a), b...)
}

func product(a, b []string) []string {
	if b == nil || len(a)*len(b) > maxLiterals {
		return nil
	}
	var out []string
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}

func first(a, b []string) []string {
	if a != nil {
		return a
	}
	return b
}

func shortest(set []string) int {
	if len(set) == 0 {
		return 0
	}
	n := len(set[0])
	for _, s := range set {
		n = min(n, len(s))
	}
	return n
}

func lowerASCII(runes []rune) []string {
	for _, c := range runes {
		if c >= utf8.RuneSelf {
			return nil
		}
	}
	return []string{strings.ToLower(string(runes))}
}

// classMembers lists the members of a small class without regard to case. The characters beyond ASCII that fold to k and s
// are left out: text does not hold them in names.
func classMembers(ranges []rune) []string {
	var out []string
	for i := 0; i+1 < len(ranges); i += 2 {
		for c := ranges[i]; c <= ranges[i+1]; c++ {
			if c == '\u212a' || c == '\u017f' {
				continue
			}
			if c >= utf8.RuneSelf || len(out) > 8 {
				return nil
			}
			out = append(out, string(unicode.ToLower(c)))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
