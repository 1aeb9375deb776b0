package parsertest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// OpenLibrary opens the library at a path.
type OpenLibrary func(path string, o transcript.Options) (transcript.Library, error)

// Read reads all sessions of a library, by their ids.
func (open OpenLibrary) Read(t testing.TB, path string, how transcript.Settle) map[string]*Captured {
	t.Helper()
	return open.read(t, path, how, nil)
}

func (open OpenLibrary) read(t testing.TB, path string, how transcript.Settle, known func(string) (memory.Node, bool)) map[string]*Captured {
	t.Helper()
	skips := &transcript.Tally{}
	lib, err := open(path, transcript.Options{Skip: skips.Add, Known: known})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close() //nolint:errcheck // read
	out := map[string]*Captured{}
	var ids []string
	err = lib.List(context.Background(), func(e transcript.Entry) error {
		if e.Session == "" || e.Version == "" {
			t.Errorf("entry %+v", e)
		}
		ids = append(ids, e.Session)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		c := &Captured{}
		c.Facts, err = lib.Read(context.Background(), id, how, func(n memory.Node) error {
			c.Nodes = append(c.Nodes, n)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		out[id] = c
	}
	c := &Captured{}
	c.Skips.Join(skips.Counts())
	out[""] = c
	return out
}

// One reads the one session of a library.
func (open OpenLibrary) One(t testing.TB, path string) *Captured {
	t.Helper()
	all := open.Read(t, path, transcript.Over)
	skips := all[""]
	delete(all, "")
	for _, c := range all {
		c.Skips.Join(skips.Skips.Counts())
		return c
	}
	t.Fatalf("no session in %s", path)
	return nil
}

// Grows checks that a document which is rewritten in steps, each longer than the one before, gives the nodes of the last one: what
// was read earlier is neither lost nor doubled nor changed. steps are its contents.
func (open OpenLibrary) Grows(t *testing.T, name string, steps ...[]byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	for _, how := range []transcript.Settle{transcript.Growing, transcript.Quiet, transcript.Over} {
		stored, order := map[string]memory.Node{}, []memory.Node{}
		known := func(id string) (memory.Node, bool) { n, ok := stored[id]; return n, ok }
		for i, text := range steps {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			if i == len(steps)-1 {
				how = transcript.Over
			}
			for _, c := range open.read(t, path, how, known) {
				Sound(t, c.Nodes)
				for _, n := range c.Nodes {
					if _, again := stored[n.ID]; !again {
						stored[n.ID] = n
						order = append(order, n)
					}
				}
			}
		}
		var want []memory.Node
		for _, c := range open.Read(t, path, transcript.Over) {
			want = append(want, c.Nodes...)
		}
		if got, want := words(order), words(want); !slices.Equal(got, want) {
			t.Fatalf("read in steps, settled %d: %d words, want %d", how, len(got), len(want))
		}
	}
}
