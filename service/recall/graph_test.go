package recall

import (
	"fmt"
	"slices"
	"testing"

	"dormouse/store/memory"
)

func eventIDs(list []*memory.Event) []string {
	var out []string
	for _, e := range list {
		out = append(out, e.ID)
	}
	return out
}

func TestTheTimelineKeepsToWindowScopeAndEntity(t *testing.T) {
	w := world()
	addEntity(w, memory.TypeFile, "store/index/open.go", func(e *memory.Entity) { e.Aliases = []string{"the opener"} })
	add := func(id string, when *int64, change func(*memory.Event)) {
		addEvent(w, id, "Summary of "+id, func(e *memory.Event) {
			e.Provenance.EventTime = when
			if change != nil {
				change(e)
			}
		})
	}
	add("a", at(0), func(e *memory.Event) { e.Entities = []string{"file.store/index/open.go"} })
	add("b", at(2), func(e *memory.Event) { e.Scope = memory.Global })
	add("c", at(4), func(e *memory.Event) { e.Kind = memory.KindDecision })
	add("theirs", at(2), func(e *memory.Event) { e.Scope = memory.ProjectScope("q") })
	add("undated", nil, nil)
	add("old", at(1), func(e *memory.Event) { e.SupersededBy = "a" })
	for name, c := range map[string]struct {
		q    TimelineQuery
		want []string
	}{
		"all, newest first":    {TimelineQuery{}, []string{"c", "b", "a", "undated"}},
		"a window":             {TimelineQuery{Since: *at(0), Until: *at(4)}, []string{"b", "a"}},
		"superseded":           {TimelineQuery{Superseded: true, Until: *at(2)}, []string{"old", "a"}},
		"a kind":               {TimelineQuery{Kinds: []memory.Kind{memory.KindDecision}}, []string{"c"}},
		"an entity by id":      {TimelineQuery{Entity: "file.store/index/open.go"}, []string{"a"}},
		"an entity by alias":   {TimelineQuery{Entity: "The Opener"}, []string{"a"}},
		"an entity by its end": {TimelineQuery{Entity: "open.go"}, []string{"a"}},
		"an unknown entity":    {TimelineQuery{Entity: "zebra"}, nil},
		"the newest":           {TimelineQuery{Limit: 2}, []string{"c", "b"}},
		"another project":      {TimelineQuery{Project: "q"}, nil},
	} {
		c.q.View = inP
		if got, _ := Timeline(w, c.q); !slices.Equal(eventIDs(got), c.want) {
			t.Errorf("%s: %v, want %v", name, eventIDs(got), c.want)
		}
	}
	if _, total := Timeline(w, TimelineQuery{View: inP, Limit: 1}); total != 4 {
		t.Errorf("%d events in all", total)
	}
}

func TestAnAmbiguousNameHasAllItsMeanings(t *testing.T) {
	w := world()
	for _, p := range []string{"a/main.go", "b/main.go", "main.go.txt"} {
		addEntity(w, memory.TypeFile, p, nil)
	}
	addEntity(w, memory.TypeTool, "Make", nil)
	addEntity(w, memory.TypeFile, "secret/main.go", func(e *memory.Entity) { e.Scope = memory.ProjectScope("q") })
	for name, want := range map[string][]string{
		"main.go": {"file.a/main.go", "file.b/main.go"}, "make": {"tool.make"}, "tool.make": {"tool.make"}, " ": nil,
	} {
		if got := Resolve(w, inP, name); !slices.Equal(got, want) {
			t.Errorf("%q means %v, want %v", name, got, want)
		}
	}
}

