package ledger

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// tree is the content of all published files, so that two folders can be compared.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(p, string(filepath.Separator)+"log"+string(filepath.Separator)) {
			return err
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		fmt.Fprintf(&b, "%s %x\n", filepath.ToSlash(rel), sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRenderGivesTheSameBytesOnEveryMachineWhateverTheOrder(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	la := open(t, a, "aa", day1)
	mustAppend(t, la, 1, "One")
	mustAppend(t, la, 2, "Two")
	lb := open(t, b, "bb", day1)
	mustAppend(t, lb, 2, "Two") // the same event, found on the other machine as well
	mustAppend(t, lb, 3, "Three")
	for _, c := range []struct{ from, to, machine string }{{a, b, "aa"}, {b, a, "bb"}} {
		if err := os.CopyFS(filepath.Join(c.to, "log", c.machine), os.DirFS(filepath.Join(c.from, "log", c.machine))); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ dir, machine string }{{a, "aa"}, {b, "bb"}} {
		if _, err := open(t, c.dir, c.machine, day1).Render(); err != nil {
			t.Fatal(err)
		}
	}
	if ta, tb := tree(t, a), tree(t, b); ta != tb || !strings.Contains(ta, "timeline/2026-05.jsonl") {
		t.Errorf("\n%s\n%s", ta, tb)
	}
}

func TestRenderTouchesOnlyWhatChanged(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	mustAppend(t, l, 1, "One", "Two")
	if n, err := l.Render(); err != nil || n != 11 {
		t.Errorf("first: %d %v", n, err)
	}
	if n, err := l.Render(); err != nil || n != 0 {
		t.Errorf("again: %d %v", n, err)
	}
	e := event(1, "One")
	forget := memory.Decision{Action: memory.ActionForget, Accepted: true, By: "person",
		Proposal: memory.Proposal{Kind: memory.RecordEvent, ClaimKey: memory.EventClaim(&e), RecordID: e.ID}}
	if err := l.Append([]memory.Decision{forget}, run()); err != nil {
		t.Fatal(err)
	}
	if n, err := l.Render(); err != nil || n != 1 || strings.Contains(tree(t, dir), "2026-05") || !strings.Contains(tree(t, dir), "2026-04") {
		t.Errorf("after the only event of a month was forgotten: %d changed, %v\n%s", n, err, tree(t, dir))
	}
}

func TestPublishTakesOnlyNamesOfPublishedFiles(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	for _, name := range []string{"core.md", "core/proj_1.md", "graph/views/entity/x.md"} {
		if changed, err := l.Publish(name, []byte("x")); err != nil || !changed {
			t.Errorf("%s: %v %v", name, changed, err)
		}
	}
	for _, name := range []string{"log/aa/2026-06-18.jsonl", "../core.md", "/etc/core.md", "core/../log/x", "other.md", ""} {
		if _, err := l.Publish(name, []byte("x")); err == nil {
			t.Errorf("%q was written", name)
		}
	}
}
