package daemon

import (
	"errors"
	"strings"
	"testing"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/service/config"
	"dormouse/store/memory"
)

// TestTwoLaptopsInTheWordsOfTheReadme sets two laptops up with one empty repository: learn on A, sync, ask on B, open the turn on B, refuse
// on B, sleep on A, and it stays refused. Sessions travel when they are opened.
func TestTwoLaptopsInTheWordsOfTheReadme(t *testing.T) {
	bare, dirA, dirB := remote(t), t.TempDir(), t.TempDir()
	pa, pb := params(dirA, half(t, assets.SampleClaude)), params(dirB, half(t, assets.SampleCodex))
	pa.Config.Sync.Sessions, pb.Config.Sync.Sessions = config.SessionsOnDemand, config.SessionsOnDemand
	a, b := start(t, pa), start(t, pb)
	exchange := func(all ...*service) {
		t.Helper()
		for _, s := range all {
			if _, err := s.Sync(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, s := range []*service{a, b} {
		if _, err := s.SyncSetup(t.Context(), bare); err != nil {
			t.Fatal(err)
		}
	}
	exchange(a, b)
	on := func() []string {
		t.Helper()
		return strings.Fields(git(t, bare, "for-each-ref", "--format=%(refname)", "refs/dormouse/sessions"))
	}
	mine, err := a.Sessions(t.Context(), api.SessionQuery{Limit: 1000})
	if err != nil || len(mine) == 0 {
		t.Fatal(mine, err)
	}
	theirs, err := b.Sessions(t.Context(), api.SessionQuery{Limit: 1000})
	if err != nil || len(on()) != len(mine)+len(theirs) {
		t.Fatalf("%d sessions of a, %d of b, on the remote\n%q", len(mine), len(theirs), on())
	}

	// Ask on b what a alone was there for, and open the turn.
	line, err := a.Timeline(t.Context(), api.TimelineQuery{Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	var learned memory.Event
	for _, e := range line.Events {
		for _, s := range mine {
			if e.Provenance.SessionID == s.ID {
				learned = e
			}
		}
	}
	found, err := b.Search(t.Context(), api.SearchQuery{Words: learned.Summary, Kinds: []string{"event"}, Limit: 5})
	if err != nil || len(found.Hits) == 0 || found.Hits[0].ID != learned.ID {
		t.Fatalf("asked for %q: %+v %v", learned.Summary, found, err)
	}
	id := learned.Provenance.SessionID
	there, err := a.Session(t.Context(), id, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range theirs {
		if s.ID == id {
			t.Fatal("b has it already")
		}
	}
	here, err := b.Session(t.Context(), id, nil)
	if err != nil || len(here.Turns) != len(there.Turns) || here.Session.Title != there.Session.Title {
		t.Fatalf("%d turns, want %d: %v", len(here.Turns), len(there.Turns), err)
	}
	if got, want := git(t, dirB+"/sessions/"+id, "for-each-ref", "refs/heads"), git(t, dirA+"/sessions/"+id, "for-each-ref", "refs/heads"); got != want {
		t.Errorf("b has other commits of it\n%s\nthan a\n%s", got, want)
	}
	if now, err := b.Sessions(t.Context(), api.SessionQuery{Limit: 1000}); err != nil || len(now) != len(theirs)+1 {
		t.Errorf("%d sessions, want one more than %d: %v", len(now), len(theirs), err)
	}
	exchange(b)
	if len(on()) != len(mine)+len(theirs) {
		t.Errorf("b sends a's session on: %q", on())
	}

	// Refuse on b; after a sleep of a it stays refused.
	if _, err := b.Decide(t.Context(), api.Decide{Action: api.DoRefuse, ID: learned.ID, Reason: "not so"}); err != nil {
		t.Fatal(err)
	}
	exchange(b, a)
	if _, err := a.Sleep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(summaries(t, a), learned.ID+" ") {
		t.Error("what was refused on b is there again after a's sleep")
	}

	// An erase on a takes the session off the remote and b's copy away.
	var other memory.Event
	for _, e := range line.Events {
		if e.Provenance.SessionID == id && e.ID != learned.ID {
			other = e
		}
	}
	if other.ID == "" {
		other = learned
	}
	if _, err := a.Decide(t.Context(), api.Decide{Action: api.DoErase, ID: other.ID, Reason: "private"}); err != nil {
		t.Fatal(err)
	}
	exchange(a, b)
	if strings.Contains(strings.Join(on(), " "), id) || len(on()) != len(mine)+len(theirs)-1 {
		t.Errorf("a session with what was erased is on the remote: %q", on())
	}
	var e *api.Error
	if _, err := b.Session(t.Context(), id, nil); !errors.As(err, &e) || e.Code != api.CodeElsewhere || !strings.Contains(e.Message, machineName()) {
		t.Errorf("b has its copy, or does not say where the session is: %v", err)
	}
	if _, err := a.Session(t.Context(), id, nil); err != nil {
		t.Errorf("a has lost its own session: %v", err)
	}
	sound(t, dirA)
	sound(t, dirB)
}
