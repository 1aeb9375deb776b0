package memory

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

// oneOfEach is a record of every kind that this version knows.
func oneOfEach() []Record {
	scope, from := ProjectScope("p1"), Provenance{ProjectID: "p1", SessionID: "s", NodeIDs: []string{"n"}, EventTime: ptr(int64(9))}
	event, fact := sampleEvent("s", 9, "n", "Chose tabs"), sampleFact("person", VerbPrefers, "tabs", nil, nil)
	entity := &Entity{ID: "service.worker", Type: "service", Name: "worker", Scope: scope, Provenance: from}
	edge := &Edge{From: "service.worker", To: "tool.redis", Relation: "uses", Scope: scope, Provenance: from}
	edge.ID = EdgeID(EdgeClaim(edge))
	segment := &Segment{Summary: "Tabs were chosen", Full: Span{"s", "n1", "n2"}, MadeBy: "rules", Scope: scope}
	segment.ID = SegmentID(SegmentClaim(segment))
	tag := &Tag{ID: TagID("Indenting"), Name: "Indenting", Scope: scope, Provenance: from}
	alias := &TagAlias{Alias: "indentation", Tags: []string{tag.ID}, Reason: "synonym", Scope: scope, Provenance: from}
	alias.ID = TagAliasID(TagAliasClaim(alias))
	summary := &TagSummary{Tag: tag.ID, Summary: "Tabs, then spaces", Covers: []Turn{{"s", "n"}}, MadeBy: "rules", Scope: scope, Provenance: from}
	summary.ID = TagSummaryID(TagSummaryClaim(summary))
	return []Record{&event, fact, entity, edge, segment, tag, alias, summary}
}

func TestARecordOfEachKindIsProposedReadAndNamed(t *testing.T) {
	seen := map[RecordRef]bool{}
	for _, r := range oneOfEach() {
		p, err := Propose(r)
		if err != nil {
			t.Fatal(err)
		}
		if r.Text() == "" || r.InScope() != ProjectScope("p1") || p.Target() != r.Ref() || p.ClaimKey != r.Claim() || (r.Origin() == nil) != (p.Kind == RecordSegment) {
			t.Errorf("%s: %q, %q, %+v", p.Kind, r.Text(), r.InScope(), p)
		}
		if seen[r.Ref()] || r.SupersededID() != "" {
			t.Errorf("%s: named twice, or superseded: %+v", p.Kind, r.Ref())
		}
		seen[r.Ref()] = true
		newer := strings.Replace(string(p.Record), "{", `{"of_a_newer_version":[1],`, 1)
		back, err := DecodeRecord(p.Kind, json.RawMessage(newer))
		if err != nil {
			t.Fatal(err)
		}
		if raw := mustJSON(t, back); !strings.Contains(string(raw), `"of_a_newer_version":[1]`) || back.Claim() != r.Claim() {
			t.Errorf("%s: became %s", p.Kind, raw)
		}
		back.supersede("x_1")
		if got := back.SupersededID(); got != "x_1" && p.Kind != RecordSegment {
			t.Errorf("%s: superseded by %q", p.Kind, got)
		}
	}
	if r, err := DecodeRecord("dream", json.RawMessage(`{}`)); r != nil || err != nil {
		t.Errorf("a kind of a newer version: %v, %v", r, err)
	}
}

