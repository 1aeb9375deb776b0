package distill

import (
	"cmp"
	"slices"
	"strings"

	"dormouse/store/memory"
)

// clause is a candidate for the line that says what a turn accomplished.
type clause struct {
	text  string
	score float64
	i     int // index of the statement
}

// clauses are the assistant's statements of what it did, best first: those of the last message, and earlier ones behind the
// first change.
func (s *scan) clauses(edited bool) []clause {
	from := len(s.nodes)
	if edited {
		from = s.edits[0].first
	}
	var out []clause
	for i := range s.said {
		st := &s.said[i]
		if !st.final && st.node < from || nonLead(st.lead) || nonLead(st.label) || strings.HasSuffix(st.text, "?") || len(st.text) > 600 {
			continue
		}
		text, label := st.text, st.label
		if strings.HasSuffix(text, ":") {
			if text = s.gather(i); text == "" {
				continue
			}
		}
		if len(text) < 20 || bookkeeping.MatchString(strings.ToLower(text)) || checkRE.MatchString(strings.ToLower(text)) {
			continue
		}
		w := weigh(&statement{text: text, label: label})
		sc := w.work + w.any + min(1.2, 0.3*float64(specifics(text)))
		low := strings.ToLower(text)
		switch {
		case didWork(text):
			sc += 3
		case label != "" && s.names(label):
			sc += 2.5
		case headlineRE.MatchString(low):
			sc += 2
		case passiveWork.MatchString(low):
			sc++
		}
		if !st.final {
			sc -= 1.2
		}
		if objectlessRE.MatchString(low) {
			sc -= 0.8
		}
		if sc < 2.3 {
			continue
		}
		line := bare(text)
		if t := doneRE.ReplaceAllString(line, ""); didWork(t) {
			line = capital(t)
		}
		if label != "" && !genericLabel(label) {
			line = label + ": " + line
			if s.names(label) && !didWork(text) {
				line = s.changed(label) + " " + line
			}
		}
		out = append(out, clause{line, sc - vague(line), i})
	}
	slices.SortStableFunc(out, func(a, b clause) int { return cmp.Compare(b.score, a.score) })
	return out
}

// objectlessRE finds "Updated to ...": what was updated stands somewhere else.
var objectlessRE = rx(`^\w+ (?:to|in|with|for|by|as)\b`)

// gather completes a statement that ends with a colon by the heads of the items under it.
func (s *scan) gather(i int) string {
	text := strings.TrimSuffix(s.said[i].text, ":")
	if !didWork(text) && !headlineRE.MatchString(strings.ToLower(text)) {
		if s.names(s.said[i].label) {
			return text
		}
		return ""
	}
	var parts []string
	for k := i + 1; k < len(s.said) && s.said[k].node == s.said[i].node && s.said[k].list && s.said[k].depth > s.said[i].depth; k++ {
		part := s.said[k].text
		if s.said[k].label != "" {
			part = s.said[k].label
		}
		for _, sep := range []string{" - ", " – ", " — ", ". "} {
			part, _, _ = strings.Cut(part, sep)
		}
		parts = append(parts, head(part, 45))
		if len(parts) == 5 {
			break
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return text + ": " + strings.Join(parts, ", ")
}

// names reports whether a label is the name of a file that the turn changed.
func (s *scan) names(label string) bool {
	label, _, _ = strings.Cut(label, " ")
	return slices.ContainsFunc(s.edits, func(e edit) bool {
		return len(label) > 3 && strings.Contains(label, ".") && strings.HasSuffix(e.path, strings.TrimPrefix(label, "./"))
	})
}

// changed says what became of the file that a label names.
func (s *scan) changed(label string) string {
	label, _, _ = strings.Cut(label, " ")
	for _, e := range s.edits {
		if strings.HasSuffix(e.path, strings.TrimPrefix(label, "./")) {
			switch e.op {
			case "create":
				return "Added"
			case "delete":
				return "Deleted"
			}
		}
	}
	return "Changed"
}

// bookkeeping finds clauses that only say that a commit or a push was made; the commit itself is told anyway.
var bookkeeping = rx(`^(?:done|all done)?[.!]?\s*(?:(?:changes? |fix )?committed|commit|pushed|committed and pushed|fixed and pushed|updated and pushed|done and pushed)(?: (?:as|to|pushed|successfully|the|in|hash)\b.{0,60})?[.:]?(?:$| ?[0-9a-f]{7})`)

// join puts clauses, best first, into one line of at most room bytes, in the order in which they were said. A subject of a
// commit leads where no clause says the same.
func join(cs []clause, room int, subject string) (string, []clause) {
	var lead string
	if subject != "" && overlap(memory.ContentWords(subject), memory.ContentWords(cs[0].text)) < 0.7 && len(subject) < room-40 {
		lead = subject
		room -= len(subject) + 2
	}
	first := cs[0]
	first.text = shorten(first.text, room+1)
	used := []clause{first}
	room -= len(first.text)
	for _, c := range cs[1:] {
		if c.text = shorten(c.text, 95); len(c.text)+2 > room || overlap(memory.ContentWords(c.text), memory.ContentWords(first.text)) > 0.7 {
			continue
		}
		used = append(used, c)
		room -= len(c.text) + 2
	}
	slices.SortFunc(used, func(a, b clause) int { return cmp.Compare(a.i, b.i) })
	var parts []string
	if lead != "" {
		parts = append(parts, lead)
	}
	for _, c := range used {
		parts = append(parts, strings.TrimRight(c.text, ". "))
	}
	return strings.Join(parts, "; "), used
}