func TestNeighborsAreThoseWithinTheHops(t *testing.T) {
	w := world()
	for _, n := range []string{"a", "b", "c", "d"} {
		addEntity(w, memory.TypeLibrary, n, nil)
	}
	addEdge(w, "library.a", "uses", "library.b", nil)
	addEdge(w, "library.c", "uses", "library.b", nil)
	addEdge(w, "library.c", "uses", "library.d", nil)
	addEdge(w, "library.a", "uses", "library.d", func(e *memory.Edge) { e.SupersededBy = "x" })
	addEdge(w, "library.a", "uses", "library.z", func(e *memory.Edge) { e.Scope = memory.ProjectScope("q") })
	addEvent(w, "ev", "About a", func(e *memory.Event) { e.Entities = []string{"library.a"} })
	for hops, want := range map[int][]string{0: {"b"}, 1: {"b"}, 2: {"b", "c"}, 3: {"b", "c", "d"}, 1000: {"b", "c", "d"}} {
		g, ok := Neighbors(w, GraphQuery{View: inP, Entity: "library.a", Hops: hops})
		var got []string
		for _, e := range g.Entities {
			got = append(got, e.Name)
		}
		if !ok || !slices.Equal(got, want) || g.Truncated || len(g.Edges) != len(want) || len(g.Events) != 1 {
			t.Errorf("%d hops: %v %v, %d edges, %v", hops, ok, got, len(g.Edges), g.Truncated)
		}
	}
	for _, id := range []string{"library.zebra", ""} {
		if _, ok := Neighbors(w, GraphQuery{View: inP, Entity: id}); ok {
			t.Errorf("%q has neighbours", id)
		}
	}
	if _, ok := Neighbors(w, GraphQuery{View: memory.View{Project: "q"}, Entity: "library.a"}); ok {
		t.Error("an entity of another project is found")
	}
}

func TestAHugeGraphIsCutAndSaysSo(t *testing.T) {
	w := world()
	for i := range 3000 {
		addEntity(w, memory.TypeLibrary, fmt.Sprint(i), nil)
		addEdge(w, "library.0", "uses", fmt.Sprint("library.", i), nil)
		addEdge(w, fmt.Sprint("library.", i), "uses", fmt.Sprint("library.", (i*7)%3000), nil)
	}
	g, ok := Neighbors(w, GraphQuery{View: inP, Entity: "library.0", Hops: 1000})
	if !ok || !g.Truncated || len(g.Entities) > maxEntities || len(g.Edges) > maxEdges {
		t.Errorf("%v: %d entities, %d edges, truncated %v", ok, len(g.Entities), len(g.Edges), g.Truncated)
	}
}

func TestTheNarrowerOfTwoEntitiesOfOneIDIsShown(t *testing.T) {
	w := world()
	for _, s := range []memory.Scope{memory.Global, memory.ProjectScope("p"), memory.AgentScope("codex")} {
		addEntity(w, memory.TypeTool, "make", func(e *memory.Entity) { e.Scope = s })
	}
	if g, _ := Neighbors(w, GraphQuery{View: inP, Entity: "tool.make"}); g.Center.Scope != memory.ProjectScope("p") {
		t.Errorf("shown is that of %s", g.Center.Scope)
	}
}

func TestMergedEntitiesAreFoundByAnyOfTheirNames(t *testing.T) {
	w := world()
	addEntity(w, memory.TypeComponent, "backend", nil)
	addEntity(w, memory.TypeComponent, "worker", nil)
	addEntity(w, memory.TypeTool, "go", nil)
	addEvent(w, "ev_w", "Limited the retries of the worker", func(e *memory.Event) { e.Entities = []string{"component.worker"} })
	addEvent(w, "ev_b", "Moved the backend", func(e *memory.Event) { e.Entities = []string{"component.backend"} })
	addEdge(w, "component.worker", "uses", "tool.go", nil)
	w.Apply(&memory.Decision{ID: "de_1", Action: memory.ActionMerge, Accepted: true,
		Proposal: memory.Proposal{Kind: memory.RecordEntity, RecordID: "component.worker", Scope: memory.ProjectScope("p"), By: "component.backend"}})
	w.Settle()
	for _, name := range []string{"worker", "backend", "component.worker"} {
		ids := Resolve(w, inP, name)
		if !slices.Equal(ids, []string{"component.backend"}) {
			t.Errorf("%s means %v", name, ids)
		}
		if _, n := Timeline(w, TimelineQuery{View: inP, Entity: name}); n != 2 {
			t.Errorf("%s has %d events", name, n)
		}
	}
	g, ok := Neighbors(w, GraphQuery{View: inP, Entity: "component.backend"})
	if !ok || len(g.Edges) != 1 || g.Edges[0].From != "component.backend" {
		t.Errorf("graph %+v", g)
	}
}
