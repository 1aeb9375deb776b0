package memory

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
)

func ptr[T any](v T) *T { return &v }

func mustJSON(t *testing.T, v any) json.RawMessage {
	t.Helper()
	b, err := Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func addDecision(t *testing.T, lamport uint64, machine string, kind RecordKind, key ClaimKey, id string, rec any) Decision {
	t.Helper()
	d := Decision{Action: ActionAdd, Accepted: true, Lamport: lamport, Machine: machine,
		Proposal: Proposal{Kind: kind, ClaimKey: key, RecordID: id, Record: mustJSON(t, rec)}}
	d.ID = DecisionID(&d)
	return d
}

func sampleEvent(session string, at int64, node, summary string) Event {
	e := Event{Summary: summary, Kind: KindWork, Scope: ProjectScope("p1"), Trust: TrustAgent,
		Provenance: Provenance{ProjectID: "p1", SessionID: session, NodeIDs: []string{node}, EventTime: &at, IngestionTime: 100}}
	e.ID = EventID(EventClaim(&e))
	return e
}

// published is what a state looks like from outside, so that two states can be compared byte for byte.
func published(t *testing.T, s *State) string {
	t.Helper()
	return string(mustJSON(t, map[string]any{"t": s.Timeline(), "n": s.EntityList(), "e": s.EdgeList(), "f": s.FactList(), "s": s.SegmentList(),
		"g": s.TagList(), "a": s.TagAliasList(), "u": s.TagSummaryList(), "o": s.OtherList()}))
}

func TestFoldIsTheSameInEveryOrderOfArrival(t *testing.T) {
	var ds []Decision
	for i := range 12 {
		at := int64(1000 + i%4)
		e := sampleEvent("s"+string(rune('a'+i%3)), at, "n"+string(rune('0'+i%5)), "Fixed the parser")
		ds = append(ds, addDecision(t, uint64(i/2+1), "m"+string(rune('1'+i%2)), RecordEvent, EventClaim(&e), e.ID, e))
		n := Entity{ID: "file.a.go", Type: TypeFile, Name: []string{"a.go", "./a.go", "A.go"}[i%3], Scope: Global,
			Attrs: map[string]string{"lang": []string{"go", "text"}[i%2]}, Provenance: e.Provenance}
		ds = append(ds, addDecision(t, uint64(i/2+1), "m"+string(rune('1'+i%2)), RecordEntity, EntityClaim(&n), n.ID, n))
	}
	want := published(t, Fold(ds))
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		r.Shuffle(len(ds), func(i, j int) { ds[i], ds[j] = ds[j], ds[i] })
		if got := published(t, Fold(ds)); got != want {
			t.Fatalf("another order of arrival gives another state:\n%s\n%s", got, want)
		}
	}
}

func TestAddsOfOneRecordJoinWhateverTheLogOrder(t *testing.T) {
	// The same event found through two sessions that share a prefix, and one entity seen under three names: which session
	// was distilled first must not show.
	recs := []Event{sampleEvent("sb", 50, "n1", "Fixed the parser"), sampleEvent("sa", 50, "n1", "Fixed the parser")}
	ents := []Entity{}
	for i, name := range []string{"parser", "the parser", "Parser"} {
		ents = append(ents, Entity{ID: "tool.parser", Type: TypeTool, Name: name, Scope: Global,
			Attrs:      map[string]string{"k": name},
			Provenance: Provenance{SessionID: "s", NodeIDs: []string{"n"}, EventTime: ptr(int64(i % 2))}})
	}
	build := func(order []int) string {
		var ds []Decision
		for l, i := range order {
			if i < len(recs) {
				e := recs[i]
				ds = append(ds, addDecision(t, uint64(l), "m", RecordEvent, EventClaim(&e), e.ID, e))
				continue
			}
			n := ents[i-len(recs)]
			ds = append(ds, addDecision(t, uint64(l), "m", RecordEntity, EntityClaim(&n), n.ID, n))
		}
		return published(t, Fold(ds))
	}
	want := build([]int{0, 1, 2, 3, 4})
	for _, order := range [][]int{{1, 0, 2, 3, 4}, {4, 3, 2, 1, 0}, {3, 4, 2, 0, 1}, {2, 4, 3, 1, 0}} {
		if got := build(order); got != want {
			t.Errorf("order %v:\n%s\n%s", order, got, want)
		}
	}
}

func TestRefusedStaysRefusedUntilItsIDIsUndone(t *testing.T) {
	e := sampleEvent("s", 1, "n", "Chose tabs")
	refuse := addDecision(t, 1, "m", RecordEvent, EventClaim(&e), e.ID, e)
	refuse.Accepted = false
	refuse.ID = DecisionID(&refuse)
	s := Fold([]Decision{refuse})
	if len(s.Events) != 0 || s.Bars[EventClaim(&e)].Decision == "" {
		t.Fatalf("a refused add left %d events, refused %v", len(s.Events), s.Bars)
	}
	undo := Decision{Action: ActionUndo, Accepted: true, Undoes: Ref(refuse.ID), Lamport: 2, Machine: "m"}
	undo.ID = DecisionID(&undo)
	if s = Fold([]Decision{undo, refuse}); s.Bars[EventClaim(&e)].Decision != "" {
		t.Error("the refusal is in force after it was undone")
	}
	again := Decision{Action: ActionUndo, Accepted: true, Undoes: Ref(undo.ID), Lamport: 3, Machine: "m"}
	again.ID = DecisionID(&again)
	if s = Fold([]Decision{again, undo, refuse}); s.Bars[EventClaim(&e)].Decision == "" {
		t.Error("undoing the undo did not bring the refusal back")
	}
}

