package memory

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
)

// lineByReflection reads a line as encoding/json alone does.
func lineByReflection(raw []byte) (typ string, d Decision, err error) {
	var l struct {
		Type string `json:"type"`
		Decision
		Salt   string `json:"salt"`
		Digest string `json:"digest"`
		Claim  string `json:"claim"`
	}
	err = json.Unmarshal(raw, &l)
	return l.Type, l.Decision, err
}

// recordByReflection reads a record as encoding/json alone does.
func recordByReflection[T, Plain any](raw []byte, names map[string]bool, as func(Plain, Extra) T) (T, error) {
	var p Plain
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &p); err != nil {
		return as(p, nil), err
	}
	err := json.Unmarshal(raw, &all)
	var extra Extra
	for k, v := range all {
		if !names[k] {
			if extra == nil {
				extra = Extra{}
			}
			extra[k] = v
		}
	}
	return as(p, extra), err
}

// readBothWays reads bytes as a decision's line and as each kind of record that is read by hand, and compares with encoding/json.
func readBothWays(t *testing.T, raw []byte) {
	t.Helper()
	typ, d, err := DecodeLine(raw)
	wantTyp, want, wantErr := lineByReflection(raw)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("line %q: %v, by reflection %v", raw, err, wantErr)
	}
	if err == nil && (typ != wantTyp || !reflect.DeepEqual(d, want)) {
		t.Fatalf("line %q is\n%q %+v, by reflection\n%q %+v", raw, typ, d, wantTyp, want)
	}
	same(t, raw, eventFields, func(p plainEvent, x Extra) Event { p.Extra = x; return Event(p) })
	same(t, raw, entityFields, func(p plainEntity, x Extra) Entity { p.Extra = x; return Entity(p) })
	same(t, raw, edgeFields, func(p plainEdge, x Extra) Edge { p.Extra = x; return Edge(p) })
	same(t, raw, factFields, func(p plainFact, x Extra) Fact { p.Extra = x; return Fact(p) })
}

func same[T, Plain any](t *testing.T, raw []byte, names map[string]bool, as func(Plain, Extra) T) {
	t.Helper()
	want, wantErr := recordByReflection(raw, names, as)
	for way, read := range map[string]func([]byte, any) error{"json": json.Unmarshal, "decodeRecord": decodeRecord} {
		var got T
		if err := read(raw, &got); (err == nil) != (wantErr == nil) {
			t.Fatalf("%s of %T %q: %v, by reflection %v", way, got, raw, err, wantErr)
		} else if err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%s of %T %q is\n%+v, by reflection\n%+v", way, got, raw, got, want)
		}
	}
}

