package distill

import (
	"regexp"
	"slices"
	"strings"

	"dormouse/store/memory"
)

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
		score += 1.3 // a plan that the person handed over is what the session is for
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
