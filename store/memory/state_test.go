package memory

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// maker makes decisions in the order of one log.
type maker struct {
	t       *testing.T
	machine string
	lamport uint64
	all     []Decision
}

func (m *maker) decide(d Decision) Decision {
	m.t.Helper()
	m.lamport++
	d.Lamport, d.Machine = m.lamport, m.machine
	d.PrevHash = fmt.Sprint(m.lamport)
	if d.By == "" {
		d.By = ByRule
	}
	d.ID = DecisionID(&d)
	m.all = append(m.all, d)
	return d
}

func (m *maker) add(r Record, by string) Decision {
	m.t.Helper()
	p, err := Propose(r)
	if err != nil {
		m.t.Fatal(err)
	}
	return m.decide(Decision{Action: ActionAdd, Accepted: true, By: by, Proposal: p})
}

func (m *maker) about(r Record, action Action, accepted bool) Decision {
	m.t.Helper()
	p, err := Propose(r)
	if err != nil {
		m.t.Fatal(err)
	}
	if action != ActionAdd {
		p.Record = nil
	}
	return m.decide(Decision{Action: action, Accepted: accepted, By: ByPerson, Reason: "said so", Proposal: p})
}

func (m *maker) undo(id string) Decision {
	return m.decide(Decision{Action: ActionUndo, Accepted: true, By: ByPerson, Undoes: Ref(id)})
}

func sampleFact(subject, verb, object string, from, until *int64) *Fact {
	f := &Fact{Subject: subject, Verb: verb, Object: object, Status: StatusActive, ValidFrom: from, ValidUntil: until, Author: "person",
		Scope: ProjectScope("p1"), Trust: TrustPerson, Provenance: Provenance{ProjectID: "p1", SessionID: "s", NodeIDs: []string{"n"}, EventTime: ptr(int64(50))}}
	f.ID = FactID(FactClaim(f), from)
	return f
}

func TestARefusalHoldsForEveryOrderOfMachines(t *testing.T) {
	e := sampleEvent("s", 1, "n", "Chose tabs")
	for _, action := range []Action{ActionAdd, ActionForget} {
		m := &maker{t: t, machine: "a"}
		m.add(&e, ByRule)
		bar := m.about(&e, action, action == ActionForget)
		stale := &maker{t: t, machine: "b", lamport: 99} // brings it again, later than all
		again := stale.add(&e, ByModel)
		if s := Fold(append(m.all, again)); len(s.Events) != 0 {
			t.Errorf("%s: a stale machine brought it back", action)
		}
		if s := Fold(append(m.all, again, m.undo(bar.ID))); len(s.Events) != 1 {
			t.Errorf("%s: after it was undone by its id: %d events", action, len(s.Events))
		}
	}
}

func TestAnUndoneAdditionDoesNotComeBack(t *testing.T) {
	e := sampleEvent("s", 1, "n", "Chose tabs")
	m := &maker{t: t, machine: "a"}
	first := m.add(&e, ByRule)
	undo := m.undo(first.ID)
	m.add(&e, ByRule)
	s := Fold(m.all)
	if bar, ok := s.Barred(EventClaim(&e)); len(s.Events) != 0 || !ok || bar.Decision != undo.ID {
		t.Errorf("%d events, barred %v by %+v", len(s.Events), ok, bar)
	}
	m.undo(undo.ID)
	if s = Fold(m.all); len(s.Events) != 1 {
		t.Errorf("%d events after the undo was undone", len(s.Events))
	}
}

