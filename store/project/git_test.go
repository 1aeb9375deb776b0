package project

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"dormouse/store/gitrepo"
)

// settle gives the test a person of its own: a home folder and git settings. It returns the settings' path.
func settle(t *testing.T) string {
	t.Helper()
	home := resolved(t.TempDir())
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("GNUPGHOME", filepath.Join(home, ".gnupg"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	settings := filepath.Join(home, "gitconfig")
	t.Setenv("GIT_CONFIG_GLOBAL", settings)
	put(t, settings, "[user]\n\tname = Robin\n\temail = robin@example.org\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n")
	return settings
}

func put(t *testing.T, path, content string) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func script(t *testing.T, path, body string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("this test plants a script for sh")
	}
	put(t, path, "#!/bin/sh\n"+body+"\n")
	if err := os.Chmod(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

// mine runs git as the person does, with the settings of settle.
func mine(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimRight(string(out), "\n")
}

// work makes a repository of the person's with two committed files and one that is ignored.
func work(t *testing.T) string {
	t.Helper()
	dir := resolved(t.TempDir())
	mine(t, dir, "init", "-q")
	put(t, filepath.Join(dir, "a.txt"), "1\n")
	put(t, filepath.Join(dir, "dir", "b.txt"), "b\n")
	put(t, filepath.Join(dir, ".gitignore"), "*.log\n")
	mine(t, dir, "add", ".")
	mine(t, dir, "commit", "-qm", "First")
	put(t, filepath.Join(dir, "build.log"), "ignored\n")
	return dir
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

// anyone is a registry of a person without a home folder.
var anyone = New(Options{})

func opened(t *testing.T, dir string) Git {
	t.Helper()
	g, err := anyone.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func statusOf(t *testing.T, dir string) Status {
	t.Helper()
	s, err := opened(t, dir).Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStatusTellsBranchHeadAndChanges(t *testing.T) {
	settle(t)
	dir := work(t)
	s := statusOf(t, filepath.Join(dir, "dir"))
	if s.Branch != "main" || s.Head != mine(t, dir, "rev-parse", "HEAD") || !s.Clean() || s.Doing != "" {
		t.Errorf("clean: %+v", s)
	}
	put(t, filepath.Join(dir, "a.txt"), "2\n")
	put(t, filepath.Join(dir, "new dir", "ünicode\nname"), "x")
	mine(t, dir, "mv", "dir/b.txt", "dir/c.txt")
	want := map[string]string{"a.txt": ".M", "new dir/": "??", "dir/b.txt": "D.", "dir/c.txt": "A."}
	s = statusOf(t, dir)
	for _, ch := range s.Changes {
		if want[ch.Path] != ch.Code {
			t.Errorf("%+v", ch)
		}
	}
	if len(s.Changes) != len(want) {
		t.Errorf("%+v", s.Changes)
	}
	mine(t, dir, "checkout", "-q", "--detach")
	if s := statusOf(t, dir); s.Branch != "" || s.Head == "" {
		t.Errorf("detached: %+v", s)
	}
	fresh := t.TempDir()
	mine(t, fresh, "init", "-q")
	if s := statusOf(t, fresh); s.Branch != "main" || s.Head != "" || !s.Clean() {
		t.Errorf("no commit: %+v", s)
	}
}

func TestReadingChangesNothingInThePersonsRepository(t *testing.T) {
	settle(t)
	dir := work(t)
	put(t, filepath.Join(dir, "a.txt"), "2\n")
	// A clean file whose times have changed: git status would like to write the index.
	put(t, filepath.Join(dir, "dir", "b.txt"), "b\n")
	before := digest(t, dir)
	g := opened(t, dir)
	if _, err := g.Status(t.Context()); err != nil {
		t.Error(err)
	}
	log, err := g.Log(t.Context(), gitrepo.LogQuery{})
	if err != nil || len(log) != 1 {
		t.Fatalf("%+v, %v", log, err)
	}
	if s, err := g.Show(t.Context(), log[0].SHA, 1<<20); err != nil || len(s.Files) != 3 {
		t.Errorf("%+v, %v", s, err)
	}
	if e, err := g.Lookup(t.Context(), log[0].SHA[:8]); err != nil || e.Subject != "First" {
		t.Errorf("%+v, %v", e, err)
	}
	r := New(Options{Dir: t.TempDir()})
	if p, err := r.Resolve(t.Context(), Hints{Cwd: dir}); err != nil || p.FirstCommit != log[0].SHA {
		t.Errorf("%+v, %v", p, err)
	}
	if after := digest(t, dir); after != before {
		t.Error("the repository or its work tree has changed")
	}
	mine(t, dir, "status")
	if digest(t, dir) == before {
		t.Error("the comparison sees nothing: stock git status writes the index here")
	}
}

func TestWhatIsUnderWayIsTold(t *testing.T) {
	settle(t)
	for doing, start := range map[string]func(t *testing.T, dir string){
		"a merge":         func(t *testing.T, dir string) { fails(t, dir, "merge", "other") },
		"a rebase":        func(t *testing.T, dir string) { fails(t, dir, "rebase", "other") },
		"a cherry-pick":   func(t *testing.T, dir string) { fails(t, dir, "cherry-pick", "other") },
		"a revert":        func(t *testing.T, dir string) { mine(t, dir, "revert", "--no-commit", "HEAD~1..HEAD") },
		"a bisect":        func(t *testing.T, dir string) { mine(t, dir, "bisect", "start") },
		"the applying":    func(t *testing.T, dir string) { put(t, filepath.Join(dir, ".git", "rebase-apply", "applying"), "") },
		"cherry-picks or": func(t *testing.T, dir string) { put(t, filepath.Join(dir, ".git", "sequencer", "todo"), "") },
	} {
		t.Run(doing, func(t *testing.T) {
			dir := torn(t)
			if s := statusOf(t, dir); s.Doing != "" {
				t.Fatalf("before: %+v", s)
			}
			start(t, dir)
			if s := statusOf(t, dir); !strings.Contains(s.Doing, doing) {
				t.Errorf("%+v", s)
			}
		})
	}
}

// torn is a repository whose branch main and branch other have changed the same line.
func torn(t *testing.T) string {
	t.Helper()
	dir := work(t)
	mine(t, dir, "checkout", "-qb", "other")
	put(t, filepath.Join(dir, "a.txt"), "theirs\n")
	mine(t, dir, "commit", "-qam", "Theirs")
	mine(t, dir, "checkout", "-q", "main")
	put(t, filepath.Join(dir, "a.txt"), "ours\n")
	mine(t, dir, "commit", "-qam", "Ours")
	return dir
}

func fails(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	if err := c.Run(); err == nil {
		t.Fatalf("git %s succeeds", strings.Join(args, " "))
	}
}

func TestAFolderWithoutRepositoryAndABareOneHaveNoStatus(t *testing.T) {
	settle(t)
	if _, err := anyone.Open(t.Context(), t.TempDir()); !errors.Is(err, ErrNoRepository) {
		t.Error(err)
	}
	if _, err := anyone.Open(t.Context(), "relative"); !errors.Is(err, ErrNoRepository) {
		t.Error(err)
	}
	dir := t.TempDir()
	mine(t, dir, "init", "-q", "--bare")
	if _, err := opened(t, dir).Status(t.Context()); err == nil || !strings.Contains(err.Error(), "bare") {
		t.Error(err)
	}
}

func TestParsingAStatusRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, parts := range [][]string{{"1 too short"}, {"x unknown"}, {"u a b"}} {
		if s, err := parseStatus(parts); err == nil {
			t.Errorf("%q gives %+v", parts, s)
		}
	}
	s, err := parseStatus([]string{"2 R. N... 100644 100644 100644 a b R100 new", "old", "u UU N... 1 2 3 4 a b c with space"})
	if err != nil || len(s.Changes) != 2 || s.Changes[0].Path != "new" || s.Changes[1] != (Change{"UU", "with space"}) {
		t.Errorf("%+v, %v", s, err)
	}
}

func FuzzParseStatus(f *testing.F) {
	f.Add("# branch.oid (initial)\x00# branch.head main\x00? a\x001 .M N... 100644 100644 100644 a b path")
	f.Add("2 R. N... 1 2 3 a b R100 new\x00old\x00u UU N... 1 2 3 4 a b c p")
	f.Fuzz(func(t *testing.T, raw string) {
		s, err := parseStatus(strings.Split(raw, "\x00"))
		if err == nil && s.Clean() != (len(s.Changes) == 0) {
			t.Error("wrong")
		}
	})
}

// logOfAgent asks for what was committed for agents.
var logOfAgent = gitrepo.LogQuery{Mail: AgentMail}
