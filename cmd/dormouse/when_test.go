package main

import (
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// testWhen answers each mode; a question without a time is asked back.
func testWhen(q api.WhenQuery) (api.When, error) {
	if q.Question == "cache" && q.Time == "" {
		return api.When{}, &api.Error{Code: api.CodeBadRequest, Message: "no time was found", Candidates: []string{"yesterday", "last week"}}
	}
	events := testTimeline().Events
	w := api.When{Mode: q.Mode, Words: "cache", Total: 3, Undated: 2, Turns: map[string]int{},
		Understood: api.Understood{Expression: "last week", Text: "Mon 2026-04-27 to Sun 2026-05-03, CEST", Zone: "CEST"}}
	switch q.Mode {
	case api.WhenState:
		w.State = &api.StateThen{Events: events, Facts: []api.FactShown{{Fact: memory.Fact{ID: "fa_1", Subject: "server", Verb: "uses", Object: "port 8080", Trust: memory.TrustPerson}}}}
	case api.WhenChange:
		w.Changes = []api.Changed{{At: unix("2026-05-01 10:00"), What: "superseded", Old: &api.RecordBriefly{ID: "ev_1", Text: "Chose Redis"},
			New: &api.RecordBriefly{ID: "ev_2", Text: "Chose \x1b[31mSQLite", SessionID: "cc_1a2b3c4d"}}}
	case api.WhenSummary:
		w.Summary = &api.WindowSummary{Days: []api.DayCount{{Day: "2026-05-01", Kinds: map[memory.Kind]int{"work": 2, "decision": 1}, Total: 3}}, Kinds: map[memory.Kind]int{"work": 2, "decision": 1},
			Sessions: 1, Top: events}
	default:
		w.Mode = api.WhenLookup
		w.Hits = testSearch().Hits
		w.Hits[0].Superseded = true
	}
	return w, nil
}

func TestWhenShowsHowATimeWasUnderstoodAndWhatFits(t *testing.T) {
	home := t.TempDir()
	f := serve(t, home)
	for mode, want := range map[string][]string{
		"lookup":  {"“last week” = Mon 2026-04-27 to Sun 2026-05-03, CEST", "lookup, for: cache", "superseded since", "2 more fit"},
		"state":   {"What held", "server uses port 8080", "What had happened"},
		"change":  {"2026-05-01 10:00  superseded", "- Chose Redis", "+ Chose", "dormouse show cc_1a2b3c4d"},
		"summary": {"3 events in 1 session: work 2, decision 1", "2026-05-01  3"},
	} {
		r := dormouse(t, home, "when", "--mode", mode, "what did we decide", "last week")
		for _, w := range want {
			if !strings.Contains(r.out, w) {
				t.Errorf("%s: no %q in\n%s%s", mode, w, r.out, r.err)
			}
		}
		if r.code != exitOK || strings.Contains(r.out, "\x1b[31m") {
			t.Errorf("%s: %+v", mode, r)
		}
	}
	if !strings.Contains(strings.Join(f.asked, "\n"), "Question:what did we decide last week") {
		t.Errorf("asked %v", f.asked)
	}
	if r := dormouse(t, home, "when", "cache"); r.code != exitFailure || !strings.Contains(r.err, "no time was found") || !strings.Contains(r.err, "  yesterday") {
		t.Errorf("without a time: %+v", r)
	}
	if r := dormouse(t, home, "when", "last week", "--json"); r.code != exitOK || !strings.Contains(r.out, `"understood"`) {
		t.Errorf("--json: %+v", r)
	}
	if r := dormouse(t, home, "when"); r.code != exitUsage {
		t.Errorf("nothing asked: %+v", r)
	}
}
