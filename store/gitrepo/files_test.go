package gitrepo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestCommitFilesAddsChangesAndRemoves(t *testing.T) {
	r := newRepo(t)
	put2(t, r, "log/m1/2026-01-01.jsonl", "one\n")
	put2(t, r, "log/m1/2026-01-02.jsonl", "two\n")
	put2(t, r, "log.txt", "beside log/\n")
	put2(t, r, "meta.json", "{}")
	first, err := r.CommitFiles([]string{"log/m1/2026-01-01.jsonl", "log/m1/2026-01-02.jsonl", "log.txt"}, "First", 1000)
	if err != nil {
		t.Fatal(err)
	}
	if same, err := r.CommitFiles([]string{"log.txt"}, "Nothing new", 1001); err != nil || same != first {
		t.Errorf("a commit without a change: %s %v", same, err)
	}
	put2(t, r, "log/m1/2026-01-02.jsonl", "two\nthree\n")
	put2(t, r, "log/m2/x", "new\n")
	if err := os.Remove(filepath.Join(r.dir, "log", "m1", "2026-01-01.jsonl")); err != nil {
		t.Fatal(err)
	}
	second, err := r.CommitFiles([]string{"log/m1/2026-01-02.jsonl", "log/m2/x", "log/m1/2026-01-01.jsonl"}, "Second\n\nwith why\n", 2000)
	if err != nil {
		t.Fatal(err)
	}
	fsck(t, r)
	if out := stock(t, r.dir, "status", "--porcelain"); out != "" {
		t.Errorf("status: %s", out)
	}
	if out := stock(t, r.dir, "ls-tree", "-r", "--name-only", second.String()); out != "log.txt\nlog/m1/2026-01-02.jsonl\nlog/m2/x" {
		t.Errorf("tree: %s", out)
	}
	if out := stock(t, r.dir, "log", "-1", "--format=%P %at %an %B"); out != first.String()+" 2000 Dormouse Second\n\nwith why" {
		t.Errorf("log: %s", out)
	}
	if out := stock(t, r.dir, "show", "HEAD:log/m1/2026-01-02.jsonl"); out != "two\nthree" {
		t.Errorf("show: %s", out)
	}
	for _, p := range []string{"log/m2/x", "log/m1/2026-01-02.jsonl", "log.txt"} {
		if err := os.Remove(filepath.Join(r.dir, filepath.FromSlash(p))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.CommitFiles([]string{"log/m2/x", "log/m1/2026-01-02.jsonl", "log.txt", "never"}, "Empty", 3000); err != nil {
		t.Fatal(err)
	}
	if out := stock(t, r.dir, "ls-tree", "-r", "HEAD"); out != "" {
		t.Errorf("tree: %s", out)
	}
	fsck(t, r)
}

func TestCommitFilesRefusesWhatIsNotAFileBelowTheFolder(t *testing.T) {
	r := newRepo(t)
	if err := os.Mkdir(filepath.Join(r.dir, "d"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"../x", "/etc/passwd", ".git/config", "a/.git/b", "", "a//b", "d"} {
		if _, err := r.CommitFiles([]string{p}, "x", 0); err == nil {
			t.Errorf("%q is committed", p)
		}
	}
	if oid, err := r.Ref(MainBranch); err != nil || !oid.IsZero() {
		t.Error(oid, err)
	}
}

func TestCommitFilesLeavesAnotherBranchsIndexAlone(t *testing.T) {
	r := newRepo(t)
	put2(t, r, "a", "1")
	if _, err := r.CommitFiles([]string{"a"}, "One", 1); err != nil {
		t.Fatal(err)
	}
	put2(t, r, "a", "2")
	if _, err := r.CommitFiles([]string{"a"}, "Two", 2); err != nil {
		t.Fatal(err)
	}
	stock(t, r.dir, "checkout", "-q", "-b", "old", "HEAD~1")
	put2(t, r, "b", "3")
	if _, err := r.CommitFiles([]string{"b"}, "Three", 3); err != nil {
		t.Fatal(err)
	}
	if out := stock(t, r.dir, "status", "--porcelain"); out != "?? b" {
		t.Errorf("status: %s", out)
	}
	if out := stock(t, r.dir, "log", "--format=%s", "main"); out != "Three\nTwo\nOne" {
		t.Errorf("log: %s", out)
	}
}

func TestRefMovesOnlyFromWhereItIs(t *testing.T) {
	r := newRepo(t)
	tip, _ := packedHistory(t, r, 2)
	if err := r.SetRef(MainBranch, OID{}, tip); !errors.Is(err, ErrMoved) || !strings.Contains(err.Error(), tip.String()) {
		t.Error(err)
	}
	if err := r.SetRef("refs/heads/retry/x", OID{}, tip); err != nil {
		t.Error(err)
	}
	if out := stock(t, r.dir, "rev-parse", "retry/x"); out != tip.String() {
		t.Error(out)
	}
	if err := os.WriteFile(r.refPath(MainBranch), []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Ref(MainBranch); err == nil || !strings.Contains(err.Error(), r.dir) {
		t.Error(err)
	}
}

func TestLockOfAGitCommandIsHonouredAndOneOfOursThatWasLeftIsBroken(t *testing.T) {
	r := newRepo(t)
	tip, tree := packedHistory(t, r, 2)
	for name, try := range map[string]func() error{
		"refs/heads/main": func() error { return r.SetRef(MainBranch, tip, tip) },
		"index":           func() error { coldIndex(t, r, tree); return nil },
	} {
		path := filepath.Join(r.git, filepath.FromSlash(name)) + ".lock"
		if err := r.makeLock(path); err != nil { // as a killed process leaves it
			t.Fatal(err)
		}
		if err := try(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is still locked", name)
		}
	}
	for name, try := range map[string]func() error{
		"refs/heads/main": func() error { return r.SetRef(MainBranch, tip, tip) },
		"index":           func() error { return r.WriteIndex(0, func(func(IndexEntry) bool) {}) },
	} {
		path := filepath.Join(r.git, filepath.FromSlash(name)) + ".lock"
		if err := os.WriteFile(path, nil, 0o600); err != nil { // git's
			t.Fatal(err)
		}
		if err := try(); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.Remove(path); err != nil {
			t.Errorf("git's lock was taken away: %v", err)
		}
	}
	fsck(t, r)
}

func TestObjectsThatAreNotThereOrDamagedAreToldApart(t *testing.T) {
	r := newRepo(t)
	oid, err := r.WriteLoose(Blob, []byte("content"))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Object(OID{1}); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if n, err := r.Reader().Size(oid); err != nil || n != 7 {
		t.Error(n, err)
	}
	raw, err := os.ReadFile(r.loosePath(oid))
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)-1] ^= 1 // the checksum
	if err := os.WriteFile(r.loosePath(oid), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Object(oid); err == nil || errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
	x := r.Reader()
	for name, try := range map[string]func(OID) error{
		"commit": func(o OID) error { _, err := x.Commit(o); return err },
		"tree":   func(o OID) error { _, err := x.Tree(o); return err },
	} {
		o, err := r.WriteLoose(Blob, []byte(name))
		if err != nil {
			t.Fatal(err)
		}
		if err := try(o); err == nil {
			t.Errorf("a blob is read as a %s", name)
		}
	}
	put2(t, r, "d/f", "x")
	head, err := r.CommitFiles([]string{"d/f"}, "x", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"d/g", "e", "d/f/g"} {
		if _, err := x.File(head, p); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", p, err)
		}
	}
	if _, err := x.File(head, "d"); err == nil {
		t.Error("a folder is read as a file")
	}
}

func TestInitFillsInWhatIsMissingAndKeepsTheRest(t *testing.T) {
	r := newRepo(t)
	head := filepath.Join(r.git, "HEAD")
	if err := os.Truncate(head, 0); err != nil { // as after a loss of power
		t.Fatal(err)
	}
	exclude := filepath.Join(r.git, "info", "exclude")
	if err := os.WriteFile(exclude, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.Init(nil); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(exclude); string(b) != "mine\n" || !r.OnMain() || !r.Exists() {
		t.Errorf("exclude %q, on main %v", b, r.OnMain())
	}
	if runtime.GOOS != "windows" {
		for _, p := range []string{r.git, head} {
			if info, err := os.Stat(p); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v %v", p, info.Mode(), err)
			}
		}
	}
	if Open(t.TempDir()).Exists() {
		t.Error("an empty folder is a repository")
	}
}

func TestGitMayChangeOurRepositoryBetweenOurCommits(t *testing.T) {
	r := newRepo(t)
	for i := range 6 {
		put2(t, r, "f", fmt.Sprint("version ", i))
		if i%2 == 0 {
			if _, err := r.CommitFiles([]string{"f"}, fmt.Sprint(i), int64(i)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		stock(t, r.dir, "commit", "-qam", fmt.Sprint(i))
		stock(t, r.dir, "gc", "-q", "--prune=now")
	}
	if out := stock(t, r.dir, "log", "--format=%s"); out != "5\n4\n3\n2\n1\n0" {
		t.Errorf("log: %s", out)
	}
	fsck(t, r)
}
