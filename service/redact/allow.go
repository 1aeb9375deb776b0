package redact

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode/utf8"
)

// allowlist is gitleaks' description of findings that are not secrets.
type allowlist struct {
	all    bool   // every condition must hold, else any
	target string // what the expression looks at: "" the secret, "match" the match, "line" the line
	paths  bool   // the list has a condition on paths, which never holds here
	re     func() *regexp.Regexp
	words  func() *automaton
}

func newAllowlist(spec allowSpec) (*allowlist, error) {
	a := &allowlist{target: spec.RegexTarget, paths: len(spec.Paths) > 0}
	switch strings.ToUpper(spec.Condition) {
	case "AND", "&&":
		a.all = true
	case "", "OR", "||":
	default:
		return nil, fmt.Errorf("allowlist condition %q is neither AND nor OR", spec.Condition)
	}
	if len(spec.Regexes) > 0 {
		// Joined as gitleaks joins them: a flag in one expression holds for those after it.
		joined := "(?:" + strings.Join(spec.Regexes, "|") + ")"
		if _, err := syntax.Parse(joined, syntax.Perl); err != nil {
			return nil, fmt.Errorf("allowlist: %w", err)
		}
		a.re = lazyRegexp(joined)
	}
	if words := spec.StopWords; len(words) > 0 {
		if _, err := newAutomaton(words); err != nil {
			return nil, fmt.Errorf("allowlist: %w", err)
		}
		a.words = sync.OnceValue(func() *automaton {
			m, _ := newAutomaton(words)
			return m
		})
	}
	return a, nil
}

// allows reports whether the finding is none.
func (a *allowlist) allows(secret, match, line string) bool {
	target := secret
	switch a.target {
	case "match":
		target = match
	case "line":
		target = line
	}
	byRegex := a.re != nil && target != "" && a.re().MatchString(target)
	byWord := a.words != nil && a.words().contains(secret)
	if !a.all {
		return byRegex || byWord
	}
	return !a.paths && (a.re == nil || byRegex) && (a.words == nil || byWord)
}

// isSample reports whether one of the lists names all of secret.
func isSample(lists []*allowlist, secret string) bool {
	for _, a := range lists {
		if a.re == nil {
			continue
		}
		if m := a.re().FindStringIndex(secret); m != nil && m[1]-m[0] == len(secret) {
			return true
		}
	}
	return false
}

// entropy is the Shannon entropy of s in bits a byte, with characters as symbols, as gitleaks computes it.
func entropy(s string) float64 {
	var ascii [utf8.RuneSelf]int
	var wide map[rune]int
	for _, c := range s {
		if c < utf8.RuneSelf {
			ascii[c]++
			continue
		}
		if wide == nil {
			wide = map[rune]int{}
		}
		wide[c]++
	}
	e := 0.0
	add := func(n int) {
		if n > 0 {
			p := float64(n) / float64(len(s))
			e -= p * math.Log2(p)
		}
	}
	for _, n := range ascii {
		add(n)
	}
	for _, n := range wide {
		add(n)
	}
	return e
}
