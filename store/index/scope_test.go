package index

import (
	"fmt"
	"slices"
	"testing"

	"dormouse/store/memory"
)

// TestRecordsOfAnotherProjectNeverCome seeds records of other scopes that match better than all that may be seen, in the
// hot piece and in segments.
func TestRecordsOfAnotherProjectNeverCome(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir(), HotDocs: 16, SegmentDocs: 64})
	mine := map[string]bool{}
	for i := range 200 {
		d := Doc{ID: fmt.Sprintf("d%d", i), Kind: KindEvent, Time: int64(100 + i), Title: "token rotation decided", Body: "rotate the token"}
		switch i % 5 {
		case 0:
			d.Scope, d.Title, d.Body = memory.ProjectScope("mine"), "", "one token of many other words in a long line"
		case 1:
			d.Scope = memory.AgentScope("codex")
		case 2:
			d.Scope = memory.ProjectScope("mine2")
		default:
			d.Scope = memory.ProjectScope("theirs")
		}
		mine[d.ID] = i%5 == 0
		put(t, ix, d)
	}
	check := func() {
		t.Helper()
		hits := search(t, ix, Query{Text: "token rotation", View: memory.View{Project: "mine"}, Since: 100, Until: 400, Limit: 1000})
		if len(hits) != 40 {
			t.Errorf("%d hits, and 40 documents match and may be seen", len(hits))
		}
		for _, h := range hits {
			if !mine[h.Doc.ID] {
				t.Errorf("%s of scope %s is shown", h.Doc.ID, h.Doc.Scope)
			}
		}
		if n := len(search(t, ix, Query{Text: "token"})); n != 0 {
			t.Errorf("a reader without a project sees %d documents of projects and agents", n)
		}
		if n := len(search(t, ix, Query{Text: "token", View: memory.View{All: true}, Limit: 1000})); n != 200 {
			t.Errorf("who may see all sees %d of 200", n)
		}
	}
	check()
	settle(t, ix)
	check()
}

func TestDocumentsWithoutAScopeAreRefused(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir()})
	for _, s := range []memory.Scope{"", "project:", "everyone"} {
		if err := ix.Put(t.Context(), []Doc{{ID: "x", Scope: s, Body: "word"}}); err == nil {
			t.Errorf("a document of scope %q is taken", s)
		}
	}
	if err := ix.Put(t.Context(), []Doc{{Scope: memory.Global, Body: "word"}}); err == nil {
		t.Error("a document without an id is taken")
	}
	if n := ix.Stats().Docs; n != 0 {
		t.Errorf("%d refused documents are there", n)
	}
}

func TestAMoveToAnotherScopeTakesEffectAtOnce(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir()})
	d := note("d", "secret word")
	d.Scope = memory.ProjectScope("a")
	put(t, ix, d)
	d.Scope = memory.ProjectScope("b")
	put(t, ix, d)
	if got := found(t, ix, Query{Text: "word", View: memory.View{Project: "a"}}); got != nil {
		t.Errorf("the old scope still has %v", got)
	}
	if got := found(t, ix, Query{Text: "word", View: memory.View{Project: "b"}}); !slices.Equal(got, []string{"d"}) {
		t.Errorf("the new scope has %v", got)
	}
}

func TestFiltersKeepOthersOut(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir()})
	all := []Doc{
		{ID: "old", Kind: KindTurn, Session: "s1", Project: "p", Time: 10},
		{ID: "new", Kind: KindEvent, Session: "s2", Project: "p", Time: 20},
		{ID: "undated", Kind: KindEntity, Project: "q"},
		{ID: "gone", Kind: KindEvent, Time: 15, Superseded: true},
	}
	for i := range all {
		all[i].Scope, all[i].Body = memory.Global, "word"
	}
	put(t, ix, all...)
	for name, c := range map[string]struct {
		q    Query
		want []string
	}{
		"nothing asked":      {Query{}, []string{"new", "old", "undated"}},
		"superseded as well": {Query{Superseded: true}, []string{"gone", "new", "old", "undated"}},
		"since":              {Query{Since: 11}, []string{"new"}},
		"until is exclusive": {Query{Until: 20}, []string{"old"}},
		"a kind":             {Query{Kinds: []Kind{KindEntity, KindTurn}}, []string{"old", "undated"}},
		"a session":          {Query{Sessions: []string{"s2", "s9"}}, []string{"new"}},
		"a project":          {Query{Projects: []string{"q"}}, []string{"undated"}},
		"no such session":    {Query{Sessions: []string{"s9"}}, nil},
		"some ids":           {Query{IDs: []string{"old", "gone", "nobody"}}, []string{"old"}},
		"no ids":             {Query{IDs: []string{}}, nil},
	} {
		c.q.Text = "word"
		got := found(t, ix, c.q)
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: found %v, want %v", name, got, c.want)
		}
	}
}

// TestWhatAQueryNamesComesBelowTheFilters has documents that no word of the query is in, in the hot piece and in segments.
func TestWhatAQueryNamesComesBelowTheFilters(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir(), HotDocs: 4, SegmentDocs: 16})
	for i := range 20 {
		scope := memory.ProjectScope([]string{"mine", "theirs"}[i%2])
		put(t, ix, Doc{ID: fmt.Sprintf("d%02d", i), Kind: KindEvent, Scope: scope, Time: int64(i + 1), Body: "nothing of it", Superseded: i == 4})
	}
	settle(t, ix)
	for name, c := range map[string]struct {
		q    Query
		want []string
	}{
		"named":                {Query{Also: []string{"d00", "d01", "d02", "nobody"}}, []string{"d00", "d02"}},
		"superseded":           {Query{Also: []string{"d04", "d06"}}, []string{"d06"}},
		"of a time":            {Query{Also: []string{"d00", "d08"}, Since: 5}, []string{"d08"}},
		"of another kind":      {Query{Also: []string{"d00"}, Kinds: []Kind{KindFact}}, nil},
		"without text as well": {Query{Text: "  ", Also: []string{"d10"}}, []string{"d10"}},
	} {
		if c.q.Text == "" {
			c.q.Text = "word"
		}
		c.q.View = memory.View{Project: "mine"}
		got := found(t, ix, c.q)
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: found %v, want %v", name, got, c.want)
		}
	}
	hits := search(t, ix, Query{Text: "nothing", View: memory.View{Project: "mine"}, Also: []string{"d00"}, Limit: 3})
	if n := len(hits); n != 4 || hits[3].Doc.ID != "d00" || hits[3].Score <= 0 || hits[3].Words != 1 {
		t.Errorf("what is named beside the best has no score of its own: %+v", hits)
	}
}
