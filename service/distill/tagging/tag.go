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
	Files     []string // that were changed, relative to the project
	Scopes    []string // of conventional commits: "cli" of "fix(cli): ..."
	Libraries []string // that were installed
	Lines     []string // what is remembered of the turn
	// Past is what the turns before on the branch were about, by tag: how often each was given, and which words their lines had.
	Past *Past
	// Same maps names to the tag that the session says is the same; in canonical form.
	Same map[string]string
}

// Past is the memory of a branch, bounded.
type Past struct {
	Tags  map[string]int
	Words map[string]int
}

// maxPast bounds the words that are counted.
const maxPast = 400

// perTurn is how many tags a turn has at most.
const perTurn = 3

// Tag gives a turn its tags, best first, in canonical form, and the past of the turns that follow. Names that are in use on the
// branch are preferred to new ones. hits counts names that led to another one's tag.
func Tag(e Evidence) (tags []string, next *Past, hits int) {
	weight := map[string]float64{}
	add := func(name string, w float64) {
		c := Canonical(name)
		if to, ok := e.Same[c]; ok && to != c {
			c = to
			hits++
		}
		if len(c) > 1 && len(c) <= maxTag && !generic[c] && !numeric(c) {
			weight[c] += w
		}
	}
	for _, s := range e.Scopes {
		add(s, 5)
	}
	for _, l := range e.Libraries {
		add(path.Base(l), 3)
	}
	each := 3 / float64(max(1, len(e.Files)))
	for _, f := range e.Files {
		for i, d := range places(f) {
			add(d, each/float64(i+1)+0.2)
		}
	}
	words := wordsOf(e.Lines)
	for _, w := range words {
		if n := e.Past.words()[w]; n >= recurring {
			add(w, 0.6+0.2*float64(min(n, 6)))
		}
	}
	for t := range weight {
		if e.Past.tags()[t] > 0 {
			weight[t] *= 1.5
		}
	}
	tags = slices.SortedFunc(maps.Keys(weight), func(a, b string) int { return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a, b)) })
	for len(tags) > 1 && (len(tags) > perTurn || weight[tags[len(tags)-1]] < weight[tags[0]]/4) {
		tags = tags[:len(tags)-1]
	}
	// A new name beside the first one has to be strong: else every turn would add words that never come back.
	for i := len(tags) - 1; i > 0; i-- {
		if e.Past.tags()[tags[i]] == 0 && weight[tags[i]] < strong {
			tags = slices.Delete(tags, i, i+1)
		}
	}
	return tags, e.Past.with(tags, words), hits
}

const (
	maxTag    = 40 // bytes
	strong    = 2  // weight of a name that is taken although the branch never had it
	recurring = 2  // turns in which a word has to have been before it makes a tag
)

func (p *Past) tags() map[string]int {
	if p == nil {
		return nil
	}
	return p.Tags
}

func (p *Past) words() map[string]int {
	if p == nil {
		return nil
	}
	return p.Words
}

// with is the past with one more turn. The old one is not changed.
func (p *Past) with(tags, words []string) *Past {
	if len(tags) == 0 && len(words) == 0 {
		return p
	}
	out := &Past{Tags: maps.Clone(p.tags()), Words: maps.Clone(p.words())}
	if out.Tags == nil {
		out.Tags, out.Words = map[string]int{}, map[string]int{}
	}
	count := func(m map[string]int, list []string) {
		for _, w := range list {
			if _, known := m[w]; known || len(m) < maxPast {
				m[w]++
			}
		}
	}
	count(out.Tags, tags)
	count(out.Words, words)
	return out
}

// places are the folders that tell of a file's subject, the nearest first; the file's own name where there is no such folder.
func places(file string) []string {
	parts := strings.Split(strings.TrimPrefix(file, "~/"), "/")
	var out []string
	for _, d := range slices.Backward(parts[:len(parts)-1]) {
		if c := Canonical(d); c != "" && !generic[c] && !strings.HasPrefix(d, ".") && len(out) < 2 {
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		name, _, _ := strings.Cut(parts[len(parts)-1], ".")
		out = append(out, strings.TrimSuffix(strings.TrimSuffix(name, "_test"), "-test"))
	}
	return out
}

// wordsOf are the words of lines that may name a subject, in canonical form, sorted, each once.
func wordsOf(lines []string) []string {
	var out []string
	for _, l := range lines {
		for w := range strings.FieldsSeq(l) {
			w = strings.Trim(w, `.,;:!?()"'[]{}→…`)
			if len(w) < 4 || strings.ContainsAny(w, `/\=<>|(){}`) || numeric(w) {
				continue
			}
			if strings.IndexFunc(w[1:], func(r rune) bool { return r >= 'A' && r <= 'Z' || r == '.' || r == '_' }) >= 0 {
				continue // an identifier or a file
			}
			if c := Canonical(w); len(c) > 2 && !plainWords[c] && !generic[c] {
				out = append(out, c)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func numeric(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.Trim(s, "0123456789abcdef.-v") == ""
}
