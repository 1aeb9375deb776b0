package memory

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"
)

// reflected is a node as encoding/json sees it.
type reflected Node

func encodedBoth(t *testing.T, n Node) (got, want []byte) {
	t.Helper()
	got, err := n.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	n.Reads = orEmpty(n.Reads)
	if want, err = Encode(reflected(n)); err != nil {
		t.Fatal(err)
	}
	return got, want
}

// TestANodeIsEncodedAsByReflection fills every field there is, so that one which was added and is not written shows here.
func TestANodeIsEncodedAsByReflection(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	inputs := []json.RawMessage{nil, json.RawMessage(`{ "a" : [1, 2.50, "<&>\u2028 "] , "b":null}`), json.RawMessage(`"x y"`), json.RawMessage("\n7\n"), {'{', '}'}}
	for i := range 500 {
		v, ok := quick.Value(reflect.TypeFor[Node](), r)
		if !ok {
			t.Fatal("no node can be made")
		}
		n := v.Interface().(Node)
		n.Input = inputs[i%len(inputs)]
		if i%3 == 0 {
			n.Metadata = Metadata{Turn: i}
		}
		if got, want := encodedBoth(t, n); !bytes.Equal(got, want) {
			t.Fatalf("got\n%s, want\n%s", got, want)
		}
	}
	if got, want := encodedBoth(t, Node{}); !bytes.Equal(got, want) {
		t.Errorf("of nothing: got\n%s, want\n%s", got, want)
	}
	if _, err := (Node{Input: json.RawMessage("{")}).MarshalJSON(); err == nil {
		t.Error("an input that is no JSON is written")
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a\"b\\c", "\x00\x1f\x7f\b\f\n\r\t", "<&>", "\u2028 \u2029 \ufffd", "\xff\xc3(", "日本 \U0001f600", "\xe2\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := Encode(s)
		if got := appendText(nil, s); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%q is written as %s, want %s", s, got, want)
		}
	})
}

func BenchmarkEncodeNode(b *testing.B) {
	n := Node{ID: "0123456789abcdef", Seq: 12, Role: RoleAssistant, Output: string(bytes.Repeat([]byte("some text of a line\n"), 60)), ParentID: "fedcba9876543210",
		CreatedAt: 1_700_000_000, Metadata: Metadata{Turn: 3, SourceIDs: []string{"L12"}, Model: "m", Usage: &Usage{Input: 1, Output: 2}}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := n.MarshalJSON(); err != nil {
			b.Fatal(err)
		}
	}
}

// TestRecordsAreEncodedAsByReflection fills every field there is, so that one which was added and is not written shows here.
func TestRecordsAreEncodedAsByReflection(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	check := func(record, reflected any) {
		t.Helper()
		got, err := Encode(record)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Encode(reflected)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("got\n%s, want\n%s", got, want)
		}
		if line, err := AppendLine([]byte("x"), record); err != nil || string(line) != "x"+string(want)+"\n" {
			t.Fatalf("a line of it is %q: %v", line, err)
		}
	}
	make := func(typ reflect.Type) any {
		v, ok := quick.Value(typ, r)
		if !ok {
			t.Fatalf("no %v can be made", typ)
		}
		return v.Interface()
	}
	confidences := []float64{0, 1, 0.1, 0.95, 1e-6, 9e-7, 1e21, 1e20, -0.5, 1.0 / 3}
	for i := range 300 {
		e := make(reflect.TypeFor[Event]()).(Event)
		n := make(reflect.TypeFor[Entity]()).(Entity)
		d := make(reflect.TypeFor[Edge]()).(Edge)
		d.Confidence = confidences[i%len(confidences)]
		if i%4 == 0 {
			e.Entities, e.Provenance, n.Aliases, n.Attrs, e.SupersededBy = nil, Provenance{}, nil, nil, ""
		}
		e.Extra, n.Extra, d.Extra = nil, nil, nil
		if i%5 == 0 {
			e.Extra = Extra{"new": json.RawMessage(`{ "b" : 1, "a" : 2.50 }`)}
		}
		check(&e, e) // MarshalJSON goes by reflection
		check(&n, n)
		check(&d, d)
	}
	for _, none := range []any{(*Event)(nil), (*Entity)(nil), (*Edge)(nil)} {
		if raw, err := Encode(none); err != nil || string(raw) != "null" {
			t.Errorf("%T of none is %s, %v", none, raw, err)
		}
	}
}
