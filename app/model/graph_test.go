package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"dormouse/service/api"
	"dormouse/store/memory"
)

func graphFake() *fake {
	f := lineFake()
	f.projects = []api.Project{{ID: "p1", Name: "shop", LastSeen: 5}, {ID: "p2", Name: "Blog", LastSeen: 9}, {ID: "default", LastSeen: 99}}
	entity := func(id, kind, name string) memory.Entity {
		return memory.Entity{ID: id, Type: kind, Name: name, Scope: "project:p1"}
	}
	edge := func(id, from, relation, to string) memory.Edge {
		return memory.Edge{ID: id, From: from, To: to, Relation: relation, Provenance: memory.Provenance{SessionID: "cc_1"}}
	}
	f.graph = api.Graph{Center: entity("file.a/open.go", "file", "a/open.go"), Entities: []memory.Entity{entity("tool.go", "tool", "go"), entity("error.x", "error", "")},
		Edges:  []memory.Edge{edge("1", "tool.go", "builds", "file.a/open.go"), edge("2", "file.a/open.go", "fails-with", "error.x"), edge("3", "error.x", "seen-in", "tool.go"), edge("4", "tool.go", "tests", "file.a/open.go"), edge("5", "tool.go", "x", "gone"), edge("6", "tool.go", "is", "tool.go"), edge("7", "tool.go", "tests", "file.a/open.go"), edge("8", "file.a/open.go", "checked-by", "tool.go")},
		Events: f.line.Events, Turns: map[string]int{"1": 4, "a": 3}}
	f.graph.Center.Aliases = []string{"opener"}
	t := at("2026-05-03 10:00")
	f.graph.Center.Provenance.EventTime = &t
	return f
}

func TestTheGraphIsDrawnAroundItsEntity(t *testing.T) {
	f := graphFake()
	page := presenter(f).Graph(t.Context(), GraphFilter{Entity: " open.go ", Project: "p1", Hops: "1"})
	if want := "graph entity=open.go&hops=1&project=p1"; f.asked[1] != want {
		t.Errorf("asked %q", f.asked)
	}
	if page.Summary != "3 names · 3 relations" || len(page.Nodes) != 3 || !page.Nodes[0].Center || page.Nodes[0].Name != "open.go" || page.Nodes[1].Links != 2 || page.Nodes[2].Name != "error.x" {
		t.Fatalf("%+v", page)
	}
	if want := []GraphLink{{0, 1}, {0, 2}, {1, 2}}; !reflect.DeepEqual(page.Links, want) {
		t.Errorf("%+v", page.Links)
	}
	e := page.Entity
	facts := []Fact{{Label: "What it is", Text: "File of shop"}, {Label: "Also called", Text: "opener"}, {Label: "First seen", Text: "yesterday 10:00, 1 day ago"}}
	relations := []Relation{{"fails with error.x", "error.x", Place{"cc_1", 0}}, {"go builds it", "tool.go", Place{"cc_1", 4}}, {"go tests it", "tool.go", Place{"cc_1", 0}}, {"is checked by go", "tool.go", Place{"cc_1", 0}}}
	if e.Title != "a/open.go" || !reflect.DeepEqual(e.Facts, facts) || !reflect.DeepEqual(e.Relations, relations) || len(e.Memories) != 5 || e.Memories[0].From.Turn != 3 || e.More != "" {
		t.Errorf("%+v", e)
	}
	if labels := []Choice{{"p2", "Blog"}, {"p1", "shop"}}; !reflect.DeepEqual(page.Projects, labels) {
		t.Errorf("%+v", page.Projects)
	}
	f.graph.Truncated = true
	for i := range 50 {
		f.graph.Edges = append(f.graph.Edges, memory.Edge{ID: fmt.Sprint("m", i), From: "file.a/open.go", To: "tool.go", Relation: fmt.Sprint("r", i)})
		f.graph.Events = append(f.graph.Events, f.graph.Events[0])
	}
	page = presenter(f).Graph(t.Context(), GraphFilter{Entity: "x"})
	if page.Chosen != "p1" {
		t.Errorf("the project of the entity is not chosen: %q", page.Chosen)
	}
	if page.Summary != "3 names · 3 relations · there is more than is drawn" || page.Entity.More != "and 49 more" {
		t.Errorf("%q %q", page.Summary, page.Entity.More)
	}
}

func TestTheGraphBeginsAtAProject(t *testing.T) {
	f := graphFake()
	if page := presenter(f).Graph(t.Context(), GraphFilter{}); page.Chosen != "p2" || f.asked[1] != "graph entity=project.blog&hops=2&project=p2" {
		t.Errorf("%q, %q", page.Chosen, f.asked)
	}
	f.asked = nil
	if page := presenter(f).Graph(t.Context(), GraphFilter{Project: "p1"}); page.Chosen != "p1" || f.asked[1] != "graph entity=project.shop&hops=2&project=p1" {
		t.Errorf("%q, %q", page.Chosen, f.asked)
	}
	if page := presenter(&fake{}).Graph(t.Context(), GraphFilter{}); page.Empty == nil {
		t.Errorf("%+v", page)
	}
}

