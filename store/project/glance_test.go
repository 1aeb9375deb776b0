package project

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestAGlanceTellsTheSameProjectAsALookOrNone(t *testing.T) {
	w := newWorld(t)
	work := mkdir(t, filepath.Join(w.home, "work"))
	remote := repo(t, filepath.Join(work, "a"), "https://example.org/o/a.git")
	local := repo(t, filepath.Join(work, "b"), "")
	notes := mkdir(t, filepath.Join(w.home, "notes"))
	clone := repo(t, filepath.Join(work, "again"), "git@example.org:o/a.git")
	fresh := repo(t, filepath.Join(work, "fresh"), "")
	pa, pb, pn := w.resolve(t, Hints{Cwd: remote}), w.resolve(t, Hints{Cwd: local}), w.resolve(t, Hints{Cwd: notes})
	tree := filepath.Join(work, "tree")
	git(t, local, "worktree", "add", "-q", tree)
	for dir, want := range map[string]string{
		remote:                                 pa.ID,
		mkdir(t, filepath.Join(remote, "sub")): pa.ID,
		clone:                                  pa.ID,
		local:                                  pb.ID,
		tree:                                   pb.ID,
		notes:                                  pn.ID,
		w.home:                                 "default",
		mkdir(t, filepath.Join(notes, "in")):   "",
		fresh:                                  "",
		work:                                   "",
		"relative":                             "",
		filepath.Join(work, "gone"):            "",
	} {
		p, err := w.Glance(t.Context(), dir)
		if p.ID != want || (want == "") != errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %q, want %q; %v", dir, p.ID, want, err)
		}
	}
	// another repository in the place of one that was
	if err := os.RemoveAll(local); err != nil {
		t.Fatal(err)
	}
	mkdir(t, local)
	git(t, local, "init", "-q")
	git(t, local, "commit", "-q", "--allow-empty", "-m", "another one")
	if p, err := w.Glance(t.Context(), local); p.ID == pb.ID || err == nil {
		t.Errorf("a repository that took another one's place is taken for it: %v", err)
	}
}
