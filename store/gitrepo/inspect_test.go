package gitrepo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func never(string) bool { return false }

// userRepo makes a repository with stock git, as a user has it.
func userRepo(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	stock(t, dir, "init", "-q", "-b", "trunk")
	stock(t, dir, "commit", "-q", "--allow-empty", "-m", "First", "--date=2020-01-01T00:00:00Z")
	stock(t, dir, "remote", "add", "up", "https://example.org/up/x")
	stock(t, dir, "remote", "add", "origin", "git@example.org:me/x.git")
	return dir
}

func TestBothWaysOfInspectingSayTheSame(t *testing.T) {
	dir := userRepo(t)
	wt := filepath.Join(dir, "wt")
	stock(t, dir, "worktree", "add", "-q", "--detach", wt)
	empty := t.TempDir()
	stock(t, empty, "init", "-q", "-b", "fresh")
	bare := filepath.Join(t.TempDir(), "b.git")
	stock(t, dir, "clone", "-q", "--bare", dir, bare)
	for name, d := range map[string]string{"plain": dir, "detached worktree": wt, "no commit": empty, "bare": bare} {
		l, ok := Find(d, never)
		if !ok {
			t.Fatalf("%s: not found", name)
		}
		a, err := inspectGoGit(l)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		b, err := inspectCommand(context.Background(), l)
		if err != nil || a.Branch != b.Branch || a.Head != b.Head || !slices.Equal(a.Remotes, b.Remotes) {
			t.Errorf("%s: %+v and %+v, %v", name, a, b, err)
		}
		first, err := firstGoGit(l)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		second, err := firstCommand(context.Background(), l)
		if err != nil || first != second || (name == "no commit") != (first == "") {
			t.Errorf("%s: first commit %q and %q, %v", name, first, second, err)
		}
		if info, err := Inspect(context.Background(), l); err != nil || info.Branch != a.Branch {
			t.Errorf("%s: %+v %v", name, info, err)
		}
	}
	info, err := Inspect(context.Background(), Location{Root: dir, GitDir: filepath.Join(dir, ".git"), CommonDir: filepath.Join(dir, ".git")})
	want := []Remote{{"origin", "git@example.org:me/x.git"}, {"up", "https://example.org/up/x"}}
	if err != nil || info.Branch != "trunk" || info.Head != stock(t, dir, "rev-parse", "HEAD") || !slices.Equal(info.Remotes, want) {
		t.Errorf("%+v %v", info, err)
	}
}

func TestFirstCommitIsTheOldestRootOfAllBranches(t *testing.T) {
	t.Setenv("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z")
	dir := userRepo(t)
	want := stock(t, dir, "rev-parse", "HEAD")
	t.Setenv("GIT_COMMITTER_DATE", "2020-01-01T00:00:01Z") // git counts in seconds
	stock(t, dir, "checkout", "-q", "--orphan", "pages")
	stock(t, dir, "commit", "-q", "--allow-empty", "-m", "Another root")
	l, _ := Find(dir, never)
	if got, err := FirstCommit(context.Background(), l); err != nil || got != want {
		t.Errorf("%s %v, want %s", got, err, want)
	}
	shallow := filepath.Join(t.TempDir(), "s")
	stock(t, dir, "clone", "-q", "--depth=1", "file://"+dir, shallow)
	l, _ = Find(shallow, never)
	if got, err := FirstCommit(context.Background(), l); err == nil {
		t.Errorf("a shallow clone gives %s", got)
	}
}

func TestUnreadableRepositoryIsAnErrorThatNamesIt(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, ok := Find(dir, never)
	if !ok {
		t.Fatal("not found")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Inspect(ctx, l); err == nil {
		t.Error("it is read")
	}
	if _, err := FirstCommit(ctx, l); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestFindKnowsEveryShape(t *testing.T) {
	dir := userRepo(t)
	sub := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	wt := filepath.Join(filepath.Dir(dir), filepath.Base(dir)+"-wt")
	stock(t, dir, "worktree", "add", "-q", wt, "-b", "side")
	t.Cleanup(func() { _ = os.RemoveAll(wt) })
	stock(t, dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", dir, "lib")
	bare := filepath.Join(filepath.Dir(dir), "b.git")
	stock(t, dir, "clone", "-q", "--bare", dir, bare)
	t.Cleanup(func() { _ = os.RemoveAll(bare) })
	git := filepath.Join(dir, ".git")
	for at, want := range map[string]struct{ root, main string }{
		dir: {dir, dir}, sub: {dir, dir}, git: {dir, dir}, filepath.Join(git, "refs"): {dir, dir},
		wt: {wt, dir}, filepath.Join(dir, "lib"): {filepath.Join(dir, "lib"), filepath.Join(dir, "lib")},
		bare: {bare, bare}, filepath.Join(bare, "objects"): {bare, bare},
	} {
		l, ok := Find(at, never)
		if !ok || l.Root != want.root || l.Main() != want.main || l.Bare != (want.root == bare) {
			t.Errorf("%s: %+v, main %s", at, l, l.Main())
		}
	}
	if l, ok := Find(sub, func(d string) bool { return d == dir }); ok {
		t.Errorf("a folder that stops the search is taken: %+v", l)
	}
	if _, ok := Find(dir, func(d string) bool { return d == dir }); !ok {
		t.Error("the folder itself is not taken")
	}
	if err := os.WriteFile(filepath.Join(sub, ".git"), []byte("gitdir: nowhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if l, ok := Find(sub, never); !ok || l.Root != dir {
		t.Errorf("a pointer to nowhere: %+v", l)
	}
}
