package model

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// GraphPage is an entity and what lies around it, as it is to be drawn, and what there is to say of the entity.
type GraphPage struct {
	Trouble  *Trouble
	Projects []Choice // those that can be looked at
	Chosen   string   // id of the project that is looked at
	Nodes    []GraphNode
	Links    []GraphLink
	Entity   EntityCard
	Summary  string
	Empty    *Empty
}

// GraphNode is an entity as a point of the drawing.
type GraphNode struct {
	ID, Name string
	Type     string
	X, Y     float64 // from 0 to 1
	Center   bool
	Links    int // how many lead to it
}

// GraphLink is a relation between two nodes, by their places in the list.
type GraphLink struct{ From, To int }

// EntityCard is what there is to say of an entity.
type EntityCard struct {
	ID, Title string
	Facts     []Fact
	Relations []Relation
	Memories  []TimelineRow // without titles of days
	More      string        // that there is more
}

// Relation is one relation of an entity, read from the entity.
type Relation struct {
	Text  string
	Other string // id of the other one
	From  Place
}

// GraphFilter says what is looked at.
type GraphFilter struct {
	Project string // id; empty for the one that was worked in last
	Entity  string // id or name; empty for the project itself
	Hops    string // id of HopChoices
}

// HopChoices are how far around an entity is looked.
func HopChoices() []Choice {
	return []Choice{{"1", lang.Say("Its neighbours")}, {"2", lang.Say("Two steps")}, {"3", lang.Say("Three steps")}}
}

// Graph asks for an entity and what lies around it.
func (p *Presenter) Graph(ctx context.Context, f GraphFilter) GraphPage {
	b := p.o.Backend()
	projects, err := b.Projects(ctx)
	if err != nil {
		return GraphPage{Trouble: troubleOf(err)}
	}
	page := GraphPage{Chosen: f.Project}
	for _, c := range projectChoices(projects) {
		if c.ID != defaultProject {
			page.Projects = append(page.Projects, c)
		}
	}
	q := api.GraphQuery{Entity: strings.TrimSpace(f.Entity), Project: f.Project, Hops: int(cmp.Or(f.Hops, "2")[0] - '0')}
	if q.Entity == "" {
		x, ok := whole(projects, f.Project)
		if !ok {
			page.Empty = emptyGraph()
			return page
		}
		page.Chosen, q.Project, q.Entity = x.ID, x.ID, memory.TypeProject+"."+memory.Slug(projectName(x))
	}
	g, err := p.graphOf(ctx, q)
	if e, ok := asRefusal(err); ok && e.Code == api.CodeNotFound {
		page.Empty = emptyGraph()
		if f.Entity != "" {
			page.Empty = &Empty{Title: lang.Say("No such name"), Text: lang.Say("Nothing is known under “{name}”. Search with other words, or choose a project.", cut(Line(f.Entity), 60))}
		}
		return page
	}
	if err != nil {
		return GraphPage{Trouble: troubleOf(err)}
	}
	if id, ok := strings.CutPrefix(string(g.Center.Scope), "project:"); ok && page.Chosen == "" {
		page.Chosen = id
	}
	w := p.style()
	page.Nodes, page.Links = drawn(g)
	page.Entity = w.entity(g, projectLabels(projects))
	page.Summary = dots(lang.Count(len(page.Nodes), "{n} names"), lang.Count(len(page.Links), "{n} relations"))
	if g.Truncated {
		page.Summary = dots(page.Summary, lang.Say("there is more than is drawn"))
	}
	return page
}

func emptyGraph() *Empty {
	return &Empty{Title: lang.Say("Nothing is connected yet"),
		Text: lang.Say("When Dormouse sleeps, it notes which files, tools, commits and errors belong together. Choose another project, or search for a name.")}
}

// whole is a project by its id, else the one that was worked in last.
func whole(projects []api.Project, id string) (api.Project, bool) {
	var out api.Project
	for _, x := range projects {
		if x.ID == id && id != "" {
			return x, true
		}
		if x.ID != defaultProject && (out.ID == "" || x.LastSeen > out.LastSeen) {
			out = x
		}
	}
	return out, out.ID != ""
}

