package session

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestSessionsOfAMemoryThatIsGivenUpLeaveTheProjectsFolder(t *testing.T) {
	b := newBound(t)
	clean := stock(t, b.project, "status", "--porcelain", "--ignored")
	x, y := ensure(t, b.Store, "a"), ensure(t, b.Store, "b")
	add(t, x, false, true, talk(1, 3)...)
	add(t, y, false, true, talk(1, 3)...)
	if x.Dir() != filepath.Join(inside(b.project), x.id) {
		t.Fatal("it does not live there:", x.Dir())
	}
	all, err := b.again(t).Outside()
	if err != nil || len(all) != 1 || len(all[b.project]) != 2 || !slices.Contains(all[b.project], x.id) {
		t.Fatalf("%v %v", all, err)
	}
	for range 2 {
		if err := b.again(t).RemoveOutside(); err != nil {
			t.Fatal(err)
		}
	}
	if exists(filepath.Join(b.project, ownDir)) || stock(t, b.project, "status", "--porcelain", "--ignored") != clean {
		t.Error("something is left in the project's folder")
	}
}

func TestWhatOthersPutBesideSessionsStays(t *testing.T) {
	for _, name := range []string{filepath.Join(ownDir, "notes.md"), filepath.Join(ownDir, sessionsDir, "cc_ffffffff", "meta.json")} {
		b := newBound(t)
		x := ensure(t, b.Store, "a")
		add(t, x, false, true, talk(1, 3)...)
		mine := filepath.Join(b.project, name)
		if err := os.MkdirAll(filepath.Dir(mine), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := b.again(t).RemoveOutside(); err != nil {
			t.Fatal(err)
		}
		if exists(filepath.Join(inside(b.project), x.id)) || !exists(mine) {
			t.Errorf("%s: the session is still there, or what is not ours went", name)
		}
		if out := stock(t, b.project, "status", "--porcelain", "--untracked-files=all"); out != "" && name != filepath.Join(ownDir, "notes.md") {
			t.Errorf("%s: what is left is not ignored any more: %s", name, out)
		}
	}
}
