package session

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dormouse/store/memory"
)

func since(t *testing.T, x *Session, commit, head string) []string {
	t.Helper()
	var out []string
	for n, err := range x.NodesSince(commit, head) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, n.ID)
	}
	return out
}

func TestAConsumerThatGoesOnFromItsCommitSeesEachNodeOfEveryBranchOnce(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	var got []string
	cursor := ""
	for _, n := range forked() {
		add(t, x, false, n.Role == memory.RoleAssistant, n)
		list, err := x.Commits()
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 || list[0].SHA == cursor {
			continue
		}
		got = append(got, since(t, x, cursor, "")...)
		cursor = list[0].SHA
	}
	add(t, x, false, true)
	got = append(got, since(t, x, cursor, "")...)
	if want := ids(forked()); !slices.Equal(got, want) {
		t.Errorf("it saw %v, want %v", got, want)
	}
}

func TestWhatABranchHasThatAnotherLacksLeavesOutTheSharedBeginning(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, true, true, forked()...)
	main, _, err := x.CommitOf("t2")
	if err != nil {
		t.Fatal(err)
	}
	retry, _, err := x.CommitOf("a2b")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		commit, head string
		want         []string
	}{
		{main.SHA, "a2b", []string{"u2b", "a2b"}},
		{retry.SHA, "u3", []string{"u2", "a2", "t2", "s1", "s2", "u3"}},
		{main.SHA, "u3", []string{"u3"}},
		{"", "a2b", []string{"u1", "a1", "u2b", "a2b"}},
		{retry.SHA, "a1", nil},
		{retry.SHA, "", []string{"u3"}},
	} {
		if got := since(t, x, tt.commit, tt.head); !slices.Equal(got, tt.want) {
			t.Errorf("from %s to %s: %v, want %v", tt.commit, tt.head, got, tt.want)
		}
	}
	for _, tt := range [][2]string{{"0123456789012345678901234567890123456789", ""}, {main.SHA, "none"}} {
		for _, err := range x.NodesSince(tt[0], tt[1]) {
			if !errors.Is(err, ErrNoCommit) && !errors.Is(err, ErrNoNode) {
				t.Errorf("%v: %v", tt, err)
			}
		}
	}
	if got, err := x.Select("t2", "u1"); err != nil || !slices.Equal(ids(got), []string{"t2", "u1"}) {
		t.Errorf("%v %v", ids(got), err)
	}
	if _, err := x.Select("u1", "none"); !errors.Is(err, ErrNoNode) {
		t.Error(err)
	}
}

// compacted is a conversation whose context is summarised between two turns, with a sub-agent.
func compacted() []memory.Node {
	nodes := forked()[:7]
	sum := node("c", memory.RoleUser, "t2", "", 8)
	sum.Metadata.Kind, sum.Metadata.Compaction = memory.KindCompaction, &memory.Compaction{Last: "a2"}
	answer := node("a3", memory.RoleAssistant, "u3", "", 11)
	answer.Metadata.Usage = &memory.Usage{Input: 10, CacheRead: 200, CacheWrite: 3, Output: 77}
	return append(nodes, sum, node("u3", memory.RoleUser, "c", "", 10), answer)
}

func states(c Context) map[string]Sight {
	out := map[string]Sight{}
	for _, v := range c.Views {
		for _, it := range v.Items {
			out[it.ID] = it.State
		}
	}
	return out
}

func TestContextSaysWhatTheModelSawInATurn(t *testing.T) {
	for _, lose := range []bool{false, true} { // what was stored, and what is reconstructed
		for _, bulk := range []bool{false, true} {
			x := ensure(t, newStore(t), "a")
			for _, n := range compacted() {
				add(t, x, bulk, false, n)
			}
			add(t, x, bulk, true)
			if lose {
				if err := os.Remove(filepath.Join(x.Dir(), contextPath)); err != nil {
					t.Fatal(err)
				}
			}
			list, err := x.Commits()
			if err != nil {
				t.Fatal(err)
			}
			c, err := x.Context(list[0].SHA)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]Sight{"u1": SeenSummarised, "a1": SeenSummarised, "u2": SeenSummarised, "a2": SeenSummarised, "t2": SeenFull,
				"c": SeenFull, "u3": SeenFull, "a3": SeenFull, "s1": SeenFull, "s2": SeenFull}
			got := states(c)
			for id, state := range want {
				if got[id] != state {
					t.Errorf("%s is %q, want %s", id, got[id], state)
				}
			}
			if c.Turn != 3 || c.From != FromTranscript || c.Tokens != 213 || len(c.Views) != 2 || c.Views[0].Agent != "" || len(c.Views[0].Items) != 8 || len(c.Views[1].Items) != 2 {
				t.Errorf("%+v", c)
			}
			if last := c.Views[0].Items[7]; last.Tokens != 77 || c.Views[0].Items[0].Tokens != 3 {
				t.Errorf("%+v", c.Views[0].Items)
			}
			first, err := x.Context(list[len(list)-1].SHA)
			if err != nil || len(first.Views) != 1 || len(first.Views[0].Items) != 2 || first.Views[0].Items[0].State != SeenFull {
				t.Errorf("%+v %v", first, err)
			}
		}
	}
}

