package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dormouse/store/index"
	"dormouse/store/memory"
)

// guided searches a state with its guide.
func guided(t *testing.T, s *memory.State, docs ...index.Doc) *Searcher {
	t.Helper()
	x := searcherWith(t, s, docs...)
	x.SetGuide(NewGuide(s))
	return x
}

func partsOf(h Hit) map[string]float64 {
	out := map[string]float64{}
	for _, p := range h.Parts {
		out[p.Name] = p.Value
	}
	return out
}

// TestTagsBringWhatNoWordFinds asks by another form of a tag's name, which no text has.
func TestTagsBringWhatNoWordFinds(t *testing.T) {
	s := tagged(t)
	const asked = "redactors"
	if hits := find(t, searcherWith(t, s), Query{Text: asked, View: inP}); len(hits) != 0 {
		t.Fatalf("without tags %v come, and nothing was to", foundIDs(hits))
	}
	hits := find(t, guided(t, s), Query{Text: asked, View: inP})
	if len(hits) != 2 {
		t.Fatalf("%v come of the two segments about it", foundIDs(hits))
	}
	for _, h := range hits {
		if parts := partsOf(h); h.What != index.KindSegment || !strings.Contains(h.Title, "redact") || parts["tags"] != defaultWeights.Tags {
			t.Errorf("%s %q: %v", h.What, h.Title, h.Parts)
		}
	}
}

// TestTagsLiftWhatTheWordsFindToo asks by an alias, which the segments and the summary of its tag are found by too.
func TestTagsLiftWhatTheWordsFindToo(t *testing.T) {
	s := tagged(t)
	hits := find(t, guided(t, s), Query{Text: "exchange", View: inP, Limit: 20})
	kinds := map[index.Kind]int{}
	for _, h := range hits {
		if partsOf(h)["tags"] > 0 {
			kinds[h.What] += 1 + h.Folded
		}
	}
	if kinds[index.KindSegment] != 3 || kinds[index.KindTagSummary] != 1 {
		t.Errorf("%v of three segments and a summary", kinds)
	}
}

// TestTagsLetNobodyElsesRecordsIn has another project with the same tag, and asks for it in every way.
func TestTagsLetNobodyElsesRecordsIn(t *testing.T) {
	s := tagged(t)
	x := guided(t, s)
	for _, v := range []memory.View{{}, {Project: "other"}, {Agent: "codex"}, {Project: "other", Person: true}} {
		if hits := find(t, x, Query{Text: "redactors exchange sync", View: v}); len(hits) != 0 {
			t.Errorf("%+v sees %v", v, foundIDs(hits))
		}
	}
	// A guide that is wrong about a scope is overruled by the index.
	g := NewGuide(s)
	for k, ids := range g.docs {
		g.docs[memory.Key{Scope: memory.Global, ID: k.ID}] = ids
		g.of[memory.Global] += len(ids)
	}
	for name, keys := range g.tags {
		for i := range keys {
			keys[i].Scope = memory.Global
		}
		g.tags[name] = keys
	}
	x.SetGuide(g)
	if hits := find(t, x, Query{Text: "redactors", View: memory.View{Project: "other"}}); len(hits) != 0 {
		t.Errorf("a wrong guide shows %v", foundIDs(hits))
	}
	if hits := find(t, x, Query{Text: "redactors", View: inP, Kinds: []index.Kind{index.KindEvent}}); len(hits) != 0 {
		t.Errorf("only events were asked for, and %v come", foundIDs(hits))
	}
	if hits := find(t, x, Query{Text: "redactors", View: inP, Until: 1002}); len(hits) != 1 {
		t.Errorf("one segment lies before the bound, and %v come", foundIDs(hits))
	}
}