func TestAnEraseIsFinal(t *testing.T) {
	e := sampleEvent("s", 1, "n", "Chose tabs")
	m := &maker{t: t, machine: "a"}
	m.add(&e, ByRule)
	erase := m.decide(Decision{Action: ActionErase, Accepted: true, By: ByPerson, Proposal: Proposal{Kind: RecordEvent, Erased: EventClaim(&e).Hash(), Nodes: []string{"n"}}})
	m.undo(erase.ID)
	m.add(&e, ByRule)
	s := Fold(m.all)
	if len(s.Events) != 0 {
		t.Error("it came back")
	}
	other := sampleEvent("s", 1, "n", "Tabs were chosen")
	if _, ok := s.BarredAlike(EventClaim(&other)); !ok {
		t.Error("another account of the same evidence is taken")
	}
	elsewhere := sampleEvent("s", 1, "m", "Tabs were chosen")
	if _, ok := s.BarredAlike(EventClaim(&elsewhere)); ok {
		t.Error("other evidence is barred")
	}
}

func TestASupersededRecordStandsAgainWhenItsSuccessorGoes(t *testing.T) {
	a, b := sampleFact("port", "is", "80", nil, nil), sampleFact("port", "is", "81", ptr(int64(70)), nil)
	m := &maker{t: t, machine: "a"}
	m.add(a, ByRule)
	m.add(b, ByRule)
	p, _ := Propose(a)
	p.Record, p.By = nil, b.ID
	super := m.decide(Decision{Action: ActionSupersede, Accepted: true, Reason: "stated later", Proposal: p})
	s := Fold(m.all)
	if f := s.Facts[a.ID]; f.SupersededBy != Ref(b.ID) || f.ValidUntil == nil || *f.ValidUntil != 70 || len(s.Serving(80)) != 1 || len(s.AsOfEvent(60).Serving(60)) != 1 {
		t.Fatalf("%+v, served %d", f, len(s.Serving(80)))
	}
	forget := m.about(b, ActionForget, true)
	if f := Fold(m.all).Facts[a.ID]; f.SupersededBy != "" || f.ValidUntil != nil {
		t.Errorf("after its successor was forgotten: %+v", f)
	}
	m.undo(forget.ID)
	m.undo(super.ID)
	if f := Fold(m.all).Facts[a.ID]; f.SupersededBy != "" || f.ValidUntil != nil {
		t.Errorf("after the supersede was undone: %+v", f)
	}
}

func TestWhatThePersonEditedStays(t *testing.T) {
	e := sampleEvent("s", 10, "n", "Chose tabs")
	m := &maker{t: t, machine: "a"}
	m.add(&e, ByRule)
	edited := e
	edited.Summary = "Chose spaces"
	edit := m.decide(Decision{Action: ActionEdit, Accepted: true, By: ByPerson, After: mustJSON(t, edited),
		Proposal: Proposal{Kind: RecordEvent, ClaimKey: EventClaim(&e), RecordID: e.ID, Scope: e.Scope}})
	moved := e
	moved.Provenance.SessionID, moved.Provenance.EventTime = "older", ptr(int64(5))
	m.decide(Decision{Action: ActionEdit, Accepted: true, By: ByRule, After: mustJSON(t, moved),
		Proposal: Proposal{Kind: RecordEvent, ClaimKey: EventClaim(&e), RecordID: e.ID, Scope: e.Scope}})
	m.add(&e, ByRule)
	got := Fold(m.all).Events[e.ID]
	if got.Summary != "Chose spaces" || got.Provenance.SessionID != "older" {
		t.Errorf("%q from %s", got.Summary, got.Provenance.SessionID)
	}
	m.about(&e, ActionForget, true) // names the claim that was proposed, not the edited words
	if s := Fold(m.all); len(s.Events) != 0 {
		t.Error("the edited record was not forgotten")
	}
	m.undo(edit.ID)
	m.undo(m.all[4].ID)
	if got = Fold(m.all).Events[e.ID]; got == nil || got.Summary != "Chose tabs" {
		t.Errorf("after the edit was undone: %+v", got)
	}
}

