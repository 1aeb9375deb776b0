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
	score := 1.8 + min(1.5, 0.35*float64(len(files)))
	if len(helpers) > 0 {
		score += 0.8 // sub-agents changed what this turn shows no change of
	}
	if s.planned() {
		score += 1.3 // a plan that the person handed over is what the session is for
	}
	if len(commits) > 0 {
		score += 0.8
	}
	a, ok := s.account(files, commits, helpers)
	if !ok {
		return nil
	}
	mark := s.mark(commits)
	if t := s.topic(); t != "" && a.trust != memory.TrustObserved && len(t)+len(a.text)+2 < MaxSummary-len(mark) && overlap(gist(t), gist(a.text)) < 0.6 {
		a.text = t + ": " + a.text
	}
	nodes := a.nodes
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
	d := s.draft(memory.KindWork, shorten(a.text, MaxSummary-len(mark))+mark, a.trust, score+a.score, order, nodes...)
	d.commits = commits
	return []Draft{d}
}

// account is a line that says what was accomplished, what it adds to the score, and the nodes that it was read from.
type account struct {
	text  string
	trust memory.Trust
	score float64
	nodes []int
}

// account tells a turn's work by the subjects of its commits where these say it, else by what the assistant says, else by what
// it had announced, by the task and the files, or by what it handed to others.
func (s *scan) account(files []edit, commits []act, helpers []string) (account, bool) {
	clauses := s.clauses(len(files) > 0)
	if subjects := tellingSubjects(commits); len(subjects) > 0 {
		return s.committed(subjects, clauses, MaxSummary-len(s.mark(commits))), true
	}
	if len(clauses) == 0 && len(commits) == 0 {
		clauses = s.carriedOut()
	}
	switch {
	case len(clauses) > 0:
		a := account{trust: memory.TrustAgent, score: min(2.2, clauses[0].score/2)}
		var used []clause
		a.text, used = join(clauses, MaxSummary-2-len(s.mark(commits)))
		for _, c := range used {
			a.nodes = append(a.nodes, s.said[c.i].node)
		}
		if s.shown(a.text) {
			a.trust = memory.TrustObserved
		}
		return a, true
	case len(commits) > 0:
		return account{text: lastSubject(commits), trust: memory.TrustObserved, score: 0.2}, true
	case s.topic() != "" && len(files) > 0:
		return account{text: s.topic() + " (" + names(files) + ")", trust: memory.TrustAgent}, true
	case len(helpers) > 0:
		return account{text: "Delegated: " + strings.Join(helpers, "; "), trust: memory.TrustAgent, score: 1}, true
	}
	if pr := s.opened(); pr != nil && pr.text != "" {
		return account{text: "Opened a pull request: " + pr.text, trust: memory.TrustObserved, score: 1, nodes: []int{pr.node}}, true
	}
	return account{}, false
}

// committed tells work by the subjects of commits. To a single short one comes what the assistant says beyond it, where that
// fits whole.
func (s *scan) committed(subjects []string, clauses []clause, room int) account {
	a := account{text: joinSubjects(subjects, room), trust: memory.TrustObserved, score: 1.5}
	if len(subjects) > 1 || len(a.text) >= shortSubject {
		return a
	}
	for _, c := range clauses {
		more := lower(strings.TrimRight(c.text, ". "))
		if c.score >= goodClause && specifics(more) > 0 && !processRE.MatchString(more) && len(a.text)+2+len(more) < room && overlap(gist(more), gist(a.text)) <= 0.5 {
			a.text += "; " + more
			a.trust, a.nodes = memory.TrustAgent, []int{s.said[c.i].node}
			return a
		}
	}
	return a
}

// processRE finds clauses on what was done with a commit, not on what is in it.
var processRE = rx(`^(?:pushed|force-pushed|opened|replied|posted|merged|rebased|committed|updated (?:the )?pr|closed|patched pr)\b|\bpushed\b`)

const (
	shortSubject = 60  // length in bytes below which a subject may be told with more
	goodClause   = 3.2 // score of a clause that is worth being added to a subject
)

// opened is the pull request that the turn opened; nil where it opened none.
func (s *scan) opened() *act {
	for i := range s.acts {
		if s.acts[i].what == "pr" {
			return &s.acts[i]
		}
	}
	return nil
}

