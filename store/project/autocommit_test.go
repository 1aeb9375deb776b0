package project

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// desk is a committer and what it reported.
type desk struct {
	*Committer
	reports []Outcome
	now     time.Time
	others  []string
}

func newDesk() *desk {
	d := &desk{now: time.Unix(1_800_000_000, 0)}
	d.Committer = NewCommitter(CommitterOptions{
		Open: anyone.Open,
		Redact: func(s string) (string, int, error) {
			return strings.ReplaceAll(s, "hunter2", "[redacted]"), strings.Count(s, "hunter2"), nil
		},
		Others: func(string, string, time.Time) ([]string, error) { return d.others, nil },
		Report: func(o Outcome) { d.reports = append(d.reports, o) },
		Now:    func() time.Time { return d.now },
	})
	return d
}

func turn(dir string) Turn {
	return Turn{Session: "cc_1", Project: "proj_1", Dir: dir, N: 3, Model: "opus-4", Words: "Make the tests pass"}
}

// during runs a turn in which act is done.
func (d *desk) during(t *testing.T, dir string, act func()) Outcome {
	t.Helper()
	d.Begin(t.Context(), turn(dir))
	act()
	return d.End(t.Context(), Turn{Session: "cc_1", Project: "proj_1"})
}

// sound makes sure that no lock is left and that git finds nothing wrong.
func sound(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, ".git"), func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".lock") {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	mine(t, dir, "fsck", "--strict", "--no-dangling")
}

func TestATurnsChangesAreCommittedForTheAgent(t *testing.T) {
	settle(t)
	dir, d := work(t), newDesk()
	config := digest(t, filepath.Join(dir, ".git", "config")) + digest(t, filepath.Join(dir, ".git", "hooks"))
	first := mine(t, dir, "rev-parse", "HEAD")
	out := d.during(t, filepath.Join(dir, "dir"), func() {
		put(t, filepath.Join(dir, "a.txt"), "2\n")
		put(t, filepath.Join(dir, "new file"), "new\n")
		if err := os.Remove(filepath.Join(dir, "dir", "b.txt")); err != nil {
			t.Fatal(err)
		}
	})
	if out.Commit == "" || out.Commit != mine(t, dir, "rev-parse", "HEAD") || out.Reason != "" {
		t.Fatalf("%+v", out)
	}
	want := "agent (opus-4 via Dormouse)|agent@dormouse.invalid|agent (opus-4 via Dormouse)|agent@dormouse.invalid|" + first + "|[agent cc_1] turn 3: Make the tests pass\n\n"
	if got := mine(t, dir, "log", "-1", "--format=%an|%ae|%cn|%ce|%P|%B"); got+"\n\n" != want && got != strings.TrimSpace(want) {
		t.Errorf("%q", got)
	}
	if got := mine(t, dir, "show", "--name-status", "--format=", "HEAD"); got != "M\ta.txt\nD\tdir/b.txt\nA\tnew file" {
		t.Errorf("%s", got)
	}
	if s := mine(t, dir, "status", "--porcelain", "--ignored"); s != "!! build.log" {
		t.Errorf("status %q", s)
	}
	if digest(t, filepath.Join(dir, ".git", "config"))+digest(t, filepath.Join(dir, ".git", "hooks")) != config {
		t.Error("the settings or hooks were touched")
	}
	log, err := opened(t, dir).Log(t.Context(), logOfAgent)
	if err != nil || len(log) != 1 || !ByAgent(log[0]) || log[0].SHA != out.Commit {
		t.Errorf("%+v, %v", log, err)
	}
	if last, ok := d.Last("proj_1"); !ok || last.Commit != out.Commit || len(d.reports) != 0 {
		t.Errorf("%+v, %+v", last, d.reports)
	}
	sound(t, dir)
}

func TestTheMessageHasOneLineOfAtMostSixtyCharactersOfThePromptAndNoSecret(t *testing.T) {
	settle(t)
	for words, want := range map[string]string{
		strings.Repeat("ä", 70):           "[agent cc_1] turn 3: " + strings.Repeat("ä", 60),
		"  fix\n\tthis \x00 now  ":        "[agent cc_1] turn 3: fix this now",
		"":                                "[agent cc_1] turn 3:",
		"the password is hunter2, use it": "[agent cc_1] turn 3: the password is [redacted], use it",
		"# not a comment":                 "[agent cc_1] turn 3: # not a comment",
		"bad \xff bytes":                  "[agent cc_1] turn 3: bad bytes",
	} {
		dir, d := work(t), newDesk()
		x := turn(dir)
		x.Words, x.Model = words, "m <x@y>\n(z)"
		d.Begin(t.Context(), x)
		put(t, filepath.Join(dir, "a.txt"), words+"2\n")
		put(t, filepath.Join(dir, "a.txt"), "2\n")
		if out := d.End(t.Context(), Turn{Session: "cc_1", Project: "proj_1"}); out.Commit == "" {
			t.Fatalf("%+v", out)
		}
		if got := mine(t, dir, "log", "-1", "--format=%B"); strings.TrimSpace(got) != want {
			t.Errorf("%q gives %q", words, got)
		}
		if got := mine(t, dir, "log", "-1", "--format=%an"); got != "agent (m x@y z via Dormouse)" {
			t.Errorf("author %q", got)
		}
	}
}

