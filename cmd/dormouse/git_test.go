package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/localapi"
	"dormouse/service/socket"
)

func testState() api.ProjectState {
	return api.ProjectState{Project: testProjects()[0],
		Git:        &api.Git{Root: "/home/robin/code/dormouse", Branch: "main", Head: "0123456789abcdef", Changes: 2, Doing: "a rebase", ReadBy: "git command", Why: "the clone is shallow"},
		AutoCommit: api.AutoCommit{On: true, Last: &api.TurnOutcome{SessionID: "cc_1a2b3c4d", Turn: 3, Reason: "not_clean", Text: "there were changes when it began; commit them", At: unix("2026-05-04 18:00")}}}
}

func testCommits() api.Commits {
	return api.Commits{Project: testProjects()[0], More: true, Commits: []api.Commit{
		{ID: "1a2b3c4d5e6f7a8b", Author: "agent (opus-4 via Dormouse)", Agent: true, Time: unix("2026-05-04 15:10"), Subject: "[agent cc_1a2b3c4d] turn 2: Fix the flaky index test and explain why it failed",
			Links: []api.CommitLink{{SessionID: "cc_1a2b3c4d", Turn: 2, NodeID: "n9", By: "message"}}},
		{ID: "2b3c4d5e6f7a8b9c", Author: "Robin", Time: unix("2026-05-03 10:00"), Subject: "修复索引的错误", Links: []api.CommitLink{
			{SessionID: "cx_77aa0011", By: "time"}, {SessionID: "cc_1a99ffff", NodeID: "n3", By: "call"}}},
		{ID: "3c4d", Author: "Robin", Time: unix("2026-05-03 09:00")},
	}}
}

func testCommit() api.CommitShown {
	c := testCommits().Commits[0]
	c.Body = "A body.\n\nOf two paragraphs."
	return api.CommitShown{Commit: c, Project: testProjects()[0], Cut: true, Files: []api.FileChange{
		{Path: "store/index/open.go", Op: "modify", Added: 1204, Removed: 3}, {Path: "new/name.go", From: "old/name.go", Op: "move"},
		{Path: "logo.png", Op: "add", Binary: true}},
		Diff: "diff --git a/store/index/open.go b/store/index/open.go\nindex 1..2 100644\n--- a/store/index/open.go\n+++ b/store/index/open.go\n@@ -1 +1 @@\n-a\n+b\n"}
}

// gitPages are the answers about Project-Git, formatted.
var gitPages = map[string]func(view) []string{
	"project": func(v view) []string { return formatProject(v, testState()) },
	"project-new": func(v view) []string {
		return formatProject(v, api.ProjectState{Project: api.Project{ID: "p9", Path: "/srv/notes"}, Problem: "there is no git repository at /srv/notes or above it"})
	},
	"project-made": func(v view) []string {
		s := testState()
		s.Git.Why, s.Git.Doing, s.Git.Changes, s.Git.ReadBy = "", "", 0, "go-git"
		s.AutoCommit.Last.Commit = "1a2b3c4d5e6f7a8b"
		return formatProject(v, s)
	},
	"log": func(v view) []string { return formatCommits(v, api.CommitQuery{}, testCommits()) },
	"log-none": func(v view) []string {
		return formatCommits(v, api.CommitQuery{}, api.Commits{Project: testProjects()[0]})
	},
	"log-no-fit": func(v view) []string {
		return formatCommits(v, api.CommitQuery{Agent: true}, api.Commits{Project: testProjects()[0]})
	},
	"log-session":  func(v view) []string { return formatCommits(v, api.CommitQuery{Session: "cc_1a2b3c4d"}, api.Commits{}) },
	"commit":       func(v view) []string { return formatCommit(v, testCommit(), false) },
	"commit-files": func(v view) []string { return formatCommit(v, testCommit(), true) },
}

