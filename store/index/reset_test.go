package index

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// onDisk names a file of the folder that holds a text.
func onDisk(t *testing.T, dir, text string) (in string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), text) {
			in = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestResetLeavesNoWordOnTheDiskAndTheIndexGoesOn(t *testing.T) {
	dir := t.TempDir()
	o := Options{Dir: dir, HotDocs: 8, MergeFactor: 2}
	ix := open(t, o)
	doc := func(n int, body string) Doc {
		return Doc{ID: fmt.Sprint("d", n), Kind: KindEvent, Scope: memory.Global, Body: body}
	}
	for n := range 100 { // some in segments, some in none yet
		put(t, ix, doc(n, fmt.Sprint("quagga number ", n)))
	}
	if onDisk(t, dir, "quagga") == "" {
		t.Fatal("the word was never on the disk: the test shows nothing")
	}
	for _, area := range []string{"cursors", "marks"} {
		if err := ix.Area(area).Put("key", []byte(area)); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan error, 1)
	go func() { // somebody writes and searches meanwhile
		for n := range 200 {
			if err := ix.Put(t.Context(), []Doc{doc(1000+n, "zebra")}); err != nil {
				done <- err
				return
			}
			if _, err := ix.Search(t.Context(), Query{Text: "zebra", View: memory.View{All: true}}); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	if err := ix.Reset("cursors"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := found(t, ix, Query{Text: "quagga", View: memory.View{All: true}}); got != nil {
		t.Errorf("found %v", got)
	}
	settle(t, ix)
	put(t, ix, doc(1, "zebra and okapi"))
	for range 2 {
		if in := onDisk(t, dir, "quagga"); in != "" {
			t.Errorf("the word is in %s", in)
		}
		if got := found(t, ix, Query{Text: "okapi", View: memory.View{All: true}}); !slices.Equal(got, []string{"d1"}) {
			t.Errorf("found %v", got)
		}
		if v, ok, err := ix.Area("cursors").Get("key"); err != nil || !ok || string(v) != "cursors" {
			t.Errorf("the area that was to stay: %q %v %v", v, ok, err)
		}
		if _, ok, _ := ix.Area("marks").Get("key"); ok {
			t.Error("another area stays")
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		ix = open(t, o)
	}
}