// skipped is a state of affairs in which nothing must be committed.
type skipped struct {
	name   string
	reason Reason
	before func(t *testing.T, dir string)
	during func(t *testing.T, dir string)
}

func edit(t *testing.T, dir string) { put(t, filepath.Join(dir, "a.txt"), "changed by the agent\n") }

func skips() []skipped {
	return []skipped{
		{"a tracked file was changed before", NotClean, func(t *testing.T, dir string) { put(t, filepath.Join(dir, "dir", "b.txt"), "mine\n") }, edit},
		{"an untracked file lay there before", NotClean, func(t *testing.T, dir string) { put(t, filepath.Join(dir, "mine.txt"), "mine\n") }, edit},
		{"something was staged before", NotClean, func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "mine.txt"), "mine\n")
			mine(t, dir, "add", "mine.txt")
		}, edit},
		{"a bisect", UnderWay, func(t *testing.T, dir string) { mine(t, dir, "bisect", "start") }, edit},
		{"a detached head", Detached, func(t *testing.T, dir string) { mine(t, dir, "checkout", "-q", "--detach") }, edit},
		{"a merge that began meanwhile", UnderWay, nil, func(t *testing.T, dir string) {
			mine(t, dir, "merge", "-q", "--no-commit", "--no-ff", "other")
		}},
		{"a head that was detached meanwhile", Detached, nil, func(t *testing.T, dir string) {
			edit(t, dir)
			mine(t, dir, "checkout", "-q", "--detach")
		}},
		{"a commit of the person's meanwhile", Moved, nil, func(t *testing.T, dir string) {
			mine(t, dir, "commit", "-q", "--allow-empty", "-m", "Mine")
			edit(t, dir)
		}},
		{"another branch meanwhile", Moved, nil, func(t *testing.T, dir string) {
			mine(t, dir, "checkout", "-q", "other")
			edit(t, dir)
		}},
		{"a repository that the agent cloned into it", NestedRepository, nil, func(t *testing.T, dir string) {
			mine(t, dir, "clone", "-q", dir, "nested")
			edit(t, dir)
		}},
		{"a secret in what it wrote", HoldsSecret, nil, func(t *testing.T, dir string) { put(t, filepath.Join(dir, "conf"), "+++ x\npassword=hunter2\n") }},
		{"a hook of the person's that refuses", Refused, func(t *testing.T, dir string) {
			script(t, filepath.Join(dir, ".git", "hooks", "pre-commit"), "echo no tests >&2; exit 1")
		}, edit},
		{"a hook that refuses the message", Refused, func(t *testing.T, dir string) {
			script(t, filepath.Join(dir, ".git", "hooks", "commit-msg"), "exit 1")
		}, edit},
		{"a file that cannot be read, though others are staged", Refused, func(t *testing.T, dir string) {
			mine(t, dir, "config", "add.ignoreErrors", "true")
			mine(t, dir, "config", "filter.broken.clean", "false")
			mine(t, dir, "config", "filter.broken.required", "true")
			put(t, filepath.Join(dir, ".git", "info", "attributes"), "*.broken filter=broken\n")
		}, func(t *testing.T, dir string) {
			edit(t, dir)
			put(t, filepath.Join(dir, "x.broken"), "x")
		}},
		{"another git at work", Refused, nil, func(t *testing.T, dir string) {
			edit(t, dir)
			put(t, filepath.Join(dir, ".git", "index.lock"), "")
			t.Cleanup(func() { _ = os.Remove(filepath.Join(dir, ".git", "index.lock")) })
		}},
	}
}

