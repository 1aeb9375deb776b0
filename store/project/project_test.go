package project

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"dormouse/store/memory"
)

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// repo makes a repository with one commit; with a remote when url is not empty.
func repo(t *testing.T, dir, url string) string {
	t.Helper()
	mkdir(t, dir)
	git(t, dir, "init", "-q", "-b", "main")
	if err := os.WriteFile(filepath.Join(dir, "name"), []byte(filepath.Base(dir)), 0o600); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "First of "+filepath.Base(dir))
	if url != "" {
		git(t, dir, "remote", "add", "origin", url)
	}
	return dir
}

func mkdir(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// world is a home folder and a registry.
type world struct {
	*Registry
	home string
	now  time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{home: resolved(t.TempDir()), now: time.Unix(1_800_000_000, 0)}
	w.Registry = New(Options{Dir: filepath.Join(w.home, ".state", "projects"), Home: w.home, Now: func() time.Time { return w.now }})
	return w
}

func (w *world) resolve(t *testing.T, h Hints) Project {
	t.Helper()
	w.now = w.now.Add(2 * answerFor) // nothing is answered from memory
	p, err := w.Resolve(context.Background(), h)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCaseS1OneProjectHasOneIDWhereverItIsSeen(t *testing.T) {
	w := newWorld(t)
	at := func(parts ...string) string { return filepath.Join(append([]string{w.home}, parts...)...) }
	main := repo(t, at("work", "Tool"), "git@Example.org:team/tool.git")
	mkdir(t, at("work", "Tool", "sub", "deep"))
	git(t, main, "worktree", "add", "-q", at("trees", "feature"), "-b", "feature")
	git(t, w.home, "clone", "-q", "--bare", main, at("bare.git"))
	git(t, at("bare.git"), "remote", "set-url", "origin", "https://user:secret@example.org:8443/team/tool")
	if err := os.Symlink(main, at("link")); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	other := repo(t, at("work", "other"), "")
	git(t, other, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", main, "lib")
	git(t, filepath.Join(other, "lib"), "remote", "set-url", "origin", "ssh://git@example.org/team/tool.git/")
	outer := w.resolve(t, Hints{Cwd: other})
	want := w.resolve(t, Hints{Cwd: main})
	if want.Name != "tool" || want.Remote != "example.org/team/tool" || want.Path != main || len(want.ID) != len("proj_")+8 || want.CreatedAt == 0 {
		t.Errorf("%+v", want)
	}
	for name, h := range map[string]Hints{
		"sub-folder":           {Cwd: filepath.Join(main, "sub", "deep")},
		"linked worktree":      {Cwd: at("trees", "feature")},
		"bare repository":      {Cwd: at("bare.git")},
		"symlink":              {Cwd: at("link")},
		"symlink's sub-folder": {Cwd: at("link", "sub")},
		"submodule":            {Cwd: filepath.Join(other, "lib")},
		"its .git folder":      {Cwd: filepath.Join(main, ".git")},
		"address alone":        {URL: "https://example.org/team/tool"},
		"address, folder gone": {Cwd: "/elsewhere/tool", URL: "example.org:team/tool.git"},
		"other folder known":   {Cwd: at("trees", "gone"), Dirs: []string{main}},
		"gone sub-folder":      {Cwd: filepath.Join(main, "was", "here")},
		"gone worktree inside": {Cwd: filepath.Join(main, ".claude", "worktrees", "x")},
	} {
		if runtime.GOOS == "windows" && strings.HasPrefix(name, "symlink") {
			continue
		}
		if got := w.resolve(t, h); got.ID != want.ID {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if outer.ID == want.ID || outer.Remote != "" || outer.FirstCommit == "" || outer.Name != "other" {
		t.Errorf("the repository around the submodule: %+v", outer)
	}
	// Another machine that sees only the address, or a clone of it, gives the same id.
	if p := newWorld(t).resolve(t, Hints{URL: "ssh://git@EXAMPLE.org:22/team/tool"}); p.ID != want.ID {
		t.Errorf("another machine: %s, want %s", p.ID, want.ID)
	}
	if got := git(t, main, "status", "--porcelain", "--ignored"); got != "" {
		t.Errorf("the repository was touched: %s", got)
	}
}

func TestWithoutRemoteTheFirstCommitTells(t *testing.T) {
	w := newWorld(t)
	a := repo(t, filepath.Join(w.home, "a"), "")
	b := repo(t, filepath.Join(w.home, "b"), "")
	git(t, w.home, "clone", "-q", a, "copy")
	git(t, a, "checkout", "-q", "--orphan", "pages")
	git(t, a, "commit", "-qm", "Another root, and newer", "--date=1800000000 +0000")
	pa, pb := w.resolve(t, Hints{Cwd: a}), w.resolve(t, Hints{Cwd: b})
	if pa.ID == pb.ID || pa.FirstCommit == "" || pa.Name != "a" {
		t.Errorf("%+v %+v", pa, pb)
	}
	if p := w.resolve(t, Hints{Cwd: filepath.Join(w.home, "copy")}); p.ID != pa.ID || p.Path != a {
		t.Errorf("a clone on this machine: %+v", p)
	}
	elsewhere := newWorld(t) // another machine, where the clone has another path
	git(t, elsewhere.home, "clone", "-q", filepath.Join(w.home, "copy"), filepath.Join("src", "mine"))
	git(t, filepath.Join(elsewhere.home, "src", "mine"), "remote", "remove", "origin")
	if p := elsewhere.resolve(t, Hints{Cwd: filepath.Join(elsewhere.home, "src", "mine")}); p.ID != pa.ID || p.Path == pa.Path {
		t.Errorf("a clone on another machine: %+v", p)
	}
	moved := filepath.Join(w.home, "renamed")
	if err := os.Rename(a, moved); err != nil {
		t.Fatal(err)
	}
	if p := w.resolve(t, Hints{Cwd: moved}); p.ID != pa.ID || p.Path != moved {
		t.Errorf("renamed: %+v", p)
	}
	git(t, moved, "remote", "add", "origin", "https://example.org/x/y")
	p := w.resolve(t, Hints{Cwd: moved})
	if p.ID != pa.ID || p.Remote != "example.org/x/y" {
		t.Errorf("with its first remote: %+v", p)
	}
	again := New(w.opts)
	if q, err := again.Resolve(context.Background(), Hints{URL: "git@example.org:x/y.git"}); err != nil || q.ID != p.ID {
		t.Errorf("%+v %v", q, err)
	}
	// A fork has the first commit, and is another project.
	git(t, w.home, "clone", "-q", moved, "fork")
	git(t, filepath.Join(w.home, "fork"), "remote", "set-url", "origin", "https://example.org/me/y")
	if q := w.resolve(t, Hints{Cwd: filepath.Join(w.home, "fork")}); q.ID == p.ID || q.Name != "y" {
		t.Errorf("fork: %+v", q)
	}
}

func TestFolderWithoutRepositoryIsToldByPath(t *testing.T) {
	w := newWorld(t)
	notes := mkdir(t, filepath.Join(w.home, "notes", "2024"))
	p := w.resolve(t, Hints{Cwd: notes + "/"})
	if p.Name != "2024" || p.Path != notes || p.ID == memory.DefaultProject || len(p.Roots) != 0 {
		t.Errorf("%+v", p)
	}
	if q := w.resolve(t, Hints{Cwd: filepath.Join(notes, "..", "2024")}); q.ID != p.ID {
		t.Errorf("%+v", q)
	}
	git(t, notes, "init", "-q")
	q := w.resolve(t, Hints{Cwd: notes})
	if q.ID != p.ID || len(q.Roots) != 1 {
		t.Errorf("after git init: %+v", q)
	}
	if q := w.resolve(t, Hints{Cwd: filepath.Join(w.home, "never", "there")}); q.Name != "there" || q.Path != filepath.Join(w.home, "never", "there") {
		t.Errorf("%+v", q)
	}
	win := w.resolve(t, Hints{Cwd: `C:\Users\Ann\Code\Tool\`})
	if runtime.GOOS != "windows" && (win.Name != "Tool" || win.Path != `C:\Users\Ann\Code\Tool`) {
		t.Errorf("%+v", win)
	}
	if q := w.resolve(t, Hints{Cwd: `c:\users\ann\code\tool`}); q.ID != win.ID {
		t.Errorf("%+v", q)
	}
}

func TestHomeAndRootAreNobodysProject(t *testing.T) {
	w := newWorld(t)
	repo(t, w.home, "https://example.org/me/dotfiles")
	sub := mkdir(t, filepath.Join(w.home, "stuff", "thing"))
	for name, h := range map[string]Hints{"nothing": {}, "root": {Cwd: "/"}, "relative": {Cwd: "work/x"}, "junk": {Cwd: "?", URL: "not an address"}} {
		if p := w.resolve(t, h); p.ID != memory.DefaultProject || !p.IsDefault {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if p := w.resolve(t, Hints{Cwd: sub}); p.Name != "thing" || p.Remote != "" {
		t.Errorf("below a home folder that is a repository: %+v", p)
	}
	if p := w.resolve(t, Hints{Cwd: filepath.Join(w.home, "stuff", "gone")}); p.Name != "gone" {
		t.Errorf("gone, below it: %+v", p)
	}
	if p := w.resolve(t, Hints{Cwd: w.home}); p.Name != "dotfiles" {
		t.Errorf("the home folder itself, which is a repository: %+v", p)
	}
	if err := os.RemoveAll(filepath.Join(w.home, ".git")); err != nil {
		t.Fatal(err)
	}
	if p := newRegistryAt(w).resolve(t, Hints{Cwd: w.home}); p.ID != memory.DefaultProject {
		t.Errorf("the home folder: %+v", p)
	}
}

func newRegistryAt(w *world) *world {
	return &world{Registry: New(Options{Dir: filepath.Join(w.home, "other"), Home: w.home}), home: w.home}
}

func TestGoneFolderBelongsToTheRegisteredRootAboveIt(t *testing.T) {
	w := newWorld(t)
	dir := repo(t, filepath.Join(w.home, "x", "app"), "https://example.org/x/app")
	want := w.resolve(t, Hints{Cwd: dir})
	if err := os.RemoveAll(filepath.Join(w.home, "x")); err != nil {
		t.Fatal(err)
	}
	if p := w.resolve(t, Hints{Cwd: filepath.Join(dir, "cmd")}); p.ID != want.ID {
		t.Errorf("%+v", p)
	}
	if p := w.resolve(t, Hints{Cwd: dir + "-two"}); p.ID == want.ID {
		t.Errorf("a folder with a longer name: %+v", p)
	}
}

func TestShapesThatGoGitCannotOpenAreReadByTheCommand(t *testing.T) {
	w := newWorld(t)
	dir := repo(t, filepath.Join(w.home, "sparse"), "https://example.org/x/sparse")
	git(t, dir, "sparse-checkout", "set", "a")
	if p := w.resolve(t, Hints{Cwd: dir}); p.Remote != "example.org/x/sparse" {
		t.Errorf("sparse checkout: %+v", p)
	}
	bare := repo(t, filepath.Join(w.home, "plain"), "")
	git(t, bare, "config", "extensions.preciousObjects", "true")
	git(t, bare, "config", "core.repositoryformatversion", "1")
	if p := w.resolve(t, Hints{Cwd: bare}); p.FirstCommit != git(t, bare, "rev-parse", "HEAD") {
		t.Errorf("precious objects: %+v", p)
	}
	broken := mkdir(t, filepath.Join(w.home, "broken", ".git"))
	if err := os.WriteFile(filepath.Join(broken, "HEAD"), []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p := w.resolve(t, Hints{Cwd: filepath.Dir(broken)}); p.Name != "broken" {
		t.Errorf("broken: %+v", p)
	}
}

func TestFindTakesIDNameAddressAndPath(t *testing.T) {
	w := newWorld(t)
	a := repo(t, filepath.Join(w.home, "a"), "https://github.com/Team/Tool")
	b := repo(t, filepath.Join(w.home, "b"), "https://example.org/other/Tool")
	c := repo(t, filepath.Join(w.home, "c"), "")
	mkdir(t, filepath.Join(c, "sub"))
	pa, pb, pc := w.resolve(t, Hints{Cwd: a}), w.resolve(t, Hints{Cwd: b}), w.resolve(t, Hints{Cwd: c})
	for what, want := range map[string]string{
		pa.ID: pa.ID, "c": pc.ID, "C": pc.ID, "Team/Tool": pa.ID, "https://github.com/team/tool.git": pa.ID,
		"example.org/other/Tool": pb.ID, a: pa.ID, filepath.Join(c, "sub"): pc.ID, "default": memory.DefaultProject,
	} {
		if p, err := w.Find(context.Background(), what); err != nil || p.ID != want {
			t.Errorf("Find(%q): %+v %v", what, p, err)
		}
	}
	for _, name := range []string{"Tool", "tool"} {
		if _, err := w.Find(context.Background(), name); !errors.Is(err, ErrAmbiguous) || !strings.Contains(err.Error(), pa.ID) || !strings.Contains(err.Error(), b) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, what := range []string{"", "nothing", w.home, "/"} {
		if p, err := w.Find(context.Background(), what); !errors.Is(err, ErrNotFound) {
			t.Errorf("Find(%q): %+v %v", what, p, err)
		}
	}
	list, err := New(w.opts).List()
	if err != nil || len(list) != 4 {
		t.Errorf("%+v %v", list, err)
	}
	if p, err := New(w.opts).Get(pc.ID); err != nil || p.Path != c {
		t.Errorf("%+v %v", p, err)
	}
	if _, err := w.Get("proj_none"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

func TestBrokenRegistryIsNamedAndNotOverwritten(t *testing.T) {
	w := newWorld(t)
	mkdir(t, w.opts.Dir)
	if err := os.WriteFile(w.file(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Resolve(context.Background(), Hints{Cwd: w.home + "/x"}); err == nil || !strings.Contains(err.Error(), w.file()) {
		t.Error(err)
	}
	if _, err := w.List(); err == nil {
		t.Error("a broken registry is listed")
	}
	if b, _ := os.ReadFile(w.file()); string(b) != "{" {
		t.Errorf("it now holds %q", b)
	}
}

func TestAnswersAreRememberedForAWhileOnly(t *testing.T) {
	w := newWorld(t)
	dir := mkdir(t, filepath.Join(w.home, "x"))
	first := w.resolve(t, Hints{Cwd: dir})
	repo(t, dir, "https://example.org/a/b")
	if p, err := w.Resolve(context.Background(), Hints{Cwd: dir}); err != nil || p.Remote != "" {
		t.Errorf("%+v %v", p, err)
	}
	if p := w.resolve(t, Hints{Cwd: dir}); p.Remote != "example.org/a/b" || p.ID != first.ID {
		t.Errorf("%+v", p)
	}
}
