package shadow

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/memory"
	"dormouse/store/project/edit"
)

func TestWhatIsNotTheProjectsBusinessIsNamedAndNotKept(t *testing.T) {
	w := newWorld(t)
	w.opts.Exclude = []string{"build/", "*.key"}
	w.opts.MaxFile = 50
	w.s = New(w.opts)
	outside := filepath.Join(filepath.Dir(w.dir), "other", "f")
	s := newScript().prompt("1").create(outside, "x\n").create(w.path("build/out/f"), "x\n").create(w.path("a/my.key"), "x\n").
		create(w.path(".git/config"), "x\n").create(w.path("sub/.GIT./hooks/x"), "x\n").create(w.path(".gitmodules"), "x\n").
		create(w.path(".dormouse/x"), "x\n").create(w.path("long"), strings.Repeat("x", 51)).create(w.path("env"), "key=SECRET\n").
		create(`C:\windows\f`, "x\n").create(w.path("fine"), "x\n").says("")
	w.record("c1", s)
	w.fsck()
	w.want("c1", 1,
		filepath.ToSlash(outside)+`: unknown (outside the project's folder) -> unknown (outside the project's folder)`,
		`build/out/f: unknown (excluded by the settings) -> unknown (excluded by the settings)`,
		`a/my.key: unknown (excluded by the settings) -> unknown (excluded by the settings)`,
		`.git/config: unknown (its name has a meaning for git) -> unknown (its name has a meaning for git)`,
		`sub/.GIT./hooks/x: unknown (its name has a meaning for git) -> unknown (its name has a meaning for git)`,
		`.gitmodules: unknown (its name has a meaning for git) -> unknown (its name has a meaning for git)`,
		`.dormouse/x: unknown (its name has a meaning for git) -> unknown (its name has a meaning for git)`,
		`long: exact absent -> exact (longer than the limit)`,
		`env: exact absent -> exact (holds a secret)`,
		`C:\windows\f: unknown (outside the project's folder) -> unknown (outside the project's folder)`,
		`fine: exact absent -> exact "x\n"`)
	if got := w.git("ls-tree", "-r", "--name-only", "session/c1"); got != "fine\n" {
		t.Errorf("kept: %s", got)
	}
	out, err := exec.Command("grep", "-rl", "SECRET", w.opts.Dir).Output()
	if err == nil || len(out) > 0 {
		t.Errorf("the secret lies in %s", out)
	}
}

func TestAContentThatCannotBeLookedThroughIsNotKept(t *testing.T) {
	w := newWorld(t)
	w.opts.Secret = func(string) (bool, error) { return false, errors.New("broken rule") }
	w.s = New(w.opts)
	w.record("c1", newScript().prompt("1").create(w.path("a"), "x\n").blind(w.path("b"), "x", "y").says(""))
	w.want("c1", 1, `a: exact absent -> exact (holds a secret)`, `b: unknown (not known) -> unknown (not known)`)
	if got := w.git("ls-tree", "-r", "--name-only", "session/c1"); got != "" {
		t.Errorf("kept: %s", got)
	}
}

func TestAContentWhoseSecretWasTakenOutIsNotKnown(t *testing.T) {
	w := newWorld(t)
	s := newScript().prompt("1").create(w.path("env"), "key = [redacted:"+"generic:0a1b2c]\n").says("")
	s.nodes[1].Metadata.Redacted = 1
	w.record("c1", s)
	w.want("c1", 1, `env: exact absent -> unknown (not known)`)
}

// repository makes the project a git repository with some ignored files.
func (w *world) repository() {
	w.t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"config", "user.name", "x"}, {"config", "user.email", "x@x"}} {
		w.inProject(args...)
	}
	w.write(".gitignore", "*.log\n/dist/\n", 1_600_000_000)
	w.write("tracked.log", "t\n", 1_600_000_000)
	w.inProject("add", "-f", ".gitignore", "tracked.log")
	w.inProject("commit", "-qm", "first")
}

