package alias

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Degree is how sure it is that two names mean one thing.
type Degree int

// The degrees.
const (
	Other  Degree = iota // nothing speaks for it
	Likely               // a person may want to join them
	Near                 // they are hardly to be told apart: number, version, order of words, initials
	Same                 // they differ in writing alone
)

// Verdict is a degree with the rule that gave it, in words for people.
type Verdict struct {
	Degree Degree
	Reason string
}

// rule is one way in which names resemble each other. It is tried in both directions unless it is symmetric by itself.
type rule struct {
	degree Degree
	reason string
	holds  func(a, b *name) bool
}

// rules in the order of their strength.
var rules = []rule{
	{Same, "they differ in case and separators alone", func(a, b *name) bool { return a.flat == b.flat }},
	{Near, "one is the plural of the other", func(a, b *name) bool {
		return singular(a.flat) == singular(b.flat) || joined(a.words, singular) == joined(b.words, singular)
	}},
	{Near, "one is the initials of the other", initials},
	{Near, "one counts the letters that it leaves out of the other", numeronym},
	{Near, "they differ in a version alone", func(a, b *name) bool { return joined(a.bare, nil) == joined(b.bare, nil) }},
	{Near, "they have the same words", func(a, b *name) bool { return len(a.bare) > 1 && sameSet(a.bare, b.bare) }},
	{Likely, "one is made of the beginnings of the other's words", beginnings},
	{Likely, "one begins with the initials of the other", func(a, b *name) bool {
		return len(a.words) > 1 && len(a.words[0]) >= 2 && isInitials(a.words[0], b)
	}},
	{Likely, "one is the other with words after it", func(a, b *name) bool {
		return len(b.bare) > len(a.bare) && slices.Equal(b.bare[:len(a.bare)], a.bare)
	}},
	{Likely, "one is the other with words before it", func(a, b *name) bool {
		return len(b.bare) > len(a.bare) && slices.Equal(b.bare[len(b.bare)-len(a.bare):], a.bare) && !(len(a.bare) == 1 && Generic(a.bare[0]))
	}},
	{Likely, "one has all words of the other", func(a, b *name) bool {
		return inside(a.parts, b.parts) && !slices.ContainsFunc(a.words, Generic)
	}},
	{Likely, "one begins with the other", func(a, b *name) bool { return len(a.flat) >= 3 && strings.HasPrefix(b.flat, a.flat) }},
	{Likely, "one is short for the other", short},
}

// Compare says whether two names mean one thing. It is symmetric.
func Compare(a, b string) Verdict {
	x, y := parse(a), parse(b)
	if x.flat == "" || y.flat == "" {
		return Verdict{}
	}
	if inBrackets(a, &y) || inBrackets(b, &x) {
		return Verdict{Same, "one names the other in brackets"}
	}
	for _, r := range rules {
		if r.holds(&x, &y) || r.holds(&y, &x) {
			return Verdict{r.degree, r.reason}
		}
	}
	return Verdict{}
}

var bracketRE = regexp.MustCompile(`^(.+?)\s*\(([^()]+)\)$`)

// inBrackets finds "Common Vulnerabilities and Exposures (CVE)", which states both of its names.
func inBrackets(a string, b *name) bool {
	m := bracketRE.FindStringSubmatch(strings.TrimSpace(a))
	return m != nil && (Normal(m[1]) == b.flat || Normal(m[2]) == b.flat) && Normal(m[2]) != ""
}

func initials(a, b *name) bool {
	return isInitials(a.flat, b) || len(unversioned(a.words)) == 1 && isInitials(unversioned(a.words)[0], b)
}

// isInitials reports whether a run of letters is the initials of a name's words, with or without its small words.
func isInitials(s string, of *name) bool {
	return len(s) >= 2 && (s == firsts(of.words) || s == firsts(of.parts) || s == firsts(telling(of.parts)))
}

