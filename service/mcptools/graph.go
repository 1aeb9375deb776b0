package mcptools

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dormouse/service/api"
	"dormouse/store/memory"
)

const maxHops = 5

func (t *Tools) graphTool() tool {
	return tool{name: "memory_graph_neighbors", title: "What a thing is related to", run: t.graph,
		about: "Walk the knowledge graph from a file, commit, tool, error, library, command or project: its relations, what is around it, and the events that name it.",
		params: []param{{name: "entity", needed: true, max: maxName, about: "Id (file.a/b.go) or name."},
			{name: "hops", whole: true, min: 1, max: maxHops, preset: 1},
			limitParam(40, 200), cursorParam}}
}

func (t *Tools) graph(ctx context.Context, c *call) (*page, error) {
	g, err := t.m.Graph(ctx, api.GraphQuery{Entity: c.text("entity"), Hops: c.number("hops"), Project: c.place.id, For: c.agent})
	if err != nil {
		return nil, err
	}
	items, more := some(graphItems(g), c.from, c.number("limit"))
	p := &page{title: "around " + g.Center.ID, items: items, more: more}
	if g.Truncated {
		p.note = "there is more in the graph than is told; go on from another entity, or with fewer hops"
	}
	return p, nil
}

// graphItems are the center, its relations, the other things and the events, in this order.
func graphItems(g api.Graph) []item {
	out := []item{entityItem(g.Center, g.Turns[g.Center.ID], g.Missing)}
	for _, e := range g.Edges {
		it := item{What: "relation", ID: e.ID, Text: fmt.Sprintf("%s ──%s──► %s", line(e.From), line(e.Relation), line(e.To)), Time: momentOf(e.EventTime),
			Session: e.Provenance.SessionID, Turn: g.Turns[e.ID], Open: open(e.Provenance.SessionID, g.Turns[e.ID])}
		it.away(g.Missing[it.Session])
		out = append(out, it)
	}
	for _, e := range g.Entities {
		out = append(out, entityItem(e, g.Turns[e.ID], g.Missing))
	}
	for _, e := range g.Events {
		out = append(out, eventItem(e, g.Turns[e.ID], g.Missing[e.Provenance.SessionID]))
	}
	return out
}

func entityItem(e memory.Entity, turn int, missing map[string]string) item {
	text := line(e.Name)
	if len(e.Aliases) > 0 {
		text += ", also " + line(strings.Join(e.Aliases, ", "))
	}
	for _, k := range slices.Sorted(maps.Keys(e.Attrs)) {
		text += "; " + line(k+": "+e.Attrs[k])
	}
	it := item{What: "entity", ID: e.ID, Text: clip(text, maxText), Kind: e.Type, Session: e.Provenance.SessionID, Turn: turn, Open: open(e.Provenance.SessionID, turn)}
	it.away(missing[it.Session])
	return it
}
