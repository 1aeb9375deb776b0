package main

import (
	"slices"
	"strings"
	"unicode"
)

// rewording says a memory in other words, by a rule that knows nothing of how refusals are told.
type rewording struct {
	name string
	say  func(string) string
}

var rewordings = []rewording{
	{"case and marks", func(s string) string { return strings.ToUpper(strings.Trim(s, ".")) + "!" }},
	{"turned around", turned},
	{"other forms of the words", otherForms},
	{"shortened by a quarter", shortened},
	{"with a preamble", func(s string) string {
		return "During this session the assistant reported that " + s + " as requested by the user"
	}},
	{"other words", otherWords},
}

// turned puts the second half of the words first.
func turned(s string) string {
	words := strings.Fields(s)
	k := len(words) / 2
	return strings.Join(append(slices.Clone(words[k:]), words[:k]...), " ")
}

// shortened leaves out every fourth word.
func shortened(s string) string {
	var out []string
	for i, w := range strings.Fields(s) {
		if i%4 != 3 {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// otherForms changes the endings of English words: "fixed" to "fixing", "tests" to "test".
func otherForms(s string) string {
	return eachWord(s, func(w string) string {
		switch low := strings.ToLower(w); {
		case len(w) > 5 && strings.HasSuffix(low, "ed"):
			return w[:len(w)-2] + "ing"
		case len(w) > 6 && strings.HasSuffix(low, "ing"):
			return w[:len(w)-3] + "ed"
		case len(w) > 4 && strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss"):
			return w[:len(w)-1]
		}
		return w
	})
}

// synonyms are other words for those that accounts of work are made of.
var synonyms = map[string]string{
	"added": "introduced", "add": "introduce", "fixed": "repaired", "fix": "repair", "removed": "deleted", "remove": "delete", "changed": "altered", "change": "alter",
	"updated": "revised", "update": "revise", "created": "made", "create": "make", "use": "employ", "uses": "employs", "used": "employed", "test": "check", "tests": "checks",
	"error": "failure", "errors": "failures", "bug": "defect", "function": "routine", "file": "document", "files": "documents", "command": "instruction", "replaced": "swapped",
	"instead": "rather", "moved": "relocated", "now": "currently", "when": "whenever", "because": "since", "should": "must", "does": "will", "broken": "faulty", "show": "display",
	"shows": "displays", "run": "execute", "runs": "executes", "wrote": "authored", "checked": "examined", "implemented": "built", "only": "solely", "new": "fresh", "old": "former",
}

// otherWords takes a synonym of each word that has one.
func otherWords(s string) string {
	return eachWord(s, func(w string) string {
		if o, ok := synonyms[strings.ToLower(w)]; ok {
			return o
		}
		return w
	})
}

// eachWord changes the words of letters alone and leaves all else.
func eachWord(s string, change func(string) string) string {
	words := strings.Fields(s)
	for i, w := range words {
		bare := strings.TrimFunc(w, unicode.IsPunct)
		if bare == "" || strings.ContainsFunc(bare, func(r rune) bool { return !unicode.IsLetter(r) }) {
			continue
		}
		words[i] = strings.Replace(w, bare, change(bare), 1)
	}
	return strings.Join(words, " ")
}
