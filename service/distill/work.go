package distill

import (
	"cmp"
	"encoding/json"
	"regexp"
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

// work is what the turn accomplished: one line out of the assistant's account, the commits and the task, with the edited
// files. A turn that changed nothing accomplished nothing that is worth a line.
func (s *scan) work() []Draft {
	commits := s.commits()
	files := s.edited()
	helpers := s.delegated()
	if len(files) == 0 && len(commits) == 0 && len(helpers) == 0 && !s.acted() {
		return nil
	}
	clauses := s.clauses(len(files) > 0)
	if len(clauses) == 0 && len(commits) == 0 {
		clauses = s.carriedOut()
	}
	topic := s.topic()
	score := 1.8 + min(1.5, 0.35*float64(len(files)))
	if len(helpers) > 0 {
		score += 0.8 // sub-agents changed what this turn shows no change of
	}
	if s.planned() {
		score++ // a plan that the person handed over is what the session is for
	}
	trust := memory.TrustAgent
	var nodes []int
	var text string
	switch {
	case len(clauses) > 0:
		score += min(2.2, clauses[0].score/2)
		room := MaxSummary - 2
		if len(commits) > 0 {
			room -= 18
		}
		var used []clause
		text, used = join(clauses, room, lastSubject(commits))
		for _, c := range used {
			nodes = append(nodes, s.said[c.i].node)
		}
	case len(commits) > 0:
		text, trust = lastSubject(commits), memory.TrustObserved
		score++
	case topic != "" && len(files) > 0:
		text = topic + " (" + names(files) + ")"
	case len(helpers) > 0:
		text = "Delegated: " + strings.Join(helpers, "; ")
		score++
	}
	if text == "" {
		return nil
	}
	if topic != "" && len(topic)+len(text)+2 < MaxSummary-18 && overlap(memory.ContentWords(topic), memory.ContentWords(text)) < 0.6 {
		text = topic + ": " + text
	}
	if n := len(commits); n > 0 {
		id := " (commit " + head(commits[n-1].id, 8) + ")"
		text = shorten(text, MaxSummary-len(id)) + id
		score += 0.8
	}
	for _, c := range commits {
		nodes = append(nodes, c.node)
	}
	for _, f := range files {
		nodes = append(nodes, f.last)
	}
	order := s.final
	if order < 0 {
		order = len(s.nodes) - 1
	}
	if len(nodes) == 0 {
		nodes = []int{order}
	}
	d := s.draft(memory.KindWork, text, trust, score, order, nodes...)
	d.commits = commits
	return []Draft{d}
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

func (s *scan) commits() []act {
	var out []act
	for _, a := range s.acts {
		if a.what == "commit" {
			out = append(out, a)
		}
	}
	return out
}

var conventionalRE = regexp.MustCompile(`^(?:feat|fix|chore|docs|refactor|test|tests|perf|build|ci|style|revert)(?:\([^)]*\))?!?:\s+`)

// lastSubject is the subject of the newest commit, without the prefix of conventional commits.
func lastSubject(commits []act) string {
	if len(commits) == 0 {
		return ""
	}
	return capital(conventionalRE.ReplaceAllString(commits[len(commits)-1].text, ""))
}

// edited are the turn's changed files that are somebody's work.
func (s *scan) edited() []edit {
	return slices.DeleteFunc(slices.Clone(s.edits), func(e edit) bool { return scratch(e.path) })
}

// acted reports whether a command changed something outside the files.
func (s *scan) acted() bool {
	return slices.ContainsFunc(s.acts, func(a act) bool { return a.ok && a.what != "test" })
}

// names lists files by base name, at most four.
func names(files []edit) string {
	var out []string
	for _, f := range files[:min(4, len(files))] {
		out = append(out, base(f.path))
	}
	if len(files) > 4 {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}

var planPromptRE = regexp.MustCompile(`(?i)^implement the following plan:?\s+#+\s*(.+)`)

// planned reports whether the person's prompt hands over a plan.
func (s *scan) planned() bool {
	return s.prompt >= 0 && planPromptRE.MatchString(s.nodes[s.prompt].Output)
}

// topic is what the turn was about in one phrase, where the structure says it: the title of a plan that the person handed
// over, or the only task that the assistant put on its list.
func (s *scan) topic() string {
	if s.prompt >= 0 {
		if m := planPromptRE.FindStringSubmatch(s.nodes[s.prompt].Output); m != nil {
			return "Implemented the plan: " + planName(m[1])
		}
	}
	subject := ""
	for i := range s.nodes {
		if s.nodes[i].Name != "TaskCreate" {
			continue
		}
		var in struct {
			Subject string `json:"subject"`
		}
		if json.Unmarshal(s.nodes[i].Input, &in) != nil || in.Subject == "" {
			continue
		}
		if subject != "" {
			return ""
		}
		subject = plain(in.Subject)
	}
	return subject
}

func planName(s string) string {
	s = plain(s)
	for _, p := range []string{"Implementation Plan:", "Implementation Plan", "Plan:", "Plan for"} {
		s = strings.TrimSpace(strings.TrimPrefix(s, p))
	}
	return s
}

var delegateRE = rx(`^(?:implement|fix|add|write|refactor|build|create|update|remove|migrate|task)\b`)

// delegated are the tasks that sub-agents were given to change something. However many ran, the parent's turn gets one
// line for them.
func (s *scan) delegated() []string {
	var out []string
	for i := range s.nodes {
		n := &s.nodes[i]
		if n.Name != "Task" && n.Name != "Agent" && n.Name != "spawn_agent" || n.Metadata.Status == memory.StatusError {
			continue
		}
		var in struct {
			Description string `json:"description"`
		}
		if json.Unmarshal(n.Input, &in) == nil && delegateRE.MatchString(strings.ToLower(in.Description)) {
			out = append(out, plain(in.Description))
		}
	}
	return out
}
