package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"dormouse/store/memory"
)

func TestEnsureGivesTheOneSessionOfAnAgentsID(t *testing.T) {
	s := newStore(t)
	x := ensure(t, s, "a")
	if ensure(t, s, "a") != x || ensure(t, s, "b") == x {
		t.Error("not one session for one id")
	}
	add(t, x, false, true, talk(1, 2)...)
	again := New(s.opts)
	if y := ensure(t, again, "a"); y.id != x.id || y.Len() != 5 {
		t.Errorf("session %s with %d nodes", y.id, y.Len())
	}
	for _, bad := range []memory.Session{{Agent: "x"}, {AgentSessionID: "y"}} {
		if _, err := s.Ensure(bad, "cc"); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	if _, err := s.Ensure(memory.Session{Agent: "x", AgentSessionID: "y"}, "../cc"); err == nil {
		t.Error("a prefix that leaves the folder is accepted")
	}
}

func TestCollidingIDGetsLonger(t *testing.T) {
	s := newStore(t)
	x := ensure(t, s, "a")
	add(t, x, false, true, talk(1, 2)...)
	m := x.Meta()
	m.AgentSessionID = "somebody else's"
	if err := writeMeta(x.Dir(), m); err != nil {
		t.Fatal(err)
	}
	y := ensure(t, New(s.opts), "a")
	if y.id == x.id || !strings.HasPrefix(y.id, x.id) || len(y.id) != len(x.id)+4 || y.Len() != 0 {
		t.Errorf("%s beside %s", y.id, x.id)
	}
}

func TestListReadsOnlyMetaAndNamesWhatIsNoSession(t *testing.T) {
	s := newStore(t)
	if valid, invalid, err := s.List(); valid != nil || invalid != nil || err != nil {
		t.Errorf("%v %v %v", valid, invalid, err)
	}
	for i, n := range []int{1, 3, 2} {
		x := ensure(t, s, fmt.Sprint(i))
		add(t, x, true, true, talk(1, n+1)...)
		if err := os.RemoveAll(filepath.Join(x.Dir(), ".git")); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string]string{"cut": `{"id":`, "empty": "", "steering": "-", ".new-x": `{}`} {
		dir := s.path(name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if content == "-" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, metaFile), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(s.path("locations.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	valid, invalid, err := New(s.opts).List()
	if err != nil || !slices.Equal(invalid, []string{"cut", "empty", "steering"}) {
		t.Fatalf("%v %v", invalid, err)
	}
	var turns []int
	for _, m := range valid {
		turns = append(turns, m.Turns)
	}
	if !slices.Equal(turns, []int{3, 2, 1}) {
		t.Errorf("order %v", turns)
	}
	for _, id := range []string{"cut", "steering", "nothing", "../sessions", "", "."} {
		if _, err := s.Open(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("Open(%q): %v", id, err)
		}
	}
}

func TestLostMetaIsMadeAnewByEnsure(t *testing.T) {
	s := newStore(t)
	x := ensure(t, s, "a")
	add(t, x, true, false, talk(1, 4)...)
	want := x.Meta()
	for _, damage := range []func(path string) error{os.Remove, func(p string) error { return os.WriteFile(p, []byte("{"), 0o600) }} {
		if err := damage(filepath.Join(x.Dir(), metaFile)); err != nil {
			t.Fatal(err)
		}
		y := ensure(t, New(s.opts), "a")
		if n := add(t, y, false, false, talk(1, 4)...); n != 0 {
			t.Errorf("%d nodes are new", n)
		}
		if got, err := readMeta(x.Dir()); err != nil || got != want {
			t.Errorf("%+v %v, want %+v", got, err, want)
		}
	}
}

func TestHalfMadeAndHalfDeletedFoldersAreSwept(t *testing.T) {
	s := newStore(t)
	for _, name := range []string{newPrefix + "cc_1", gonePrefix + "cc_2"} {
		if err := os.MkdirAll(filepath.Join(s.path(name), ".git"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.List(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(s.opts.Dir); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

func TestCacheForgetsTheLeastRecentAndLosesNothing(t *testing.T) {
	s := newStore(t)
	if s.opts.Cache != CacheSize {
		t.Errorf("cache of %d", s.opts.Cache)
	}
	s.opts.Cache = 4
	var first *Session
	for i := range s.opts.Cache + 3 {
		x := ensure(t, s, fmt.Sprint(i))
		add(t, x, true, true, talk(1, 2)...)
		if i == 0 {
			first = x
		}
	}
	if len(s.recent) != s.opts.Cache || first.st != nil {
		t.Errorf("%d sessions are loaded, the oldest: %v", len(s.recent), first.st != nil)
	}
	if n := add(t, first, false, true, talk(1, 3)...); n != 5 || first.Len() != 10 || len(s.recent) != s.opts.Cache {
		t.Errorf("%d new, %d nodes, %d loaded", n, first.Len(), len(s.recent))
	}
	if err := s.Close(); err != nil || len(s.recent) != 0 {
		t.Error(err)
	}
	if first.Len() != 10 {
		t.Error("it is not read again after Close")
	}
}

func TestReadersAndWritersWorkAtOnce(t *testing.T) {
	s := newStore(t)
	x := ensure(t, s, "a")
	nodes := talk(1, 40)
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for turn := range slices.Chunk(nodes, 5) {
				b := x.Begin(w == 1)
				for _, n := range turn {
					if _, err := b.Append(n); err != nil {
						t.Error(err)
					}
					x.Has(n.ID) // must not wait for the batch
				}
				if err := b.Close(true); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 2 {
		wg.Go(func() {
			for x.Len() < len(nodes) {
				last := 0
				for n, err := range x.Nodes(1) {
					if err != nil || n.Seq != last+1 {
						t.Errorf("node %d after %d: %v", n.Seq, last, err)
						return
					}
					last = n.Seq
				}
				if links := x.Skeleton(); len(links) < last {
					t.Errorf("%d links of %d nodes", len(links), last)
				}
				if _, err := x.Commits(); err != nil {
					t.Error(err)
				}
				if err := x.Update(func(m *memory.Session) { m.Title += "x" }); err != nil {
					t.Error(err)
				}
				x.drop()
			}
		})
	}
	wg.Wait()
	if x.Len() != len(nodes) {
		t.Errorf("%d nodes", x.Len())
	}
	sound(t, x)
	clean(t, x)
}