// someLines are lines and records as they are written, and as they are not.
func someLines(t testing.TB) (out []string) {
	t.Helper()
	r := rand.New(rand.NewSource(11))
	add := func(v any) {
		raw, err := Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(raw))
	}
	for range 60 {
		for _, typ := range []reflect.Type{reflect.TypeFor[Decision](), reflect.TypeFor[plainEvent](), reflect.TypeFor[plainEntity](), reflect.TypeFor[plainEdge](), reflect.TypeFor[plainFact]()} {
			v, ok := quick.Value(typ, r)
			if !ok {
				t.Fatalf("no %v can be made", typ)
			}
			x := v.Interface()
			if d, ok := x.(Decision); ok {
				d.Before, d.After, d.Proposal.Record = nil, json.RawMessage(`{"a":[1,2.5e-3,{"b":null}],"c":"\u001f\ud83d\ude00 <&>"}`), json.RawMessage(`{}`)
				x = d
			}
			add(x)
		}
	}
	event := `{"id":"ev_1","summary":"a \u001f \"quoted\" \u00e9 é\n","kind":"work","provenance":{"project_id":"p","session_id":"s","node_ids":["n1","n2"],"commit":null,"event_time":5,"ingestion_time":7},"entities":[],"scope":"global","trust":"agent","superseded_by":null}`
	out = append(out, event, " \t"+event+"\r\n", event+"x", event+event, "{}", "null", "[]", `""`, "", "{", `{"id":}`, `{"id":"a",}`, `{,}`, `{"id" "a"}`)
	for _, change := range [][2]string{
		{`"ev_1"`, `null`}, {`"ev_1"`, `7`}, {`"id"`, `"ID"`}, {`"id"`, `"\u0069d"`}, {`"id":"ev_1"`, `"id":"ev_1","id":"ev_2"`}, {`"id":"ev_1"`, `"new":{"a":[1]},"id":"ev_1"`},
		{`5`, `5.0`}, {`5`, `05`}, {`5`, `-0`}, {`5`, `1e2`}, {`5`, `9223372036854775807`}, {`5`, `9223372036854775808`}, {`5`, `null`}, {`5`, `-`}, {`5`, `"5"`}, {`7`, `null`},
		{`["n1","n2"]`, `null`}, {`["n1","n2"]`, `[null]`}, {`["n1","n2"]`, `["n1",]`}, {`["n1","n2"]`, `["n1" "n2"]`}, {`["n1","n2"]`, `[ ]`}, {`{"project_id"`, `{"more":1,"project_id"`},
		{`é`, "\xff"}, {`é`, "\x01"}, {`é`, `\ud83d`}, {`é`, `\ud83d\ude00`}, {`é`, `\x`}, {`é`, `\u12g4`}, {`é`, `\/\b\f\r\t\\`}, {`é`, "\u2028"}, {`null,"event_time"`, `"abc","event_time"`},
		{`"superseded_by":null`, `"superseded_by":"ev_9"`}, {`"superseded_by":null`, `"superseded_by":7`}, {`{"project_id":"p","session_id":"s"`, `null,"x":{"a":1`},
	} {
		out = append(out, strings.Replace(event, change[0], change[1], 1))
	}
	line := `{"type":"decision","id":"de_1","action":"add","accepted":true,"reason":"r","policy_version":"rules-3","proposal":{"kind":"event","claim_key":"a\u001fb","record_id":"ev_1","scope":"global","record":` + event + `,"contests":["x"]},"before":null,"after":null,"by":"rule","observed_at":3,"event_date":null,"lamport":9,"machine":"m","undoes":null,"prev_hash":"","salt":"00","digest":"11","claim":"22"}`
	out = append(out, line)
	for _, change := range [][2]string{
		{`"salt":"00"`, `"salt":0`}, {`"lamport":9`, `"lamport":-1`}, {`"lamport":9`, `"lamport":-0`}, {`"lamport":9`, `"lamport":18446744073709551615`}, {`"accepted":true`, `"accepted":null`},
		{`"accepted":true`, `"accepted":truth`}, {`"before":null`, `"before": {"a" : [ ] } `}, {`"before":null`, `"before":[1,2`}, {`"before":null`, `"before":nul`}, {`"before":null`, `"before":{"a":01}`},
		{`"before":null`, `"before":"\ud800"`}, {`"before":null`, "\"before\":\"\x02\""}, {`"before":null`, "\"before\":\"\xff\""}, {`"before":null`, `"before":` + strings.Repeat("[", 80) + strings.Repeat("]", 80)},
		{`"contests":["x"]`, `"contests":["x"],"move":{"operation":"o","to":"global","digest":"d","receipts":[]}`}, {`"contests":["x"]`, `"future":true`}, {`"undoes":null`, `"undoes":"de_0","more":[]`},
	} {
		out = append(out, strings.Replace(line, change[0], change[1], 1))
	}
	return out
}

func TestLinesAndRecordsAreReadAsByReflection(t *testing.T) {
	for _, raw := range someLines(t) {
		readBothWays(t, []byte(raw))
	}
}

// TestWhatIsWrittenIsReadByHand makes sure that the shapes that are written take the short way.
func TestWhatIsWrittenIsReadByHand(t *testing.T) {
	at := int64(5)
	p := Provenance{ProjectID: "p", SessionID: "s", NodeIDs: []string{"n"}, EventTime: &at, IngestionTime: 7}
	for _, r := range []Record{
		&Event{ID: "ev_1", Summary: "a \"b\" \n <c> 日本", Kind: KindWork, Provenance: p, Scope: Global, Trust: TrustAgent, SupersededBy: "ev_2"},
		&Entity{ID: "file.a", Type: TypeFile, Name: "a", Aliases: []string{"b"}, Attrs: map[string]string{"k": "v"}, Scope: Global, Provenance: p},
		&Edge{ID: "ed_1", From: "a", To: "b", Relation: "uses", EventTime: &at, Confidence: 0.75, Scope: Global, Provenance: p},
	} {
		prop, err := Propose(r)
		if err != nil {
			t.Fatal(err)
		}
		short := map[RecordKind]func() bool{
			RecordEvent:  func() bool { return scanEvent(prop.Record, &Event{}) },
			RecordEntity: func() bool { return scanEntity(prop.Record, &Entity{}) },
			RecordEdge:   func() bool { return scanEdge(prop.Record, &Edge{}) },
		}[prop.Kind]
		if !short() {
			t.Errorf("%s is read the long way", prop.Record)
		}
		raw, err := Encode(Decision{ID: "de_1", Action: ActionAdd, Accepted: true, Proposal: prop, Machine: "m", EventDate: &at})
		if err != nil {
			t.Fatal(err)
		}
		var typ string
		var d Decision
		if s := (scan{b: raw, lines: &Lines{}}); !s.line(&typ, &d) || !bytes.Equal(d.Proposal.Record, prop.Record) {
			t.Errorf("%s is read the long way", raw)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, raw := range someLines(f) {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) { readBothWays(t, raw) })
}
