package distill

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPhrase is how long an item of a list is at most where it is named in a line, in bytes.
const maxPhrase = 80

var (
	// whatWasRE finds announcements of a list of works: "Here's what was removed".
	whatWasRE = regexp.MustCompile(`(?i)^here(?:'s| is) what (?:was|were|i|we|i've|we've|has been|i have)\s+(\w+ed)\b(.*)$`)
	// openRE finds heads that the items go on: "Made it deterministic by".
	openRE = rx(`\b(?:by|to|with|for|that|into|from|via)$`)
	// caseRE finds items that tell of a case, and do not go on a sentence.
	caseRE = rx(`^(?:if|when|first|then|before|after|for|the|a|an|in|on)\b`)
	// aspectRE finds labels that only say which side of a thing an item shows.
	aspectRE = rx(`^(?:before|after|old|new|now|then|previously|example|input|output|why|how|note)$`)
)

// gather completes a statement that ends with a colon by the items right under it, as many as fit whole; how many more there
// are is said. It is empty where the items tell the work themselves.
func (s *scan) gather(i int) string {
	lead := strings.TrimSpace(strings.TrimSuffix(s.said[i].text, ":"))
	if m := whatWasRE.FindStringSubmatch(lead); m != nil {
		lead = strings.ToLower(m[1]) + m[2]
	}
	if t := doneRE.ReplaceAllString(bare(lead), ""); didWork(t) {
		lead = capital(t)
	}
	if !didWork(lead) && !headlineRE.MatchString(strings.ToLower(lead)) {
		if s.names(s.said[i].label) {
			return lead
		}
		return ""
	}
	phrases, more, works := s.items(i)
	if works > 0 && vagueWorkRE.MatchString(strings.ToLower(lead)) {
		return ""
	}
	sep := ": "
	if open := openRE.MatchString(strings.ToLower(lead)); open || !strings.Contains(lead, " ") {
		sep = " "
		if open {
			phrases = slices.DeleteFunc(phrases, func(p string) bool { return caseRE.MatchString(strings.ToLower(p)) })
		}
	}
	verb, _, _ := strings.Cut(lead, " ")
	for k := range phrases {
		phrases[k] = lowerPhrase(strings.TrimPrefix(phrases[k], verb+" "))
	}
	line := lead
	for k, p := range phrases {
		glue := ", "
		if k == 0 {
			glue = sep
		}
		if len(line)+len(glue)+len(p) > MaxSummary-14 {
			more += len(phrases) - k
			break
		}
		line += glue + p
	}
	switch {
	case line == lead && (sep == " " || specifics(lead) == 0):
		return ""
	case line != lead && more > 0:
		line += fmt.Sprintf(" and %d more", more)
	}
	return line
}

// items are the items right under a statement, each as a phrase. more counts those that cannot be said shortly, works those
// that tell of a work by themselves.
func (s *scan) items(i int) (phrases []string, more, works int) {
	depth := 0
	for k := i + 1; k < len(s.said) && s.said[k].node == s.said[i].node && s.said[k].list && s.said[k].depth > s.said[i].depth; k++ {
		st := &s.said[k]
		if depth == 0 {
			depth = st.depth
		}
		if st.lead != s.said[i+1].lead {
			break
		}
		if st.depth != depth || !st.item || aspectRE.MatchString(strings.ToLower(cmp.Or(st.label, st.text))) {
			continue
		}
		if didWork(st.text) {
			works++
		}
		if p := phraseOf(st); p != "" {
			phrases = append(phrases, p)
		} else {
			more++
		}
	}
	return phrases, more, works
}

// phraseOf is what names a list item: its label, or its words up to where they begin to explain. It is empty where that is long.
func phraseOf(st *statement) string {
	text := st.text
	if st.label != "" && !genericLabel(st.label) {
		text = st.label
	}
	for _, sep := range []string{" — ", " – ", " - ", ". ", ": ", " → ", " (", "; "} {
		if k := strings.Index(text, sep); k > 3 && closed(text[:k]) {
			text = text[:k]
		}
	}
	text = strings.TrimRight(text, " .:;,")
	if len(text) > maxPhrase {
		text = clip(text, maxPhrase, maxPhrase/4)
	}
	if !closed(text) {
		return ""
	}
	return text
}

// lowerPhrase lowers the capital of a phrase that is none of a title: the word after it has none either.
func lowerPhrase(s string) string {
	_, rest, _ := strings.Cut(s, " ")
	if r, _ := utf8.DecodeRuneInString(rest); !unicode.IsLower(r) {
		return s
	}
	return lower(s)
}
