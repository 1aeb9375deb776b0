package recall

import (
	"cmp"
	"slices"

	"dormouse/store/memory"
)

// Limits of a walk through the graph. What lies beyond is cut off and said so.
const (
	maxHops     = 6
	maxEntities = 200
	maxEdges    = 500
	maxEvents   = 50
)

// GraphQuery asks for what lies around an entity.
type GraphQuery struct {
	View   memory.View
	Entity string // id, as Resolve gives it
	Hops   int    // less than 1 means 1; more than 6 means 6
}

// Graph is an entity and what lies around it.
type Graph struct {
	Center   *memory.Entity
	Entities []*memory.Entity // without the center, near ones first, then by id
	Edges    []*memory.Edge   // in the order in which they were met
	Events   []*memory.Event  // that name the center, newest first
	// Truncated says that there is more.
	Truncated bool
}

// Neighbors walks the edges of the view in both directions from an entity. ok is false where the view has no such entity.
// Superseded edges are not walked.
func Neighbors(s *memory.State, q GraphQuery) (g Graph, ok bool) {
	w := walk{view: q.View, entities: visibleEntities(s, q.View), edges: map[string][]*memory.Edge{}}
	if g.Center = w.entities[q.Entity]; g.Center == nil {
		return Graph{}, false
	}
	for _, e := range s.EdgeList() {
		if e = ends(s, e); showsEdge(s, q.View, e) && e.SupersededBy == "" {
			w.edges[e.From] = append(w.edges[e.From], e)
			if e.To != e.From {
				w.edges[e.To] = append(w.edges[e.To], e)
			}
		}
	}
	w.run(&g, q.Entity, min(max(q.Hops, 1), maxHops))
	events, total := Timeline(s, TimelineQuery{View: q.View, Entity: q.Entity, Limit: maxEvents})
	g.Events = events
	g.Truncated = g.Truncated || total > len(events)
	return g, true
}

// showsEdge reports whether a view shows an edge: it sees the edge's scope and, where the view is not the person's, the edge was not
// seen in turns alone from which something private comes.
func showsEdge(s *memory.State, v memory.View, e *memory.Edge) bool {
	if !v.Sees(e.Scope) {
		return false
	}
	nodes := e.Provenance.NodeIDs
	return v.All || v.Person || len(s.Withheld()) == 0 || len(nodes) == 0 || slices.ContainsFunc(nodes, func(n string) bool { return !s.WithheldNode(n) })
}

// ends is an edge between the entities into which its ends were merged.
func ends(s *memory.State, e *memory.Edge) *memory.Edge {
	from, to := one(s, e.Scope, e.From), one(s, e.Scope, e.To)
	if from == e.From && to == e.To {
		return e
	}
	c := *e
	c.From, c.To = from, to
	return &c
}

// visibleEntities are the entities of a view by id. Of several scopes' entities of one id the narrower one is taken.
func visibleEntities(s *memory.State, view memory.View) map[string]*memory.Entity {
	out := map[string]*memory.Entity{}
	for _, e := range s.EntityList() {
		if !view.Sees(e.Scope) {
			continue
		}
		if old := out[e.ID]; old == nil || old.Scope == memory.Global {
			out[e.ID] = e
		}
	}
	return out
}

type walk struct {
	view     memory.View
	entities map[string]*memory.Entity
	edges    map[string][]*memory.Edge
}

func (w *walk) run(g *Graph, center string, hops int) {
	reached := map[string]bool{center: true}
	taken := map[string]bool{}
	ring := []string{center}
	for range hops {
		var next []string
		for _, id := range ring {
			for _, e := range w.strongest(id) {
				if taken[e.ID] {
					continue
				}
				other := e.From
				if other == id {
					other = e.To
				}
				if len(g.Edges) == maxEdges || !reached[other] && len(reached) > maxEntities {
					g.Truncated = true
					continue
				}
				taken[e.ID] = true
				g.Edges = append(g.Edges, e)
				if !reached[other] {
					reached[other] = true
					next = append(next, other)
				}
			}
		}
		slices.Sort(next)
		for _, id := range next {
			if e := w.entities[id]; e != nil {
				g.Entities = append(g.Entities, e)
			}
		}
		ring = next
	}
}

// strongest are an entity's edges, the surest first, then the newest, then by id.
func (w *walk) strongest(id string) []*memory.Edge {
	list := slices.Clone(w.edges[id])
	slices.SortFunc(list, func(a, b *memory.Edge) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), compareNewest(a.EventTime, b.EventTime), cmp.Compare(a.ID, b.ID))
	})
	return list
}
