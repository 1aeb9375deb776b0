package ledger

import (
	"encoding/json"
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"

	"dormouse/store/memory"
)

// TestDecisionsArePackedWhole fills every field there is, so that one which was added and is not packed shows here.
func TestDecisionsArePackedWhole(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	var list []memory.Decision
	for i := range 200 {
		v, ok := quick.Value(reflect.TypeFor[memory.Decision](), r)
		if !ok {
			t.Fatal("no decision can be made")
		}
		d := v.Interface().(memory.Decision)
		if i%3 == 0 { // as most are
			d.Action, d.By, d.Machine, d.Proposal.Move, d.Before, d.After = memory.ActionAdd, memory.ByRule, "m", nil, nil, json.RawMessage("null")
		}
		if i%2 == 0 {
			d.Proposal.Parts, d.Proposal.Contests, d.Proposal.Record = []string{}, nil, json.RawMessage{}
		}
		list = append(list, d)
	}
	packed, err := packDecisions(list)
	if err != nil {
		t.Fatal(err)
	}
	got, err := unpackDecisions(packed, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if m := list[i].Proposal.Move; m != nil && len(m.Receipts) == 0 { // JSON, in which that is one
			m.Receipts, got[i].Proposal.Move.Receipts = nil, nil
		}
		if !reflect.DeepEqual(got[i], list[i]) {
			t.Fatalf("packed\n%+v, read\n%+v", list[i], got[i])
		}
	}
	if got, err := unpackDecisions(packed[:len(packed)-1], nil, false); err == nil {
		t.Errorf("half a pack gives %d decisions", len(got))
	}
}

func FuzzUnpack(f *testing.F) {
	packed, err := packDecisions([]memory.Decision{{ID: "a", Proposal: memory.Proposal{Parts: []string{"b"}, Move: &memory.Move{}}}, {ID: "c"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Fuzz(func(_ *testing.T, packed []byte) { _, _ = unpackDecisions(packed, nil, false) }) // it must not panic
}
