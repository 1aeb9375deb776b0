package gitrepo

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDescendsFindsEveryAncestorAndNobodyElse(t *testing.T) {
	r := newRepo(t)
	one := commitOf(t, r, "a", "1")
	two := commitOf(t, r, "a", "2")
	c, err := r.Reader().Commit(two)
	if err != nil {
		t.Fatal(err)
	}
	side, err := r.JoinCommit(c.Tree, "side", one)
	if err != nil {
		t.Fatal(err)
	}
	join, err := r.JoinCommit(c.Tree, "join", two, side)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := r.JoinCommit(c.Tree, "join", side, two); err != nil || again != join {
		t.Errorf("the order of the parents shows: %v %v %v", join, again, err)
	}
	for _, tt := range []struct {
		tip, base OID
		want      bool
	}{{join, one, true}, {join, side, true}, {join, two, true}, {two, two, true}, {one, two, false}, {side, two, false}} {
		if got, err := r.Reader().Descends(tt.tip, tt.base); err != nil || got != tt.want {
			t.Errorf("%v on %v: %v %v", tt.tip, tt.base, got, err)
		}
	}
	if _, err := r.Reader().Descends(Sum(Blob, nil), one); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
	if err := r.Advance(two, join); err != nil {
		t.Fatal(err)
	}
	if err := r.Advance(two, side); !errors.Is(err, ErrMoved) {
		t.Errorf("%v", err)
	}
	fsck(t, r)
	if out := stock(t, r.dir, "status", "--porcelain"); out != "" {
		t.Error(out)
	}
}

func TestGraftPutsFilesInAndKeepsTheRestWhateverItIs(t *testing.T) {
	r := newRepo(t)
	base := commitOf(t, r, "log/aa/1", "one")
	put2(t, r, "other/deep/file", "text")
	if err := os.Symlink("elsewhere", filepath.Join(r.dir, "link")); err != nil {
		t.Fatal(err)
	}
	stock(t, r.dir, "add", "-A")
	stock(t, r.dir, "commit", "-qm", "others")
	head, err := r.Ref(MainBranch)
	if err != nil || head == base {
		t.Fatal(err)
	}
	c, err := r.Reader().Commit(head)
	if err != nil {
		t.Fatal(err)
	}
	two, err := r.WriteLoose(Blob, []byte("two"))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := r.Graft(c.Tree, map[string]OID{"log/bb/1": two, "log/aa/1": two})
	if err != nil {
		t.Fatal(err)
	}
	got := stock(t, r.dir, "ls-tree", "-r", tree.String())
	want := "120000 blob " + stock(t, r.dir, "rev-parse", "HEAD:link") + "\tlink\n100644 blob " + two.String() + "\tlog/aa/1\n100644 blob " +
		two.String() + "\tlog/bb/1\n100644 blob " + stock(t, r.dir, "rev-parse", "HEAD:other/deep/file") + "\tother/deep/file"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if same, err := r.Graft(c.Tree, nil); err != nil || same != c.Tree {
		t.Errorf("%v %v", same, err)
	}
	if empty, err := r.Graft(OID{}, nil); err != nil || empty != Sum(Tree, nil) {
		t.Errorf("%v %v", empty, err)
	}
}

func TestColdFilesAreNotMissedByGitStatus(t *testing.T) {
	r := newRepo(t)
	r.Cold = func(path string) bool { return path == "README" }
	put2(t, r, "README", "text")
	first := commitOf(t, r, "log", "1")
	if _, err := r.CommitFiles([]string{"README"}, "readme", 1); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(r.dir, "README")); err != nil {
		t.Fatal(err)
	}
	if out := stock(t, r.dir, "status", "--porcelain"); out != "" {
		t.Error(out)
	}
	commitOf(t, r, "log", "2")
	if out := stock(t, r.dir, "status", "--porcelain"); out != "" || first.IsZero() {
		t.Error(out)
	}
}

func TestRemoteIsKeptInTheConfigBesideAllElse(t *testing.T) {
	r := newRepo(t)
	if url, err := r.RemoteURL(); err != nil || url != "" {
		t.Errorf("%q %v", url, err)
	}
	stock(t, r.dir, "config", "user.name", `A "quoted" # name`)
	for _, url := range []string{"git@host:me/m.git", `/srv/with "quotes" and #;\ more`, "https://host/m.git"} {
		if err := r.SetRemoteURL(url); err != nil {
			t.Fatal(err)
		}
		if got, err := r.RemoteURL(); err != nil || got != url {
			t.Errorf("%q %v", got, err)
		}
		if got := stock(t, r.dir, "config", "remote.origin.url"); got != url {
			t.Errorf("git reads %q, want %q", got, url)
		}
	}
	if got := stock(t, r.dir, "config", "user.name"); got != `A "quoted" # name` {
		t.Errorf("%q", got)
	}
	if err := r.SetRemoteURL(""); err != nil {
		t.Fatal(err)
	}
	if got := stock(t, r.dir, "remote"); got != "" {
		t.Errorf("%q", got)
	}
	raw, err := os.ReadFile(filepath.Join(r.git, "config"))
	if err != nil || !strings.HasPrefix(string(raw), configStart) {
		t.Errorf("locks are told by how the config begins: %q %v", raw, err)
	}
	put2(t, r, ".git/config", "[core\n")
	if _, err := r.RemoteURL(); err == nil || !strings.Contains(err.Error(), "config") {
		t.Errorf("%v", err)
	}
	if err := r.SetRemoteURL("x"); err == nil {
		t.Error("a damaged config was written over")
	}
}

func TestExcludesAreAddedOnce(t *testing.T) {
	r := newRepo(t)
	put2(t, r, ".git/info/exclude", "# mine\n/meta.json")
	for range 2 {
		if err := r.Exclude("/meta.json", "/quarantine/"); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(filepath.Join(r.git, "info", "exclude"))
	if err != nil || string(got) != "# mine\n/meta.json\n/quarantine/\n" {
		t.Errorf("%q %v", got, err)
	}
}
