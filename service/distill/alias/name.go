package alias

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// name is a name taken apart.
type name struct {
	words []string // lower case, as its separators divide it
	parts []string // divided also where small letters meet capitals: "OpenTelemetry" has two
	flat  string   // the words without anything between them
	bare  []string // the words in the singular, without numbers of versions
}

func parse(s string) name {
	s = norm.NFKC.String(s)
	n := name{words: split(s), parts: split(humps(s))}
	n.flat = strings.Join(n.words, "")
	for _, w := range unversioned(n.words) {
		n.bare = append(n.bare, singular(w))
	}
	return n
}

// Normal is the strict normal form of a name: equal for names that differ in case, separators and Unicode form alone. It is
// empty for a name without letters and digits.
func Normal(s string) string { return strings.Join(split(norm.NFKC.String(s)), "") }

// split cuts a text into runs of letters, digits and the signs that tell languages apart ("C++", "C#").
func split(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '+' && r != '#'
	})
}

// humps puts a space where a small letter meets a capital, and before the last capital of several: "YAMLFile" is "YAML File".
func humps(s string) string {
	rs := []rune(s)
	var b strings.Builder
	for i, r := range rs {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(rs[i-1]) || unicode.IsUpper(rs[i-1]) && i+1 < len(rs) && unicode.IsLower(rs[i+1])) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// singular takes the plural's ending off an English word.
func singular(w string) string {
	if t, ok := strings.CutSuffix(w, "ies"); ok && len(w) > 4 {
		return t + "y"
	}
	if t, ok := strings.CutSuffix(w, "s"); ok && len(w) > 3 && !strings.HasSuffix(t, "s") {
		return t
	}
	return w
}

// unversioned leaves out what numbers a version: "php 7", "vb6", "yii2". A name of numbers alone stays.
func unversioned(words []string) []string {
	var out []string
	for _, w := range words {
		t := strings.TrimRight(w, "0123456789")
		switch {
		case t == "" || t == "v" && t != w:
			continue
		case len(w) > 2:
			w = t
		}
		out = append(out, w)
	}
	if len(out) == 0 {
		return words
	}
	return out
}
