package main

import (
	"fmt"
	"strings"
	"time"

	"dormouse/cmd/internal/text"
	"dormouse/service/connect"
	"dormouse/service/osservice"
)

// formatFound lists the agents that are on this machine, and what they are about to delete.
func formatFound(v view, found []foundAgent) []string {
	p := &page{view: v}
	if len(found) == 0 {
		p.prose("No coding agent was found on this machine. Dormouse captures from the first session on that one writes.", "", nil)
		return append(p.lines, "")
	}
	p.add(p.Strong("On this machine"))
	t := text.Table{Head: v.Faint, Columns: []text.Column{{Title: "agent", Min: 10, Paint: v.Link}, {Title: "files", Right: true}, {Title: "size", Right: true},
		{Title: "newest", Drop: 1}, {Title: "hooks"}}}
	for _, f := range found {
		row := []string{text.Line(f.Name), number(f.Files), size(f.Bytes), p.stamp(f.Newest), f.Hooks}
		if f.Files == 0 {
			row[2], row[3] = "", ""
		}
		t.Rows = append(t.Rows, row)
	}
	p.table(t, "")
	for _, f := range found {
		if f.Soon > 0 {
			p.gap()
			p.prose(fmt.Sprintf("%s deletes what was not changed for %s: %d of these %s go within 7 days. What is captured before stays.",
				text.Line(f.Name), days(f.KeptDays), f.Soon, count(f.Files, "file")), "", v.Warn)
		}
	}
	return append(p.lines, "")
}

// formatConnections shows what would be written into the agents' settings, file by file.
func formatConnections(v view, plans []connect.Plan, trouble []string) []string {
	p := &page{view: v}
	files := 0
	for _, plan := range plans {
		if plan.Nothing() {
			p.add(formatPlan(v, plan, "connect")...)
			continue
		}
		files++
	}
	if files > 0 {
		p.head(fmt.Sprintf("To connect them, %s would be changed; a copy lies beside each until you disconnect", count(files, "file")))
		for _, plan := range plans {
			if !plan.Nothing() {
				p.gap()
				p.add(formatPlan(v, plan, "connect")...)
			}
		}
	}
	for _, t := range trouble {
		p.gap()
		p.prose(t, "", v.Warn)
	}
	if len(p.lines) > 0 {
		p.gap()
	}
	return p.lines
}

// formatSetup tells what was done and what to do next.
func formatSetup(v view, r setupReport) []string {
	p := &page{view: v}
	if r.DryRun {
		p.prose("Nothing was changed. To do it:", "", nil)
		p.add("  " + p.Link("dormouse setup"))
		return p.lines
	}
	if len(r.Connected) > 0 {
		p.field("Connected", strings.Join(r.Connected, ", "))
	}
	seen := ""
	for _, c := range r.Changes {
		if c.Note != "" && c.Note != seen {
			p.prose(text.Line(c.Agent)+": "+c.Note, strings.Repeat(" ", labelWidth), v.Warn)
			seen = c.Note
		}
	}
	switch c := r.Captured; {
	case c == nil:
	case c.Sessions == 0:
		p.field("Captured", "nothing yet: there are no sessions")
	default:
		p.field("Captured", joined(count(c.Sessions, "session"), count(c.Turns, "turn"), count(c.Projects, "project")))
		p.field("Learned", joined(count(c.Events, "event"), count(c.Entities, "entity"), count(c.Edges, "relation")))
	}
	switch osservice.Change(r.Service) {
	case osservice.Installed, osservice.Upgraded, osservice.Unchanged:
		p.field("Log-on", "Dormouse starts when you log on")
		p.hint("To see what it learned:", "dormouse timeline")
	default:
		p.field("Log-on", "Dormouse does not start by itself")
		p.hint("To run it in a terminal:", "dormouse up")
	}
	p.advise("To take all of this back:", "dormouse uninstall", v.Faint)
	return p.lines
}

// stampOf is a time as answers have it; 0 for none.
func stampOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
