package redact

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// assignment is the shape of most of gitleaks' rules: a name that holds the anchor, an operator, perhaps quotes, a value of a
// narrow alphabet. It is recognised in the expression's source, and it decides without the expression that a word such as
// "token" is not the name of anything, and how little of the text the expression has to see.
type assignment struct {
	gap   int        // the most bytes between the anchor and the operator
	words bool       // what of the name follows on the anchor has no quotes and no ends of lines
	value *[256]bool // what the value consists of
	min   int        // its least length in bytes
}

// How gitleaks writes what comes between a name and its value, in its two variants.
const (
	usualGap      = `(?:[ \t\w.-]{0,20})[\s'"]{0,3}`
	usualOperator = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(`
)

// The most bytes that usualGap can match, and that may come before the anchor in a name: characters that fold to ASCII letters
// take up to three bytes.
const (
	gapBytes  = 3*20 + 3
	nameBytes = 3*100 + 8
)

// assignmentOf recognises the shape in an expression whose anchors are in its name. It is nil for any other.
func assignmentOf(source string, finder anchorFinder, anchors []string) *assignment {
	head, tail, ok := strings.Cut(source, usualGap+usualOperator)
	closing := ""
	if !ok {
		if head, tail, ok = strings.Cut(source, usualGap+")"+usualOperator); !ok {
			return nil
		}
		closing = ")"
	}
	flags := ""
	if strings.HasPrefix(source, "(?i)") {
		flags = "(?i)"
	}
	name, err := syntax.Parse(head+closing, syntax.Perl)
	if err != nil || name.Op != syntax.OpConcat || !slices.Equal(finder.anchors(name), anchors) {
		return nil
	}
	value, err := syntax.Parse(flags+"("+tail, syntax.Perl)
	if err != nil || value.Op != syntax.OpConcat || value.Sub[0].Op != syntax.OpCapture {
		return nil
	}
	var words, chars reach
	long, _ := words.add(lastPart(name))
	chars.alphabet(value.Sub[0])
	var rest reach
	rest.alphabet(lastPart(name))
	plain := true
	for c := range closeSet {
		plain = plain && !(closeSet[c] && rest.set[c] && !gapSet[c])
	}
	return &assignment{gap: gapBytes + max(0, long-shortest(anchors)), words: plain, value: &chars.set, min: leastLength(value.Sub[0])}
}

// lastPart is the part of a sequence that comes last, at any depth: the words of a name.
func lastPart(re *syntax.Regexp) *syntax.Regexp {
	for re.Op == syntax.OpConcat || re.Op == syntax.OpCapture {
		last := re.Sub[len(re.Sub)-1]
		if last.Op == syntax.OpConcat || last.Op == syntax.OpCapture {
			re = last
			continue
		}
		if re.Op == syntax.OpConcat && re.Sub[0].Op != syntax.OpRepeat {
			return re
		}
		if re.Op == syntax.OpConcat && len(re.Sub) > 2 {
			return &syntax.Regexp{Op: syntax.OpConcat, Sub: re.Sub[1:]}
		}
		return last
	}
	return re
}

// leastLength is the least number of bytes that re matches.
func leastLength(re *syntax.Regexp) int {
	n := 0
	switch re.Op {
	case syntax.OpLiteral:
		n = len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		n = 1
	case syntax.OpCapture, syntax.OpPlus:
		n = leastLength(re.Sub[0])
	case syntax.OpRepeat:
		n = re.Min * leastLength(re.Sub[0])
	case syntax.OpConcat:
		for _, s := range re.Sub {
			n += leastLength(s)
		}
	case syntax.OpAlternate:
		n = leastLength(re.Sub[0])
		for _, s := range re.Sub[1:] {
			n = min(n, leastLength(s))
		}
	}
	return n
}

// The bytes that gitleaks allows in a name, between a name and its operator, and before a value.
var (
	nameSet    = byteSet("_.-", true)
	betweenSet = byteSet(" \t\n\f\r'\"._-", true)
	gapSet     = byteSet(" \t._-", true)   // the first part of usualGap
	closeSet   = byteSetOf(" \t\n\f\r'\"") // its second part, of at most maxClose
	quoteSet   = byteSet("`'\" \t\n\f\r=:>|?,", false)
)

// span returns the part of s that holds every match whose name holds the anchor at s[start:end], or false if there is none.
// valueEnd is the end of the value that was found last, and is set to the end of this one, so that a long value is measured
// once.
func (a *assignment) span(s string, start, end int, valueEnd *int) (from, to int, ok bool) {
	i := a.operatorAfter(s, end)
	if i == len(s) || !isOperator(s[i]) {
		return 0, 0, false
	}
	operator := i
	// An operator has up to four bytes and five more may follow, each up to three bytes long where it is a folded letter.
	for stop := min(len(s), i+4+5+1); i < stop && quoteSet[s[i]]; {
		i++
	}
	first := i
	for first > operator && a.value[s[first-1]] {
		first-- // the value's alphabet may hold an operator
	}
	to = max(i, *valueEnd)
	for to < len(s) && a.value[s[to]] {
		to++
	}
	*valueEnd = to
	if to-first < a.min {
		return 0, 0, false
	}
	from = start
	for from > 0 && start-from < nameBytes && nameSet[s[from-1]] {
		from--
	}
	return max(0, from-utf8.UTFMax), min(len(s), to+8), true
}

// maxClose is how many bytes of closeSet may come last before an operator.
const maxClose = 3

// operatorAfter is where the operator has to be that belongs to a name which is known up to end.
func (a *assignment) operatorAfter(s string, end int) int {
	i, stop := end, min(len(s), end+a.gap)
	if !a.words {
		for i < stop && betweenSet[s[i]] {
			i++
		}
		return i
	}
	for i < stop && gapSet[s[i]] {
		i++
	}
	for stop = min(stop, i+maxClose); i < stop && closeSet[s[i]]; {
		i++
	}
	return i
}

func isOperator(c byte) bool {
	return c == '=' || c == ':' || c == '>' || c == '|' || c == '?' || c == ','
}

// byteSet holds the bytes of members, all bytes beyond ASCII and, if word is set, ASCII letters and digits.
func byteSet(members string, word bool) *[256]bool {
	var set [256]bool
	for i := range set {
		c := byte(i)
		set[i] = c >= utf8.RuneSelf || word && isAlnum(c)
	}
	for i := range len(members) {
		set[members[i]] = true
	}
	return &set
}

// byteSetOf holds the bytes of members alone.
func byteSetOf(members string) *[256]bool {
	var set [256]bool
	for i := range len(members) {
		set[members[i]] = true
	}
	return &set
}

func isAlnum(c byte) bool { return isDigit(c) || isLetter(c) }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
