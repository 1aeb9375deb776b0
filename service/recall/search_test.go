package recall

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"dormouse/store/index"
	"dormouse/store/index/words"
	"dormouse/store/memory"
)

// searcher indexes records and turns.
func searcher(t *testing.T, s *memory.State, docs ...index.Doc) *Searcher {
	t.Helper()
	ix := openIndex(t)
	if err := ix.Put(t.Context(), append(DocsFromState(s), docs...)); err != nil {
		t.Fatal(err)
	}
	return &Searcher{Index: ix}
}

func find(t *testing.T, s *Searcher, q Query) []Hit {
	t.Helper()
	hits, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

var inP = memory.View{Project: "p"}

func TestAHitSaysWhatItIsAndLeadsBack(t *testing.T) {
	w := world()
	addEvent(w, "ev_1", "Decided to keep sessions in SQLite", func(e *memory.Event) {
		e.Kind = memory.KindDecision
		e.Provenance.NodeIDs = []string{"n7", "n8"}
	})
	addEntity(w, memory.TypeLibrary, "SQLite", func(e *memory.Entity) { e.Attrs = map[string]string{"used for": "the session cache"} })
	turn := DocsFromTurn(memory.Session{ID: "cc_9", ProjectID: "p"}, 4, []memory.Node{user("u1", "should the cache use sqlite or a plain file?")})
	s := searcher(t, w, turn...)
	s.TurnOf = func(session, node string) int {
		if session == "cc_ev_1" && node == "n7" {
			return 12
		}
		return 0
	}
	got := map[index.Kind]Hit{}
	for _, h := range find(t, s, Query{Text: "sqlite", View: inP}) {
		h.Score, h.Parts = 0, nil
		got[h.What] = h
	}
	for what, want := range map[index.Kind]string{
		index.KindEvent:  "{event ev_1 0 Decided to keep sessions in SQLite Decided to keep sessions in SQLite decision person project:p p cc_ev_1 12 [n7 n8] 1780000000 false 0 []}",
		index.KindEntity: "{entity library.SQLite 0 SQLite used for: the session cache library  project:p p cc_g 0 [n] 1780000000 false 0 []}",
		index.KindTurn:   "{turn cc_9/000004 0  should the cache use sqlite or a plain file?   project:p p cc_9 4 [u1] 100 false 0 []}",
	} {
		if fmt.Sprint(got[what]) != strings.Replace(want, "library.SQLite", memory.EntityID(memory.TypeLibrary, "SQLite"), 1) {
			t.Errorf("%s:\n%v\nwant\n%s", what, got[what], want)
		}
	}
}

// TestMatchingRecordsOfAnotherProjectNeverCome seeds better matches in other scopes, in the same window.
func TestMatchingRecordsOfAnotherProjectNeverCome(t *testing.T) {
	w := world()
	for i, scope := range []memory.Scope{memory.ProjectScope("other"), memory.AgentScope("codex"), memory.ProjectScope("p2"), "", "team:all"} {
		addEvent(w, fmt.Sprint("ev_", i), "token rotation token rotation", func(e *memory.Event) { e.Scope = scope })
		addEntity(w, memory.TypeFile, fmt.Sprint("token/rotation", i), func(e *memory.Entity) { e.Scope = scope })
	}
	addEvent(w, "mine", "the token is rotated by hand since the outage", nil)
	theirs := DocsFromTurn(memory.Session{ID: "cc_x", ProjectID: "other"}, 1, []memory.Node{user("u", "token rotation")})
	s := searcher(t, w, theirs...)
	for _, q := range []Query{{View: inP}, {View: inP, Since: day1 - 1, Until: day1 + 1}, {View: inP, Superseded: true}, {View: inP, Projects: []string{"other", "p"}}} {
		q.Text, q.Limit = "token rotation", 100
		hits := find(t, s, q)
		if len(hits) != 1 || hits[0].ID != "mine" {
			t.Errorf("%+v: %v", q, hits)
		}
	}
}

func TestNearIdenticalHitsAreFolded(t *testing.T) {
	w := world()
	for i := range 30 {
		addEvent(w, fmt.Sprintf("ev_%02d", i), fmt.Sprintf("The nightly build of the parser failed on the runner again, try %d", i), nil)
	}
	addEvent(w, "ev_other", "Wrote a parser for the nightly report", nil)
	var docs []index.Doc
	long := strings.Repeat("the parser of the build, told at length in many words. ", 60)
	for n, id := range []string{"cc_a", "cc_b"} { // the second is a fork with the same turn
		docs = append(docs, DocsFromTurn(memory.Session{ID: id, ProjectID: "p"}, n+1, []memory.Node{user("u", long)})...)
	}
	s := searcher(t, w, docs...)
	hits := find(t, s, Query{Text: "nightly parser build", View: inP, Limit: 5})
	folded, kinds := 0, map[index.Kind]int{}
	for _, h := range hits {
		folded += h.Folded
		kinds[h.What]++
	}
	if kinds[index.KindEvent] != 2 || kinds[index.KindTurn] != 1 || folded < 29 {
		t.Errorf("%v, %d folded", kinds, folded)
		for _, h := range hits {
			t.Logf("%+v", h)
		}
	}
}

func TestSupersededRecordsComeOnlyWhenAskedFor(t *testing.T) {
	w := world()
	addEvent(w, "old", "The port is 8080", func(e *memory.Event) { e.SupersededBy = "new" })
	addEvent(w, "new", "The port is 9090 now", nil)
	s := searcher(t, w)
	if hits := find(t, s, Query{Text: "port", View: inP}); len(hits) != 1 || hits[0].ID != "new" {
		t.Errorf("%v", hits)
	}
	if hits := find(t, s, Query{Text: "port", View: inP, Superseded: true}); len(hits) != 2 || hits[0].Superseded == hits[1].Superseded {
		t.Errorf("%v", hits)
	}
}

func TestAnAnswerKeepsToItsBytes(t *testing.T) {
	w := world()
	for i := range 40 {
		addEvent(w, fmt.Sprint("ev_", i), strings.Repeat(fmt.Sprintf("決定%d ", i*7919), 1+i%9)+"缓存", nil)
	}
	s := searcher(t, w)
	for _, limit := range []int{100, 500, 3000} {
		bytes := 0
		hits := find(t, s, Query{Text: "缓存", View: inP, Limit: 40, MaxBytes: limit})
		for _, h := range hits {
			bytes += len(h.Title) + len(h.Snippet)
		}
		if bytes > limit || limit >= 500 && len(hits) == 0 {
			t.Errorf("%d hits of %d bytes, and %d were allowed", len(hits), bytes, limit)
		}
	}
}

func TestOddQueriesOfARecallAreAnswered(t *testing.T) {
	s := searcher(t, world(), DocsFromTurn(meta, 1, []memory.Node{user("u", "我们决定用SQLite存储会话记录"), user("v", "the C++ client of foo.bar")})...)
	for _, text := range []string{"", "the", `"`, "\x00", strings.Repeat("会话 ", 40_000), "C++", "foo.bar", "会话"} {
		hits := find(t, s, Query{Text: text, View: inP})
		if wants := strings.ContainsAny(text, "会Cf"); wants != (len(hits) == 1) {
			t.Errorf("%.10q: %d hits", text, len(hits))
		}
	}
}

func TestASnippetShowsTheMatch(t *testing.T) {
	filler := strings.Repeat("nothing of interest stands here at all ", 40)
	han := strings.Repeat("这里没有任何值得注意的内容", 40)
	for name, c := range map[string]struct{ query, text, want string }{
		"in the middle":    {"tokenRotation", filler + "func tokenRotation() starts the job " + filler, "tokenRotation()"},
		"at the end":       {"rotation", filler + "token rotation", "token rotation"},
		"most terms":       {"token rotation", "token " + filler + "token rotation " + filler + "rotation", "token rotation"},
		"without spaces":   {"缓存失效", han + "昨天的缓存失效了" + han, "缓存失效"},
		"no match":         {"zebra", filler, "nothing of interest"},
		"over lines":       {"rotation", "a\n\nb\ttoken\r\nrotation", "a b token rotation"},
		"one endless word": {"zebra", strings.Repeat("x", 5000), "xxx"},
	} {
		got := newSnipper(words.New(), c.query).snip(c.text)
		if !strings.Contains(got, c.want) || len(got) > snippetBytes+2*len(ellipsis) || !utf8.ValidString(got) || strings.ContainsAny(got, "\n\t") {
			t.Errorf("%s: %d bytes: %q", name, len(got), got)
		}
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("word", strings.Repeat("a word and ", 50))
	f.Add("缓存", strings.Repeat("缓存失效x", 100))
	f.Add("\xff", strings.Repeat("\xff\xfe \x00", 200))
	f.Fuzz(func(t *testing.T, query, text string) {
		if got := newSnipper(words.New(), query).snip(text); len(got) > snippetBytes+2*len(ellipsis) || !utf8.ValidString(got) {
			t.Errorf("%d bytes: %q", len(got), got)
		}
	})
}
