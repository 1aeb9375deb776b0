package gitrepo

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"
)

func TestStoredStreamIsReadByZlib(t *testing.T) {
	random := make([]byte, 3*storedMax)
	for i := range random {
		random[i] = byte(rand.Uint32())
	}
	for _, n := range []int{0, 1, storedMax - 1, storedMax, storedMax + 1, 2 * storedMax, 3 * storedMax} {
		z, err := zlib.NewReader(bytes.NewReader(appendStored(nil, random[:n])))
		if err != nil {
			t.Fatal(n, err)
		}
		got, err := io.ReadAll(z)
		if err != nil || !bytes.Equal(got, random[:n]) {
			t.Errorf("%d bytes: %d came back, %v", n, len(got), err)
		}
	}
}

// copiedPack makes a pack of one blob, a tree and two prefixes of it.
func copiedPack(t *testing.T) (r *Repo, oids map[OID]Kind) {
	t.Helper()
	r = newRepo(t)
	w, err := r.NewPack()
	if err != nil {
		t.Fatal(err)
	}
	oids = map[OID]Kind{}
	blob, err := w.Add(Blob, []byte(strings.Repeat("text ", 1000)))
	if err != nil {
		t.Fatal(err)
	}
	var tree []byte
	for _, n := range []string{"a", "b", "c"} {
		tree = AppendEntry(tree, TreeEntry{Mode: ModeFile, Name: n, OID: blob})
	}
	whole, prefixes, err := w.AddPrefixes(Tree, tree, []int{EntryLen("a"), 2 * EntryLen("a")})
	if err != nil {
		t.Fatal(err)
	}
	oids[blob], oids[whole], oids[prefixes[0]], oids[prefixes[1]] = Blob, Tree, Tree, Tree
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return r, oids
}

func copyAll(t *testing.T, r *Repo, oids map[OID]Kind) error {
	t.Helper()
	packs, err := r.Packs()
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	x := r.Reader()
	defer x.Close()
	w, err := r.NewPack()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for oid, kind := range oids {
		if err := w.Copy(x, kind, oid); err != nil {
			return err
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return r.RemovePack(packs[0].Name)
}

func TestCopiedObjectsAreTheSameAndGitReadsThem(t *testing.T) {
	r, oids := copiedPack(t)
	if err := copyAll(t, r, oids); err != nil {
		t.Fatal(err)
	}
	for oid, kind := range oids {
		k, data, err := r.Object(oid)
		if err != nil || k != kind || Sum(k, data) != oid {
			t.Errorf("%s %s: %v", kind, oid, err)
		}
	}
	packs, _ := filepath.Glob(filepath.Join(r.git, "objects", "pack", "*.pack"))
	if len(packs) != 1 {
		t.Fatal(packs)
	}
	stock(t, r.dir, "verify-pack", packs[0])
	x := r.Reader()
	defer x.Close()
	w, err := r.NewPack()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := w.Copy(x, Blob, OID{1}); !errors.Is(err, ErrNotFound) {
		t.Errorf("an object that is not there: %v", err)
	}
	for oid, kind := range oids {
		if kind == Tree {
			if err := w.Copy(x, Blob, oid); err == nil {
				t.Error("a tree was copied as a blob")
			}
		}
	}
}

func TestADamagedObjectIsNotCopied(t *testing.T) {
	r, oids := copiedPack(t)
	packs, _ := filepath.Glob(filepath.Join(r.git, "objects", "pack", "*.pack"))
	raw, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	raw[40] ^= 0xff // in the blob, which comes first
	if err := os.Chmod(packs[0], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(packs[0], raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := copyAll(t, r, oids); err == nil || !strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(), packs[0]) {
		t.Errorf("%v", err)
	}
}
