package gitrepo

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"dormouse/store/gitcmd"
)

// files writes files of a work tree, by name.
func files(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

// storied makes a repository whose commits add, change, move and delete files, on two branches with a merge. extra are
// options of git init.
func storied(t *testing.T, extra ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	stock(t, dir, append([]string{"init", "-q", "-b", "main"}, extra...)...)
	clock := 1_700_000_000
	commit := func(message string, more ...string) {
		t.Helper()
		clock += 3600
		at := fmt.Sprintf("%d +0200", clock)
		t.Setenv("GIT_COMMITTER_DATE", at)
		t.Setenv("GIT_AUTHOR_DATE", at)
		stock(t, dir, "add", "-A")
		stock(t, dir, append([]string{"commit", "-q", "--allow-empty", "-m", message}, more...)...)
	}
	files(t, dir, map[string]string{"a.txt": lines(20), "dir/b.txt": "b\n", "gone.txt": "gone\n", "bin": "\x00\x01\x02"})
	commit("First")
	files(t, dir, map[string]string{"a.txt": strings.Replace(lines(20), "line 7\n", "line seven\nand more\n", 1), "naïve name.txt": "x", "bin": "\x00\x01\x03"})
	commit("Change a\n\nWith a body.\nOf two lines.", "--author=agent (m via Dormouse) <agent@dormouse.invalid>")
	stock(t, dir, "mv", "a.txt", "dir/moved.txt")
	if err := os.Remove(filepath.Join(dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	commit("Move and delete")
	stock(t, dir, "checkout", "-q", "-b", "side", "HEAD~1")
	files(t, dir, map[string]string{"side.txt": "side\n"})
	commit("Ünicode on the side")
	stock(t, dir, "checkout", "-q", "main")
	stock(t, dir, "merge", "-q", "--no-ff", "-m", "Merge side", "side")
	for _, name := range []string{"GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"} {
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// shape is a repository as people have them.
type shape struct {
	name string
	way  Way
	why  string // part of it
	make func(t *testing.T) string
}

func cloned(args ...string) func(*testing.T) string {
	return func(t *testing.T) string {
		from := storied(t)
		stock(t, from, "config", "uploadpack.allowFilter", "true")
		to := filepath.Join(t.TempDir(), "clone")
		stock(t, from, append(append([]string{"clone", "-q"}, args...), "file://"+from, to)...)
		return to
	}
}

func after(args ...string) func(*testing.T) string {
	return func(t *testing.T) string {
		dir := storied(t)
		stock(t, dir, args...)
		return dir
	}
}

func shapes() []shape {
	return []shape{
		{"plain", ByGoGit, "", func(t *testing.T) string { return storied(t) }},
		{"packed, with packed refs", ByGoGit, "", after("gc", "-q")},
		{"detached", ByGoGit, "", after("checkout", "-q", "--detach")},
		{"index of version 4", ByGoGit, "", after("update-index", "--index-version=4")},
		{"split index", ByGoGit, "", after("update-index", "--split-index")},
		{"linked worktree", ByGoGit, "", func(t *testing.T) string {
			dir, wt := storied(t), filepath.Join(t.TempDir(), "wt")
			stock(t, dir, "worktree", "add", "-q", wt, "side")
			return wt
		}},
		{"worktree of a bare repository", ByGoGit, "", func(t *testing.T) string {
			bare, wt := cloned("--bare")(t), filepath.Join(t.TempDir(), "wt")
			stock(t, bare, "worktree", "add", "-q", wt, "side")
			return wt
		}},
		{"bare", ByGoGit, "", cloned("--bare")},
		{"git folder elsewhere", ByGoGit, "", func(t *testing.T) string {
			dir := storied(t)
			stock(t, dir, "init", "-q", "--separate-git-dir", filepath.Join(t.TempDir(), "elsewhere"))
			return dir
		}},
		{"submodule", ByGoGit, "", func(t *testing.T) string {
			dir, outer := storied(t), storied(t)
			stock(t, outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", dir, "lib")
			return filepath.Join(outer, "lib")
		}},
		{"sparse", ByCommand, "extension", after("sparse-checkout", "set", "dir")},
		{"precious objects", ByCommand, "extension", func(t *testing.T) string {
			dir := storied(t)
			stock(t, dir, "config", "core.repositoryFormatVersion", "1")
			stock(t, dir, "config", "extensions.preciousObjects", "true")
			return dir
		}},
		{"shallow clone", ByCommand, "shallow", cloned("--depth=1")},
		{"partial clone", ByCommand, "partial", cloned("--filter=blob:none")},
		{"shared clone", ByCommand, "another repository", func(t *testing.T) string {
			dir, to := storied(t), filepath.Join(t.TempDir(), "shared")
			stock(t, dir, "clone", "-q", "--shared", dir, to)
			return to
		}},
		{"reftable", ByCommand, "", func(t *testing.T) string { return storied(t, "--ref-format=reftable") }},
		{"SHA-256", ByCommand, "", func(t *testing.T) string { return storied(t, "--object-format=sha256") }},
	}
}

// digest is a hash of all that lies in a folder: names, kinds, permissions, times and content.
func digest(t *testing.T, dir string) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %v %d\n", path, info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(h, "%d\n%s", len(b), b)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func TestEveryShapeIsReadTheWayThatWorksForIt(t *testing.T) {
	ctx := context.Background()
	for _, s := range shapes() {
		t.Run(s.name, func(t *testing.T) {
			if s.name == "reftable" {
				if out, err := tryStock(t.TempDir(), "init", "-q", "--ref-format=reftable"); err != nil {
					t.Skipf("this git cannot make one: %s", out)
				}
			}
			l, ok := Find(s.make(t), never)
			if !ok {
				t.Fatal("not found")
			}
			before := digest(t, l.CommonDir) + digest(t, l.Root)
			a, err := Probe(ctx, l)
			if err != nil || a.Way != s.way || !strings.Contains(a.Why, s.why) || (a.Why == "") != (a.Way == ByGoGit) {
				t.Fatalf("%+v, %v; want %s", a, err, s.way)
			}
			log, err := Log(ctx, l, a, LogQuery{})
			if err != nil || len(log) == 0 {
				t.Fatalf("%+v, %v", log, err)
			}
			if s.name != "shallow clone" && len(log) != 5 && s.name != "SHA-256" {
				t.Errorf("%d commits", len(log))
			}
			agents, err := Log(ctx, l, a, LogQuery{Mail: "agent@dormouse.invalid", Limit: 3})
			if err != nil || len(agents) > 1 || len(agents) == 1 && (agents[0].Subject != "Change a" || agents[0].Body != "With a body.\nOf two lines.") {
				t.Errorf("the agent's: %+v, %v", agents, err)
			}
			for _, e := range log {
				if got, err := Lookup(ctx, l, a, e.SHA[:12]); err != nil || !reflect.DeepEqual(got, e) {
					t.Errorf("%+v and %+v, %v", got, e, err)
				}
				shown, err := Show(ctx, l, a, e.SHA, 1<<20)
				if s.name == "partial clone" && err != nil {
					continue // its contents are not here, and nothing is fetched
				}
				if err != nil || shown.SHA != e.SHA || (len(shown.Files) == 0) != (shown.Diff == "") {
					t.Errorf("%s: %+v, %v", e.Subject, shown, err)
				}
			}
			if info, err := Inspect(ctx, l); err != nil || info.Head == "" {
				t.Errorf("%+v, %v", info, err)
			}
			if after := digest(t, l.CommonDir) + digest(t, l.Root); after != before {
				t.Error("reading changed the repository")
			}
		})
	}
}

func TestBothWaysOfReadingCommitsSayTheSame(t *testing.T) {
	ctx := context.Background()
	l, _ := Find(storied(t), never)
	all, err := logCommand(ctx, l, LogQuery{})
	if err != nil || len(all) != 5 {
		t.Fatalf("%+v %v", all, err)
	}
	for _, q := range []LogQuery{{}, {Limit: 2}, {Mail: "agent@dormouse.invalid"}, {Mail: "agent@dormouse"}, {Since: all[2].Time}, {Until: all[2].Time, Limit: 2}, {Since: all[3].Time, Until: all[1].Time}} {
		a, errA := logGoGit(ctx, l, q)
		b, errB := logCommand(ctx, l, q)
		if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%+v:\n%+v %v\n%+v %v", q, a, errA, b, errB)
		}
	}
	for _, e := range all {
		a, errA := showGoGit(ctx, l, e.SHA, 1<<20)
		b, errB := showCommand(ctx, l, e.SHA, 1<<20)
		if errA != nil || errB != nil || !reflect.DeepEqual(a.LogEntry, b.LogEntry) || !reflect.DeepEqual(sorted(a.Files), sorted(b.Files)) {
			t.Errorf("%s:\n%+v %v\n%+v %v", e.Subject, a.Files, errA, b.Files, errB)
		}
		short, errA := showGoGit(ctx, l, e.SHA, 200)
		cut, errB := showCommand(ctx, l, e.SHA, 200)
		if errA != nil || errB != nil || short.Cut != (len(a.Diff) > 200) || cut.Cut != (len(b.Diff) > 200) || len(cut.Diff) > 200 || !strings.HasPrefix(b.Diff, cut.Diff) {
			t.Errorf("%s: cut to %d and %d bytes: %v %v", e.Subject, len(short.Diff), len(cut.Diff), errA, errB)
		}
	}
	for _, id := range []string{"0000", strings.Repeat("0", 40), strings.Repeat("0", 64)} {
		if _, err := lookupGoGit(l, id); !errors.Is(err, ErrNoCommit) {
			t.Errorf("go-git, %s: %v", id, err)
		}
		if _, err := lookupCommand(ctx, l, id); !errors.Is(err, ErrNoCommit) {
			t.Errorf("git, %s: %v", id, err)
		}
	}
}

func sorted(list []FileChange) map[string]FileChange {
	out := map[string]FileChange{}
	for _, f := range list {
		out[f.Path] = f
	}
	return out
}

func TestAShortIDThatSeveralCommitsBeginWithIsAmbiguous(t *testing.T) {
	dir := userRepo(t)
	seen := map[string]string{}
	var short string
	for i := 0; short == ""; i++ {
		tree := stock(t, dir, "write-tree")
		oid := stock(t, dir, "commit-tree", "-m", fmt.Sprint("c", i), tree)
		if seen[oid[:4]] != "" && seen[oid[:4]] != oid {
			short = oid[:4]
		}
		seen[oid[:4]] = oid
		if i > 2000 {
			t.Fatal("no two ids begin alike")
		}
	}
	l, _ := Find(dir, never)
	for _, way := range []Way{ByGoGit, ByCommand} {
		if _, err := Lookup(t.Context(), l, Access{Way: way}, short); !errors.Is(err, ErrAmbiguous) {
			t.Errorf("%s: %v", way, err)
		}
		for _, id := range []string{"HEAD", "--all", "", "abc", "ABCD1234", "abcd; rm"} {
			if _, err := Lookup(t.Context(), l, Access{Way: way}, id); !errors.Is(err, ErrNoCommit) {
				t.Errorf("%s: %q: %v", way, id, err)
			}
			if _, err := Show(t.Context(), l, Access{Way: way}, id, 10); !errors.Is(err, ErrNoCommit) {
				t.Errorf("%s: %q: %v", way, id, err)
			}
		}
	}
}

func TestARepositoryWithoutCommitsHasAnEmptyLog(t *testing.T) {
	dir := t.TempDir()
	stock(t, dir, "init", "-q")
	l, _ := Find(dir, never)
	a, err := Probe(t.Context(), l)
	if err != nil || a.Way != ByGoGit {
		t.Fatalf("%+v, %v", a, err)
	}
	for _, way := range []Way{ByGoGit, ByCommand} {
		if log, err := Log(t.Context(), l, Access{Way: way}, LogQuery{}); err != nil || len(log) != 0 {
			t.Errorf("%s: %+v, %v", way, log, err)
		}
	}
}

func TestWhatGoGitFindsBrokenIsAskedOfTheCommand(t *testing.T) {
	l, _ := Find(cloned("--depth=1")(t), never)
	if log, err := Log(t.Context(), l, Access{Way: ByGoGit}, LogQuery{}); err != nil || len(log) != 1 {
		t.Errorf("a shallow clone that was taken for a whole one: %+v, %v", log, err)
	}
}

func TestALargeChangeIsLeftToTheCommand(t *testing.T) {
	dir := userRepo(t)
	files(t, dir, map[string]string{"big": strings.Repeat("0123456789\n", maxBlobGoGit/10)})
	stock(t, dir, "add", ".")
	stock(t, dir, "commit", "-qm", "Big")
	l, _ := Find(dir, never)
	id := stock(t, dir, "rev-parse", "HEAD")
	if _, err := showGoGit(t.Context(), l, id, 100); !errors.Is(err, errLarge) {
		t.Error(err)
	}
	s, err := Show(t.Context(), l, Access{Way: ByGoGit}, id, 1000)
	if err != nil || !s.Cut || len(s.Diff) > 1000 || len(s.Files) != 1 || s.Files[0].Added != maxBlobGoGit/10 {
		t.Errorf("%+v, %v", s.Files, err)
	}
}

func TestARepositoryOfAnotherUserIsRefusedUntilItIsTrusted(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() != 0 {
		t.Skip("only root can give a folder to another user")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, "gitconfig"))
	dir := storied(t)
	if err := os.Chown(dir, 4242, 4242); err != nil {
		t.Fatal(err)
	}
	l, _ := Find(dir, never)
	if _, err := Probe(t.Context(), l); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "safe.directory") {
		t.Fatalf("%v", err)
	}
	if _, err := gitcmd.Read(t.Context(), dir, "status"); !errors.Is(err, ErrForeign) {
		t.Errorf("stock git thinks otherwise: %v", err)
	}
	files(t, home, map[string]string{"gitconfig": "[safe]\n\tdirectory = " + dir + "\n"})
	if a, err := Probe(t.Context(), l); err != nil || a.Way != ByGoGit {
		t.Errorf("trusted: %+v, %v", a, err)
	}
	t.Setenv("PATH", "")
	if _, err := Probe(t.Context(), l); !errors.Is(err, ErrForeign) {
		t.Errorf("without git: %v", err)
	}
}

func TestARepositoryThatNeitherWayReadsIsAnErrorWithBothReasons(t *testing.T) {
	dir := storied(t)
	files(t, dir, map[string]string{".git/HEAD": "junk"})
	l, ok := Find(dir, never)
	if !ok {
		t.Fatal("not found")
	}
	if _, err := Probe(t.Context(), l); err == nil || !strings.Contains(err.Error(), "go-git: ") || !strings.Contains(err.Error(), "the git command: ") {
		t.Errorf("%v", err)
	}
}

func FuzzParseChanges(f *testing.F) {
	f.Add(":100644 100644 a b M\x00x\x00", "1\t2\tx\x00")
	f.Add(":100644 100644 a b R100\x00x\x00y\x00", "0\t0\t\x00x\x00y\x00")
	f.Add(":000000 100644 0 b A\x00bin\x00", "-\t-\tbin\x00")
	f.Fuzz(func(t *testing.T, raw, numbers string) {
		list, err := parseChanges(gitcmd.Output{Stdout: []byte(raw)}.Fields(), gitcmd.Output{Stdout: []byte(numbers)}.Fields())
		for _, c := range list {
			if err != nil || c.Op == "" {
				t.Errorf("%+v, %v", c, err)
			}
		}
	})
}

func FuzzParseEntry(f *testing.F) {
	f.Add("abc\np1 p2\nName\nmail\n1\n2\nSubject\n\nBody")
	f.Fuzz(func(t *testing.T, raw string) {
		if e, err := parseEntry(raw); err == nil && strings.Contains(e.Subject, "\n") {
			t.Errorf("%+v", e)
		}
	})
}
