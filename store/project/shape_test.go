package project

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/gitrepo"
)

// TestEveryShapeOfARepositoryIsOneProject has for every shape a folder that must give the id of the repository that it
// belongs to, on this machine and on one that has seen nothing else.
func TestEveryShapeOfARepositoryIsOneProject(t *testing.T) {
	settle(t)
	for name, shape := range map[string]func(t *testing.T, main, at string) string{
		"sub-folder": func(_ *testing.T, main, _ string) string { return filepath.Join(main, "dir") },
		"linked worktree": func(t *testing.T, main, at string) string {
			mine(t, main, "worktree", "add", "-q", "-b", "x", at)
			return filepath.Join(at, "dir")
		},
		"worktree within the work tree": func(t *testing.T, main, _ string) string {
			mine(t, main, "worktree", "add", "-q", "-b", "x", ".trees/x")
			return filepath.Join(main, ".trees", "x")
		},
		"bare repository": func(t *testing.T, main, at string) string {
			mine(t, main, "clone", "-q", "--bare", main, at+".git")
			return at + ".git"
		},
		"worktree of a bare repository": func(t *testing.T, main, at string) string {
			mine(t, main, "clone", "-q", "--bare", main, at+".git")
			mine(t, at+".git", "worktree", "add", "-q", "-b", "x", at)
			return at
		},
		"folder with a bare repository and a .git file beside its worktrees": func(t *testing.T, main, at string) string {
			mkdir(t, at)
			mine(t, main, "clone", "-q", "--bare", main, filepath.Join(at, ".bare"))
			put(t, filepath.Join(at, ".git"), "gitdir: ./.bare\n")
			mine(t, at, "worktree", "add", "-q", "-b", "x", filepath.Join(at, "x"))
			return at
		},
		"worktree beside such a folder's .git file": func(t *testing.T, main, at string) string {
			mkdir(t, at)
			mine(t, main, "clone", "-q", "--bare", main, filepath.Join(at, ".bare"))
			put(t, filepath.Join(at, ".git"), "gitdir: ./.bare\n")
			mine(t, at, "worktree", "add", "-q", "-b", "x", filepath.Join(at, "x"))
			return filepath.Join(at, "x")
		},
		"git folder elsewhere": func(t *testing.T, main, at string) string {
			mine(t, main, "clone", "-q", "--separate-git-dir", at+"-git", main, at)
			return at
		},
		"submodule": func(t *testing.T, main, at string) string {
			mkdir(t, at)
			mine(t, at, "init", "-q")
			mine(t, at, "submodule", "--quiet", "add", main, "lib")
			return filepath.Join(at, "lib", "dir")
		},
		"symlink": func(t *testing.T, main, at string) string {
			if err := os.Symlink(main, at); err != nil {
				t.Skipf("no symlinks here: %v", err)
			}
			return filepath.Join(at, "dir")
		},
		"clone":        func(t *testing.T, main, at string) string { mine(t, main, "clone", "-q", main, at); return at },
		"shared clone": func(t *testing.T, main, at string) string { mine(t, main, "clone", "-q", "-s", main, at); return at },
		"partial clone": func(t *testing.T, main, at string) string {
			mine(t, main, "clone", "-q", "--filter=blob:none", "file://"+main, at)
			return at
		},
		"sparse checkout": func(t *testing.T, main, _ string) string {
			mine(t, main, "sparse-checkout", "set", "dir")
			return main
		},
		"renamed folder": func(t *testing.T, main, at string) string {
			if err := os.Rename(main, at); err != nil {
				t.Fatal(err)
			}
			return at
		},
		"detached head": func(t *testing.T, main, _ string) string { mine(t, main, "checkout", "-q", "--detach"); return main },
	} {
		t.Run(name, func(t *testing.T) {
			w, main := newWorld(t), work(t)
			want := w.resolve(t, Hints{Cwd: main})
			at := shape(t, main, filepath.Join(w.home, "at"))
			for where, got := range map[string]Project{"here": w.resolve(t, Hints{Cwd: at}), "on another machine": newWorld(t).resolve(t, Hints{Cwd: at})} {
				if got.ID != want.ID || got.FirstCommit == "" {
					t.Errorf("%s: %+v, want %s", where, got, want.ID)
				}
			}
			if p, err := w.Bind(t.Context(), at); err != nil || p.ID != want.ID || !p.Bound() {
				t.Errorf("bound: %+v, %v", p, err)
			}
		})
	}
}