func TestMergeAndSplitOfEntities(t *testing.T) {
	named := func(name string, at int64) *Entity {
		return &Entity{ID: EntityID("service", name), Type: "service", Name: name, Scope: ProjectScope("p1"), Provenance: Provenance{SessionID: "s", EventTime: &at}}
	}
	a, b, c := named("worker", 1), named("backend", 2), named("daemon", 3)
	m := &maker{t: t, machine: "a"}
	for _, e := range []*Entity{a, b, c} {
		m.add(e, ByRule)
	}
	merge := func(from, into *Entity, accepted, candidate bool) Decision {
		p, _ := Propose(from)
		p.Record, p.By, p.Candidate = nil, into.ID, candidate
		return m.decide(Decision{Action: ActionMerge, Accepted: accepted, Reason: "stated to be one", Proposal: p})
	}
	merge(c, a, true, true)
	if s := Fold(m.all); len(s.Suggestions) != 1 || s.Entities[Key{c.Scope, c.ID}].SupersededBy != "" {
		t.Fatalf("a suggestion has an effect: %+v", s.Suggestions)
	}
	merge(a, b, true, false)
	last := merge(c, a, true, false)
	s := Fold(m.all)
	if got := s.Entities[Key{b.Scope, b.ID}].Aliases; !slices.Equal(got, []string{"daemon", "worker"}) || len(s.Suggestions) != 0 ||
		s.MergedInto(c.Ref()) != b.ID {
		t.Errorf("aliases %v, suggestions %v, daemon is %s", got, s.Suggestions, s.MergedInto(c.Ref()))
	}
	m.undo(last.ID)
	merge(c, a, false, false) // no
	merge(c, a, true, true)   // suggested again
	if s = Fold(m.all); len(s.Suggestions) != 0 || s.Entities[Key{c.Scope, c.ID}].SupersededBy != "" {
		t.Errorf("a declined merge came back: %v", s.Suggestions)
	}
	p, _ := Propose(b)
	p.Record, p.Parts = nil, []string{"worker"}
	m.decide(Decision{Action: ActionSplit, Accepted: true, By: ByPerson, Proposal: p})
	s = Fold(m.all)
	if got := s.Entities[Key{b.Scope, b.ID}].Aliases; len(got) != 0 {
		t.Errorf("aliases after the split %v", got)
	}
}

func TestCandidatesAreSettledByThePersonOrByAPlainAddition(t *testing.T) {
	quoted := sampleEvent("s", 1, "n", "A page says that tabs are better")
	quoted.Trust = TrustQuoted
	f := sampleFact("port", "is", "80", nil, nil)
	m := &maker{t: t, machine: "a"}
	m.add(&quoted, ByRule)
	p, _ := Propose(f)
	p.Candidate, p.Contests = true, []string{"fa_other"}
	m.decide(Decision{Action: ActionAdd, Accepted: true, Reason: "contradicts fa_other", Proposal: p})
	s := Fold(m.all)
	if _, ok := s.IsCandidate(s.Events[quoted.ID]); !ok {
		t.Error("a quoted event is settled")
	}
	if why, ok := s.IsCandidate(s.Facts[f.ID]); !ok || why.Contests[0] != "fa_other" {
		t.Errorf("contested: %v %+v", ok, why)
	}
	m.add(&quoted, ByPerson)
	m.add(f, ByRule)
	s = Fold(m.all)
	for _, r := range []Record{s.Events[quoted.ID], s.Facts[f.ID]} {
		if why, ok := s.IsCandidate(r); ok {
			t.Errorf("%s is a candidate: %+v", r.Text(), why)
		}
	}
}

