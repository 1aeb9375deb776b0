package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"dormouse/store/home"
	"dormouse/store/memory"
)

// rest has an index rest that nobody uses, as time does.
func rest(t *testing.T, ix *Index) {
	t.Helper()
	if !ix.Rest() || !ix.Resting() {
		t.Fatal("the index does not rest")
	}
}

func TestAnIndexThatRestedAnswersAndTakesAsOneThatDidNot(t *testing.T) {
	t.Parallel()
	o := Options{HotDocs: 32, MergeFactor: 2, Vectors: hashWords(64)}
	of := func() *Index { o.Dir = filepath.Join(t.TempDir(), "index"); return open(t, o) }
	awake, rested := of(), of()
	r := rand.New(rand.NewPCG(4, 2))
	docs := map[string]Doc{}
	for round := range 12 {
		for range 20 {
			d := randomDoc(r, fmt.Sprintf("d%d", r.IntN(150)))
			docs[d.ID] = d
			put(t, awake, d)
			put(t, rested, d)
		}
		gone := []string{fmt.Sprintf("d%d", r.IntN(150))}
		delete(docs, gone[0])
		val := fmt.Appendf(nil, "value %d", round)
		for _, ix := range []*Index{awake, rested} {
			if err := errors.Join(ix.Delete(t.Context(), gone), ix.Area("a").Put(fmt.Sprint("k", round), val)); err != nil {
				t.Fatal(err)
			}
			settle(t, ix)
		}
		rest(t, rested)
		if a, b := awake.Stats(), rested.Stats(); a.Docs != b.Docs || b.Docs != len(docs) || !rested.Resting() {
			t.Fatalf("round %d: %+v awake, %+v at rest, which it is: %v", round, a, b, rested.Resting())
		}
		if err := rested.Room(); err != nil || !rested.Resting() {
			t.Fatalf("asked for room it is at rest %v: %v", rested.Resting(), err)
		}
		for range 6 {
			q := randomQuery(r)
			if a, b := bytesOf(t, search(t, awake, q)), bytesOf(t, search(t, rested, q)); a != b {
				t.Fatalf("round %d: %+v finds\n%s awake and\n%s after a rest", round, q, a, b)
			}
			compareVectors(t, rested, docs, q, 64)
		}
		if got, ok, err := rested.Area("a").Get(fmt.Sprint("k", round)); err != nil || !ok || string(got) != string(val) {
			t.Fatalf("round %d: %q, %v, %v", round, got, ok, err)
		}
	}
	ids, err := awake.IDs("")
	if err != nil || !slices.Equal(ids, slices.Sorted(mapKeys(docs))) {
		t.Fatalf("%v, %v", ids, err)
	}
	rest(t, rested)
	if err := rested.Close(); err != nil {
		t.Fatal(err)
	}
	o.Dir = rested.opts.Dir
	again, anew, err := Open(o)
	if err != nil || anew || again.Stats().Docs != len(docs) {
		t.Fatalf("opened after a close at rest: anew %v, %v", anew, err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

// TestRestsFallBetweenUsesAtOnce has an index rest whenever nobody uses it, while several do.
func TestRestsFallBetweenUsesAtOnce(t *testing.T) {
	t.Parallel()
	ix := open(t, Options{Dir: filepath.Join(t.TempDir(), "index"), HotDocs: 8, MergeFactor: 2, Vectors: hashWords(64), RestAfter: time.Nanosecond})
	const writers, each = 3, 40
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				id := fmt.Sprintf("w%d-%d", w, i)
				if err := errors.Join(ix.Put(context.Background(), []Doc{note(id, "word "+id)}), ix.Area("a").Put(id, []byte(id))); err != nil {
					t.Error(err)
					return
				}
				if d, ok, err := ix.Get(id); err != nil || !ok || d.Body != "word "+id {
					t.Errorf("%s: %q, %v, %v", id, d.Body, ok, err)
					return
				}
			}
		})
		all.Go(func() {
			for range each {
				if _, err := ix.Answer(context.Background(), Query{Text: "word", Vector: wordVector("word", 64), View: memory.View{All: true}}); err != nil {
					t.Error(err)
					return
				}
				_ = ix.Stats()
				if err := ix.Room(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	settle(t, ix)
	n := 0
	err := ix.Area("a").Each("", func(key string, val []byte) error {
		n++
		if key != string(val) {
			t.Errorf("%s has %q", key, val)
		}
		return nil
	})
	if s := ix.Stats(); err != nil || s.Docs != writers*each || n != writers*each {
		t.Errorf("%d documents, %d keys of %d: %v", s.Docs, n, writers*each, err)
	}
	if err := ix.Close(); err != nil {
		t.Error(err)
	}
	if _, _, err := ix.Get("w0-0"); err == nil {
		t.Error("a closed index reads")
	}
}

func TestAnIndexRestsWhenNobodyUsesItForAWhile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	synctest.Test(t, func(t *testing.T) {
		ix, _, err := Open(Options{Dir: dir, RestAfter: 20 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close() //nolint:errcheck // it is closed below
		put(t, ix, note("a", "word"))
		settle(t, ix)
		for range 3 {
			time.Sleep(15 * time.Second)
			if ix.Resting() {
				t.Fatal("it rests though it is used")
			}
			search(t, ix, Query{Text: "word"})
		}
		long, err := ix.db.use(false)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if ix.Resting() || long.IsClosed() {
			t.Fatal("it rests while it is used")
		}
		ix.db.done()
		time.Sleep(21 * time.Second)
		if _, err := os.Stat(filepath.Join(dir, cleanFile)); !ix.Resting() || err != nil {
			t.Fatalf("it does not rest: %v", err)
		}
		if got := found(t, ix, Query{Text: "word"}); len(got) != 1 || ix.Resting() {
			t.Fatalf("found %v", got)
		}
		time.Sleep(21 * time.Second)
		if !ix.Resting() {
			t.Fatal("it rests but once")
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestFilesThatChangedWhileItRestedEndTheIndex(t *testing.T) {
	for name, harm := range map[string]func(t *testing.T, dir string){
		"folder deleted": func(t *testing.T, dir string) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		},
		"table cut": func(t *testing.T, dir string) {
			tables, err := home.List(dir, "", ".sst")
			if err != nil || len(tables) == 0 {
				t.Fatalf("%v, %v", tables, err)
			}
			if err := os.Truncate(tables[0], 100); err != nil {
				t.Fatal(err)
			}
		},
		"another index": func(t *testing.T, dir string) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			if err := open(t, Options{Dir: dir}).Close(); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			told := 0
			o := Options{Dir: filepath.Join(t.TempDir(), "index"), OnBroken: func(error) { told++ }}
			ix := open(t, o)
			for i := range 50 {
				put(t, ix, long(i))
			}
			rest(t, ix)
			harm(t, o.Dir)
			if _, err := ix.Search(t.Context(), Query{Text: "common"}); !errors.Is(err, ErrBroken) || told != 1 {
				t.Errorf("search: %v, told %d times", err, told)
			}
			if err := ix.Area("a").Put("k", nil); !errors.Is(err, ErrBroken) {
				t.Errorf("put: %v", err)
			}
			_ = ix.Close()
			anew, again, err := Open(o)
			if err != nil || !again {
				t.Fatalf("made again %v, %v", again, err)
			}
			if err := anew.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAnIndexThatRestsOnAFullDiskIsReadAndTakesWhenThereIsRoom(t *testing.T) {
	dir := smallDisk(t, 24)
	o := Options{Dir: filepath.Join(dir, "index"), HotDocs: 64}
	ix := open(t, o)
	put(t, ix, long(0))
	rest(t, ix)
	name := fillDisk(t, dir)
	everyone := memory.View{All: true}
	if got := found(t, ix, Query{Text: "common", View: everyone}); len(got) != 1 {
		t.Errorf("found %v on a full disk", got)
	}
	if err := ix.Put(t.Context(), []Doc{long(1)}); !errors.Is(err, ErrNoRoom) {
		t.Errorf("put on a full disk: %v", err)
	}
	if _, err := ix.db.use(true); !errors.Is(err, ErrNoRoom) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("opened for writing on a full disk: %v", err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	put(t, ix, long(1))
	if got := found(t, ix, Query{Text: "common", View: everyone}); len(got) != 2 {
		t.Errorf("found %v with room again", got)
	}
	if err := ix.Close(); err != nil {
		t.Error(err)
	}
}
