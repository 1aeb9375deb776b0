package memory

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

// ruled appends what a ruling decides and gives the new state.
func (m *maker) ruled(ds []Decision, err error) *State {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
	for _, d := range ds {
		m.decide(d)
	}
	return Fold(m.all)
}

func (m *maker) ruler() *Ruler { return &Ruler{State: Fold(m.all), Decisions: m.all, Now: 500} }

func TestThePersonsRulings(t *testing.T) {
	e := sampleEvent("s", 10, "n", "Chose tabs")
	e.Trust = TrustQuoted
	m := &maker{t: t, machine: "a"}
	m.add(&e, ByRule)
	r := m.ruler()
	s := m.ruled(r.Accept(r.State.Events[e.ID], ""))
	if _, ok := s.IsCandidate(s.Events[e.ID]); ok || s.Events[e.ID].Trust != TrustPerson {
		t.Errorf("accepted: %+v", s.Events[e.ID])
	}
	r = m.ruler()
	s = m.ruled(r.Edit(s.Events[e.ID], map[string]json.RawMessage{"summary": []byte(`"Chose spaces"`)}, "better"))
	if s.Events[e.ID].Summary != "Chose spaces" {
		t.Errorf("edited: %+v", s.Events[e.ID])
	}
	for name, fields := range map[string]string{"an unknown field": `{"provenance":{}}`, "an empty summary": `{"summary":" "}`, "two lines": `{"summary":"a\nb"}`,
		"no such kind": `{"kind":"wish"}`, "another type": `{"summary":7}`, "no change": `{"summary":"Chose spaces"}`} {
		var f map[string]json.RawMessage
		if err := json.Unmarshal([]byte(fields), &f); err != nil {
			t.Fatal(err)
		}
		if _, err := m.ruler().Edit(s.Events[e.ID], f, ""); !errors.Is(err, ErrUnfit) && !errors.Is(err, ErrSettled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r = m.ruler()
	s = m.ruled(r.Refuse(s.Events[e.ID], "wrong"))
	refusal := m.all[len(m.all)-1]
	if len(s.Events) != 0 || len(refusal.Proposal.Record) == 0 || len(refusal.Before) == 0 {
		t.Errorf("refused: %d events, %+v", len(s.Events), refusal)
	}
	r = m.ruler()
	s = m.ruled(r.AcceptDecision(&refusal, "after all"))
	if len(s.Events) != 1 {
		t.Errorf("let in again: %d events", len(s.Events))
	}
	r = m.ruler()
	s = m.ruled(r.Pin(s.Events[e.ID], true, ""))
	if s.Pinned[e.Ref()] == "" {
		t.Error("not pinned")
	}
	if _, err := m.ruler().Pin(s.Events[e.ID], true, ""); !errors.Is(err, ErrSettled) {
		t.Errorf("pinned twice: %v", err)
	}
	s = m.ruled(m.ruler().Pin(s.Events[e.ID], false, ""))
	if s.Pinned[e.Ref()] != "" {
		t.Error("still pinned")
	}
	m.ruled(m.ruler().Forget(s.Events[e.ID], "private"))
	forget := m.all[len(m.all)-1]
	m.add(&e, ByModel)
	reworded := e
	reworded.Summary = "Chose spaces" // the words of the edit
	m.add(&reworded, ByModel)
	if s = Fold(m.all); len(s.Events) != 0 {
		t.Errorf("forgotten and back: %v", s.Timeline())
	}
	s = m.ruled(m.ruler().Undo(&forget, ""))
	if len(s.Events) == 0 {
		t.Error("the undo of a forget has no effect")
	}
	if _, err := m.ruler().Undo(&forget, ""); !errors.Is(err, ErrSettled) {
		t.Errorf("undone twice: %v", err)
	}
}

func TestAcceptingOneOfTwoThatContradictSupersedesTheOther(t *testing.T) {
	a, b := sampleFact("port", "is", "80", nil, nil), sampleFact("port", "is", "81", nil, nil)
	m := &maker{t: t, machine: "a"}
	m.add(a, ByRule)
	m.add(b, ByRule)
	s := Fold(m.all)
	if _, ok := s.IsCandidate(s.Facts[a.ID]); !ok {
		t.Fatal("two facts that contradict each other are settled")
	}
	s = m.ruled(m.ruler().Accept(s.Facts[b.ID], ""))
	if s.Facts[a.ID].SupersededBy != Ref(b.ID) {
		t.Errorf("%+v", s.Facts[a.ID])
	}
	if why, ok := s.IsCandidate(s.Facts[b.ID]); ok {
		t.Errorf("the accepted one is a candidate: %+v", why)
	}
}

func TestAnEraseNamesNothingOfWhatItErases(t *testing.T) {
	e := &Entity{ID: "person.jane-roe", Type: "person", Name: "Jane Roe", Scope: ProjectScope("p1"), Provenance: Provenance{SessionID: "s", NodeIDs: []string{"n1"}}}
	other := &Entity{ID: "person.jr", Type: "person", Name: "JR", Scope: ProjectScope("p1"), Provenance: e.Provenance}
	g := &Edge{From: e.ID, To: "project.x", Relation: "works-on", Scope: e.Scope, Provenance: e.Provenance}
	g.ID = EdgeID(EdgeClaim(g))
	ev := sampleEvent("s", 10, "n9", "Met somebody")
	ev.Entities = []string{e.ID, "project.x"}
	m := &maker{t: t, machine: "a"}
	for _, r := range []Record{e, other, g, &ev} {
		m.add(r, ByRule)
	}
	m.ruled(m.ruler().Merge(other, e, ""))
	merge := m.all[len(m.all)-1]
	r := m.ruler()
	ds := r.Erase(r.State.Entities[Key{e.Scope, e.ID}], "private")
	raw := strings.ToLower(string(mustJSON(t, ds)))
	for _, word := range []string{"jane", "roe", "works-on", "project.x"} {
		if strings.Contains(raw, word) {
			t.Errorf("the erase names %q: %s", word, raw)
		}
	}
	if len(ds) != 2 || !slices.ContainsFunc(ds, func(d Decision) bool { return slices.Contains(d.Proposal.Erases, merge.ID) }) {
		t.Errorf("%d decisions, which do not name the merge %s: %s", len(ds), merge.ID, raw)
	}
	s := m.ruled(ds, nil)
	if len(s.Edges) != 0 || s.Entities[Key{e.Scope, e.ID}] != nil || slices.Contains(s.Events[ev.ID].Entities, e.ID) {
		t.Errorf("%d edges, %v, event names %v", len(s.Edges), s.Entities, s.Events[ev.ID].Entities)
	}
	if _, err := m.ruler().Undo(&m.all[len(m.all)-1], ""); !errors.Is(err, ErrFinal) {
		t.Errorf("undo of an erase: %v", err)
	}
}