func (w *world) inProject(args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", w.dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// bytes are all files of a folder with their contents.
func bytesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			out[p] = d.Type().String()
			return err
		}
		b, err := os.ReadFile(p)
		info, err2 := d.Info()
		if err2 == nil {
			out[p] = string(b) + info.ModTime().String() + info.Mode().String()
		}
		return errors.Join(err, err2)
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestIgnoredFilesAreNotKeptAndTheUsersRepositoryStaysAsItIs(t *testing.T) {
	w := newWorld(t)
	w.repository()
	w.write("sub/.gitignore", "private\n", 1_600_000_000)
	if err := os.Symlink(w.dir, w.path("loop")); err == nil {
		defer os.Remove(w.path("loop"))
	}
	before := bytesOf(t, w.dir)
	s := newScript().prompt("1").create(w.path("a.log"), "x\n").create(w.path("dist/js/b.js"), "x\n").create(w.path("sub/private"), "x\n").
		replace(w.path("tracked.log"), "t\n", "t", "u").create(w.path("loop/f"), "x\n").create(w.path("kept"), "x\n").says("")
	w.record("c1", s)
	w.want("c1", 1,
		`a.log: unknown (ignored by git) -> unknown (ignored by git)`,
		`dist/js/b.js: unknown (ignored by git) -> unknown (ignored by git)`,
		`sub/private: unknown (ignored by git) -> unknown (ignored by git)`,
		`tracked.log: exact "t\n" -> exact "u\n"`,
		`f: exact absent -> exact "x\n"`, // by the name that it has behind the link
		`kept: exact absent -> exact "x\n"`)
	after := bytesOf(t, w.dir)
	for p, b := range after {
		if before[p] != b {
			t.Errorf("%s was changed", p)
		}
	}
	if len(after) != len(before) {
		t.Error("the project has more or fewer files")
	}
}

func TestRepositoriesInTheProjectAreAskedForTheirOwnFiles(t *testing.T) {
	w := newWorld(t)
	w.repository()
	nested := &world{t: t, dir: w.path("vendor/lib")}
	if err := os.MkdirAll(nested.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	nested.repository()
	w.write("dist/clone/f", "", 1)
	hidden := &world{t: t, dir: w.path("dist/clone")}
	hidden.repository()
	got, err := GitIgnored(context.Background(), w.dir, []string{"vendor/lib/x.log", "vendor/lib/x", "dist/clone/x", "x.log", "x", "no/such/x.log"})
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[string]bool{"vendor/lib/x.log": true, "vendor/lib/x": false, "dist/clone/x": true, "x.log": true, "x": false, "no/such/x.log": true} {
		if got[p] != want {
			t.Errorf("%s: ignored %v", p, got[p])
		}
	}
}

func TestNothingIsKeptWhileGitCannotBeAsked(t *testing.T) {
	w := newWorld(t)
	w.opts.Ignored = func(context.Context, string, []string) (map[string]bool, error) { return nil, errors.New("no git") }
	w.s = New(w.opts)
	s := newScript().prompt("1").create(w.path("a"), "x\n").says("")
	if _, err := w.s.Record(context.Background(), w.session("c1", s)); err == nil {
		t.Fatal("recorded")
	}
	w.opts.Ignored = nil
	w.s = New(w.opts)
	w.record("c1", s)
	w.want("c1", 1, `a: exact absent -> exact "x\n"`)
}

func TestFilesOfAWorkTreeThatIsGoneKeepTheirNames(t *testing.T) {
	w := newWorld(t)
	s := newScript().prompt("1").create("/gone/worktree/src/a", "x\n").tool("null", memory.Edit{Path: "src/b", Op: edit.Create, Diff: "+x\n"}).says("")
	x := w.session("c1", s)
	x.Cwd = "/gone/worktree"
	if _, err := w.s.Record(context.Background(), x); err != nil {
		t.Fatal(err)
	}
	w.want("c1", 1, `src/a: exact absent -> exact "x\n"`, `src/b: exact absent -> exact "x\n"`)
}