func TestFactsAreServedInTheirWindowAlone(t *testing.T) {
	for _, c := range []struct {
		from, until *int64
		status      FactStatus
		at          int64
		want        bool
	}{
		{nil, nil, StatusActive, 0, true},
		{ptr(int64(10)), nil, StatusActive, 9, false},
		{ptr(int64(10)), nil, StatusActive, 10, true},
		{nil, ptr(int64(10)), StatusActive, 9, true},
		{nil, ptr(int64(10)), StatusActive, 10, false},
		{ptr(int64(10)), ptr(int64(10)), StatusActive, 10, false},
		{nil, nil, StatusCeased, 0, false},
		{nil, ptr(int64(10)), StatusCeased, 5, true},
		{nil, nil, StatusPlanned, 5, false},
		{ptr(int64(5)), nil, StatusPlanned, 5, true},
		{nil, nil, StatusRecurring, 5, true},
		{nil, nil, StatusCompleted, 5, true},
	} {
		f := Fact{ValidFrom: c.from, ValidUntil: c.until, Status: c.status}
		if got := f.HoldsAt(c.at); got != c.want {
			t.Errorf("%+v at %d: %v", f, c.at, got)
		}
	}
}

func TestAFactsClaimIsTheSameInOtherWords(t *testing.T) {
	base := FactClaim(sampleFact("person", "prefers", "Run the linters before a commit", nil, nil))
	for object, same := range map[string]bool{
		"run linter before commits":              true,
		"Before a commit, run the linters!":      true,
		"do not run the linters before a commit": false,
		"run the linters before a push":          false,
		"RUN THE LINTERS BEFORE COMMIT":          true,
		"don’t run linters before a commit":      false,
		"Never ever run linters before a commit": false,
	} {
		if got := FactClaim(sampleFact("Person", "prefers", object, nil, nil)) == base; got != same {
			t.Errorf("%q: same is %v", object, got)
		}
	}
}

func TestLookingBackShowsWhatWasKnownAndNothingThatWasForgottenSince(t *testing.T) {
	a, b, c := sampleEvent("s", 10, "n1", "Chose tabs"), sampleEvent("s", 20, "n2", "Chose spaces"), sampleEvent("s", 5, "n3", "Told a secret")
	m := &maker{t: t, machine: "a"}
	at := func(d Decision, when int64) { m.all[len(m.all)-1].ObservedAt = when; _ = d }
	at(m.add(&a, ByRule), 100)
	at(m.add(&c, ByRule), 100)
	at(m.add(&b, ByRule), 200)
	at(m.decide(Decision{Action: ActionSupersede, Accepted: true, Proposal: Proposal{Kind: RecordEvent, ClaimKey: EventClaim(&a), RecordID: a.ID, Scope: a.Scope, By: b.ID}}), 200)
	at(m.about(&c, ActionForget, true), 300)
	at(m.about(&a, ActionAdd, false), 400)
	told := func(s *State) string {
		var out []string
		for _, e := range s.Timeline() {
			out = append(out, e.Summary+map[bool]string{true: " (old)"}[e.SupersededBy != ""])
		}
		return strings.Join(out, ", ")
	}
	for _, w := range []struct {
		at   int64
		want string
	}{{99, ""}, {100, "Chose tabs"}, {250, "Chose tabs (old), Chose spaces"}, {400, "Chose spaces"}} {
		if got := told(FoldAsKnown(slices.Values(m.all), w.at)); got != w.want {
			t.Errorf("known at %d: %q, want %q", w.at, got, w.want)
		}
	}
	s := FoldAsKnown(slices.Values(m.all), 300)
	if got := told(s.AsOfEvent(15)); got != "Chose tabs" {
		t.Errorf("as of 15: %q", got)
	}
	if got := told(s); got != "Chose tabs (old), Chose spaces" {
		t.Errorf("looking back changed the state: %q", got)
	}
}