func TestAResultThatWasTakenOutOfTheContextIsSeenAsItsCallAlone(t *testing.T) {
	for _, bulk := range []bool{false, true} {
		x := ensure(t, newStore(t), "a")
		notice := node("n", memory.RoleUser, "t2", "", 8)
		notice.Metadata.Kind, notice.Metadata.Cleared = memory.KindHarness, []string{"t2", "not there"}
		add(t, x, bulk, true, append(forked()[:5], notice, node("a3", memory.RoleAssistant, "n", "", 9))...)
		for _, lose := range []bool{false, true} {
			if lose {
				if err := os.RemoveAll(filepath.Join(x.Dir(), contextPath)); err != nil {
					t.Fatal(err)
				}
			}
			list, err := x.Commits()
			if err != nil {
				t.Fatal(err)
			}
			c, err := x.Context(list[0].SHA)
			if got := states(c); err != nil || got["t2"] != SeenAged || got["a2"] != SeenFull || got["n"] != SeenFull || got["a3"] != SeenFull || len(got) != 7 {
				t.Errorf("bulk %v, lines lost %v: %v, %v", bulk, lose, got, err)
			}
		}
	}
}

func TestWhatTheProxySawStandsForTheReconstruction(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	nodes := compacted()
	add(t, x, false, true, nodes[:5]...)
	list, err := x.Commits()
	if err != nil {
		t.Fatal(err)
	}
	seen := Context{Commit: list[0].SHA, Turn: 2, Tokens: 99, Views: []Viewed{{Items: []Item{
		{ID: "a1", State: SeenAged, Tokens: 1}, {ID: "u2", State: SeenFull, Tokens: 4}, {ID: "t2", State: SeenFull, Tokens: 5}}}}}
	if err := x.Observe(seen); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(x.Dir(), contextPath), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"commit":"torn`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	add(t, x, false, true, node("u3", memory.RoleUser, "t2", "", 10), node("a3", memory.RoleAssistant, "u3", "", 11))
	for _, y := range []*Session{x, reopened(t, x)} {
		c, err := y.Context(list[0].SHA)
		if err != nil || c.From != FromProxy || c.Tokens != 99 {
			t.Errorf("%+v %v", c, err)
		}
		if got := states(c); got["u1"] != SeenCleared || got["a1"] != SeenAged || got["t2"] != SeenFull || got["a2"] != "" {
			t.Errorf("%v", got)
		}
		newest, err := y.Commits()
		if err != nil {
			t.Fatal(err)
		}
		c, err = y.Context(newest[0].SHA)
		if err != nil || c.From != FromTranscript || states(c)["a1"] != SeenAged || states(c)["a3"] != SeenFull {
			t.Errorf("%+v %v", c, err)
		}
	}
	if err := x.Observe(Context{Commit: "0123456789012345678901234567890123456789"}); !errors.Is(err, ErrNoCommit) {
		t.Error(err)
	}
	sound(t, x)
	clean(t, x)
}

func TestContextsTakeRoomForWhatATurnAddsAndNotForWhatWasThere(t *testing.T) {
	size := func(turns int) int64 {
		x := ensure(t, newStore(t), "a")
		add(t, x, true, true, talk(1, turns+1)...)
		info, err := os.Stat(filepath.Join(x.Dir(), contextPath))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	if small, large := size(20), size(200); large > 11*small {
		t.Errorf("20 turns take %d bytes, 200 take %d", small, large)
	}
}
