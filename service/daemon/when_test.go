package daemon

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// told is an event of a project or, for "", of all, that happened at a time; "" is an unknown one.
func told(t *testing.T, summary string, kind memory.Kind, at, project string) memory.Decision {
	t.Helper()
	e := &memory.Event{Summary: summary, Kind: kind, Scope: memory.Global, Trust: memory.TrustPerson,
		Provenance: memory.Provenance{ProjectID: project, SessionID: "cc_1", NodeIDs: []string{summary}}}
	if project != "" {
		e.Scope = memory.ProjectScope(project)
	}
	if at != "" {
		when, err := time.Parse("2006-01-02 15:04", at)
		if err != nil {
			t.Fatal(err)
		}
		n := when.Unix()
		e.Provenance.EventTime = &n
	}
	e.ID = memory.EventID(memory.EventClaim(e))
	p, err := memory.Propose(e)
	if err != nil {
		t.Fatal(err)
	}
	return memory.Decision{Action: memory.ActionAdd, Accepted: true, By: memory.ByRule, Reason: "stated", Proposal: p}
}

// remembering starts a service whose memory holds these decisions alone. It is Sunday, 2026-11-01.
func remembering(t *testing.T, decisions ...memory.Decision) *service {
	t.Helper()
	s := start(t, params(t.TempDir(), t.TempDir()))
	if err := s.daemon.ledger.Append(decisions, memory.Run{Kind: "light"}); err != nil {
		t.Fatal(err)
	}
	s.daemon.drawUpSoon(t.Context())
	settled(t, s)
	return s
}