func TestNothingIsCommittedAndEverythingStaysWhere(t *testing.T) {
	settle(t)
	for _, s := range skips() {
		t.Run(s.name, func(t *testing.T) {
			dir, d := work(t), newDesk()
			mine(t, dir, "checkout", "-qb", "other")
			put(t, filepath.Join(dir, "other.txt"), "other\n")
			mine(t, dir, "add", ".")
			mine(t, dir, "commit", "-qm", "Other")
			mine(t, dir, "checkout", "-q", "main")
			if s.before != nil {
				s.before(t, dir)
			}
			d.Begin(t.Context(), turn(dir))
			s.during(t, dir)
			mine(t, dir, "--no-optional-locks", "status")
			index := digest(t, filepath.Join(dir, ".git", "index"))
			state := mine(t, dir, "--no-optional-locks", "status", "--porcelain") + mine(t, dir, "rev-parse", "HEAD", "--all")
			out := d.End(t.Context(), Turn{Session: "cc_1", Project: "proj_1"})
			if out.Commit != "" || out.Reason != s.reason || out.Text == "" || strings.HasSuffix(out.Text, "staged now") {
				t.Fatalf("%+v", out)
			}
			if now := mine(t, dir, "--no-optional-locks", "status", "--porcelain") + mine(t, dir, "rev-parse", "HEAD", "--all"); now != state {
				t.Errorf("it was\n%s\nand is\n%s", state, now)
			}
			if digest(t, filepath.Join(dir, ".git", "index")) != index {
				t.Error("git's index is not what it was")
			}
			_ = os.Remove(filepath.Join(dir, ".git", "index.lock"))
			if len(d.reports) != 1 || d.reports[0].Text != out.Text {
				t.Errorf("reports %+v", d.reports)
			}
		})
	}
}

func TestASkipIsReportedOnceUntilACommitSucceeds(t *testing.T) {
	settle(t)
	dir, d := work(t), newDesk()
	mineFile := filepath.Join(dir, "mine.txt")
	for round := range 2 {
		put(t, mineFile, "mine\n")
		for range 3 {
			d.during(t, dir, func() { edit(t, dir) })
		}
		if len(d.reports) != round+1 {
			t.Fatalf("round %d: %+v", round, d.reports)
		}
		mine(t, dir, "add", ".")
		mine(t, dir, "commit", "-qm", "Mine")
		if out := d.during(t, dir, func() { put(t, filepath.Join(dir, "a.txt"), time.Duration(round).String()) }); out.Commit == "" {
			t.Fatalf("%+v", out)
		}
		if err := os.Remove(mineFile); err != nil {
			t.Fatal(err)
		}
		mine(t, dir, "commit", "-qam", "Mine no more")
	}
}

func TestATurnThatChangesNothingOrCommitsItselfIsNotReported(t *testing.T) {
	settle(t)
	dir, d := work(t), newDesk()
	for name, act := range map[string]func(){
		"nothing": func() {},
		"ignored": func() { put(t, filepath.Join(dir, "x.log"), "x") },
		"commits": func() { edit(t, dir); mine(t, dir, "commit", "-qam", "By the agent itself") },
	} {
		before := ""
		out := d.during(t, dir, func() { act(); before = mine(t, dir, "rev-parse", "HEAD") })
		if out.Commit != "" || out.Reason != NothingChanged || len(d.reports) != 0 || mine(t, dir, "rev-parse", "HEAD") != before {
			t.Errorf("%s: %+v", name, out)
		}
	}
	if _, ok := d.Last("proj_1"); ok {
		t.Error("it is kept as news")
	}
}

func TestTwoTurnsThatOverlapInOneWorkTreeAreNotCommitted(t *testing.T) {
	settle(t)
	dir, d := work(t), newDesk()
	one, two := turn(dir), turn(filepath.Join(dir, "dir"))
	two.Session = "cx_2"
	d.Begin(t.Context(), one)
	d.Begin(t.Context(), two)
	edit(t, dir)
	for _, s := range []string{"cx_2", "cc_1"} { // the second ends first: the first is not told its edits from the other's
		if out := d.End(t.Context(), Turn{Session: s, Project: "proj_1"}); out.Reason != Shared || !strings.Contains(out.Text, map[string]string{"cx_2": "cc_1", "cc_1": "cx_2"}[s]) {
			t.Errorf("%+v", out)
		}
	}
	mine(t, dir, "commit", "-qam", "By hand")
	tree := filepath.Join(t.TempDir(), "tree")
	mine(t, dir, "worktree", "add", "-q", "-b", "feature", tree)
	two.Dir = tree
	d.Begin(t.Context(), one)
	d.Begin(t.Context(), two)
	put(t, filepath.Join(dir, "a.txt"), "in the main work tree\n")
	put(t, filepath.Join(tree, "a.txt"), "in the linked one\n")
	for s, at := range map[string]string{"cc_1": dir, "cx_2": tree} {
		if out := d.End(t.Context(), Turn{Session: s, Project: "proj_1"}); out.Commit == "" || out.Commit != mine(t, at, "rev-parse", "HEAD") {
			t.Errorf("%s: %+v", s, out)
		}
	}
	d.Begin(t.Context(), two) // whose end nobody will tell
	d.now = d.now.Add(turnTime + time.Second)
	if out := d.during(t, tree, func() { put(t, filepath.Join(tree, "a.txt"), "later\n") }); out.Commit == "" {
		t.Errorf("a turn that never ended is in the way for ever: %+v", out)
	}
	sound(t, dir)
}

