package recall

import (
	"fmt"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// bigState is a memory of some years: 1,500 tags with an alias each, 6,000 segments, and 3,000 entities with an edge each.
func bigState(tb testing.TB) *memory.State {
	tb.Helper()
	var ds []memory.Decision
	add := func(r memory.Record) {
		p, err := memory.Propose(r)
		if err != nil {
			tb.Fatal(err)
		}
		d := memory.Decision{Action: memory.ActionAdd, Accepted: true, By: memory.ByPerson, Proposal: p, Lamport: uint64(len(ds) + 1), Machine: "m"}
		d.ID = memory.DecisionID(&d)
		ds = append(ds, d)
	}
	at := int64(1000)
	scope := memory.ProjectScope("p")
	for n := range 1500 {
		from := memory.Provenance{ProjectID: "p", SessionID: fmt.Sprint("s", n), NodeIDs: []string{fmt.Sprint("n", n)}, EventTime: &at}
		name := fmt.Sprintf("topic%d part%d", n, n%7)
		add(&memory.Tag{ID: memory.TagID(name), Name: name, Scope: scope, Provenance: from})
		a := &memory.TagAlias{Alias: fmt.Sprintf("matter%d", n), Tags: []string{memory.TagID(name)}, Reason: "synonym", Scope: scope, Provenance: from}
		a.ID = memory.TagAliasID(a.Claim())
		add(a)
		for k := range 4 {
			e := &memory.Event{Summary: fmt.Sprintf("Worked on %s, part %d", name, k), Kind: memory.KindWork, Scope: scope, Trust: memory.TrustAgent, Provenance: from}
			e.ID = memory.EventID(e.Claim())
			add(e)
			node := fmt.Sprint(n, "/", k)
			g := &memory.Segment{PrimaryTag: memory.MiscTag, MadeBy: memory.MadeByRules, Scope: scope, Full: memory.Span{SessionID: from.SessionID, FromNode: node, ToNode: "end"},
				LogTurns: []memory.SegmentTurn{{Node: node, To: "end", At: &at, Bytes: 1000, Tags: []string{memory.TagID(name)}, Records: []string{e.ID}}}}
			g.ID = memory.SegmentID(g.Claim())
			add(g)
		}
		one := &memory.Entity{ID: memory.EntityID(memory.TypeComponent, fmt.Sprint("module", n)), Name: fmt.Sprint("module", n), Type: memory.TypeComponent, Scope: scope, Provenance: from}
		other := &memory.Entity{ID: memory.EntityID(memory.TypeTool, fmt.Sprint("tool", n)), Name: fmt.Sprint("tool", n), Type: memory.TypeTool, Scope: scope, Provenance: from}
		add(one)
		add(other)
		e := &memory.Edge{From: one.ID, Relation: "uses", To: other.ID, Scope: scope, Confidence: 1, EventTime: &at, Provenance: from}
		e.ID = memory.EdgeID(e.Claim())
		add(e)
	}
	return memory.Fold(ds)
}

// BenchmarkGuide measures what the tags and the graph cost a query before anything is looked for: of a question, and of a text of the
// length that is looked at most.
func BenchmarkGuide(b *testing.B) {
	g := NewGuide(bigState(b))
	view := memory.View{Project: "p"}
	for name, text := range map[string]string{
		"question": "why did topic17 part3 go back to matter40 when module7 was split",
		"longest":  strings.Repeat("topic17 part3, matter40 and module7 of ordinary prose ", 200)[:askedBytes],
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				t := g.tagged(view, text)
				if len(t.ids()) == 0 {
					b.Fatal("nothing is tagged")
				}
				if len(g.beside(view, text)) == 0 {
					b.Fatal("nothing lies beside")
				}
			}
		})
	}
}
