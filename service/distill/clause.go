package distill

import (
	"cmp"
	"slices"
	"strings"
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
		if c, ok := s.clause(i); ok {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b clause) int { return cmp.Compare(b.score, a.score) })
	return out
}

// clause weighs one statement as an account of work and makes its line; ok is false where it is none.
func (s *scan) clause(i int) (c clause, ok bool) {
	st := &s.said[i]
	text, label := st.text, st.label
	if strings.HasSuffix(text, ":") {
		if text = s.gather(i); text == "" {
			return c, false
		}
	}
	low := strings.ToLower(text)
	if len(text) < 20 || bookkeeping.MatchString(low) || checkRE.MatchString(low) || openedRE.MatchString(low) && !prRE.MatchString(low+" ") && !strings.Contains(low, "issue") {
		return c, false
	}
	w := weigh(&statement{text: text, label: label})
	score := w.work + w.any + min(1.2, 0.3*float64(specifics(text)))
	switch {
	case didWork(text):
		score += 3
	case label != "" && s.names(label):
		score += 2.5
	case headlineRE.MatchString(low):
		score += 2
	case passiveWork.MatchString(low):
		score++
	}
	if !st.final {
		score -= 1.2
	}
	if score < 2.3 {
		return c, false
	}
	line, lack := s.workLine(text, label)
	score -= lack + vague(line)
	return clause{text: line, score: score, i: i}, score >= 1.4
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

// openedRE finds that something was opened to be looked at: a worktree, a file, an editor. Pull requests and issues are work.
var openedRE = rx(`^(?:i(?:'ve| have)? )?(?:re)?opened (?:the|a|an|your|up)\b`)

// join puts clauses, best first, into one line of at most room bytes, in the order in which they were said. A clause that does
// not fit whole stays out, unless it is the only one.
func join(cs []clause, room int) (string, []clause) {
	first := cs[0]
	first.text = shorten(first.text, room+1)
	used := []clause{first}
	room -= len(first.text)
	for _, c := range cs[1:] {
		c.text = strings.TrimRight(c.text, ". ")
		if len(c.text)+2 > room || slices.ContainsFunc(used, func(u clause) bool { return overlap(gist(c.text), gist(u.text)) > 0.5 }) {
			continue
		}
		used = append(used, c)
		room -= len(c.text) + 2
	}
	slices.SortFunc(used, func(a, b clause) int { return cmp.Compare(a.i, b.i) })
	var parts []string
	for k, c := range used {
		text := strings.TrimRight(c.text, ". ")
		if k > 0 {
			text = lower(text)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; "), used
}
