package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dormouse/store/index"
	"dormouse/store/memory"
)

// tagged is a memory in which three sessions worked on sync and redaction, and a vocabulary of both and an alias.
func tagged(t *testing.T) *memory.State {
	t.Helper()
	var ds []memory.Decision
	add := func(r memory.Record, by string) {
		p, err := memory.Propose(r)
		if err != nil {
			t.Fatal(err)
		}
		d := memory.Decision{Action: memory.ActionAdd, Accepted: true, By: by, Proposal: p, Lamport: uint64(len(ds) + 1), Machine: "m"}
		d.ID = memory.DecisionID(&d)
		ds = append(ds, d)
	}
	for n, about := range []string{"sync", "redact", "sync", "redact", "sync"} {
		at, session := int64(1000+n), fmt.Sprint("s", n%3)
		from := memory.Provenance{ProjectID: "p", SessionID: session, NodeIDs: []string{fmt.Sprint("n", n)}, EventTime: &at}
		e := &memory.Event{Summary: fmt.Sprintf("Worked on %s, part %d", about, n), Kind: memory.KindWork, Scope: memory.ProjectScope("p"), Trust: memory.TrustAgent, Provenance: from}
		e.ID = memory.EventID(e.Claim())
		add(e, memory.ByRule)
		g := &memory.Segment{PrimaryTag: memory.MiscTag, MadeBy: memory.MadeByRules, Scope: e.Scope, Full: memory.Span{SessionID: session, FromNode: from.NodeIDs[0], ToNode: "end"},
			LogTurns: []memory.SegmentTurn{{Node: from.NodeIDs[0], To: "end", At: &at, Bytes: 1000, Tags: []string{memory.TagID(about)}, Records: []string{e.ID}}}}
		g.ID = memory.SegmentID(g.Claim())
		add(g, memory.ByRule)
		if n < 2 {
			add(&memory.Tag{ID: memory.TagID(about), Name: about, Scope: e.Scope, Provenance: from}, memory.ByRule)
		}
		if n == 0 {
			a := &memory.TagAlias{Alias: "exchange", Tags: []string{"tag.sync"}, Reason: "synonym", Scope: e.Scope, Provenance: from}
			a.ID = memory.TagAliasID(a.Claim())
			add(a, memory.ByPerson)
		}
	}
	return memory.Fold(ds)
}

func TestTheVocabularyTellsHowTagsAreUsed(t *testing.T) {
	s := tagged(t)
	var got []string
	for _, i := range Tags(s, TagQuery{View: inP}) {
		got = append(got, fmt.Sprintf("%s %v %d/%d/%d %v", i.Tag.Name, i.Names, i.Segments, i.Turns, i.Sessions, i.Summary != nil))
	}
	if strings.Join(got, ", ") != "sync [exchange] 3/3/3 true, redact [] 2/2/2 false" {
		t.Errorf("%q", got)
	}
	if list := Tags(s, TagQuery{View: memory.View{Project: "other"}}); len(list) != 0 {
		t.Errorf("another project sees %d tags", len(list))
	}
	for _, name := range []string{"sync", "Syncs", "exchange", "tag.sync"} {
		segs := Tagged(s, TagsNamed(s, inP, name), "p")
		if len(segs) != 3 || segs[0].Full.FromNode != "n4" {
			t.Errorf("%s finds %d segments", name, len(segs))
		}
	}
	if keys := TagsNamed(s, inP, "synk"); len(keys) != 0 || !slices.Equal(TagsNear(s, inP, "redacd"), []string{"redact"}) {
		t.Errorf("a misspelt name leads to %v, near are %q", keys, TagsNear(s, inP, "redacd"))
	}
}

func TestTheTimelineOfATagHasTheEventsOfItsTurns(t *testing.T) {
	s := tagged(t)
	events, total := Timeline(s, TimelineQuery{View: inP, Tags: TagsNamed(s, inP, "exchange")})
	if total != 3 || events[0].Summary != "Worked on sync, part 4" {
		t.Errorf("%d events", total)
	}
	if _, total := Timeline(s, TimelineQuery{View: inP, Tags: []memory.Key{}}); total != 0 {
		t.Errorf("no tag has %d events", total)
	}
}

func TestSegmentsAndTagSummariesAreDocuments(t *testing.T) {
	s := tagged(t)
	kinds := map[index.Kind]int{}
	for _, d := range TagDocs(s) {
		kinds[d.Kind]++
		if d.Scope != "project:p" || d.Project != "p" || d.Session == "" || len(d.Nodes) != 1 || d.Time == 0 || d.Body == "" {
			t.Errorf("%+v", d)
		}
		if d.Label == "tag.sync" && d.Title != "exchange sync" {
			t.Errorf("%s is found by %q", d.ID, d.Title)
		}
	}
	if kinds[index.KindSegment] != 5 || kinds[index.KindTagSummary] != 1 {
		t.Errorf("%v", kinds)
	}
	g := NewGuide(s)
	if got := g.tagged(inP, "when did the exchanges break?"); len(got.share) != 4 || got.words != 1 {
		t.Errorf("%+v", got)
	}
	if got := g.tagged(memory.View{Project: "other"}, "sync"); len(got.share) != 0 || got.words != 0 {
		t.Errorf("another project is told of %+v", got)
	}
}
