package redact

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
)

// drawFrom makes a string that the expression matches: classes and counts are drawn, alternatives too.
func drawFrom(t testing.TB, expr string, r *rand.Rand) string {
	t.Helper()
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	drawTree(&b, re, r)
	return b.String()
}

func drawTree(b *strings.Builder, re *syntax.Regexp, r *rand.Rand) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(drawRune(re.Rune, r))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte(alnumAll[r.IntN(len(alnumAll))])
	case syntax.OpCapture:
		drawTree(b, re.Sub[0], r)
	case syntax.OpConcat:
		for _, s := range re.Sub {
			drawTree(b, s, r)
		}
	case syntax.OpAlternate:
		drawTree(b, re.Sub[r.IntN(len(re.Sub))], r)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		for range drawCount(re, r) {
			drawTree(b, re.Sub[0], r)
		}
	}
}

func drawCount(re *syntax.Regexp, r *rand.Rand) int {
	switch re.Op {
	case syntax.OpStar:
		return r.IntN(4)
	case syntax.OpPlus:
		return 1 + r.IntN(30)
	case syntax.OpQuest:
		return r.IntN(2)
	}
	if re.Max < 0 {
		return re.Min + r.IntN(40)
	}
	return re.Min + r.IntN(re.Max-re.Min+1)
}

// drawRune draws a printable member of a class where there is one.
func drawRune(ranges []rune, r *rand.Rand) rune {
	var members []rune
	for i := 0; i+1 < len(ranges); i += 2 {
		for c := ranges[i]; c <= min(ranges[i+1], '~'); c++ {
			if c >= ' ' {
				members = append(members, c)
			}
		}
	}
	if len(members) == 0 {
		return ranges[0]
	}
	return members[r.IntN(len(members))]
}