// strict knows its entities by their ids alone.
type strict struct {
	*fake
	refusal *api.Error
}

func (s strict) Graph(ctx context.Context, q api.GraphQuery) (api.Graph, error) {
	g, _ := s.fake.Graph(ctx, q)
	if q.Entity != "file.a/open.go" {
		return api.Graph{}, s.refusal
	}
	return g, nil
}

func TestANameThatIsNotKnownIsSearchedFor(t *testing.T) {
	f := strict{graphFake(), &api.Error{Code: api.CodeNotFound, Message: "no such entity"}}
	p := New(Options{Backend: func() Backend { return f }, Now: presenter(f.fake).o.Now})
	if page := p.Graph(t.Context(), GraphFilter{Entity: "opne"}); page.Empty == nil || page.Empty.Title != "No such name" {
		t.Errorf("%+v", page)
	}
	f.found = api.Search{Hits: []api.Hit{{What: "entity", ID: "file.a/open.go", ProjectID: "p1"}}}
	if page := p.Graph(t.Context(), GraphFilter{Entity: "opne"}); page.Entity.ID != "file.a/open.go" {
		t.Errorf("%+v", page)
	}
	f.refusal = &api.Error{Code: api.CodeAmbiguous, Candidates: []string{"file.a/open.go", "file.b/open.go"}}
	if page := p.Graph(t.Context(), GraphFilter{Entity: "open.go"}); page.Entity.ID != "file.a/open.go" {
		t.Errorf("%+v", page)
	}
	f.refusal = &api.Error{Code: api.CodeInternal}
	if page := p.Graph(t.Context(), GraphFilter{Entity: "open.go"}); page.Trouble == nil {
		t.Errorf("%+v", page)
	}
	if page := presenter(&fake{err: map[string]error{"projects": errors.New("no")}}).Graph(t.Context(), GraphFilter{}); page.Trouble == nil {
		t.Errorf("%+v", page)
	}
}

func TestPlacesAreApartWithinTheSquareAndTheSameAgain(t *testing.T) {
	make := func(n int) ([]GraphNode, []GraphLink) {
		nodes, links := make([]GraphNode, n), []GraphLink(nil)
		for i := 1; i < n; i++ {
			links = append(links, GraphLink{From: i / 7, To: i})
		}
		place(nodes, links)
		return nodes, links
	}
	for _, n := range []int{0, 1, 2, 30, 200} {
		nodes, links := make(n)
		again, _ := make(n)
		if !reflect.DeepEqual(nodes, again) {
			t.Errorf("%d nodes: other places the second time", n)
		}
		near, linked, all := math.Inf(1), 0.0, 0.0
		for i, a := range nodes {
			if a.X < 0 || a.X > 1 || a.Y < 0 || a.Y > 1 || math.IsNaN(a.X) {
				t.Fatalf("%d nodes: %+v", n, a)
			}
			for _, b := range nodes[:i] {
				d := math.Hypot(a.X-b.X, a.Y-b.Y)
				near, all = math.Min(near, d), all+d
			}
		}
		for _, l := range links {
			linked += math.Hypot(nodes[l.From].X-nodes[l.To].X, nodes[l.From].Y-nodes[l.To].Y)
		}
		if n > 1 && near < 0.2/float64(n) {
			t.Errorf("%d nodes: two are %.4f apart", n, near)
		}
		if pairs := float64(n * (n - 1) / 2); n > 2 && linked/float64(len(links)) > 0.6*all/pairs {
			t.Errorf("%d nodes: linked ones are %.3f apart, all %.3f", n, linked/float64(len(links)), all/pairs)
		}
	}
}

// TestLinksPullWhatTheyJoinTogether places two groups that have no link between them: within a group nodes are to be nearer than across.
func TestLinksPullWhatTheyJoinTogether(t *testing.T) {
	nodes := make([]GraphNode, 12)
	var links []GraphLink
	for i := range nodes {
		for k := i + 2; k < len(nodes); k += 2 { // even ones and odd ones
			links = append(links, GraphLink{i, k})
		}
	}
	place(nodes, links)
	mean := func(same bool) float64 {
		sum, n := 0.0, 0
		for i := range nodes {
			for k := range i {
				if (i%2 == k%2) == same {
					sum += math.Hypot(nodes[i].X-nodes[k].X, nodes[i].Y-nodes[k].Y)
					n++
				}
			}
		}
		return sum / float64(n)
	}
	if within, across := mean(true), mean(false); within > 0.7*across {
		t.Errorf("%.2f within a group, %.2f across", within, across)
	}
}
