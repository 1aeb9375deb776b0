package daemon

import (
	"strings"
	"testing"

	"dormouse/service/api"
)

func TestSessionsAreFoundAndOpenAtTheirTurns(t *testing.T) {
	s := start(t, learned(t))
	got, err := s.Search(t.Context(), api.SearchQuery{Words: "marketplace plugin removed", Sessions: true, Limit: 5})
	if err != nil || len(got.Sessions) == 0 || len(got.Hits) != 0 {
		t.Fatalf("%+v %v", got, err)
	}
	seen := map[string]bool{}
	for i, f := range got.Sessions {
		if seen[f.SessionID] || i > 0 && f.Score > got.Sessions[i-1].Score || f.Best.SessionID != f.SessionID || f.ProjectID == "" {
			t.Errorf("%d: %+v", i, f)
		}
		seen[f.SessionID] = true
		for _, n := range f.Turns {
			if open, err := s.Session(t.Context(), f.SessionID, &n); err != nil || len(open.Turns) != 1 {
				t.Errorf("turn %d of %s does not open: %v", n, f.SessionID, err)
			}
		}
	}
	if none, err := s.Search(t.Context(), api.SearchQuery{Words: "payroll of the zoo zebra keepers", Sessions: true}); err != nil || len(none.Sessions) != 0 {
		t.Errorf("nothing fits, and %+v comes: %v", none, err)
	}
}

// TestAnAnswerIsASentenceThatStandsThereOrNone asks for what the samples say, and for what nobody ever said.
func TestAnAnswerIsASentenceThatStandsThereOrNone(t *testing.T) {
	s := start(t, learned(t))
	got, err := s.Ask(t.Context(), api.AskQuery{Question: "was the marketplace plugin removed?", Limit: 3})
	if err != nil || len(got.Sentences) == 0 {
		t.Fatalf("%+v %v", got, err)
	}
	for _, a := range got.Sentences {
		if a.Hit < 0 || a.Hit >= len(got.Hits) || strings.TrimSpace(a.Text) == "" {
			t.Errorf("%+v of %d hits", a, len(got.Hits))
			continue
		}
		h := got.Hits[a.Hit]
		if h.What != "turn" {
			continue
		}
		open, err := s.Session(t.Context(), h.SessionID, &h.Turn)
		if err != nil {
			t.Fatal(err)
		}
		said := false
		for _, n := range open.Turns[0].Nodes {
			said = said || n.ID == a.Node
		}
		if !said {
			t.Errorf("%q is cited as said by node %s, which is not in its turn", a.Text, a.Node)
		}
	}
	for _, q := range []string{"who feeds the zebras of the zoo?", "the of and", "🙂"} {
		none, err := s.Ask(t.Context(), api.AskQuery{Question: q, Limit: 3})
		if err != nil || len(none.Sentences) != 0 {
			t.Errorf("%q is answered with %+v: %v", q, none.Sentences, err)
		}
	}
}
