package distill

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"dormouse/store/memory"
)

// The shares of a claim's words that a text must hold to be taken for stating it.
const (
	saysIt    = 0.75 // the person
	showsIt   = 0.7  // the structure of calls
	tellsIt   = 0.5  // the agent, who tells at length what a line sums up
	bornOut   = 0.34 // all evidence together; below it nothing says the claim
	repeatsIt = 0.8  // a stretch of a tool's text, of which the claim is then a quotation
)

// stretch is how many words of a tool's text are held against a claim at once.
const stretch = 60

// textOf is a text laid out for being held against claims.
type textOf struct {
	words []string        // in their order
	has   map[string]bool // each of them
}

func newText(s string) *textOf {
	t := &textOf{words: terms(s), has: map[string]bool{}}
	for _, w := range t.words {
		t.has[w] = true
	}
	return t
}

// terms are the words that a text means, in order: stems of content words, and pairs of signs where a script sets no spaces.
func terms(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("/._-+#@", r)
	}) {
		w = strings.Trim(w, "./-+#@_")
		switch {
		case w == "" || len(memory.ContentWords(w)) == 0:
		case unspaced(w):
			rs := []rune(w)
			for i := 0; i+1 < len(rs); i++ {
				out = append(out, string(rs[i:i+2]))
			}
			if len(rs) == 1 {
				out = append(out, w)
			}
		default:
			out = append(out, stem(w))
		}
	}
	return out
}

// unspaced reports whether a word is of a script that sets no spaces between words.
func unspaced(w string) bool {
	for _, r := range w {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			return true
		}
	}
	return false
}

// share is how much of a claim a text holds.
func (t *textOf) share(claim []string) float64 {
	n := 0
	for _, w := range claim {
		if t.has[w] {
			n++
		}
	}
	return float64(n) / float64(max(1, len(claim)))
}

// repeated reports whether a stretch of the text holds most of a claim.
func (t *textOf) repeated(claim []string) bool {
	if t.share(claim) < repeatsIt {
		return false
	}
	wanted := map[string]bool{}
	for _, w := range claim {
		wanted[w] = true
	}
	within, n := map[string]int{}, 0
	for i, w := range t.words {
		if wanted[w] {
			if within[w]++; within[w] == 1 {
				n++
			}
		}
		if i >= stretch && wanted[t.words[i-stretch]] {
			if within[t.words[i-stretch]]--; within[t.words[i-stretch]] == 0 {
				n--
			}
		}
		if float64(n) >= repeatsIt*float64(len(wanted)) {
			return true
		}
	}
	return false
}

// text is what an entry's speaker says; for the person, their own words alone, without what they quote or paste in fences.
func (c *chunk) text(e *entry) *textOf {
	if t := c.texts[e.node]; t != nil {
		return t
	}
	s := e.node.Output
	if e.speaker == speakerPerson {
		s = e.text
		if e.node.Role == memory.RoleUser {
			s = ownWords(e.node.Output)
		}
	}
	if len(s) > maxQuoted {
		s = s[:clampRune(s, maxQuoted)]
	}
	t := newText(s)
	if c.texts == nil {
		c.texts = map[*memory.Node]*textOf{}
	}
	c.texts[e.node] = t
	return t
}

var (
	fencedRE = regexp.MustCompile("(?s)(?:```|~~~).*?(?:```|~~~|$)")
	citedRE  = regexp.MustCompile(`(?m)^\s*(?:>|\|).*$`)
	taggedRE = regexp.MustCompile(`(?s)<([a-zA-Z][\w-]*)[^>]*>.*?</[a-zA-Z][\w-]*>`)
)

// ownWords are a prompt without what it quotes.
func ownWords(s string) string {
	return citedRE.ReplaceAllString(taggedRE.ReplaceAllString(fencedRE.ReplaceAllString(s, " "), " "), " ")
}

// trust says who stands behind a claim: the strongest speaker among the evidence whose own words state it. What a tool's text
// says, and what anybody repeats of it, is quoted. ok is false where the evidence does not say it at all.
func (c *chunk) trust(summary string, evidence []*entry) (t memory.Trust, ok bool) {
	claim := terms(summary)
	slices.Sort(claim)
	claim = slices.Compact(claim)
	all := &textOf{has: map[string]bool{}}
	best := map[string]float64{}
	for _, e := range evidence {
		text := c.text(e)
		for w := range text.has {
			all.has[w] = true
		}
		for _, w := range terms(e.text) { // what a call was given, too
			all.has[w] = true
		}
		best[e.speaker] = max(best[e.speaker], text.share(claim))
	}
	if len(claim) == 0 || all.share(claim) < bornOut {
		return "", false
	}
	repeats := c.repeats(claim)
	switch {
	case best[speakerPerson] >= saysIt && (!repeats || best[speakerPerson] >= 1):
		return memory.TrustPerson, true
	case c.structure(summary, claim, evidence):
		return memory.TrustObserved, true
	case best[speakerAgent] >= tellsIt && !repeats:
		return memory.TrustAgent, true
	}
	return memory.TrustQuoted, true
}

// repeats reports whether a tool's text in the chunk says what the claim says.
func (c *chunk) repeats(claim []string) bool {
	for _, e := range c.entries() {
		if e.speaker == speakerTool && len(editsOf(e.node)) == 0 && c.text(e).repeated(claim) {
			return true
		}
	}
	for _, t := range c.turns {
		if slices.ContainsFunc(t.scan.own, func(told string) bool {
			return newText(told[:clampRune(told, min(len(told), maxQuoted))]).repeated(claim)
		}) {
			return true
		}
	}
	return false
}

// structure reports whether the structure of the evidence's calls shows the claim: commits and their subjects, files and what
// was done to them, commands.
func (c *chunk) structure(summary string, claim []string, evidence []*entry) bool {
	var shown strings.Builder
	for _, e := range evidence {
		if e.speaker != speakerTool || e.node.Metadata.Status == memory.StatusError || e.node.Metadata.Status == memory.StatusInterrupted {
			continue
		}
		i := e.turn.scan.index(e.node.ID)
		for _, a := range e.turn.scan.acts {
			if a.node == i && a.ok {
				shown.WriteString(a.what + " " + a.id + " " + a.text + "\n")
			}
		}
		for _, f := range editsOf(e.node) {
			shown.WriteString(past[f.Op] + " " + relative(f.Path, e.turn.turn.root()) + "\n")
		}
		if e.turn.scan.shown(summary) {
			return true
		}
	}
	return shown.Len() > 0 && newText(shown.String()).share(claim) >= showsIt
}

var past = map[string]string{"create": "created added wrote", "update": "updated changed edited", "delete": "deleted removed"}
