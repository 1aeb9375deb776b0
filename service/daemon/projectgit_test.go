package daemon

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/api"
)

// mine runs git as the person, who has a name and settings of their own for the test.
func mine(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// workOf makes a repository of the person's.
func workOf(t *testing.T) string {
	t.Helper()
	settings := filepath.Join(t.TempDir(), "gitconfig")
	t.Setenv("GIT_CONFIG_GLOBAL", settings)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, settings, "[user]\n\tname = Robin\n\temail = robin@example.org\n[init]\n\tdefaultBranch = main\n")
	mine(t, dir, "init", "-q")
	write(t, filepath.Join(dir, "a.txt"), "1\n")
	mine(t, dir, "add", ".")
	mine(t, dir, "commit", "-qm", "First\n\nWith a body.")
	return dir
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAnAgentsTurnIsCommittedThroughTheServiceWhereThePersonWantsThat(t *testing.T) {
	dir := workOf(t)
	s := start(t, params(t.TempDir(), t.TempDir()))
	ctx := t.Context()
	p, err := s.Bind(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	turn := api.TurnReport{SessionID: "cc_1", Project: dir, Turn: 1, Model: "m", Words: "Change a"}
	edited := func(content string) api.TurnOutcome {
		t.Helper()
		if err := s.BeginTurn(ctx, turn); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "a.txt"), content)
		out, err := s.EndTurn(ctx, turn)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if out := edited("2\n"); out.Commit != "" || out.Reason != "off" {
		t.Errorf("before it was turned on: %+v", out)
	}
	state, err := s.AutoCommit(ctx, p.ID, true)
	if err != nil || !state.AutoCommit.On || state.Git == nil || state.Git.Changes != 1 || state.Git.Branch != "main" || state.Git.ReadBy != "go-git" {
		t.Fatalf("%+v %+v, %v", state, state.Git, err)
	}
	if out := edited("3\n"); out.Reason != "not_clean" {
		t.Errorf("%+v", out)
	}
	status, err := s.Status(ctx)
	if err != nil || !strings.Contains(strings.Join(status.Problems, "\n"), "turn 1 of cc_1 was not committed") {
		t.Errorf("status: %v, %v", status.Problems, err)
	}
	mine(t, dir, "commit", "-qam", "Mine")
	out := edited("4\n")
	if out.Commit == "" || out.Commit != mine(t, dir, "rev-parse", "HEAD") {
		t.Fatalf("%+v", out)
	}
	state, err = s.Project(ctx, p.Name)
	if err != nil || state.AutoCommit.Last == nil || state.AutoCommit.Last.Commit != out.Commit || state.Git.Head != out.Commit || state.Git.Changes != 0 {
		t.Errorf("%+v, %v", state, err)
	}
	if status, err := s.Status(ctx); err != nil || len(status.Problems) != 0 {
		t.Errorf("status: %v, %v", status.Problems, err)
	}
	list, err := s.Commits(ctx, api.CommitQuery{Project: p.ID, Agent: true})
	want := api.CommitLink{SessionID: "cc_1", Turn: 1, By: "message"}
	if err != nil || len(list.Commits) != 1 || !list.Commits[0].Agent || len(list.Commits[0].Links) != 1 || list.Commits[0].Links[0] != want {
		t.Errorf("%+v, %v", list, err)
	}
	if state, err = s.AutoCommit(ctx, dir, false); err != nil || state.AutoCommit.On || state.AutoCommit.Last != nil {
		t.Errorf("turned off: %+v, %v", state, err)
	}
}

func TestAProjectsCommitsAreListedAndShown(t *testing.T) {
	dir := workOf(t)
	s := start(t, params(t.TempDir(), t.TempDir()))
	ctx := t.Context()
	write(t, filepath.Join(dir, "a.txt"), "2\n")
	write(t, filepath.Join(dir, "b.txt"), strings.Repeat("line\n", 1000))
	mine(t, dir, "add", ".")
	mine(t, dir, "commit", "-qm", "Second")
	p, err := s.Bind(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Commits(ctx, api.CommitQuery{Project: dir, Limit: 1})
	if err != nil || len(list.Commits) != 1 || !list.More || list.Commits[0].Subject != "Second" || list.Project != p {
		t.Fatalf("%+v, %v", list, err)
	}
	all, err := s.Commits(ctx, api.CommitQuery{Project: p.Name})
	if err != nil || len(all.Commits) != 2 || all.More || all.Commits[1].Body != "With a body." || all.Commits[1].Agent {
		t.Errorf("%+v, %v", all, err)
	}
	if none, err := s.Commits(ctx, api.CommitQuery{Project: p.Name, Until: all.Commits[1].Time}); err != nil || len(none.Commits) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
	shown, err := s.Commit(ctx, p.Name, list.Commits[0].ID[:8], 100)
	if err != nil || shown.ID != list.Commits[0].ID || len(shown.Files) != 2 || !shown.Cut || len(shown.Diff) > 100 {
		t.Errorf("%+v, %v", shown, err)
	}
	shown, err = s.Commit(ctx, p.Name, list.Commits[0].ID, 0)
	if err != nil || shown.Cut || !strings.Contains(shown.Diff, "+line\n") || shown.Files[1].Added != 1000 {
		t.Errorf("%+v, %v", shown.Files, err)
	}
}

func TestWhatProjectGitCannotDoIsSaidWithItsCode(t *testing.T) {
	dir := workOf(t)
	s := start(t, params(t.TempDir(), t.TempDir()))
	ctx := t.Context()
	p, err := s.Bind(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	plain, bare := t.TempDir(), t.TempDir()
	mine(t, bare, "init", "-q", "--bare")
	for _, at := range []string{plain, bare} {
		if _, err := s.Bind(ctx, at); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		code string
		call func() error
	}{
		"no such project":               {api.CodeNotFound, func() error { _, err := s.Project(ctx, "nowhere"); return err }},
		"no such commit":                {api.CodeNotFound, func() error { _, err := s.Commit(ctx, p.ID, "0000000", 0); return err }},
		"no commit's id":                {api.CodeNotFound, func() error { _, err := s.Commit(ctx, p.ID, "HEAD", 0); return err }},
		"no such session":               {api.CodeNotFound, func() error { _, err := s.Commits(ctx, api.CommitQuery{Session: "cc_none"}); return err }},
		"no repository":                 {api.CodeNotFound, func() error { _, err := s.Commits(ctx, api.CommitQuery{Project: plain}); return err }},
		"nothing to commit in":          {api.CodeBadRequest, func() error { _, err := s.AutoCommit(ctx, plain, true); return err }},
		"no work tree to commit in":     {api.CodeBadRequest, func() error { _, err := s.AutoCommit(ctx, bare, true); return err }},
		"a turn in an unknown project":  {api.CodeNotFound, func() error { return s.BeginTurn(ctx, api.TurnReport{SessionID: "x", Project: "nowhere"}) }},
		"its end":                       {api.CodeNotFound, func() error { _, err := s.EndTurn(ctx, api.TurnReport{SessionID: "x", Project: "nowhere"}); return err }},
		"a folder that cannot be bound": {api.CodeBadRequest, func() error { _, err := s.BindInit(ctx, filepath.Join(plain, "gone")); return err }},
	} {
		var e *api.Error
		if err := c.call(); !errors.As(err, &e) || e.Code != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	if state, err := s.Project(ctx, plain); err != nil || state.Git != nil || !strings.Contains(state.Problem, "no git repository") {
		t.Errorf("%+v, %v", state, err)
	}
	if state, err := s.Project(ctx, bare); err != nil || state.Git == nil || state.Git.Branch != "main" {
		t.Errorf("%+v, %v", state, err)
	}
	if made, err := s.BindInit(ctx, plain); err != nil || !made.Bound {
		t.Errorf("%+v, %v", made, err)
	}
	if state, err := s.AutoCommit(ctx, plain, true); err != nil || !state.AutoCommit.On {
		t.Errorf("%+v, %v", state, err)
	}
}