// anyDecision draws a decision about one of a few records.
func anyDecision(t *testing.T, r *rand.Rand, m *maker, seen []Decision) {
	node := fmt.Sprint("n", r.IntN(3))
	e := sampleEvent(fmt.Sprint("s", r.IntN(3)), int64(r.IntN(3)), node, "Chose tabs")
	at := int64(r.IntN(2))
	f := sampleFact("port", "is", fmt.Sprint(80+r.IntN(3)), &at, nil)
	f.Status = Statuses[r.IntN(len(Statuses))]
	if r.IntN(2) == 0 {
		f.ValidUntil = ptr(int64(r.IntN(40)))
	}
	n := &Entity{ID: fmt.Sprint("service.", r.IntN(4)), Type: "service", Name: fmt.Sprint(r.IntN(4)), Scope: ProjectScope("p1"), Aliases: []string{fmt.Sprint("x", r.IntN(4))}}
	n.Name = strings.TrimPrefix(n.ID, "service.")
	g := &Edge{From: n.ID, To: fmt.Sprint("service.", r.IntN(4)), Relation: "calls", Scope: n.Scope}
	g.ID = EdgeID(EdgeClaim(g))
	recs := []Record{&e, f, n, g, &Tag{ID: TagID(fmt.Sprint("t", r.IntN(2))), Name: "t", Scope: n.Scope}}
	rec := recs[r.IntN(len(recs))]
	p, err := Propose(rec)
	if err != nil {
		t.Fatal(err)
	}
	by := []string{ByRule, ByModel, ByPerson}[r.IntN(3)]
	d := Decision{Action: ActionAdd, Accepted: true, By: by, Proposal: p, ObservedAt: int64(r.IntN(100)), Reason: fmt.Sprint("r", r.IntN(3))}
	switch r.IntN(16) {
	case 0:
		d.Accepted = false
	case 1:
		d.Action = ActionForget
	case 2, 3:
		if len(seen) > 0 {
			d = Decision{Action: ActionUndo, Accepted: true, By: by, Undoes: Ref(seen[r.IntN(len(seen))].ID)}
		}
	case 4, 5:
		d.Action, d.After, d.Proposal.Record = ActionEdit, p.Record, nil
	case 6, 7:
		d.Action, d.Proposal.Record, d.Proposal.Candidate = ActionSupersede, nil, r.IntN(4) == 0
		if rec == Record(f) {
			d.Proposal.By = sampleFact("port", "is", "80", ptr(int64(1)), nil).ID
		}
		d.Accepted = r.IntN(5) > 0
	case 8, 9:
		if rec == Record(n) {
			d.Action, d.Proposal.Record, d.Proposal.By, d.Accepted = ActionMerge, nil, fmt.Sprint("service.", r.IntN(4)), r.IntN(5) > 0
		}
	case 10:
		if rec == Record(n) {
			d.Action, d.Proposal.Record, d.Proposal.Parts = ActionSplit, nil, []string{fmt.Sprint("x", r.IntN(4))}
		}
	case 11:
		d.Action = ActionPin
	case 12:
		d.Proposal.Candidate, d.Proposal.Contests = true, []string{fmt.Sprint(r.IntN(3))}
	case 13:
		d = Decision{Action: ActionErase, Accepted: true, By: by, Proposal: Proposal{Kind: p.Kind, Erased: p.ClaimKey.Hash()}}
	}
	m.decide(d)
}

// whole is all that a state tells.
func whole(t *testing.T, s *State) string {
	t.Helper()
	var out []string
	for r := range s.Records() {
		why, ok := s.IsCandidate(r)
		out = append(out, fmt.Sprint(r.Ref(), why, ok, s.Pinned[r.Ref()], s.ClaimOf(r)))
	}
	slices.Sort(out)
	return published(t, s) + strings.Join(out, "\n") + fmt.Sprint(len(s.Suggestions), len(s.Declined), len(s.Bars), len(s.Erased))
}

func TestAnyDecisionsInAnyOrderOfArrivalGiveTheSameState(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 7))
		machines := []*maker{{t: t, machine: "a"}, {t: t, machine: "b"}, {t: t, machine: "c"}}
		var all []Decision
		for range 40 {
			m := machines[r.IntN(len(machines))]
			anyDecision(t, r, m, all)
			all = append(all, m.all[len(m.all)-1])
			if r.IntN(6) == 0 { // a sync: nobody's counter falls behind what it has seen
				m.lamport = max(machines[0].lamport, machines[1].lamport, machines[2].lamport)
			}
		}
		want := whole(t, Fold(all))
		for range 3 {
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			if got := whole(t, Fold(all)); got != want {
				t.Fatalf("seed %d: another order gives another state\n%s\n%s", seed, got, want)
			}
		}
	}
}

