package gitrepo

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// gitEnv keeps the machine's own git settings out of the tests.
func gitEnv(extra ...string) []string {
	env := append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
	return append(env, extra...)
}

// stock runs the git command, which is the judge of what was written.
func stock(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := tryStock(dir, args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func tryStock(dir string, args ...string) (string, error) {
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = gitEnv()
	out, err := c.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func newRepo(t *testing.T) *Repo {
	t.Helper()
	r := Open(t.TempDir())
	if err := r.Init([]string{"/meta.json"}); err != nil {
		t.Fatal(err)
	}
	return r
}

func fsck(t *testing.T, r *Repo) {
	t.Helper()
	if out := stock(t, r.dir, "fsck", "--strict", "--full"); out != "" {
		t.Errorf("git fsck says: %s", out)
	}
}

func put2(t *testing.T, r *Repo, path, content string) {
	t.Helper()
	p := filepath.Join(r.dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// history makes n blobs and the tree entries of a folder that grows by them, and where each entry ends.
func history(t *testing.T, w *PackWriter, n int) (tree []byte, ends []int) {
	t.Helper()
	for i := range n {
		oid, err := w.Add(Blob, fmt.Appendf(nil, "message %d %s", i, strings.Repeat("text ", i)))
		if err != nil {
			t.Fatal(err)
		}
		tree = AppendEntry(tree, TreeEntry{Mode: ModeFile, Name: fmt.Sprintf("%06d-u-%016x.json", i+1, i), OID: oid})
		ends = append(ends, len(tree))
	}
	return tree, ends
}

// packedHistory commits a growing folder turn by turn into one pack and moves main to the newest commit.
func packedHistory(t *testing.T, r *Repo, n int) (tip OID, tree []byte) {
	t.Helper()
	w, err := r.NewPack()
	if err != nil {
		t.Fatal(err)
	}
	tree, ends := history(t, w, n)
	whole, trees, err := w.AddPrefixes(Tree, tree, ends[:n-1])
	if err != nil {
		t.Fatal(err)
	}
	for i, oid := range append(slices.Clone(trees), whole) {
		root, err := w.Add(Tree, AppendEntry(nil, TreeEntry{Mode: ModeTree, Name: "history", OID: oid}))
		if err != nil {
			t.Fatal(err)
		}
		var parents []OID
		if !tip.IsZero() {
			parents = []OID{tip}
		}
		if tip, err = w.Add(Commit, EncodeCommit(root, parents, int64(1000+i), fmt.Sprintf("turn %d: x", i+1))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	if err := r.SetRef(MainBranch, OID{}, tip); err != nil {
		t.Fatal(err)
	}
	return tip, tree
}