func TestBindingWithInitMakesARepositoryOnlyWhereThereIsNone(t *testing.T) {
	settle(t)
	w := newWorld(t)
	dir := mkdir(t, filepath.Join(w.home, "notes"))
	put(t, filepath.Join(dir, "a.txt"), "mine\n")
	p, err := w.BindInit(t.Context(), dir)
	if err != nil || !p.Bound() || p.Path != dir || len(p.Roots) != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	if s := statusOf(t, dir); s.Branch != "main" || s.Head != "" || len(s.Changes) != 1 {
		t.Errorf("%+v", s)
	}
	before := digest(t, dir)
	for _, at := range []string{dir, mkdir(t, filepath.Join(w.home, "notes", "sub"))} {
		if q, err := w.BindInit(t.Context(), at); err != nil || q.ID != p.ID {
			t.Errorf("%s: %+v, %v", at, q, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "sub")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".git", "HEAD")); err != nil || before == "" {
		t.Error(err)
	}
	mine(t, dir, "add", ".")
	mine(t, dir, "commit", "-qm", "First")
	if q := w.resolve(t, Hints{Cwd: dir}); q.ID != p.ID || q.FirstCommit == "" {
		t.Errorf("after its first commit: %+v", q)
	}
	t.Setenv("PATH", "")
	if _, err := w.BindInit(t.Context(), mkdir(t, filepath.Join(w.home, "other"))); err == nil || !strings.Contains(err.Error(), "install git") {
		t.Errorf("without git: %v", err)
	}
}

func TestAutoCommitIsOffUntilItIsTurnedOnAndGoesWithTheBinding(t *testing.T) {
	settle(t)
	w, dir := newWorld(t), work(t)
	p, err := w.Bind(t.Context(), dir)
	if err != nil || p.AutoCommit {
		t.Fatalf("%+v, %v", p, err)
	}
	for range 2 {
		if p, err = w.SetAutoCommit(p.ID, true); err != nil || !p.AutoCommit {
			t.Fatalf("%+v, %v", p, err)
		}
	}
	if kept, err := w.again().Get(p.ID); err != nil || !kept.AutoCommit {
		t.Errorf("after a new start: %+v, %v", kept, err)
	}
	before := digest(t, dir)
	if p, err = w.Unbind(p.ID); err != nil || p.AutoCommit {
		t.Errorf("unbound: %+v, %v", p, err)
	}
	if _, err := w.SetAutoCommit(p.ID, true); err == nil || !strings.Contains(err.Error(), "dormouse bind") {
		t.Errorf("of a project that is not bound: %v", err)
	}
	if _, err := w.SetAutoCommit("proj_none", true); err == nil {
		t.Error("of an unknown project")
	}
	if digest(t, dir) != before {
		t.Error("unbinding touched the folder")
	}
	if err := os.RemoveAll(w.opts.Dir); err != nil {
		t.Fatal(err)
	}
	put(t, w.opts.Dir, "a file where the folder should be")
	if _, err := w.Bind(t.Context(), dir); err == nil {
		t.Error("a binding that cannot be written")
	}
}

func TestARepositoryThatGoGitCannotReadIsReadAllTheSame(t *testing.T) {
	settle(t)
	dir := work(t)
	mine(t, dir, "sparse-checkout", "set", "dir")
	g := opened(t, dir)
	if g.Way != gitrepo.ByCommand || g.Why == "" {
		t.Errorf("%+v", g)
	}
	log, err := g.Log(t.Context(), gitrepo.LogQuery{Limit: 1})
	if err != nil || len(log) != 1 {
		t.Fatalf("%+v, %v", log, err)
	}
	if s, err := g.Show(t.Context(), log[0].SHA, 1000); err != nil || len(s.Files) != 3 || s.Diff == "" {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestARepositoryAtTheHomeFolderIsNeverThatOfAFolderBelowIt(t *testing.T) {
	settle(t)
	w := newWorld(t)
	mine(t, w.home, "init", "-q")
	notes := mkdir(t, filepath.Join(w.home, "notes"))
	if g, err := w.Open(t.Context(), notes); !errors.Is(err, ErrNoRepository) {
		t.Errorf("%+v, %v", g, err)
	}
	if g, err := w.Open(t.Context(), w.home); err != nil || g.Root != w.home {
		t.Errorf("the home folder itself: %+v, %v", g, err)
	}
	c := NewCommitter(CommitterOptions{Open: w.Open})
	c.Begin(t.Context(), turn(notes))
	put(t, filepath.Join(notes, "a.txt"), "1\n")
	if out := c.End(t.Context(), turn(notes)); out.Reason != NoRepository {
		t.Errorf("%+v", out)
	}
	if out, err := w.Open(t.Context(), w.home); err != nil || out.Bare {
		t.Errorf("%+v, %v", out, err)
	}
}
