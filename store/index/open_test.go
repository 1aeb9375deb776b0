package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"
)

func fill(t *testing.T, ix *Index) {
	t.Helper()
	for i := range 300 {
		put(t, ix, note(fmt.Sprintf("d%03d", i), fmt.Sprintf("word number%d group%d", i, i%7)))
	}
	if err := ix.Area("cursor").Put("k", []byte("v")); err != nil {
		t.Fatal(err)
	}
}

func TestOpenTellsWhenTheIndexIsNew(t *testing.T) {
	o := Options{Dir: filepath.Join(t.TempDir(), "a", "index")}
	for i, want := range []bool{true, false} {
		ix, rebuild, err := Open(o)
		if err != nil || rebuild != want {
			t.Fatalf("open %d: rebuild %v, %v", i, rebuild, err)
		}
		if i == 0 {
			put(t, ix, note("a", "word"))
		} else if got := found(t, ix, Query{Text: "word"}); len(got) != 1 {
			t.Errorf("found %v after a restart", got)
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestARebuiltIndexGivesTheSameAnswers(t *testing.T) {
	o := Options{Dir: t.TempDir(), HotDocs: 64}
	ix := open(t, o)
	fill(t, ix)
	settle(t, ix)
	q := Query{Text: "number7 group3 word", Limit: 100}
	before := bytesOf(t, search(t, ix, q))
	if err := errors.Join(ix.Close(), os.RemoveAll(o.Dir)); err != nil {
		t.Fatal(err)
	}
	ix, rebuild, err := Open(o)
	if err != nil || !rebuild {
		t.Fatalf("rebuild %v, %v", rebuild, err)
	}
	defer ix.Close() //nolint:errcheck // the test is over
	fill(t, ix)
	if after := bytesOf(t, search(t, ix, q)); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

func TestAnIndexOfAnotherVersionIsMadeAgain(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	ix := open(t, o)
	fill(t, ix)
	if err := errors.Join(ix.Close(), os.WriteFile(filepath.Join(o.Dir, formatFile), []byte("dormouse search index 999\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	ix, rebuild, err := Open(o)
	if err != nil || !rebuild || ix.Stats().Docs != 0 {
		t.Fatalf("rebuild %v, %v", rebuild, err)
	}
	if _, ok, _ := ix.Area("cursor").Get("k"); ok {
		t.Error("a cursor outlived the index that it counts on")
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAFolderOfSomethingElseIsMovedAside(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	for n := 1; n <= 2; n++ {
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "thesis.txt"), []byte("mine"), 0o600)); err != nil {
			t.Fatal(err)
		}
		ix, rebuild, err := Open(Options{Dir: dir})
		if err != nil || !rebuild {
			t.Fatalf("rebuild %v, %v", rebuild, err)
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(fmt.Sprintf("%s.foreign-%d/thesis.txt", dir, n)); err != nil {
			t.Errorf("the file is gone: %v", err)
		}
	}
}

func TestASecondOpenIsRefusedAndHarmsNothing(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	ix := open(t, o)
	put(t, ix, note("a", "word"))
	if _, _, err := Open(o); err == nil {
		t.Fatal("two hold the index at once")
	}
	if got := found(t, ix, Query{Text: "word"}); len(got) != 1 {
		t.Errorf("the first one finds %v", got)
	}
}

// TestDamagedFilesAreNoError cuts and overwrites each file of the index in turn: it opens and answers, or is made again.
func TestDamagedFilesAreNoError(t *testing.T) {
	whole := t.TempDir()
	ix := open(t, Options{Dir: whole, HotDocs: 64})
	fill(t, ix)
	settle(t, ix)
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(whole)
	if err != nil {
		t.Fatal(err)
	}
	damages := map[string]func([]byte) []byte{
		"empty":   func([]byte) []byte { return nil },
		"cut":     func(b []byte) []byte { return b[:len(b)/2] },
		"torn":    func(b []byte) []byte { return b[:max(0, len(b)-3)] },
		"garbled": func(b []byte) []byte { return garble(b) },
	}
	rebuilt := 0
	for _, f := range files {
		for name, damage := range damages {
			t.Run(f.Name()+" "+name, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "index")
				if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(dir, f.Name())
				raw, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if name == "garbled" { // the sizes match; as after a crash, the tables are read
					err = os.Remove(filepath.Join(dir, cleanFile))
				}
				if err := errors.Join(err, os.WriteFile(path, damage(raw), 0o600)); err != nil {
					t.Fatal(err)
				}
				if useDamaged(t, dir) {
					rebuilt++
				}
			})
		}
		t.Run(f.Name()+" missing", func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "index")
			if err := errors.Join(os.CopyFS(dir, os.DirFS(whole)), os.Remove(filepath.Join(dir, f.Name()))); err != nil {
				t.Fatal(err)
			}
			useDamaged(t, dir)
		})
	}
	if rebuilt == 0 {
		t.Error("no damage was noticed at all")
	}
}

func garble(b []byte) []byte {
	out := slices.Clone(b)
	for i := 5; i < len(out); i += 97 {
		out[i] ^= 0x5A
	}
	return out
}

// useDamaged opens an index until it answers, and checks that it is whole or empty then.
func useDamaged(t *testing.T, dir string) (rebuilt bool) {
	t.Helper()
	for range 2 {
		ix, rebuild, err := Open(Options{Dir: dir, HotDocs: 64})
		if err != nil {
			t.Fatal(err)
		}
		rebuilt = rebuilt || rebuild
		hits, err := ix.Search(t.Context(), Query{Text: "word", Limit: 1000})
		if cerr := ix.Close(); cerr != nil && err == nil {
			t.Fatal(cerr)
		}
		if errors.Is(err, ErrBroken) {
			rebuilt = true
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) != 300 && !rebuild && len(hits) != 0 {
			t.Logf("%d of 300 documents are left", len(hits))
		}
		return rebuilt
	}
	t.Fatal("the index stays broken")
	return false
}

// TestBytesThatCannotBeReadEndTheIndex overwrites a block behind the back of an open index.
func TestBytesThatCannotBeReadEndTheIndex(t *testing.T) {
	o := Options{Dir: t.TempDir(), HotDocs: 64}
	ix := open(t, o)
	fill(t, ix)
	settle(t, ix)
	err := ix.db.update(func(txn *badger.Txn) error {
		return txn.Set(segmentKey(ix.pieces[0].id, partBlock, 0), []byte("no block"))
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = ix.Search(t.Context(), Query{Text: "0number group1 word"})
	if !errors.Is(err, ErrBroken) {
		t.Fatalf("search: %v", err)
	}
	if err := ix.Put(t.Context(), []Doc{note("n", "word")}); !errors.Is(err, ErrBroken) {
		t.Errorf("put: %v", err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	ix, rebuild, err := Open(o)
	if err != nil || !rebuild {
		t.Fatalf("rebuild %v, %v", rebuild, err)
	}
	put(t, ix, note("n", "word"))
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if _, rebuild, err = Open(o); err != nil || rebuild {
		t.Errorf("it is made again without end: %v %v", rebuild, err)
	}
}

// TestANewIndexTakesLittleRoom holds what Stats tells against the blocks of the disk that du counts, and the sizes of the files, which other
// systems reserve.
func TestANewIndexTakesLittleRoom(t *testing.T) {
	dir := t.TempDir()
	ix := open(t, Options{Dir: dir, Vectors: hashWords(64)})
	for i := range 185 {
		put(t, ix, note(fmt.Sprint("n", i), strings.Repeat(fmt.Sprint("word", i, " "), 100)))
	}
	var sizes, blocks int64
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			sizes += info.Size()
			blocks += allocated(info)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := ix.Stats().Bytes; got < 1000 || got > blocks+1<<20 || sizes > 32<<20 {
		t.Errorf("185 documents take %d bytes, by the disk's blocks %d; the files are %d long", got, blocks, sizes)
	}
	if blocks < sizes && blocks > 4<<20 {
		t.Errorf("185 documents take %d bytes of the disk", blocks)
	}
}