func TestProjectGitLooksAsItShould(t *testing.T) {
	for name, format := range gitPages {
		golden(t, name+".80", format(viewOf(80)))
		plain, colour := viewOf(80), viewOf(80)
		colour.On = true
		if a, b := strings.Join(format(plain), "\n"), text.Clean(strings.Join(format(colour), "\n")); a != b {
			t.Errorf("%s differs with colour:\n%s\nwithout:\n%s", name, b, a)
		}
		for _, line := range format(viewOf(60)) {
			if w := text.Width(line); w > 60 && !strings.Contains(line, "↪") && !strings.Contains(line, "diff --git") {
				t.Errorf("%s: %d columns in %q", name, w, line)
			}
		}
	}
}

func TestNothingOfARepositoryReachesTheTerminalRaw(t *testing.T) {
	v := viewOf(80)
	for name, lines := range map[string][]string{
		"project": formatProject(v, poisoned(testState())), "log": formatCommits(v, poisoned(api.CommitQuery{}), poisoned(testCommits())),
		"commit": formatCommit(v, poisoned(testCommit()), false), "none": formatCommits(v, poisoned(api.CommitQuery{Session: "x"}), api.Commits{}),
	} {
		for _, l := range lines {
			if strings.ContainsFunc(l, func(r rune) bool { return unicode.IsControl(r) || r == '\u202e' }) {
				t.Errorf("%s: %q", name, l)
			}
		}
	}
}

// serveGit runs a service that answers about Project-Git and keeps what it was asked.
func serveGit(t *testing.T, home string) *fake {
	t.Helper()
	ln, err := socket.Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	f := &fake{stop: cancel}
	b := f.backend()
	b.BindInit = f.binding("init")
	b.Project = func(_ context.Context, p string) (api.ProjectState, error) {
		f.note("project %s", p)
		return testState(), nil
	}
	b.AutoCommit = func(_ context.Context, p string, on bool) (api.ProjectState, error) {
		f.note("autocommit %s %v", p, on)
		return testState(), nil
	}
	b.Commits = func(_ context.Context, q api.CommitQuery) (api.Commits, error) {
		f.note("commits %+v", q)
		return testCommits(), nil
	}
	b.Commit = func(_ context.Context, p, id string, _ int, _ string) (api.CommitShown, error) {
		f.note("commit %s %s", p, id)
		return testCommit(), nil
	}
	done := make(chan error, 1)
	go func() { done <- localapi.New(localapi.Options{Backend: b}).Run(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return f
}

func TestProjectGitCommandsAskTheService(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	f := serveGit(t, home)
	for args, want := range map[string]string{
		"project":                         "project /home/robin/code",
		"project shop":                    "project shop",
		"project autocommit on":           "autocommit /home/robin/code true",
		"project autocommit off shop":     "autocommit shop false",
		"bind --init sub":                 "init /home/robin/code/sub",
		"log":                             "commits {Project:/home/robin/code Session: Agent:false Since:0 Until:0 Limit:30 For:}",
		"log shop --agent -n 3":           "commits {Project:shop Session: Agent:true Since:0 Until:0 Limit:3 For:}",
		"log --session cc_1a2":            "commits {Project: Session:cc_1a2b3c4d Agent:false Since:0 Until:0 Limit:30 For:}",
		"commit shop 1a2b3c4d":            "commit shop 1a2b3c4d",
		"commit . 1a2b3c4d --stat --json": "commit /home/robin/code 1a2b3c4d",
	} {
		f.asked = nil
		r := dormouse(t, home, strings.Fields(args)...)
		if r.code != exitOK || len(f.asked) == 0 || f.asked[len(f.asked)-1] != want {
			t.Errorf("%s: %d %s asked %q, want %q", args, r.code, r.err, f.asked, want)
		}
	}
	for args, want := range map[string]string{
		"project autocommit maybe":    `not "maybe"`,
		"project autocommit":          "on or off",
		"project a b":                 "at most the name",
		"commit shop":                 "a project and the id of one commit",
		"log --limit 0":               "--limit has to be 1 or more",
		"log --since soon":            `"soon" is not a time`,
		"log --since 7d --until 1970": "has to be before",
	} {
		if r := dormouse(t, home, strings.Fields(args)...); r.code != exitUsage || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if r := dormouse(t, home, "log", "--session", "zz"); r.code != exitFailure || !strings.Contains(r.err, "no session") {
		t.Errorf("%+v", r)
	}
}
