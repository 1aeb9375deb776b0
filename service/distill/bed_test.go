package distill

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/store/ledger"
	"dormouse/store/memory"
)

// shelf holds scripts as transcripts. A script in broken cannot be read.
type shelf struct {
	scripts []*script
	broken  map[string]bool
}

func (s shelf) List() ([]memory.Session, error) {
	var out []memory.Session
	for _, x := range s.scripts {
		out = append(out, x.meta)
	}
	return out, nil
}

func (s shelf) find(id string) *script {
	i := slices.IndexFunc(s.scripts, func(x *script) bool { return x.meta.ID == id })
	if i < 0 {
		return nil
	}
	return s.scripts[i]
}

func (s shelf) Open(id string) (Transcript, error) {
	x := s.find(id)
	if x == nil {
		return nil, fmt.Errorf("no session %s", id)
	}
	if s.broken[id] {
		return brokenTranscript{x}, nil
	}
	return x, nil
}

func (s shelf) Root(id string) (string, error) { return s.find(id).nodes[0].ID, nil }

type brokenTranscript struct{ *script }

func (brokenTranscript) Turn(int) ([]memory.Node, error) { return nil, errors.New("disk is gone") }

// bed is a log in a folder of its own, with a fixed clock.
type bed struct {
	t   *testing.T
	dir string
	log *ledger.Ledger
}

func newBed(t *testing.T) *bed {
	b := &bed{t: t, dir: t.TempDir()}
	b.log = ledger.New(ledger.Options{Dir: b.dir, Machine: "m", Now: fixed})
	if err := b.log.Open(); err != nil {
		t.Fatal(err)
	}
	return b
}

func fixed() time.Time { return time.Unix(1_790_000_000, 0) }

func (b *bed) run(ids []string, scripts ...*script) Result {
	b.t.Helper()
	res, err := New(Options{Sessions: shelf{scripts: scripts}, Log: b.log, Now: fixed}).Run(context.Background(), ids, "light")
	if err != nil {
		b.t.Fatal(err)
	}
	for _, f := range res.Failed {
		b.t.Fatal(f.Session, f.Err)
	}
	return res
}

// published renders the memory and returns its files.
func (b *bed) published() string {
	b.t.Helper()
	if _, err := b.log.Render(); err != nil {
		b.t.Fatal(err)
	}
	files := map[string]string{}
	err := filepath.WalkDir(b.dir, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(b.dir, p)
		if err != nil || d.IsDir() || !slices.ContainsFunc([]string{"timeline", "graph", "facts", "segments", "tags/v", "tags/a"}, func(p string) bool { return strings.HasPrefix(rel, p) }) {
			return err
		}
		raw, err := os.ReadFile(p)
		files[rel] = string(raw)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&out, "== %s\n%s", name, files[name])
	}
	return out.String()
}

func (b *bed) events() []*memory.Event {
	var out []*memory.Event
	b.log.Read(func(s *memory.State) { out = s.Timeline() })
	return out
}
