package session

import (
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/store/memory"
)

// Promises of a session that no other test states.

func TestSessionsOfBothPlacesAreListedByTheirLastNodeTheNewestFirst(t *testing.T) {
	b := newBound(t)
	at := func(s *Store, id, project string, turns int) string {
		t.Helper()
		x, err := s.Ensure(memory.Session{Agent: "claude-code", AgentSessionID: id, ProjectID: project, Cwd: "/w"}, "cc")
		if err != nil {
			t.Fatal(err)
		}
		add(t, x, false, true, talk(1, turns+1)...)
		return x.id
	}
	old, newest, middle := at(b.Store, "a", "proj_1", 1), at(b.Store, "b", "proj_2", 4), at(b.Store, "c", "proj_1", 2)
	want := func(s *Store, ids ...string) {
		t.Helper()
		if got := listed(t, s); !slices.Equal(got, ids) {
			t.Errorf("listed are %q, want %q", got, ids)
		}
	}
	want(b.Store, newest, middle, old)
	x, err := b.Open(old)
	if err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func() error{ // none of which is a node
		"a title and a pin": func() error { return x.Update(func(m *memory.Session) { m.Title, m.Pinned = "Mine", true }) },
		"packing":           x.Compact,
		"thawing":           x.Thaw,
		"a switch":          func() error { return x.Switch(talk(1, 2)[1].ID) },
		"reading":           func() error { _, err := x.Branch(""); return err },
	} {
		if err := do(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	want(b.Store, newest, middle, old)
	at(b.Store, "a", "proj_1", 6)
	want(b.Store, old, newest, middle)
	want(b.again(t), old, newest, middle)
}

func TestANodesCommitIsTheFirstThatHoldsItOnWhateverBranch(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, true, true, tangle(1, 8)...)
	add(t, x, false, false, tangle(8, 9)...)
	open := 0
	for _, n := range all(t, x) {
		c, ok, err := x.CommitOf(n.ID)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			open++
			continue
		}
		file := historyDir + "/" + nodeName(n.Seq, n.Role, n.ID)
		if _, err := tryStock(x.Dir(), "cat-file", "-e", c.SHA+":"+file); err != nil {
			t.Errorf("commit %s does not hold %s", c.SHA, file)
		}
		added := strings.Fields(stock(t, x.Dir(), "log", "--all", "--diff-filter=A", "--reverse", "--format=%H", "--", file))
		if !slices.Contains(added, c.SHA) {
			t.Errorf("%s was added by %q, not by %s", file, added, c.SHA)
		}
	}
	if open != 5 {
		t.Errorf("%d nodes have no commit, 5 are of the open turn", open)
	}
}

func TestTheCacheHoldsThe256SessionsThatWereUsedLast(t *testing.T) {
	s := newStore(t)
	var all []*Session
	for range 300 {
		all = append(all, &Session{store: s})
	}
	for _, x := range all {
		s.used(x)
	}
	s.used(all[44]) // the oldest that is kept
	s.used(all[0])
	if want := append(slices.Clone(all[46:]), all[44], all[0]); CacheSize != 256 || !slices.Equal(s.recent, want) {
		t.Errorf("%d sessions are kept", len(s.recent))
	}
}

func TestNoSessionExpiresHoweverOldItIs(t *testing.T) {
	b := newBound(t)
	x := ensure(t, b.Store, "a")
	add(t, x, false, true, talk(1, 4)...)
	y := ensure(t, newStoreIn(b), "b")
	add(t, y, true, true, talk(1, 2)...)
	later := b.again(t)
	later.opts.Now = func() time.Time { return time.Now().AddDate(200, 0, 0) }
	for range 3 { // all that is done by itself
		for _, id := range listed(t, later) {
			z, err := later.Open(id)
			if err != nil {
				t.Fatal(err)
			}
			_, settle := later.Settle(id)
			for _, err := range []error{z.Compact(), z.Sweep(), settle, later.SweepMoved(), later.Note()} {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := later.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for id, n := range map[string]int{x.id: 15, y.id: 5} {
		z, err := later.Open(id)
		if err != nil || len(all(t, z)) != n {
			t.Fatalf("%s: %v", id, err)
		}
		sound(t, z)
	}
}

// newStoreIn is the bound store without its binding.
func newStoreIn(b *bound) *Store {
	opts := b.opts
	opts.Inside = nil
	return New(opts)
}
