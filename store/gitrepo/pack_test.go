package gitrepo

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"
)

func coldIndex(t *testing.T, r *Repo, tree []byte) {
	t.Helper()
	entries, err := ParseTree(tree)
	if err != nil {
		t.Fatal(err)
	}
	err = r.WriteIndex(len(entries), func(yield func(IndexEntry) bool) {
		for _, e := range entries {
			if !yield(IndexEntry{Path: "history/" + e.Name, OID: e.OID, Cold: true}) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestStockGitAcceptsAColdRepositoryOfPrefixDeltas(t *testing.T) {
	for _, n := range []int{1, 2, 40, 2000} { // 2000 entries are more than one copy of 65,536 bytes
		r := newRepo(t)
		tip, tree := packedHistory(t, r, n)
		coldIndex(t, r, tree)
		fsck(t, r)
		if out := stock(t, r.dir, "status", "--porcelain"); out != "" {
			t.Errorf("%d: status says %.200s", n, out)
		}
		if out := stock(t, r.dir, "rev-list", "--count", "HEAD"); out != fmt.Sprint(n) {
			t.Errorf("%d: %s commits", n, out)
		}
		if out := stock(t, r.dir, "rev-parse", "HEAD"); out != tip.String() {
			t.Errorf("%d: HEAD is %s", n, out)
		}
		stock(t, r.dir, "verify-pack", glob(t, r, "objects/pack/*.idx"))
		if n > 1 {
			stock(t, r.dir, "checkout", "-q", "HEAD~1")
			stock(t, r.dir, "checkout", "-q", "main")
		}
		to := t.TempDir()
		stock(t, to, "clone", "-q", r.dir, "c")
		files, _ := os.ReadDir(filepath.Join(to, "c", "history"))
		if len(files) != n {
			t.Errorf("%d: clone has %d files", n, len(files))
		}
	}
}

func glob(t *testing.T, r *Repo, pattern string) string {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(r.git, filepath.FromSlash(pattern)))
	if len(names) != 1 {
		t.Fatalf("%s: %v", pattern, names)
	}
	return names[0]
}

func TestGoGitReadsPrefixDeltas(t *testing.T) {
	r := newRepo(t)
	packedHistory(t, r, 60)
	repo, err := git.PlainOpen(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	log, err := repo.Log(&git.LogOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := 60
	err = log.ForEach(func(c *object.Commit) error {
		files, err := c.Files()
		if err != nil {
			return err
		}
		n := 0
		if err := files.ForEach(func(*object.File) error { n++; return nil }); err != nil {
			return err
		}
		if n != want {
			return fmt.Errorf("%s has %d files, want %d", c.Hash, n, want)
		}
		want--
		return nil
	})
	if err != nil || want != 0 {
		t.Error(err, want)
	}
}

func TestReaderGivesBackWhatGitPacked(t *testing.T) {
	r := newRepo(t)
	var text bytes.Buffer
	for i := range 3000 {
		fmt.Fprintf(&text, "%x\n", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
	}
	for i := range 12 { // versions of one large file, which git stores as deltas with inserts and copies
		content := slices.Concat(text.Bytes()[:60_000+i], fmt.Appendf(nil, "line %d", i), text.Bytes()[60_000:])
		put2(t, r, "dir/big.txt", string(content))
		if _, err := r.CommitFiles([]string{"dir/big.txt"}, fmt.Sprint("version ", i), int64(i)); err != nil {
			t.Fatal(err)
		}
	}
	for _, cmd := range [][]string{{"gc", "-q"}, {"-c", "repack.useDeltaBaseOffset=false", "repack", "-q", "-adf"}, {"pack-refs", "--all"}} {
		stock(t, r.dir, cmd...)
		head, err := r.Ref(MainBranch)
		if err != nil || head.IsZero() {
			t.Fatal(head, err)
		}
		x := r.Reader()
		i := 11
		for c, err := range x.Log(head) {
			if err != nil {
				t.Fatal(err)
			}
			want := slices.Concat(text.Bytes()[:60_000+i], fmt.Appendf(nil, "line %d", i), text.Bytes()[60_000:])
			got, err := x.File(c.OID, "dir/big.txt")
			if err != nil || !bytes.Equal(got, want) || c.Message != fmt.Sprint("version ", i) || c.When != int64(i) {
				t.Fatalf("after git %v: version %d: %v, %d bytes, %+v", cmd, i, err, len(got), c)
			}
			e, err := x.Lookup(c.OID, "dir/big.txt")
			if err != nil {
				t.Fatal(err)
			}
			if n, err := x.Size(e.OID); err != nil || n != len(want) {
				t.Errorf("size %d %v, want %d", n, err, len(want))
			}
			i--
		}
		if err := x.Close(); err != nil || i != -1 {
			t.Error(err, i)
		}
	}
	packs, err := r.Packs()
	if err != nil || len(packs) != 1 || packs[0].Objects < 12*4 {
		t.Errorf("%+v %v", packs, err)
	}
}

func TestPackWriterReadsBackAndRefusesDuplicates(t *testing.T) {
	r := newRepo(t)
	w, err := r.NewPack()
	if err != nil {
		t.Fatal(err)
	}
	a, _ := w.Add(Blob, []byte("a"))
	big := bytes.Repeat([]byte("0123456789"), 300_000)
	b, _ := w.Add(Blob, big)
	for oid, want := range map[OID][]byte{a: []byte("a"), b: big} {
		if got, err := w.Read(oid); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v", oid, len(got), err)
		}
	}
	if _, err := w.Read(OID{1}); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := w.Add(Blob, []byte("a")); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a pack with one object twice is accepted: %v", err)
	}
	left, _ := os.ReadDir(filepath.Join(r.git, "objects", "pack"))
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestEmptyPackLeavesNothing(t *testing.T) {
	r := newRepo(t)
	w, err := r.NewPack()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(filepath.Join(r.git, "objects", "pack")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRemoveTempsTakesUnfinishedPacksOnly(t *testing.T) {
	r := newRepo(t)
	tip, _ := packedHistory(t, r, 3)
	for _, name := range []string{"objects/pack/tmp_pack_1", "objects/pack/pack-dead.pack", "tmp_2"} {
		if err := os.WriteFile(filepath.Join(r.git, filepath.FromSlash(name)), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(filepath.Join(r.git, "objects", "pack", "pack-dead.pack"), later, later); err != nil {
		t.Fatal(err)
	}
	if err := r.RemoveTemps(); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(r.git, "*", "*", "*"))
	for _, p := range left {
		if strings.Contains(p, "tmp_") || strings.Contains(p, "dead") {
			t.Errorf("%s is still there", p)
		}
	}
	if _, err := r.Reader().Commit(tip); err != nil {
		t.Error(err)
	}
	fsck(t, r)
}

func TestLargeOffsetsAreFound(t *testing.T) {
	list := []packed{{oid: OID{1}, offset: 12}, {oid: OID{1, 1}, offset: 5 << 31}, {oid: OID{0xff}, offset: 3 << 31}}
	raw, err := encodePackIndex(slices.Clone(list), OID{9})
	if err != nil {
		t.Fatal(err)
	}
	x, err := parseIndex(raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if at, ok := x.find(p.oid); !ok || at != p.offset {
			t.Errorf("%s: %d %v, want %d", p.oid, at, ok, p.offset)
		}
	}
	if _, ok := x.find(OID{1, 2}); ok {
		t.Error("an object that is not there is found")
	}
}

func TestPackThatIsHeldElsewhereCanGo(t *testing.T) {
	r := newRepo(t)
	tip, tree := packedHistory(t, r, 3)
	packs, err := r.Packs()
	if err != nil || len(packs) != 1 || packs[0].Objects != 3*4 || packs[0].Bytes < 100 || r.PackCount() != 1 {
		t.Fatalf("%+v %v", packs, err)
	}
	w, err := r.NewPack() // after the packs were listed
	if err != nil {
		t.Fatal(err)
	}
	x := r.Reader()
	if name, err := x.PackOf(tip); err != nil || name != packs[0].Name {
		t.Errorf("%q %v", name, err)
	}
	loose, err := r.WriteLoose(Blob, []byte("alone"))
	if err != nil {
		t.Fatal(err)
	}
	if name, err := x.PackOf(loose); err != nil || name != "" {
		t.Errorf("%q %v", name, err)
	}
	if _, err := w.Add(Tree, tree); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(); err != nil || r.PackCount() != 2 {
		t.Fatal(err, r.PackCount())
	}
	_ = x.Close()
	if err := r.RemovePack(packs[0].Name); err != nil {
		t.Fatal(err)
	}
	if _, data, err := r.Object(Sum(Tree, tree)); err != nil || !bytes.Equal(data, tree) {
		t.Error(err)
	}
	if _, _, err := r.Object(tip); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if EntryLen("000001-u-x.json") != len(AppendEntry(nil, TreeEntry{Mode: ModeFile, Name: "000001-u-x.json"})) || r.Dir() != r.dir {
		t.Error("EntryLen is wrong")
	}
}

func TestRemoveTempsKeepsAPackThatLostItsIndex(t *testing.T) {
	r := newRepo(t)
	tip, _ := packedHistory(t, r, 3)
	packDir := filepath.Join(r.git, "objects", "pack")
	idx, _ := filepath.Glob(filepath.Join(packDir, "*.idx"))
	for _, p := range idx {
		if err := os.Remove(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.RemoveTemps(); err != nil {
		t.Fatal(err)
	}
	packs, _ := filepath.Glob(filepath.Join(packDir, "*.pack"))
	if len(idx) == 0 || len(packs) != len(idx) {
		t.Fatalf("%d packs are left of %d", len(packs), len(idx))
	}
	for _, p := range packs {
		if out, err := exec.Command("git", "index-pack", p).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if _, err := Open(r.dir).Reader().Commit(tip); err != nil {
		t.Error(err)
	}
}

func TestARepositoryBelowAFolderWithBracketsIsRead(t *testing.T) {
	r := Open(filepath.Join(t.TempDir(), "a[b]*?"))
	if err := r.Init(nil); err != nil {
		t.Skip("this system has no such names: ", err)
	}
	tip, _ := packedHistory(t, r, 3)
	if _, err := Open(r.dir).Reader().Commit(tip); err != nil {
		t.Error(err)
	}
}