// mark names the commits of a turn, at most three, and the pull request that it opened: " (commit 1a2b3c4d, PR #12)".
func (s *scan) mark(commits []act) string {
	var ids []string
	for _, c := range commits[max(0, len(commits)-3):] {
		if id := head(c.id, 8); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	what := ""
	switch len(ids) {
	case 0:
	case 1:
		what = "commit " + ids[0]
	default:
		what = "commits " + strings.Join(ids, ", ")
	}
	if pr := s.opened(); pr != nil {
		if what != "" {
			what += ", "
		}
		what += "PR #" + pr.id
	}
	if what == "" {
		return ""
	}
	return " (" + what + ")"
}

// commits are the commits of the turn. One that was made again with the same subject, as an amendment is, counts once.
func (s *scan) commits() []act {
	var out []act
	for _, a := range s.acts {
		if a.what != "commit" {
			continue
		}
		if n := len(out); n > 0 && (out[n-1].text == a.text || strings.Contains(command(&s.nodes[a.node]), "--amend")) {
			out = out[:n-1]
		}
		out = append(out, a)
	}
	return out
}

var conventionalRE = regexp.MustCompile(`^(?:feat|fix|chore|docs|refactor|test|tests|perf|build|ci|style|revert)(?:\([^)]*\))?!?:\s+`)

// subjectOf is the subject of a commit, without the prefix of conventional commits.
func subjectOf(c act) string { return capital(conventionalRE.ReplaceAllString(plain(c.text), "")) }

// lastSubject is the subject of the newest commit.
func lastSubject(commits []act) string {
	if len(commits) == 0 {
		return ""
	}
	return subjectOf(commits[len(commits)-1])
}

var (
	// mergeRE finds the subjects that git writes for merges.
	mergeRE = rx(`^merge (?:branch|remote|pull|commit|tag|origin|main|master)\b`)
	// tidyRE finds the subjects of commits that change how a text looks and not what it does.
	tidyRE = rx(`^(?:(?:run|apply|fix) )?(?:re)?format(?:ting|ted)?\b(?: (?:of |with |the )?[\w./-]+){0,3}$|^(?:run )?(?:gofmt|go fmt|prettier|biome|black|ruff|rustfmt|eslint|lint|style|tidy|typos?|whitespace)\b|^(?:fix|correct) (?:a |some |the )?(?:typos?|lint(?:er|ing)?|formatting|whitespace|indentation)\b`)
	// idleWords are words of subjects that do not say what was changed.
	idleWords = stemmed(`add address apply fix resolve handle incorporate respond update change improve more minor misc small some various
		final initial merge wip todo tmp temp squash checkpoint save bump release version format lint linter cleanup clean nit typo review
		reviewer feedback comment suggestion issue error failure warning finding test build ci code pr remaining additional new work file
		commit copilot coderabbit bugbot cursor pull request main master branch stuff thing part first second done`)
)

func stemmed(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[stem(w)] = true
	}
	return m
}

// telling reports whether a subject says by itself what was done: at least two of its words mean something.
func telling(subject string) bool {
	if low := strings.ToLower(subject); mergeRE.MatchString(low) || tidyRE.MatchString(low) {
		return false
	}
	n := 0
	for _, w := range gist(subject) {
		if !idleWords[w] && !versionRE.MatchString(w) {
			n++
		}
	}
	return n >= 2
}

var versionRE = regexp.MustCompile(`^v?\d[\d.]*$`)

// tellingSubjects are the subjects of commits that say by themselves what was done, the newest first.
func tellingSubjects(commits []act) []string {
	var out []string
	for _, c := range slices.Backward(commits) {
		t := subjectOf(c)
		if telling(t) && !slices.ContainsFunc(out, func(o string) bool { return overlap(gist(o), gist(t)) > 0.6 }) {
			out = append(out, t)
		}
	}
	return out
}

// joinSubjects makes one line of subjects, as many as fit whole, in the order in which they were committed.
func joinSubjects(newestFirst []string, room int) string {
	line := shorten(newestFirst[0], room)
	for _, t := range newestFirst[1:] {
		if len(line)+len(t)+3 > room {
			break
		}
		line = t + "; " + lower(line)
	}
	return line
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
