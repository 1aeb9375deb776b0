package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// turnsFound are the ids of the raw turns that words find.
func turnsFound(t *testing.T, s *service, q api.SearchQuery) (records, turns []string) {
	t.Helper()
	q.Limit = 200
	found, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hits {
		if h.What == "turn" {
			turns = append(turns, h.ID)
		} else {
			records = append(records, h.ID)
		}
	}
	return records, turns
}

// spoken is an event that the person said, whose turn can be found by its words.
func spoken(t *testing.T, s *service) memory.Event {
	t.Helper()
	line, err := s.Timeline(t.Context(), api.TimelineQuery{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range line.Events {
		project, isProject := e.Scope.Project()
		if !isProject || len(e.Summary) < 30 || e.Provenance.EventTime == nil {
			continue
		}
		records, turns := turnsFound(t, s, api.SearchQuery{Words: e.Summary, Project: project, For: "codex"})
		if slices.Contains(records, e.ID) && slices.ContainsFunc(turns, func(id string) bool { return strings.HasPrefix(id, e.Provenance.SessionID+"/") }) {
			return e
		}
	}
	t.Fatal("no event of the samples serves")
	return memory.Event{}
}

func TestWhatThePersonMarksPrivateIsShownToNoAgent(t *testing.T) {
	p := learned(t)
	dir, s := p.Home.Dir(), start(t, p)
	e := spoken(t, s)
	project := e.Provenance.ProjectID
	// seen says in whose answers the event is.
	seen := func() (person, agent bool) {
		t.Helper()
		settled(t, s)
		for _, who := range []struct {
			name string
			to   *bool
		}{{"", &person}, {"codex", &agent}} {
			records, _ := turnsFound(t, s, api.SearchQuery{Words: e.Summary, Project: project, For: who.name})
			line, err := s.Timeline(t.Context(), api.TimelineQuery{Project: project, For: who.name, Limit: 1000})
			if err != nil {
				t.Fatal(err)
			}
			then, err := s.Timeline(t.Context(), api.TimelineQuery{Project: project, For: who.name, Limit: 1000, AsOf: api.AsOf{Known: clock().Unix()}})
			if err != nil {
				t.Fatal(err)
			}
			w, err := s.When(t.Context(), api.WhenQuery{Question: e.Summary, Time: "since 1990", Mode: api.WhenLookup, Project: project, Agent: who.name, Limit: 100})
			if err != nil {
				t.Fatal(err)
			}
			in := func(list []memory.Event) bool {
				return slices.ContainsFunc(list, func(o memory.Event) bool { return o.ID == e.ID })
			}
			found := []bool{slices.Contains(records, e.ID), in(line.Events), in(then.Events), slices.Contains(hitIDs(w), e.ID)}
			if *who.to = found[0]; slices.Contains(found, !found[0]) {
				t.Errorf("%q: found, in the timeline, in the past, in the window: %v", who.name, found)
			}
		}
		return person, agent
	}
	core := func() string {
		t.Helper()
		out := ""
		for _, name := range []string{"core.md", "core/" + project + ".md"} {
			raw, err := os.ReadFile(filepath.Join(memoryOf(dir), name))
			if err != nil {
				t.Fatal(err)
			}
			out += string(raw)
		}
		return out
	}
	if person, agent := seen(); !person || !agent {
		t.Fatal("it was never there: the test shows nothing")
	}
	moved := decided(t, s, api.Decide{Action: api.DoScope, ID: e.ID, To: "private", Reason: "mine alone"})
	if m := moved.Decisions[0].Proposal.Move; m == nil || len(m.Receipts) < 2 || m.Digest == "" || m.Operation == "" {
		t.Errorf("the receipt: %+v", m)
	}
	if person, agent := seen(); !person || agent {
		t.Errorf("private: the person sees it %v, an agent %v", person, agent)
	}
	if strings.Contains(core(), e.Summary) {
		t.Error("a core.md tells it")
	}
	hidden := map[string]bool{}
	for _, r := range moved.Decisions[0].Proposal.Move.Receipts {
		hidden[r.NodeID] = true
	}
	found, err := s.Search(t.Context(), api.SearchQuery{Words: e.Summary, Project: project, For: "codex", Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hits {
		if slices.ContainsFunc(h.Nodes, func(n string) bool { return (h.What == "turn" || h.What == "segment") && hidden[n] }) {
			t.Errorf("the words of its turn are found: %s", h.ID)
		}
	}
	for _, who := range []string{"", "codex"} {
		x, err := s.SessionFor(t.Context(), api.TranscriptQuery{ID: e.Provenance.SessionID, For: who})
		if err != nil {
			t.Fatal(err)
		}
		open := 0
		for _, turn := range x.Turns {
			for _, n := range turn.Nodes {
				if hidden[n.ID] {
					open++
				}
			}
		}
		related := 0
		for _, entity := range e.Entities {
			g, err := s.Graph(t.Context(), api.GraphQuery{Entity: entity, Project: project, For: who, Hops: 2})
			if err != nil {
				continue // not in the graph
			}
			for _, edge := range g.Edges {
				if nodes := edge.Provenance.NodeIDs; len(nodes) > 0 && !slices.ContainsFunc(nodes, func(n string) bool { return !hidden[n] }) {
					related++
				}
			}
		}
		if mine := who == ""; (open > 0) != mine || related > 0 && !mine {
			t.Errorf("%q: opens %d nodes of the turn, is told %d of its relations", who, open, related)
		}
	}
	if _, err := s.Sleep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, agent := seen(); agent {
		t.Error("a sleep showed it to agents again")
	}
	decided(t, s, api.Decide{Action: api.DoUndo, ID: moved.Decisions[0].ID})
	if person, agent := seen(); !person || !agent {
		t.Errorf("after the undo: the person sees it %v, an agent %v", person, agent)
	}
	if _, turns := turnsFound(t, s, api.SearchQuery{Words: e.Summary, Project: project, For: "codex"}); !slices.ContainsFunc(turns, func(id string) bool {
		return strings.HasPrefix(id, e.Provenance.SessionID+"/")
	}) {
		t.Error("after the undo its turn is not found again")
	}

	// What is served by a receipt is served as long as its turn is there.
	decided(t, s, api.Decide{Action: api.DoScope, ID: e.ID, To: "global"})
	if person, agent := seen(); !person || !agent {
		t.Errorf("global: the person sees it %v, an agent %v", person, agent)
	}
	if _, err := s.Delete(t.Context(), e.Provenance.SessionID); err != nil {
		t.Fatal(err)
	}
	if person, agent := seen(); person || agent {
		t.Errorf("with its session deleted: the person sees it %v, an agent %v", person, agent)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(home.At(dir).Index()); err != nil {
		t.Fatal(err)
	}
	s = start(t, params(dir, t.TempDir()))
	if person, agent := seen(); person || agent {
		t.Errorf("after a rebuild: the person sees it %v, an agent %v", person, agent)
	}
	if _, faults, err := s.daemon.ledger.Verify(); err != nil || len(faults) > 0 {
		t.Errorf("the log: %v %v", faults, err)
	}
	decided(t, s, api.Decide{Action: api.DoScope, ID: e.ID, To: "project:" + project}) // home, which needs no receipt
	if person, agent := seen(); !person || !agent {
		t.Errorf("home again: the person sees it %v, an agent %v", person, agent)
	}
}

func TestAScopeThatCannotBeGivenIsRefusedWithTheReason(t *testing.T) {
	s := start(t, learned(t))
	e := spoken(t, s)
	far := told(t, "Learned somewhere else", memory.KindLearning, "2026-10-20 10:00", e.Provenance.ProjectID)
	if err := s.daemon.ledger.Append([]memory.Decision{far}, memory.Run{Kind: "light"}); err != nil {
		t.Fatal(err)
	}
	for _, q := range []api.Decide{{ID: e.ID, To: "secret"}, {ID: e.ID, To: "project:"}, {ID: e.ID, To: "project:nowhere"}, {ID: e.ID}, {ID: e.ID, To: string(e.Scope)},
		{ID: far.Proposal.RecordID, To: "private"}, {ID: "ev_none", To: "private"}, {ID: "file.none", To: "global"}} {
		q.Action = api.DoScope
		var told *api.Error
		if _, err := s.Decide(t.Context(), q); !errors.As(err, &told) || told.Code == api.CodeInternal {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// TestAMovedRecordIsServedOnlyWhereItsSessionIs has a record be moved on one machine. The other one, which has its session not, serves it to
// nobody, neither in the old scope nor in the new; once it has captured the session too, it serves it in the new scope alone.
func TestAMovedRecordIsServedOnlyWhereItsSessionIs(t *testing.T) {
	bare := remote(t)
	orchard, vineyard := ofRemote(t, "https://example.org/x/orchard.git"), ofRemote(t, "https://example.org/x/vineyard.git")
	rootsA, rootsB := t.TempDir(), t.TempDir()
	said(t, rootsA, "one", orchard, tabs, lantern)
	said(t, rootsB, "two", vineyard, spaces)
	dirB := t.TempDir()
	a, b := start(t, params(t.TempDir(), rootsA)), start(t, params(dirB, rootsB))
	exchange := func() {
		t.Helper()
		for _, s := range []*service{a, b, a} {
			if _, err := s.Sync(t.Context()); err != nil {
				t.Fatal(err)
			}
			settled(t, s)
		}
	}
	for _, s := range []*service{a, b} {
		if _, err := s.SyncSetup(t.Context(), bare); err != nil {
			t.Fatal(err)
		}
	}
	exchange()
	// seen tells in whose answers on a machine the preference is: the person's, that of an agent in the machine's own project, and of one
	// that works nowhere.
	seen := func(s *service, own string) (out string) {
		t.Helper()
		for _, q := range []api.FactQuery{{}, {Project: own, For: "codex"}, {For: "codex"}} {
			q.Limit = 1000
			got, err := s.Facts(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			n := "-"
			for _, f := range got.Facts {
				if strings.Contains(f.Fact.Object, "tabs") && f.Fact.SupersededBy == "" {
					n = "+"
				}
			}
			out += n
		}
		return out
	}
	facts, err := a.Facts(t.Context(), api.FactQuery{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	id := ""
	for _, f := range facts.Facts {
		if strings.Contains(f.Fact.Object, "tabs") {
			id = f.Fact.ID
		}
	}
	if got := seen(a, orchard); id == "" || got != "++-" {
		t.Fatalf("before: %q sees %s", id, got)
	}
	if got := seen(b, vineyard); got != "+--" {
		t.Errorf("the other machine, before: %s", got)
	}
	decided(t, a, api.Decide{Action: api.DoScope, ID: id, To: "global", Reason: "everywhere"})
	exchange()
	if got := seen(a, orchard); got != "+++" {
		t.Errorf("where its session is: %s", got)
	}
	if got := seen(b, vineyard); got != "---" {
		t.Errorf("where its session is not: %s", got)
	}
	if err := b.stop(); err != nil {
		t.Fatal(err)
	}
	said(t, rootsB, "one", orchard, tabs, lantern)
	b = start(t, params(dirB, rootsB))
	settled(t, b)
	if got := seen(b, vineyard); got != "+++" {
		t.Errorf("with its session captured too: %s", got)
	}
	if err := b.stop(); err != nil {
		t.Fatal(err)
	}

	// A session that says something else than the receipts is no receipt.
	dirC, rootsC := t.TempDir(), t.TempDir()
	said(t, rootsC, "two", vineyard, spaces)
	said(t, rootsC, "one", orchard, strings.Replace(tabs, "orchard", "other orchard", 1), lantern)
	b = start(t, params(dirC, rootsC))
	if _, err := b.SyncSetup(t.Context(), bare); err != nil {
		t.Fatal(err)
	}
	settled(t, b)
	all, err := b.Facts(t.Context(), api.FactQuery{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all.Facts {
		if f.Fact.ID == id {
			t.Errorf("with a session that was changed it is served in %s", f.Fact.Scope)
		}
	}
}