// graphOf asks for the graph around a name; where the name is not known, around the best that a search finds for it.
func (p *Presenter) graphOf(ctx context.Context, q api.GraphQuery) (api.Graph, error) {
	b := p.o.Backend()
	g, err := b.Graph(ctx, q)
	var refused *api.Error
	switch {
	case !errors.As(err, &refused):
		return g, err
	case refused.Code == api.CodeAmbiguous && len(refused.Candidates) > 0:
		q.Entity = refused.Candidates[0]
	case refused.Code == api.CodeNotFound:
		found, failed := b.Search(ctx, api.SearchQuery{Words: q.Entity, Project: q.Project, Kinds: []string{"entity"}, Limit: 1})
		if failed != nil || len(found.Hits) == 0 {
			return g, err
		}
		q.Entity, q.Project = found.Hits[0].ID, cmp.Or(found.Hits[0].ProjectID, q.Project)
	default:
		return g, err
	}
	return b.Graph(ctx, q)
}

// drawn are the nodes and links of a graph at their places.
func drawn(g api.Graph) ([]GraphNode, []GraphLink) {
	at := map[string]int{}
	var nodes []GraphNode
	for i, e := range append([]memory.Entity{g.Center}, g.Entities...) {
		if _, ok := at[e.ID]; !ok {
			at[e.ID] = len(nodes)
			nodes = append(nodes, GraphNode{ID: e.ID, Name: shortName(e), Type: e.Type, Center: i == 0})
		}
	}
	seen := map[GraphLink]bool{}
	var links []GraphLink
	for _, e := range g.Edges {
		from, ok1 := at[e.From]
		to, ok2 := at[e.To]
		if l := (GraphLink{min(from, to), max(from, to)}); ok1 && ok2 && from != to && !seen[l] {
			seen[l] = true
			links = append(links, l)
			nodes[from].Links++
			nodes[to].Links++
		}
	}
	place(nodes, links)
	return nodes, links
}

// shortName is an entity's name where there is little room: of a path, its end.
func shortName(e memory.Entity) string {
	name := Line(cmp.Or(e.Name, e.ID))
	if e.Type == memory.TypeFile {
		name = name[strings.LastIndexByte(name, '/')+1:]
	}
	return cut(name, 28)
}

// How much of an entity is listed beside the drawing.
const (
	maxRelations = 40
	maxMemories  = 20
)

// entity is what there is to say of the entity in the middle.
func (w style) entity(g api.Graph, projects map[string]string) EntityCard {
	e := g.Center
	c := EntityCard{ID: e.ID, Title: Line(cmp.Or(e.Name, e.ID)), Facts: []Fact{{Label: lang.Say("What it is"), Text: lang.Say("{what} {scope}", typeName(e.Type), scopeWords(e.Scope, projects))}}}
	if len(e.Aliases) > 0 {
		c.Facts = append(c.Facts, Fact{Label: lang.Say("Also called"), Text: cut(Line(list(e.Aliases)), 200)})
	}
	if t := e.Provenance.EventTime; t != nil {
		c.Facts = append(c.Facts, Fact{Label: lang.Say("First seen"), Text: w.both(*t)})
	}
	names := map[string]string{}
	for _, o := range g.Entities {
		names[o.ID] = Line(cmp.Or(o.Name, o.ID))
	}
	for _, edge := range g.Edges {
		r := Relation{From: Place{Session: edge.Provenance.SessionID, Turn: g.Turns[edge.ID]}}
		switch e.ID {
		case edge.From:
			r.Other = edge.To
			r.Text = relates(edge.Relation, cmp.Or(names[edge.To], Line(edge.To)))
		case edge.To:
			r.Other = edge.From
			r.Text = related(edge.Relation, cmp.Or(names[edge.From], Line(edge.From)))
		default:
			continue
		}
		c.Relations = append(c.Relations, r)
	}
	slices.SortStableFunc(c.Relations, func(a, b Relation) int { return cmp.Compare(a.Text, b.Text) })
	c.Relations = slices.CompactFunc(c.Relations, func(a, b Relation) bool { return a.Text == b.Text && a.Other == b.Other })
	left := max(0, len(c.Relations)-maxRelations)
	c.Relations = c.Relations[:len(c.Relations)-left]
	events := g.Events[:min(len(g.Events), maxMemories)]
	for _, row := range w.timelineRows(api.Timeline{Events: events, Turns: g.Turns, Missing: g.Missing}, projects) {
		if row.Day == "" {
			row.Clock = ""
			c.Memories = append(c.Memories, row)
		}
	}
	if left += len(g.Events) - len(events); left > 0 {
		c.More = lang.Count(left, "and {n} more")
	}
	return c
}
