package main

import (
	"fmt"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
)

// formatWelcome tells what the memory holds once the service has caught up, where it lies, and what to do next.
func formatWelcome(v view, projects names, s api.Status, t api.Timeline) []string {
	p := &page{view: v}
	c := s.Counts
	if c.Sessions == 0 {
		p.say("Nothing was captured yet. Dormouse is watching; work with one of your agents, then ask:", "dormouse status")
		return p.lines
	}
	p.field("Captured", joined(count(c.Sessions, "session"), count(c.Turns, "turn"), count(c.Nodes, "node"), count(c.Projects, "project")))
	p.field("Learned", joined(count(c.Events, "event"), count(c.Entities, "entity"), count(c.Edges, "relation")))
	if c.Redacted > 0 {
		p.field("Redacted", count(c.Redacted, "secret")+" replaced before anything was written")
	}
	if b := s.Backlog; b.Open > 0 {
		p.field("Waiting", count(b.Open, "session")+" still open, learned from once it is idle")
	}
	p.field("Memory", joined(v.path(s.Home), demoMark(s.Demo)))
	if len(t.Events) > 0 {
		p.gap()
		p.add(fmt.Sprintf("The newest %d of the %s that it learned:", len(t.Events), count(t.Total, "event")))
		p.days(projects, t)
	}
	p.head("Ask it, in another terminal")
	for _, row := range [][2]string{
		{"dormouse timeline", "all that happened"},
		{"dormouse search WORDS", "find a memory"},
		{"dormouse core --project P", "what an agent is told at the start"},
		{"dormouse status", "how it is"},
	} {
		p.add("  " + p.Link(text.Pad(row[0], 28)) + row[1])
	}
	p.gap()
	p.add(fmt.Sprintf("Watching %s. Ctrl-C stops.", watched(s.Agents)))
	return p.lines
}

// watched names the agents that are there.
func watched(agents []api.Agent) string {
	out := ""
	for _, a := range agents {
		if !a.Found {
			continue
		}
		if out != "" {
			out += " and "
		}
		out += text.Line(a.Name)
	}
	if out == "" {
		return "for agents"
	}
	return out
}
