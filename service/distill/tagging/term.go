package tagging

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// Evidence is what a turn shows of its subject.
type Evidence struct {
	Project   []string // names of the project and its folder, which tell no subject
	Files     []string // that were changed, relative to the project
	Scopes    []string // of conventional commits: "cli" of "fix(cli): ..."
	Libraries []string // that were installed
	Named     []string // names that a model proposed
	Lines     []string // what is remembered of the turn
}

// The most names that a turn has of either kind.
const (
	mostShown = 4
	mostSaid  = 12
	maxTag    = 40 // bytes
)

// Terms are the names that a turn may be tagged with, in canonical form. They depend on the turn alone, whatever the vocabulary.
type Terms struct {
	// Shown are what the turn worked on, the best first: from them the vocabulary grows.
	Shown []string
	// Said are words of its lines and files, in their order. They lead to tags that there are, and make none.
	Said []string
}

// TermsOf reads a turn's evidence. A turn that shows nothing of its subject is about what is said of it.
func TermsOf(e Evidence) (t Terms) {
	own := map[string]bool{}
	for _, p := range e.Project {
		own[Canonical(p)] = true
	}
	weight := map[string]float64{}
	add := func(name string, w float64) {
		if c := Canonical(name); usable(c) && !own[c] {
			weight[c] += w
		}
	}
	for _, s := range e.Named {
		add(s, 6)
	}
	for _, s := range e.Scopes {
		add(s, 5)
	}
	for _, l := range e.Libraries {
		add(path.Base(l), 3)
	}
	words := wordsOf(e.Lines)
	for _, f := range e.Files {
		name := place(f, own)
		if parts := strings.Split(Canonical(name), "-"); len(parts) > 2 { // a file of its own, not a subject
			words = append(words, parts...)
			continue
		}
		add(name, 0.2+3/float64(len(e.Files)))
	}
	for _, w := range words { // what is both done and said
		if weight[w] > 0 {
			weight[w] += 2
		}
	}
	t.Shown = slices.SortedFunc(maps.Keys(weight), func(a, b string) int { return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a, b)) })
	t.Shown = t.Shown[:min(len(t.Shown), mostShown)]
	for _, c := range words {
		if usable(c) && !own[c] && !plainWords[c] && !slices.Contains(t.Shown, c) && !slices.Contains(t.Said, c) && len(t.Said) < mostSaid {
			t.Said = append(t.Said, c)
		}
	}
	if len(t.Shown) == 0 {
		t.Shown, t.Said = t.Said[:min(len(t.Said), mostShown)], t.Said[min(len(t.Said), mostShown):]
	}
	return t
}

// usable reports whether a name can be a tag.
func usable(c string) bool {
	return len(c) > 1 && len(c) <= maxTag && !generic[c] && !numeric(c)
}

// place is what tells of a file's subject: its folder, or where that is one that every project has, its own name.
func place(file string, own map[string]bool) string {
	parts := strings.Split(strings.TrimPrefix(file, "~/"), "/")
	if n := len(parts); n > 1 {
		if d := parts[n-2]; usable(Canonical(d)) && !own[Canonical(d)] && !strings.HasPrefix(d, ".") {
			return d
		}
	}
	name, _, _ := strings.Cut(parts[len(parts)-1], ".")
	for _, end := range []string{"_test", "-test", "_spec", "-spec"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}

// wordsOf are the words of lines that may name a subject, in canonical form, in the order of their first use, each once.
func wordsOf(lines []string) []string {
	var out []string
	for _, l := range lines {
		for w := range strings.FieldsSeq(l) {
			if c := subject(w); c != "" && !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// subject is the canonical form of a word that may name a subject; empty for others.
func subject(w string) string {
	w = strings.Trim(w, "`.,;:!?()\"'[]{}→…*")
	if len(w) < 4 || strings.ContainsAny(w, "/\\=<>|(){}'’") || numeric(w) || inflected(w) || plainWords[strings.ToLower(w)] {
		return ""
	}
	if strings.IndexFunc(w[1:], func(r rune) bool { return r >= 'A' && r <= 'Z' || r == '.' || r == '_' }) >= 0 {
		return "" // an identifier or a file
	}
	if c := Canonical(w); len(c) > 2 && !plainWords[c] && usable(c) {
		return c
	}
	return ""
}

func numeric(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.Trim(s, "0123456789abcdef.-v") == ""
}

// inflected reports whether a word has an ending of English verbs or adverbs: it says what was done and how, not of what.
func inflected(w string) bool {
	for _, end := range []string{"ed", "ing", "ly"} {
		if len(w) > len(end)+2 && strings.HasSuffix(w, end) && !strings.HasSuffix(w, "eed") {
			return true
		}
	}
	return false
}
