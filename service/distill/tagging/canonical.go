package tagging

import (
	"slices"
	"strings"
	"unicode"
)

// shortOf are words that are said in several forms, and the form that a tag has.
var shortOf = func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(`config configuration configure conf cfg setting
auth authentication authenticate
authz authorization authorisation authorize
db database
docs doc documentation readme
env environment
repo repository
deps dep dependency dependencie
perf performance speed
error err
message msg
parameter param
argument arg
function func fn
util utility helper
context ctx
command cmd
directory dir folder
package pkg
app application
kubernetes k8s kube
javascript js
typescript ts
python py
postgres postgresql pg
go golang
test testing tests
ui gui
summary summarize summarization summarise summarisation
session sess
attribute attr attribution
implementation impl
delete deletion
log logging logger
migrate migration
deploy deployment
refactor refactoring
version versioning
parse parser parsing
lint linter linting
build building
hook hooks
install installation installer
`) {
		words := strings.Fields(line)
		for _, w := range words {
			m[w] = words[0]
		}
	}
	return m
}()

// Canonical is the one form of a tag's name: lower case, words in the singular joined by dashes, and of words that are said in
// several forms the usual one. It is empty where nothing is left.
func Canonical(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '+' && r != '#'
	})
	for i, w := range words {
		if s, ok := shortOf[w]; ok {
			words[i] = s
			continue
		}
		w = singular(w)
		if s, ok := shortOf[w]; ok {
			w = s
		}
		words[i] = w
	}
	return strings.Join(slices.Compact(words), "-")
}

func singular(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "shes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "xes")):
		return w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}
