package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// formatGraph shows an entity, its relations, what lies further away, and its events.
func formatGraph(v view, projects names, g api.Graph) []string {
	p := &page{view: v}
	c := g.Center
	p.add(v.Strong(text.Line(c.ID)))
	if name := text.Line(c.Name); name != "" && name != text.Line(c.ID) {
		p.field("Name", name)
	}
	p.field("Also", text.Line(strings.Join(c.Aliases, ", ")))
	for _, k := range slices.Sorted(maps.Keys(c.Attrs)) {
		p.field(text.Line(k), text.Line(c.Attrs[k]))
	}
	p.field("Scope", scopeOf(c.Scope, projects))
	if c.Provenance.EventTime != nil {
		p.field("Seen", "first "+v.when(*c.Provenance.EventTime))
	}
	turn, known := g.Turns[c.ID]
	if open := leads(c.Provenance, turn, known, g.Missing); open != "" {
		p.add(v.Faint(text.Pad("From", labelWidth)) + v.link(open))
	}
	p.relations(g)
	if len(g.Events) > 0 {
		p.head("Events")
		for _, e := range g.Events {
			turn, known := g.Turns[e.ID]
			p.graphEvent(e, leads(e.Provenance, turn, known, g.Missing))
		}
	}
	switch {
	case g.Truncated:
		p.hint("There is more than was shown. All its events:", "dormouse timeline --entity "+quote(c.ID))
	case len(g.Edges) == 0 && len(g.Events) == 0:
		p.hint("Nothing is related to it yet. Look for it in the sessions:", "dormouse search "+quote(cmp.Or(c.Name, c.ID)))
	}
	return p.lines
}

func scopeOf(s memory.Scope, projects names) string {
	if id, ok := s.Project(); ok {
		return "project " + projects.of(id)
	}
	return text.Line(string(s))
}

// relations lists the edges of the entity itself, then those that lie further away.
func (p *page) relations(g api.Graph) {
	var near, far []memory.Edge
	for _, e := range g.Edges {
		if e.From == g.Center.ID || e.To == g.Center.ID {
			near = append(near, e)
		} else {
			far = append(far, e)
		}
	}
	if len(near) > 0 {
		p.head("Relations")
		for _, e := range near {
			p.edge(g, e, true)
		}
	}
	if len(far) > 0 {
		p.head("Further away")
		for _, e := range far {
			p.edge(g, e, false)
		}
	}
}

// edge adds one relation and how to open where it comes from, which goes to its own line where both do not fit.
func (p *page) edge(g api.Graph, e memory.Edge, near bool) {
	from, rel, to := text.Line(e.From), text.Line(e.Relation), text.Line(e.To)
	s := from + " ──" + rel + "──► " + to
	switch {
	case near && e.From == g.Center.ID:
		s = "──" + rel + "──► " + to
	case near:
		s = "◄──" + rel + "── " + from
	}
	if e.SupersededBy != "" {
		s += " (superseded)"
	}
	if e.EventTime != nil {
		s += "  " + p.at(*e.EventTime).Format("2006-01-02")
	}
	turn, known := g.Turns[e.ID]
	open := leads(e.Provenance, turn, known, g.Missing)
	if p.width > 0 && text.Width("  "+s+"  ↪ "+open) > p.width {
		p.prose(s, "  ", nil)
		if open != "" {
			p.add("      " + p.link(open))
		}
		return
	}
	p.add(strings.TrimRight("  "+s+"  "+p.link(open), " "))
}

// graphEvent adds one event with its date.
func (p *page) graphEvent(e memory.Event, open string) {
	day := strings.Repeat(" ", 10)
	if e.Provenance.EventTime != nil {
		day = p.at(*e.Provenance.EventTime).Format("2006-01-02")
	}
	kind := text.Pad(text.Line(string(e.Kind)), len(memory.KindDecision))
	indent := strings.Repeat(" ", 2+len(day)+2+text.Width(kind)+2)
	first := len(p.lines)
	p.prose(text.Line(e.Summary), indent, nil)
	p.lines[first] = "  " + p.Faint(day) + "  " + p.kind(e.Kind, kind) + "  " + strings.TrimPrefix(p.lines[first], indent)
	p.receipt(indent, says(e.Trust), open)
}
