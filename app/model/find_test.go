package model

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// finder is a fake whose searches differ by what they ask for.
type finder struct {
	*fake
	sessions []api.FoundSession
	deaf     bool // to searches for sessions
}

func (f finder) Search(ctx context.Context, q api.SearchQuery) (api.Search, error) {
	if !q.Sessions {
		return f.fake.Search(ctx, q)
	}
	if f.deaf {
		return api.Search{}, errors.New("no")
	}
	return api.Search{Sessions: f.sessions}, nil
}

func TestAnythingIsFoundFromAnywhere(t *testing.T) {
	f := finder{fake: &fake{projects: []api.Project{{ID: "p1", Name: "shop"}}}}
	f.found = api.Search{Hits: []api.Hit{
		{What: "turn", SessionID: "cc_1", Turn: 2, Title: "Fix it", Snippet: "the flaky\ntest", ProjectID: "p1", Time: at("2026-05-04 15:10")},
		{What: "event", ID: "ev_1", SessionID: "cc_2", Turn: 3, Title: "Chose SQLite", Kind: memory.KindDecision, ProjectID: "p1", Time: at("2026-05-03 10:00")},
		{What: "fact", ID: "fa_1", SessionID: "cc_3", Snippet: "person prefers tabs", Candidate: "quoted", Missing: "deleted"},
		{What: "event", ID: "ev_2", Title: "Old", Superseded: true},
		{What: "entity", ID: "file.db/open.go", Title: "db/open.go", ProjectID: "p1"},
		{What: "turn", SessionID: "cc_9", Title: "Same", Snippet: "Same", ProjectID: "p1"},
	}}
	f.sessions = []api.FoundSession{{SessionID: "cc_1", Title: "Fix the test", ProjectID: "p1", Turns: []int{2, 5}, Best: api.Hit{Time: at("2026-05-04 15:10")}}, {SessionID: "cc_8"}}
	p := New(Options{Backend: func() Backend { return f }, Now: presenter(f.fake).o.Now})
	got := p.Find(t.Context(), " re ")
	want := []FoundRow{
		{Group: "Go to"}, {Sign: "review", Title: "Review", To: FoundPlace{Page: "review"}},
		{Group: "Memories"},
		{Sign: "timeline", Title: "Chose SQLite", Below: "Decision · shop", When: "yesterday 10:00", To: FoundPlace{Turn: Place{"cc_2", 3}}},
		{Sign: "timeline", Title: "person prefers tabs", Below: "cannot be opened: deleted · Waits for you", To: FoundPlace{Turn: Place{"cc_3", 0}}},
		{Sign: "timeline", Title: "Old", Below: "Replaced"},
		{Group: "Names"}, {Sign: "graph", Title: "db/open.go", Below: "File · shop", To: FoundPlace{Entity: "file.db/open.go"}},
		{Group: "Turns"}, {Sign: "sessions", Title: "Fix it", Below: "the flaky test", When: "today 15:10", To: FoundPlace{Turn: Place{"cc_1", 2}}},
		{Sign: "sessions", Title: "Same", Below: "shop", To: FoundPlace{Turn: Place{"cc_9", 0}}},
		{Group: "Sessions"}, {Sign: "sessions", Title: "Fix the test", Below: "shop · 2 turns", When: "today 15:10", To: FoundPlace{Turn: Place{"cc_1", 2}}},
		{Sign: "sessions", Title: "Session cc_8", Below: "0 turns", To: FoundPlace{Turn: Place{"cc_8", 0}}},
	}
	if !reflect.DeepEqual(got.Rows, want) || got.Note != "" {
		t.Errorf("got\n%+v\nwant\n%+v\n%q", got.Rows, want, got.Note)
	}
	f.deaf = true
	if got = p.Find(t.Context(), "re"); len(got.Rows) != len(want)-3 {
		t.Errorf("without sessions: %+v", got.Rows)
	}
}

func TestASearchSaysWhenNothingIsFound(t *testing.T) {
	f := &fake{}
	p := presenter(f)
	if got := p.Find(t.Context(), ""); len(got.Rows) != len(Pages())+1 || len(f.asked) != 0 {
		t.Errorf("without words: %+v, asked %q", got, f.asked)
	}
	if got := p.Find(t.Context(), "xyz"); got.Note != "Nothing was found for “xyz”." || got.Rows != nil {
		t.Errorf("%+v", got)
	}
	f.found.Indexing = true
	if got := p.Find(t.Context(), "xyz"); got.Note != "Nothing was found for “xyz”. The index is still being filled; there may be more soon." {
		t.Errorf("%q", got.Note)
	}
	if got := p.Find(t.Context(), "core"); got.Note != "The index is still being filled; there may be more soon." || len(got.Rows) != 2 {
		t.Errorf("%+v", got)
	}
	f.err = map[string]error{"search": errors.New("no")}
	if got := p.Find(t.Context(), "core"); got.Note != "That did not work." || len(got.Rows) != 2 {
		t.Errorf("%+v", got)
	}
}