func TestATagNarrowsASearchByAnyOfItsNames(t *testing.T) {
	s := tagged(t)
	var docs []index.Doc
	for n := range 5 {
		meta := memory.Session{ID: fmt.Sprint("s", n%3), ProjectID: "p"}
		docs = append(docs, DocsFromTurn(meta, n+1, []memory.Node{user(fmt.Sprint("n", n), fmt.Sprint("please look at part ", n))})...)
	}
	x := guided(t, s, docs...)
	turnOf := func(_, node string) int { return int(node[1]-'0') + 1 }
	for _, name := range []string{"sync", "exchange", "tag.sync"} {
		filed := FiledUnder(s, TagsNamed(s, inP, name))
		ids, err := filed.IDs(x.Index, turnOf)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range find(t, x, Query{Text: "part", View: inP, IDs: ids, Limit: 50}) {
			if h.What == index.KindTurn {
				got = append(got, h.Nodes[0])
			}
			if strings.Contains(h.Title, "redact") {
				t.Errorf("%s lets %s in", name, h.Title)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, []string{"n0", "n2", "n4"}) {
			t.Errorf("by %s the turns of %v are found", name, got)
		}
	}
	if hits := find(t, x, Query{Text: "part", View: inP, IDs: []string{}}); len(hits) != 0 {
		t.Errorf("nothing is filed there, and %v come", foundIDs(hits))
	}
}

// TestEqualsAreOrderedByWhatElseIsKnown has pairs that the text cannot tell apart.
func TestEqualsAreOrderedByWhatElseIsKnown(t *testing.T) {
	w := world()
	gateway := addEntity(w, "component", "gateway", nil)
	router := addEntity(w, "component", "router", nil)
	addEdge(w, gateway.ID, "depends-on", router.ID, nil)
	addEvent(w, "old", "Retries were halved on Monday morning", nil)
	addEvent(w, "new", "Retries were halved on Friday evening", func(e *memory.Event) { e.Provenance.EventTime = at(200) })
	addEvent(w, "global", "Queues were doubled for everybody here", func(e *memory.Event) { e.Scope = memory.Global })
	addEvent(w, "own", "Queues were doubled for somebody there", nil)
	addEvent(w, "path", "The parser moved out of store/Parser.go again", nil)
	addEvent(w, "case", "A store has one parser, and there we go since the release", nil)
	addEvent(w, "beside", "Timeouts became longer since last week", func(e *memory.Event) { e.Entities = []string{router.ID} })
	mailer := addEntity(w, "component", "mailer", nil)
	addEvent(w, "apart", "Timeouts became longer since last month", func(e *memory.Event) { e.Entities = []string{mailer.ID} })
	x := guided(t, w)
	for _, c := range []struct{ text, first, part string }{
		{"retries halved", "new", "recency"},
		{"queues doubled", "own", "project"},
		{"store/Parser.go", "path", "identifier"},
		{"gateway timeouts longer", "beside", "graph"},
	} {
		hits := find(t, x, Query{Text: c.text, View: inP, Kinds: []index.Kind{index.KindEvent}})
		if len(hits) < 2 || hits[0].ID != c.first {
			t.Errorf("%s: %v", c.text, foundIDs(hits))
			continue
		}
		sum := 0.0
		for _, p := range hits[0].Parts {
			sum += p.Value
		}
		if a, b := partsOf(hits[0])[c.part], partsOf(hits[1])[c.part]; a <= b || sum != hits[0].Score {
			t.Errorf("%s: the part %s is %.2f and %.2f, the parts add up to %v of %v", c.text, c.part, a, b, sum, hits[0].Score)
		}
	}
}

func TestIdentifiersAreWhatIsWrittenLikeOne(t *testing.T) {
	for text, want := range map[string]string{
		"why did store/index.go break?":          "store/index.go",
		"(renewLease) and lease_keeper.":         "renewLease lease_keeper",
		"v1.2.3 to 2.0, at 3fa9c1d and 1234567":  "v1.2.3 2.0 3fa9c1d",
		"use --dry-run, e.g. now":                "--dry-run e.g",
		"Nothing here. Really nothing at all...": "",
		"\xff/\xfe a.b 缓存":                       "a.b",
	} {
		if got := strings.Join(identifiers(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, c := range []struct {
		text, id string
		want     bool
	}{{"see store/Parser.go.", "Parser.go", true}, {"see store/Parser.golden", "Parser.go", false}, {"commit 3fa9c1d0aa", "3fa9c1d", true},
		{"renewLeases", "renewLease", false}, {"xx Parser.go and Parser.go", "Parser.go", true}, {"", "a.b", false}} {
		if got := hasWhole(c.text, c.id); got != c.want {
			t.Errorf("%q in %q: %v", c.id, c.text, got)
		}
	}
}

// TestOfALongQueryTheBeginningIsTagged has a query of 100 KB name tags at its beginning and at its end.
func TestOfALongQueryTheBeginningIsTagged(t *testing.T) {
	x := guided(t, tagged(t))
	filler := strings.Repeat("pasted output of something else ", 100<<10/32)
	for name, c := range map[string]struct {
		text string
		want int
	}{"at the beginning": {"redactors " + filler, 2}, "at the end": {filler + " redactors", 0}, "in one word": {strings.Repeat("redactors", 100<<10/9), 0}} {
		list := x.guide.Load().tagged(inP, c.text[:cutAt(c.text, askedBytes)])
		if len(list.ids()) != c.want || len(list.ids()) > mostTagged {
			t.Errorf("%s: %d documents are tagged, want %d", name, len(list.ids()), c.want)
		}
		hits, err := x.Search(t.Context(), Query{Text: c.text, View: inP, MaxBytes: 2000})
		if err != nil {
			t.Fatal(err)
		}
		bytes := 0
		for _, h := range hits {
			bytes += len(h.Title) + len(h.Snippet)
		}
		if bytes > 2000 || len(hits) > 10 {
			t.Errorf("%s: %d hits of %d bytes", name, len(hits), bytes)
		}
	}
}