func asked(t *testing.T, s *service, q api.WhenQuery) api.When {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 20
	}
	w, err := s.When(t.Context(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return w
}

func hitIDs(w api.When) (ids []string) {
	for _, h := range w.Hits {
		ids = append(ids, h.ID)
	}
	slices.Sort(ids)
	return ids
}

func TestAQuestionAboutATimeIsAnsweredFromItsWindowAlone(t *testing.T) {
	redis := told(t, "Chose Redis for the cache of the server", memory.KindDecision, "2026-10-20 10:00", "")
	sqlite := told(t, "Chose SQLite for the cache of the server", memory.KindDecision, "2026-10-28 10:00", "")
	edge := told(t, "The cache was emptied at night", memory.KindEvent, "2026-10-25 22:30", "") // Sunday; in Berlin, which has just left summer time, 23:30
	undated := told(t, "Chose nothing for the cache so far", memory.KindDecision, "", "")
	release := told(t, "Released version two of the server", memory.KindWork, "2026-10-25 12:00", "")
	other := told(t, "Chose memcached for the cache of the shop", memory.KindDecision, "2026-10-21 10:00", "pr_shop")
	instead := memory.Decision{Action: memory.ActionSupersede, Accepted: true, By: memory.ByPerson, Reason: "later", Proposal: memory.Proposal{
		Kind: memory.RecordEvent, RecordID: redis.Proposal.RecordID, Scope: memory.Global, By: sqlite.Proposal.RecordID}}
	s := remembering(t, redis, sqlite, edge, undated, release, other, instead)
	id := func(d memory.Decision) string { return d.Proposal.RecordID }
	sorted := func(ids ...string) []string { slices.Sort(ids); return ids }

	w := asked(t, s, api.WhenQuery{Question: "what did we decide about the cache last week", Agent: "codex", Zone: "Europe/Berlin"})
	if w.Mode != api.WhenLookup || !slices.Equal(hitIDs(w), sorted(id(redis), id(edge))) || w.Undated != 1 {
		t.Errorf("an agent: %+v", w)
	}
	if u := w.Understood; u.Expression != "last week" || u.Text != "Mon 2026-10-19 to Sun 2026-10-25, Europe/Berlin" {
		t.Errorf("understood as %+v", u)
	}
	if w = asked(t, s, api.WhenQuery{Question: "cache last week", Zone: "Asia/Tokyo"}); slices.Contains(hitIDs(w), id(edge)) {
		t.Errorf("in Tokyo it was Monday: %+v", w.Hits)
	}
	if w = asked(t, s, api.WhenQuery{Question: "cache last week"}); !slices.Contains(hitIDs(w), id(other)) {
		t.Errorf("the person sees all projects: %+v", w.Hits)
	}
	if w = asked(t, s, api.WhenQuery{Question: "what did we decide in October?", Agent: "codex"}); !slices.Equal(hitIDs(w), sorted(id(redis), id(sqlite))) || w.Undated != 1 {
		t.Errorf("decisions alone: %+v", w)
	}
	w = asked(t, s, api.WhenQuery{Question: "what changed about the cache since 2026-10", Agent: "codex"})
	if w.Mode != api.WhenChange || !w.Inferred || w.Words != "cache" || len(w.Changes) != 2 || w.Changes[0].What != "decided" || w.Changes[0].New.ID != id(redis) ||
		w.Changes[1].What != "superseded" || w.Changes[1].Old.ID != id(redis) || w.Changes[1].New.ID != id(sqlite) {
		t.Errorf("changes: %+v", w)
	}
	w = asked(t, s, api.WhenQuery{Question: "cache", Time: "2026-10-26", Mode: api.WhenState, Agent: "codex"})
	if w.State == nil || !slices.ContainsFunc(w.State.Events, func(e memory.Event) bool { return e.ID == id(redis) }) ||
		slices.ContainsFunc(w.State.Events, func(e memory.Event) bool { return e.ID == id(sqlite) }) {
		t.Errorf("the state then: %+v", w.State)
	}
	w = asked(t, s, api.WhenQuery{Question: "summary of last week", Agent: "codex"})
	if sum := w.Summary; sum == nil || w.Total != 3 || len(sum.Days) != 2 || sum.Days[0].Day != "2026-10-20" || sum.Kinds[memory.KindWork] != 1 || len(sum.Top) != 3 {
		t.Errorf("summary: %+v", w.Summary)
	}
	w = asked(t, s, api.WhenQuery{Question: "cache before the release", Agent: "codex"})
	if !slices.Equal(hitIDs(w), []string{id(redis)}) || w.Understood.Anchor == nil || w.Understood.Anchor.Event.ID != id(release) {
		t.Errorf("before the release: %+v", w)
	}
}

func TestAQuestionWithoutATimeIsAskedBack(t *testing.T) {
	s := remembering(t, told(t, "Moved the server to another rack", memory.KindWork, "2026-10-20 10:00", ""))
	for q, want := range map[string]string{
		"what do we use for the cache":         api.CodeBadRequest,
		"what happened before the elephant":    api.CodeNotFound,
		"what happened before the server died": api.CodeAmbiguous,
	} {
		var e *api.Error
		if _, err := s.When(t.Context(), api.WhenQuery{Question: q, Limit: 5}); !errors.As(err, &e) || e.Code != want || want != api.CodeNotFound && len(e.Candidates) == 0 {
			t.Errorf("%q: %v", q, err)
		}
	}
	for _, q := range []api.WhenQuery{{}, {Question: "yesterday", Mode: "guess"}, {Question: "yesterday", Zone: "Moon/Crater"}, {Question: "yesterday", Limit: 100000}} {
		var e *api.Error
		if _, err := s.When(t.Context(), q); !errors.As(err, &e) || e.Code != api.CodeBadRequest {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// A memory of another project that says the same at the same time is in no answer about this one, whatever is asked and by whom.
func TestAnotherProjectsMemoriesNeverComeInAWindow(t *testing.T) {
	s := start(t, learned(t))
	here := spoken(t, s)
	there := told(t, here.Summary+", and elsewhere quite other things were agreed on with other people", memory.KindDecision, time.Unix(*here.Provenance.EventTime, 0).UTC().Format("2006-01-02 15:04"), "pr_elsewhere")
	if err := s.daemon.ledger.Append([]memory.Decision{there}, memory.Run{Kind: "light"}); err != nil {
		t.Fatal(err)
	}
	s.daemon.drawUpSoon(t.Context())
	settled(t, s)
	day := time.Unix(*here.Provenance.EventTime, 0).UTC().Format(time.DateOnly)
	for _, question := range []string{here.Summary, ""} {
		for _, mode := range api.WhenModes {
			for _, agent := range []string{"", "codex"} {
				w := asked(t, s, api.WhenQuery{Question: question, Time: day, Mode: mode, Agent: agent, Project: here.Provenance.ProjectID, Limit: 500})
				raw, err := json.Marshal(w)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(string(raw), there.Proposal.RecordID) || strings.Contains(string(raw), "pr_elsewhere") {
					t.Errorf("%s for %q: %s", mode, agent, raw)
				}
				if question != "" && mode == api.WhenLookup && !slices.Contains(hitIDs(w), here.ID) {
					t.Errorf("for %q its own is not found: %v", agent, hitIDs(w))
				}
			}
		}
	}
	all := asked(t, s, api.WhenQuery{Question: here.Summary, Time: day, Mode: api.WhenLookup, Limit: 500})
	if !slices.Contains(hitIDs(all), there.Proposal.RecordID) {
		t.Error("it was never there: the test shows nothing")
	}
}
