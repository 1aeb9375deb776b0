package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/localapi"
	"dormouse/service/socket"
)

func testDiff() api.Diff {
	turn := 3
	exact := func(n int) api.Side { return api.Side{From: "exact", Exists: true, Bytes: n} }
	return api.Diff{SessionID: "cc_1a2b3c4d", ProjectID: "p1", Turn: &turn, Subject: "Fix the flaky index test and explain why it failed on slow",
		When: unix("2026-05-04 15:10"), Turns: []int{1, 2, 3, 7}, Files: []api.EditedFile{
			{Path: "store/index/open.go", Op: "update", Before: exact(10), After: exact(12), Edits: 2, Added: 1, Removed: 1, Outside: true,
				Diff: "--- a/store/index/open.go\n+++ b/store/index/open.go\n@@ -1 +1 @@\n-a\n+b\n"},
			{Path: "new.go", Op: "create", Before: api.Side{From: "exact"}, After: api.Side{From: "disk", Exists: true, Bytes: 2}, Added: 1, Mixed: true,
				Diff: "--- /dev/null\n+++ b/new.go\n@@ -0,0 +1 @@\n+x\n"},
			{Path: ".env", Op: "update", Before: exact(0), After: api.Side{From: "exact", Exists: true, Why: "holds a secret"}},
			{Path: "unknown.go", Before: api.Side{From: "unknown", Why: "not known"}, After: api.Side{From: "unknown", Why: "not known"}, Shown: "@@\n-x\n+y\n"},
			{Path: "/etc/hosts", Why: "outside the project's folder", Before: api.Side{From: "unknown"}, After: api.Side{From: "unknown"}},
			{Path: "logo.png", Op: "update", Before: exact(9), After: exact(8), Binary: true},
		}}
}

func testRestored() api.Restored {
	return api.Restored{Dir: "/home/robin/then", Written: 1, Files: []api.RestoredFile{{Path: "store/index/open.go", From: "exact"},
		{Path: ".env", From: "exact", Why: "holds a secret"}, {Path: "new.go", From: "exact", Why: "it was not there"}}}
}

// shadowPages are the answers about the shadow history, formatted.
var shadowPages = map[string]func(view) []string{
	"diff":      func(v view) []string { return formatDiff(v, testDiff(), false) },
	"diff-stat": func(v view) []string { return formatDiff(v, testDiff(), true) },
	"diff-whole": func(v view) []string {
		d := testDiff()
		d.Turn, d.Subject, d.When = nil, "", 0
		return formatDiff(v, d, true)
	},
	"restored": func(v view) []string { return formatRestored(v, testRestored()) },
	"status-shadow": func(v view) []string {
		p := &page{view: v}
		p.shadow(api.Shadow{On: true, Projects: 2, Sessions: 31, Bytes: 4_200_000, Waiting: 3})
		p.shadow(api.Shadow{On: true})
		return p.lines
	},
}

func TestTheShadowHistoryLooksAsItShould(t *testing.T) {
	for name, format := range shadowPages {
		golden(t, name+".80", format(viewOf(80)))
		colour := viewOf(80)
		colour.On = true
		if a, b := strings.Join(format(viewOf(80)), "\n"), text.Clean(strings.Join(format(colour), "\n")); a != b {
			t.Errorf("%s differs with colour:\n%s\nwithout:\n%s", name, b, a)
		}
		for _, line := range format(viewOf(60)) {
			if w := text.Width(line); w > 60 && !strings.HasPrefix(strings.TrimSpace(line), "dormouse restore") {
				t.Errorf("%s: %d columns in %q", name, w, line)
			}
		}
	}
}

func TestNothingOfAnEditedFileReachesTheTerminalRaw(t *testing.T) {
	v := viewOf(80)
	for name, lines := range map[string][]string{
		"diff": formatDiff(v, poisoned(testDiff()), false), "restored": formatRestored(v, poisoned(testRestored())),
	} {
		for _, l := range lines {
			if strings.ContainsFunc(l, func(r rune) bool { return unicode.IsControl(r) || r == '\u202e' }) {
				t.Errorf("%s: %q", name, l)
			}
		}
	}
}

func TestShadowCommandsAskTheService(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	ln, err := socket.Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	f := &fake{stop: cancel}
	b := f.backend()
	turnText := func(n *int) string {
		if n == nil {
			return "all"
		}
		return fmt.Sprint(*n)
	}
	b.Diff = func(_ context.Context, id string, turn *int) (api.Diff, error) {
		f.note("diff %s %s", id, turnText(turn))
		return testDiff(), nil
	}
	b.Restore = func(_ context.Context, q api.RestoreQuery) (api.Restored, error) {
		f.note("restore %s %s %s %s %v", q.ID, turnText(q.Turn), q.Side, q.Dir, q.Force)
		return testRestored(), nil
	}
	b.SetShadow = func(_ context.Context, p string, on bool) (api.ProjectState, error) {
		f.note("shadow %s %v", p, on)
		return testState(), nil
	}
	done := make(chan error, 1)
	go func() { done <- localapi.New(localapi.Options{Backend: b}).Run(ctx, ln) }()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	for args, want := range map[string]string{
		"diff cc_1a2":                       "diff cc_1a2b3c4d all",
		"diff cc_1a2 --turn 3 --stat":       "diff cc_1a2b3c4d 3",
		"diff cc_1a2b3c4d -t 0 --json":      "diff cc_1a2b3c4d 0",
		"restore cc_1a2 --to then":          "restore cc_1a2b3c4d all after /home/robin/code/then false",
		"restore cc_1a2 --turn 2 --to /t":   "restore cc_1a2b3c4d 2 after /t false",
		"restore cc_1a2 --before --to /t/x": "restore cc_1a2b3c4d all before /t/x false",
		"restore cc_1a2 --to /t --force":    "restore cc_1a2b3c4d all after /t true",
		"project shadow off":                "shadow /home/robin/code false",
		"project shadow on shop":            "shadow shop true",
	} {
		f.asked = nil
		r := dormouse(t, home, strings.Fields(args)...)
		if r.code != exitOK || len(f.asked) == 0 || f.asked[len(f.asked)-1] != want {
			t.Errorf("%s: %d %s asked %q, want %q", args, r.code, r.err, f.asked, want)
		}
	}
	for args, want := range map[string]string{
		"diff":                         "the id of one session",
		"diff cc_1a2 --turn -1":        "--turn has to be 0 or more",
		"restore cc_1a2":               "--to FOLDER",
		"project shadow maybe":         `not "maybe"`,
		"restore cc_1a2 --turn x --to": "",
	} {
		if r := dormouse(t, home, strings.Fields(args)...); r.code != exitUsage || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", args, r)
		}
	}
}