// firsts are the initials of at least two words; else a text that no name has.
func firsts(words []string) string {
	if len(words) < 2 {
		return " "
	}
	var b strings.Builder
	for _, w := range words {
		b.WriteString(string([]rune(w)[:1]))
	}
	return b.String()
}

var numeronymRE = regexp.MustCompile(`^(\p{L})(\d{1,2})(\p{L})$`)

// numeronym finds "i18n" for "internationalization".
func numeronym(a, b *name) bool {
	m := numeronymRE.FindStringSubmatch(a.flat)
	if m == nil {
		return false
	}
	n, _ := strconv.Atoi(m[2])
	return len([]rune(b.flat)) == n+2 && strings.HasPrefix(b.flat, m[1]) && strings.HasSuffix(b.flat, m[3])
}

// beginnings finds "otel" for "OpenTelemetry": a is a beginning of each of b's words, one after the other.
func beginnings(a, b *name) bool {
	words := telling(b.parts)
	return len(words) > 1 && len(a.flat) >= 3 && madeOf(a.flat, words)
}

func madeOf(s string, words []string) bool {
	if len(words) == 0 {
		return s == ""
	}
	for k := 1; k <= len(words[0]) && k <= len(s) && s[:k] == words[0][:k]; k++ {
		if madeOf(s[k:], words[1:]) {
			return true
		}
	}
	return false
}

// maxShort is the longest short form that leaves out letters anywhere, in bytes.
const maxShort = 5

// short finds "pwsh" for "PowerShell": few letters of a longer name in their order, from its first on.
func short(a, b *name) bool {
	if len(a.flat) < 2 || len(a.flat) > maxShort || len(b.flat) < len(a.flat)+2 || a.flat[0] != b.flat[0] {
		return false
	}
	if len(a.flat) == maxShort && a.flat[len(a.flat)-1] != b.flat[len(b.flat)-1] {
		return false
	}
	rest := b.flat
	for _, r := range a.flat {
		k := strings.IndexRune(rest, r)
		if k < 0 {
			return false
		}
		rest = rest[k+len(string(r)):]
	}
	return true
}

// Misspelt reports whether two names of at least six letters differ in one letter: added, left out, wrong, or two in the wrong
// order. It is no more than a hint.
func Misspelt(a, b string) bool {
	x, y := []rune(Normal(a)), []rune(Normal(b))
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) < 6 || len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	switch {
	case i == len(y), strings.ContainsAny(string(x[min(i, len(x)-1)])+string(y[i]), "0123456789"):
		return false // equal, or two numbers
	case len(x) < len(y):
		return slices.Equal(x[i:], y[i+1:])
	}
	swapped := i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && slices.Equal(x[i+2:], y[i+2:])
	return swapped || slices.Equal(x[i+1:], y[i+1:])
}

// generic are words that say of what kind a thing is, and by themselves name none.
var generic = wordSet(`app application api bot cli client server code config configuration css data database db demo desktop
development dev doc documentation driver editor engine example extension file font format framework game generator guide ide
javascript kit language lang learning library lib linux mobile module network os package platform plugin program programming
project protocol script sdk security service software source sql standard system template test testing theme tool toolkit tutorial
ui user util utility web website windows android ios design`)

// Generic reports whether a word only says of what kind a thing is: "framework", "server".
func Generic(word string) bool { return generic[singular(strings.ToLower(word))] }

// small words are left out of initials.
var small = wordSet(`the of and for a an in on with to`)

func telling(words []string) []string {
	out := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return small[w] })
	if len(out) == 0 {
		return words
	}
	return out
}

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

func joined(words []string, each func(string) string) string {
	var b strings.Builder
	for _, w := range words {
		if each != nil {
			w = each(w)
		}
		b.WriteString(w)
	}
	return b.String()
}

func sameSet(a, b []string) bool { return inside(a, b) && inside(b, a) }

// inside reports whether every word of a is one of b.
func inside(a, b []string) bool {
	return len(a) > 0 && !slices.ContainsFunc(a, func(w string) bool { return !slices.Contains(b, w) })
}