func TestTheBetterOfTwoSummariesStaysWhateverTheOrder(t *testing.T) {
	segment := func(by, text string, tags ...string) *Segment {
		s := &Segment{MadeBy: by, Summary: text, Tags: tags}
		s.setAside()
		return s
	}
	for _, c := range []struct{ a, b, want *Segment }{
		{segment("rules", "z", "tag.a"), segment("some-model", "a", "tag.b"), segment("some-model", "a", "tag.a", "tag.b")},
		{segment("rules", "a"), segment("rules", "b"), segment("rules", "b")},
	} {
		for _, pair := range [][2]*Segment{{c.a, c.b}, {c.b, c.a}} {
			got := *pair[0]
			joinSegments(&got, pair[1])
			if got.Summary != c.want.Summary || got.MadeBy != c.want.MadeBy || !slices.Equal(orEmpty(got.shown), orEmpty(c.want.shown)) {
				t.Errorf("%+v and %+v gave %+v", pair[0], pair[1], got)
			}
		}
	}
	short, long := TagSummary{Summary: "z", Covers: []Turn{{"s", "n3"}}}, TagSummary{Summary: "a", Covers: []Turn{{"s", "n1"}, {"s", "n2"}}}
	for _, pair := range [][2]TagSummary{{short, long}, {long, short}} {
		if joinTagSummaries(&pair[0], &pair[1]); pair[0].Summary != "a" {
			t.Errorf("the summary that covers less stayed: %+v", pair[0])
		}
	}
}

func TestFactsContradictByWhatTheySayAndWhenTheyHold(t *testing.T) {
	fact := func(verb, object string, from, until *int64) *Fact {
		return sampleFact("service", verb, object, from, until)
	}
	ceased := fact("listens on", "81", nil, nil)
	ceased.Status = StatusCeased
	other := fact("listens on", "81", nil, nil)
	other.Scope = ProjectScope("p2")
	for name, c := range map[string]struct {
		a, b *Fact
		want bool
	}{
		"one port or the other":        {fact("listens on", "80", nil, nil), fact("listens on", "81", nil, nil), true},
		"the same port":                {fact("listens on", "80", nil, nil), fact("listens on", "80", nil, nil), false},
		"two tools":                    {fact("uses", "redis", nil, nil), fact("uses", "kafka", nil, nil), false},
		"a tool, and not that tool":    {fact("uses", "redis", nil, nil), fact("uses", "not redis", nil, nil), true},
		"one after the other":          {fact("listens on", "80", nil, ptr(int64(5))), fact("listens on", "81", ptr(int64(5)), nil), false},
		"another matter":               {fact("listens on", "80", nil, nil), fact("is named", "81", nil, nil), false},
		"another project":              {fact("listens on", "80", nil, nil), other, false},
		"what is so no more":           {fact("listens on", "80", nil, nil), ceased, false},
		"windows that overlap by half": {fact("listens on", "80", nil, ptr(int64(6))), fact("listens on", "81", ptr(int64(5)), nil), true},
	} {
		if Contradict(c.a, c.b) != c.want || Contradict(c.b, c.a) != c.want {
			t.Errorf("%s: want %v", name, c.want)
		}
	}
}

func TestALaterFactOverrulesWhoeverIsTrustedNoMore(t *testing.T) {
	fact := func(trust Trust, at *int64) *Fact {
		f := sampleFact("service", "listens on", "80", nil, nil)
		f.Trust, f.Provenance.EventTime = trust, at
		return f
	}
	one, two := ptr(int64(1)), ptr(int64(2))
	for name, c := range map[string]struct {
		later, earlier *Fact
		want           bool
	}{
		"later":                     {fact(TrustAgent, two), fact(TrustAgent, one), true},
		"earlier":                   {fact(TrustAgent, one), fact(TrustAgent, two), false},
		"at once":                   {fact(TrustAgent, one), fact(TrustAgent, one), false},
		"no known time":             {fact(TrustAgent, nil), fact(TrustAgent, one), false},
		"the person over the agent": {fact(TrustPerson, two), fact(TrustAgent, one), true},
		"the agent over the person": {fact(TrustAgent, two), fact(TrustPerson, one), false},
	} {
		if Overrules(c.later, c.earlier) != c.want {
			t.Errorf("%s: want %v", name, c.want)
		}
	}
}

