package gitrepo

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTheReflogTellsCommitsThatWereMadeHereFromThoseThatCame(t *testing.T) {
	origin := storied(t)
	dir := filepath.Join(t.TempDir(), "clone")
	stock(t, origin, "clone", "-q", origin, dir)
	l, _ := Find(dir, never)
	made := map[string]string{}
	commit := func(what string, args ...string) {
		t.Helper()
		stock(t, dir, args...)
		made[what] = stock(t, dir, "rev-parse", "HEAD")
	}
	files(t, dir, map[string]string{"mine.txt": "mine"})
	stock(t, dir, "add", ".")
	commit("commit", "commit", "-q", "-m", "Mine")
	commit("amend", "commit", "-q", "--amend", "-m", "Mine, better")
	commit("revert", "revert", "--no-edit", "HEAD")
	commit("cherry-pick", "cherry-pick", "HEAD~1")
	stock(t, dir, "checkout", "-q", "-b", "topic", "HEAD~2")
	commit("on a branch", "commit", "-q", "--allow-empty", "-m", "Topic")
	stock(t, dir, "checkout", "-q", "main")
	commit("merge", "merge", "-q", "--no-ff", "-m", "Merge", "topic")
	tree := filepath.Join(t.TempDir(), "tree")
	stock(t, dir, "worktree", "add", "-q", "-b", "linked", tree)
	stock(t, tree, "commit", "-q", "--allow-empty", "-m", "In a linked one")
	made["linked worktree"] = stock(t, tree, "rev-parse", "HEAD")
	stock(t, origin, "commit", "-q", "--allow-empty", "-m", "Theirs")
	theirs := stock(t, origin, "rev-parse", "HEAD")
	stock(t, dir, "checkout", "-q", "-b", "follow", "origin/main")
	stock(t, dir, "pull", "-q", "--ff-only")

	for _, from := range []string{dir, tree} {
		at, _ := Find(from, never)
		m, err := MadeHere(at)
		if err != nil || m.From == 0 {
			t.Fatalf("%+v, %v", m, err)
		}
		for what, id := range made {
			if m.At[id] == 0 {
				t.Errorf("%s is not among them", what)
			}
		}
		if m.At[theirs] != 0 || m.At[stock(t, origin, "rev-parse", "HEAD~1")] != 0 {
			t.Error("a commit that came from elsewhere counts as made here")
		}
	}
	if err := os.RemoveAll(filepath.Join(l.CommonDir, "logs")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(l.CommonDir, "worktrees")); err != nil {
		t.Fatal(err)
	}
	if m, err := MadeHere(l); err != nil || m.From != 0 || len(m.At) != 0 {
		t.Errorf("without reflogs: %+v, %v", m, err)
	}
}

func TestMovesOfHeadAreNoNewCommits(t *testing.T) {
	for message, want := range map[string]bool{
		"commit: x": true, "commit (initial): x": true, "commit (amend): x": true, "commit (merge): x": true, "commit (cherry-pick): x": true,
		"cherry-pick: x": true, "revert: Revert x": true, "am: x": true, "rebase (pick): x": true, "rebase -i (squash): x": true, "rebase: x": true,
		"rebase (continue): x": true, "pull --rebase (pick): x": true, "pull: Merge made by the 'ort' strategy.": true,
		"merge topic: Merge made by the 'recursive' strategy.": true, "pull origin main: Merge made by the 'ort' strategy.": true,
		"rebase (start): checkout origin/main": false, "rebase (finish): returning to refs/heads/main": false, "rebase (abort): updating HEAD": false,
		"pull: Fast-forward": false, "pull --rebase (start): checkout x": false, "merge topic: Fast-forward": false, "checkout: moving from a to b": false,
		"clone: from x": false, "reset: moving to HEAD~1": false, "amend": false, "": false,
	} {
		if making.MatchString(message) != want {
			t.Errorf("%q: %v", message, !want)
		}
	}
}

func TestALongReflogIsReadFromItsEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "HEAD")
	const line = "0 1234 Name <mail> 1700000000 +0000\tcommit: x\n"
	if err := os.WriteFile(path, []byte(line+line+"junk\nno number x y z\tcommit: z\n"+line), 0o600); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int64]string{int64(len(line)) + 5: line, 1 << 20: line + line + "junk\nno number x y z\tcommit: z\n" + line, 3: ""} {
		if got, err := tail(path, limit); err != nil || got != want {
			t.Errorf("%d: %q, %v", limit, got, err)
		}
	}
	m := Made{At: map[string]int64{}}
	if err := m.read(path); err != nil || m.From != 1_700_000_000 || m.At["1234"] != m.From || len(m.At) != 1 {
		t.Errorf("%+v, %v", m, err)
	}
}
