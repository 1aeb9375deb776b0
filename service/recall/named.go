package recall

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/store/index"
	"dormouse/store/index/words"
)

// namer tells which names a query's text calls. It knows the text as the sequence of its terms.
type namer struct {
	a     *words.Analyzer
	terms []string
	odd   []string        // words of the text that no document has
	known map[string]bool // terms that some document has
	seen  map[string]bool // names that were looked at
}

func newNamer(a *words.Analyzer, text string, answer *index.Answer) *namer {
	n := &namer{a: a, known: map[string]bool{}, seen: map[string]bool{}}
	n.terms = n.sequence(text)
	for _, w := range answer.Words {
		if w.Docs > 0 {
			n.known[w.Term] = true
		}
	}
	for _, w := range plainWords(text) {
		if !slices.ContainsFunc(n.sequence(w), func(t string) bool { return n.known[t] }) {
			n.odd = append(n.odd, w)
		}
	}
	return n
}

// plainWords are the words of a text as they are written, in lower case.
func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// sequence is the terms of a text in their order. Its case is left out, so that TSLint does not call TS.
func (n *namer) sequence(text string) []string {
	var out []string
	n.a.Text(strings.ToLower(text), func(term string, base bool) {
		if base {
			out = append(out, term)
		}
	})
	return out
}

// calls reports whether the text has one of the names as a whole, its words in their order.
func (n *namer) calls(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		ok, seen := n.seen[name]
		if !seen {
			ok = n.has(n.sequence(name)) || n.slipped(name)
			n.seen[name] = ok
		}
		return ok
	})
}

func (n *namer) has(name []string) bool {
	if len(name) == 0 {
		return false
	}
	for i := 0; i+len(name) <= len(n.terms); i++ {
		if slices.Equal(n.terms[i:i+len(name)], name) {
			return true
		}
	}
	return false
}

// slipped reports whether a word of the text that nobody ever wrote is one slip from a name of one word: a letter too many, too few,
// wrong, or two that changed places, never among the first two.
func (n *namer) slipped(name string) bool {
	w := plainWords(name)
	return len(w) == 1 && slices.ContainsFunc(n.odd, func(odd string) bool { return slip(odd, w[0]) })
}

// leastSlip is how many letters a word has at least in which a slip is overlooked; shorter ones are too near to each other.
const leastSlip = 5

func slip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b) < leastSlip || len(b)-len(a) > 1 || len(a) < 2 || a[:2] != b[:2] || !utf8.ValidString(a) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return i < len(a) && (a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:])
}