func TestASessionThatOnlyItsTranscriptTellsOfCountsAsAnother(t *testing.T) {
	settle(t)
	dir, d := work(t), newDesk()
	d.others = []string{"ge_9"}
	if out := d.during(t, dir, func() { edit(t, dir) }); out.Reason != Shared || !strings.Contains(out.Text, "ge_9") {
		t.Errorf("%+v", out)
	}
	failing := NewCommitter(CommitterOptions{Open: anyone.Open, Others: func(string, string, time.Time) ([]string, error) { return nil, errors.New("no list") }})
	mine(t, dir, "commit", "-qam", "By hand")
	failing.Begin(t.Context(), turn(dir))
	put(t, filepath.Join(dir, "a.txt"), "again\n")
	if out := failing.End(t.Context(), turn(dir)); out.Reason != CannotTell {
		t.Errorf("%+v", out)
	}
}

func TestATurnWhoseBeginningIsUnknownIsNotCommitted(t *testing.T) {
	settle(t)
	dir, d := work(t), newDesk()
	edit(t, dir)
	if out := d.End(t.Context(), turn(dir)); out.Reason != BeginUnknown || len(d.reports) != 1 {
		t.Errorf("%+v", out)
	}
	d.Begin(t.Context(), turn(dir))
	d.Forget("proj_1")
	if out := d.End(t.Context(), turn(dir)); out.Reason != BeginUnknown {
		t.Errorf("after auto-commit was turned off: %+v", out)
	}
}

func TestWhereThereIsNoWorkTreeNothingIsCommitted(t *testing.T) {
	settle(t)
	bare := t.TempDir()
	mine(t, bare, "init", "-q", "--bare")
	for _, dir := range []string{t.TempDir(), bare} {
		if out := newDesk().during(t, dir, func() {}); out.Reason != NoRepository {
			t.Errorf("%+v", out)
		}
	}
	broken := work(t)
	put(t, filepath.Join(broken, ".git", "HEAD"), "junk")
	if out := newDesk().during(t, broken, func() {}); out.Reason != CannotTell {
		t.Errorf("%+v", out)
	}
}

func TestACancelledCommitLeavesNoLockAndNothingStaged(t *testing.T) {
	settle(t)
	dir, d := work(t), newDesk()
	started := filepath.Join(t.TempDir(), "started")
	script(t, filepath.Join(dir, ".git", "hooks", "pre-commit"), ": > '"+started+"'; sleep 600")
	ctx, cancel := context.WithCancel(t.Context())
	d.Begin(ctx, turn(dir))
	edit(t, dir)
	done := make(chan Outcome, 1)
	go func() { done <- d.End(ctx, turn(dir)) }()
	for {
		if _, err := os.Stat(started); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	if out := <-done; out.Commit != "" || out.Reason != Refused {
		t.Errorf("%+v", out)
	}
	if s := mine(t, dir, "status", "--porcelain"); s != " M a.txt" {
		t.Errorf("status %q", s)
	}
	sound(t, dir)
}

func TestClosingWaitsForACommitAndThenEndsItWithNothingStaged(t *testing.T) {
	settle(t)
	for wait, want := range map[time.Duration]Reason{time.Minute: "", 0: Refused} {
		dir, d := work(t), newDesk()
		started, release := filepath.Join(t.TempDir(), "started"), filepath.Join(t.TempDir(), "release")
		script(t, filepath.Join(dir, ".git", "hooks", "pre-commit"), ": > '"+started+"'; while ! test -e '"+release+"'; do sleep 0.05; done")
		d.Begin(t.Context(), turn(dir))
		edit(t, dir)
		done := make(chan Outcome, 1)
		go func() { done <- d.End(t.Context(), turn(dir)) }()
		for {
			if _, err := os.Stat(started); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		closed := make(chan struct{})
		go func() { d.Close(wait); close(closed) }()
		if want == "" {
			put(t, release, "")
		}
		out := <-done
		<-closed
		if out.Reason != want || (out.Commit == "") != (want != "") {
			t.Errorf("%v: %+v", wait, out)
		}
		if s := mine(t, dir, "status", "--porcelain"); want != "" && s != " M a.txt" {
			t.Errorf("status %q", s)
		}
		sound(t, dir)
		d.Begin(t.Context(), turn(dir))
		if out := d.End(t.Context(), turn(dir)); out.Commit != "" || out.Reason != CannotTell {
			t.Errorf("after it was closed: %+v", out)
		}
	}
}