func TestAddingUpOneByOneIsTheSameAsAtOnce(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 9))
		m := &maker{t: t, machine: "a"}
		s := Fold(nil)
		for i := range 40 {
			anyDecision(t, r, m, m.all)
			d := m.all[len(m.all)-1]
			if ReachesBack(&d) {
				s = Fold(m.all)
			} else {
				s.Apply(&d)
				s.Settle()
			}
			if got, want := whole(t, s), whole(t, Fold(m.all)); got != want {
				t.Fatalf("seed %d, after %d decisions (%s %s):\n%s\n%s", seed, i+1, d.Action, d.Proposal.Kind, got, want)
			}
		}
	}
}

// TestSettlingAgainBeginsFromWhatWasDecided has later decisions change what earlier ones had brought about in other records.
func TestSettlingAgainBeginsFromWhatWasDecided(t *testing.T) {
	propose := func(r Record) Proposal {
		p, err := Propose(r)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	added := func(r Record) Decision {
		return Decision{Action: ActionAdd, Accepted: true, By: ByRule, Proposal: propose(r)}
	}
	about := func(a Action, r Record, by string, parts ...string) Decision {
		p := propose(r)
		p.Record, p.By, p.Parts = nil, by, parts
		return Decision{Action: a, Accepted: true, By: ByRule, Proposal: p}
	}
	edited := func(r Record) Decision {
		d := added(r)
		d.Action, d.After, d.Proposal.Record = ActionEdit, d.Proposal.Record, nil
		return d
	}
	old, soon, late := sampleFact("port", "is", "80", ptr(int64(1)), nil), sampleFact("port", "is", "81", ptr(int64(100)), nil), sampleFact("port", "is", "82", ptr(int64(200)), nil)
	entity := func(name string, at int64, aliases ...string) *Entity {
		return &Entity{ID: "service.a", Type: "service", Name: name, Scope: ProjectScope("p1"), Aliases: aliases, Provenance: Provenance{SessionID: "s", EventTime: &at}}
	}
	other := entity("B", 5, "b1")
	other.ID = "service.b"
	otherNow := entity("B", 5, "b2")
	otherNow.ID = "service.b"
	for name, ds := range map[string][]Decision{
		"a fact's end":          {added(old), added(soon), added(late), about(ActionSupersede, old, soon.ID), about(ActionSupersede, old, late.ID)},
		"names after a merge":   {added(entity("A", 5, "a1")), added(other), about(ActionMerge, other, "service.a"), edited(otherNow)},
		"names after a split":   {added(entity("A", 5, "x", "y")), about(ActionSplit, entity("A", 5), "", "x"), edited(entity("A", 5, "y", "x", "z"))},
		"origin after a split":  {added(entity("A", 5, "x")), about(ActionSplit, entity("A", 5), "", "x"), edited(entity("A", 2, "x"))},
		"a record of a part":    {added(entity("A", 5, "x")), about(ActionSplit, entity("A", 5), "", "x"), added(&Entity{ID: "service.x", Type: "service", Name: "x", Scope: ProjectScope("p1")})},
		"who takes whose place": {added(old), added(soon), about(ActionSupersede, old, soon.ID), about(ActionSupersede, old, "fa_unknown")},
	} {
		m := &maker{t: t, machine: "a"}
		s := Fold(nil)
		for _, d := range ds {
			m.decide(d)
			if d := m.all[len(m.all)-1]; ReachesBack(&d) {
				s = Fold(m.all)
			} else {
				s.Apply(&d)
			}
			s.Settle()
			s.Settle()
		}
		if got, want := whole(t, s), whole(t, Fold(m.all)); got != want {
			t.Errorf("%s: one by one\n%s\nat once\n%s", name, got, want)
		}
	}
}