func TestATopicIsWhatElseIsSaidOfAThing(t *testing.T) {
	m := &maker{t: t, machine: "a"}
	port, other := sampleFact("service", "listens on", "80", nil, nil), sampleFact("Service", "Listens on", "81", nil, nil)
	elsewhere := sampleFact("service", "listens on", "82", nil, nil)
	elsewhere.Scope = ProjectScope("p2")
	elsewhere.ID = FactID(FactClaim(elsewhere), nil)
	for _, f := range []*Fact{port, other, elsewhere, sampleFact("service", "uses", "redis", nil, nil)} {
		m.add(f, ByRule)
	}
	if got := Fold(m.all).Topic(port); len(got) != 1 || got[0].ID != other.ID {
		t.Errorf("%d facts: %+v", len(got), got)
	}
}

func TestASuggestionIsDeclinedForGoodAndATagFallsIntoParts(t *testing.T) {
	all := oneOfEach()
	entity, tag := all[2].(*Entity), all[5].(*Tag)
	other := &Entity{ID: "service.daemon", Type: "service", Name: "daemon", Scope: entity.Scope, Provenance: entity.Provenance}
	m := &maker{t: t, machine: "a"}
	for _, r := range []Record{entity, other, tag} {
		m.add(r, ByRule)
	}
	p, err := Propose(other)
	if err != nil {
		t.Fatal(err)
	}
	p.Record, p.By, p.Candidate = nil, entity.ID, true
	suggested := m.decide(Decision{Action: ActionMerge, Accepted: true, Reason: "near names", Proposal: p})
	r := m.ruler()
	d, ok := r.Decision(suggested.ID)
	if !ok {
		t.Fatal("the suggestion is not found by its id")
	}
	if s := m.ruled(r.RefuseDecision(d, "two things")); len(s.Suggestions) != 0 || len(s.Declined) != 1 {
		t.Errorf("declined: %v, %v", s.Suggestions, s.Declined)
	}
	if _, err := m.ruler().RefuseDecision(d, ""); !errors.Is(err, ErrSettled) {
		t.Errorf("declined twice: %v", err)
	}
	if _, ok := m.ruler().Decision("de_none"); ok {
		t.Error("a decision that there is not was found")
	}
	s := m.ruled(m.ruler().Merge(other, entity, "one after all")) // what the person says later counts
	if s.MergedInto(other.Ref()) != entity.ID {
		t.Errorf("merged into %s", s.MergedInto(other.Ref()))
	}
	for name, parts := range map[string][]string{"no part": nil, "one part": {"tabs"}} {
		if _, err := m.ruler().Split(tag, parts, ""); !errors.Is(err, ErrUnfit) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := m.ruler().Split(entity, []string{"no such name"}, ""); !errors.Is(err, ErrUnfit) {
		t.Errorf("a name that it has not: %v", err)
	}
	if _, err := m.ruler().Split(all[0], []string{"a", "b"}, ""); !errors.Is(err, ErrUnfit) {
		t.Errorf("an event was split: %v", err)
	}
	s = m.ruled(m.ruler().Split(tag, []string{"Tabs", "tag.spaces"}, "too much"))
	if got := s.SplitInto(tag.Ref()); !slices.Equal(got, []string{"tag.spaces", "tag.tabs"}) {
		t.Errorf("split into %v", got)
	}
}

func TestWhatWasForgottenIsErasedByItsDecision(t *testing.T) {
	e := sampleEvent("s", 9, "n", "Chose tabs")
	m := &maker{t: t, machine: "a"}
	m.add(&e, ByRule)
	r := m.ruler()
	m.ruled(r.Forget(r.State.Events[e.ID], ""))
	forget := m.all[len(m.all)-1]
	s := m.ruled(m.ruler().EraseDecision(&forget, "private"), nil)
	if _, barred := s.Barred(e.Claim()); !barred || !s.ErasedNode("n") || s.ErasedNode("n2") {
		t.Errorf("barred %v, nodes %v %v", barred, s.ErasedNode("n"), s.ErasedNode("n2"))
	}
	if ds := m.ruler().EraseDecision(&Decision{}, ""); ds != nil {
		t.Errorf("a decision about nothing was erased: %+v", ds)
	}
}