func TestForgottenClaimIsInNoAnswer(t *testing.T) {
	e := sampleEvent("s", 1, "n", "Chose tabs")
	add := addDecision(t, 1, "m", RecordEvent, EventClaim(&e), e.ID, e)
	forget := Decision{Action: ActionForget, Accepted: true, Lamport: 2, Machine: "m", Proposal: Proposal{Kind: RecordEvent, ClaimKey: EventClaim(&e), RecordID: e.ID}}
	late := addDecision(t, 9, "other", RecordEvent, EventClaim(&e), e.ID, e) // a stale machine brings it again
	if got := Fold([]Decision{add, forget, late}).Timeline(); len(got) != 0 {
		t.Errorf("%d events after forget", len(got))
	}
}

func TestSupersedeMarksAndKeeps(t *testing.T) {
	a, b := sampleEvent("s", 1, "n1", "Port is 80"), sampleEvent("s", 2, "n2", "Port is 81")
	ds := []Decision{
		addDecision(t, 1, "m", RecordEvent, EventClaim(&a), a.ID, a),
		addDecision(t, 2, "m", RecordEvent, EventClaim(&b), b.ID, b),
		{ID: "x", Action: ActionSupersede, Accepted: true, Lamport: 3, Machine: "m", Proposal: Proposal{Kind: RecordEvent, RecordID: a.ID, By: b.ID}},
	}
	s := Fold(ds)
	if len(s.Timeline()) != 2 || s.Events[a.ID].SupersededBy != Ref(b.ID) {
		t.Errorf("timeline %d, superseded by %q", len(s.Timeline()), s.Events[a.ID].SupersededBy)
	}
}

func TestBrokenRecordIsNamedAndTheRestGoesOn(t *testing.T) {
	e := sampleEvent("s", 1, "n", "Fixed it")
	bad := addDecision(t, 1, "m", RecordEvent, "k", "ev_bad", e)
	bad.Proposal.Record = json.RawMessage(`{"id":7}`)
	newer := Decision{ID: "de_new", Action: ActionAdd, Accepted: true, Lamport: 2, Machine: "m",
		Proposal: Proposal{Kind: "hologram", RecordID: "h", Record: json.RawMessage(`{}`)}}
	s := Fold([]Decision{bad, newer, addDecision(t, 3, "m", RecordEvent, EventClaim(&e), e.ID, e)})
	if len(s.Problems) != 1 || len(s.Events) != 1 {
		t.Errorf("problems %v, events %d", s.Problems, len(s.Events))
	}
}

func TestUnknownFieldsSurvive(t *testing.T) {
	in := `{"id":"ev_1","summary":"S","kind":"work","provenance":{"project_id":"p","session_id":"s","node_ids":["n"],"commit":null,"event_time":null,"ingestion_time":1},"entities":[],"scope":"global","trust":"agent","superseded_by":null,"mood":{"a":1.50}}`
	var e Event
	if err := json.Unmarshal([]byte(in), &e); err != nil {
		t.Fatal(err)
	}
	if got := string(mustJSON(t, e)); got != in {
		t.Errorf("got  %s\nwant %s", got, in)
	}
}

func TestRecordsHaveTheShapesFieldForField(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{Event{}, `{"id":"","summary":"","kind":"","provenance":{"project_id":"","session_id":"","node_ids":[],"commit":null,"event_time":null,"ingestion_time":0},"entities":[],"scope":"","trust":"","superseded_by":null}`},
		{Entity{}, `{"id":"","type":"","name":"","aliases":[],"attrs":{},"scope":"","provenance":{"project_id":"","session_id":"","node_ids":[],"commit":null,"event_time":null,"ingestion_time":0},"superseded_by":null}`},
		{Edge{}, `{"id":"","from":"","to":"","relation":"","event_time":null,"ingestion_time":0,"provenance":{"project_id":"","session_id":"","node_ids":[],"commit":null,"event_time":null,"ingestion_time":0},"confidence":0,"scope":"","superseded_by":null}`},
		{Node{}, `{"id":"","seq":0,"role":"","name":"","input":null,"output":"","parent_id":null,"called_by":null,"reads":[],"created_at":0,"metadata":{"turn":0}}`},
	} {
		if got := string(mustJSON(t, c.v)); got != c.want {
			t.Errorf("%T\ngot  %s\nwant %s", c.v, got, c.want)
		}
	}
}

func TestJoinIsCommutativeAndIdempotent(t *testing.T) {
	a := Entity{ID: "x.y", Name: "Y", Aliases: []string{"z"}, Attrs: map[string]string{"a": "1"}, Provenance: Provenance{SessionID: "s2"}}
	b := Entity{ID: "x.y", Name: "y!", Attrs: map[string]string{"a": "2", "b": "3"}, Provenance: Provenance{SessionID: "s1"}}
	ab, ba := a, b
	joinEntities(&ab, &b)
	joinEntities(&ba, &a)
	if !reflect.DeepEqual(ab, ba) {
		t.Errorf("\n%+v\n%+v", ab, ba)
	}
	again := ab
	joinEntities(&again, &a)
	if !reflect.DeepEqual(again, ab) {
		t.Errorf("joining again changes it:\n%+v\n%+v", again, ab)
	}
}
