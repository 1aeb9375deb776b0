package main

import (
	"math"
	"slices"
	"strings"

	"dormouse/cmd/internal/text"
	"dormouse/service/connect"
)

// formatAgents lists the agents, those on this machine first.
func formatAgents(v view, r agentsReport, problems bool) []string {
	p := &page{view: v}
	t := text.Table{Head: v.Faint, Columns: []text.Column{{Title: "agent", Min: 10, Paint: v.Link}, {Title: "on this machine"}, {Title: "sessions", Right: true},
		{Title: "nodes", Right: true, Drop: 1}, {Title: "last seen"}, {Title: "age", Right: true, Drop: 2}, {Title: "hooks"}}}
	list := slices.Clone(r.Agents)
	slices.SortStableFunc(list, func(x, y agentReport) int {
		switch {
		case x.Installed == y.Installed:
			return 0
		case x.Installed:
			return -1
		}
		return 1
	})
	for _, x := range list {
		row := []string{text.Line(x.Name), "yes", number(x.Sessions), number(x.Nodes), p.stamp(x.LastSeen), p.age(x.LastSeen), x.Hooks}
		if !x.Installed {
			row[1] = "no"
		}
		if !r.Running {
			row[2], row[3], row[4], row[5] = "?", "?", "?", ""
		}
		if x.Trouble != "" {
			row[6] = "unreadable"
		}
		t.Rows = append(t.Rows, row)
	}
	p.table(t, "")
	if r.Settings != "" {
		p.prose(text.Clean(r.Settings), "", v.Warn)
		p.prose("The service does not start with these settings; the hooks are told as if it had its defaults.", "", nil)
	}
	for _, x := range list {
		if x.Trouble != "" {
			p.prose(text.Clean(x.Trouble), "", v.Warn)
		} else if x.Note != "" {
			p.prose(text.Line(x.Name)+": "+x.Note, "", v.Warn)
		}
	}
	p.atRisk(list)
	p.unusable(r, problems)
	if !r.Running {
		p.hint("The service is not running, so that it is not known what was captured. Start it with:", "dormouse up")
		return p.lines
	}
	if i := slices.IndexFunc(list, func(x agentReport) bool { return x.Installed && x.Hooks == connect.Missing && x.Trouble == "" }); i >= 0 {
		p.hint("To hear from it at once:", "dormouse agents connect "+text.Line(list[i].Name))
	}
	return p.lines
}

// atRisk tells which agents are about to delete what is not captured.
func (p *page) atRisk(list []agentReport) {
	for _, x := range list {
		if a := x.AtRisk; a.Next > 0 {
			p.gap()
			break
		}
	}
	for _, x := range list {
		a := x.AtRisk
		if a.Next == 0 {
			continue
		}
		when := "may delete the first of them " + p.stamp(a.Next)
		if a.Next <= p.now.Unix() {
			when = "may delete them any time"
		}
		said := text.Line(x.Name) + " deletes what was not changed for " + days(a.KeptDays) + "; it " + when + "."
		if a.Files == 0 {
			p.prose("Not all of "+text.Line(x.Name)+" is captured yet. "+said, "", nil)
			continue
		}
		p.prose("At risk: "+joined(count(a.Files, "transcript"), size(a.Bytes))+" not captured yet and gone within 7 days. "+said, "", p.Warn)
	}
}

func days(n int) string {
	if n == 1 {
		return "a day"
	}
	return number(n) + " days"
}

// unusable tells of what could not be used: how much, or all of it.
func (p *page) unusable(r agentsReport, all bool) {
	times := int64(0)
	for _, s := range r.Skipped {
		times += s.Count
	}
	switch {
	case all && times == 0 && len(r.Problems) == 0 && r.Running:
		p.gap()
		p.add("Everything could be used.")
	case all:
		p.skipped(r.Skipped, math.MaxInt)
		if len(r.Problems) > 0 {
			p.head("Problems")
			for _, problem := range r.Problems {
				p.prose(text.Clean(problem), "  ", p.Warn)
			}
		}
	case times > 0 || len(r.Problems) > 0:
		p.hint(joined(count(times, "part")+" could not be used", count(len(r.Problems), "problem"))+":", "dormouse agents --problems")
	}
}

// formatPlan shows what is going to be done to one agent's settings.
func formatPlan(v view, plan connect.Plan, use string) []string {
	p := &page{view: v}
	if plan.Nothing() {
		state := "connected already"
		if use == "disconnect" {
			state = "not connected"
		}
		p.add(text.Line(plan.Agent.Name) + ": " + state + ", " + v.path(plan.Path) + " stays as it is")
		return p.lines
	}
	return diffLines(v, plan.Diff())
}

// diffLines are the lines of a diff, painted.
func diffLines(v view, diff string) (out []string) {
	for line := range strings.Lines(diff) {
		line = text.Clean(strings.TrimRight(line, "\r\n"))
		switch {
		case strings.HasPrefix(line, "+"):
			line = v.Good(line)
		case strings.HasPrefix(line, "-"):
			line = v.Warn(line)
		}
		out = append(out, line)
	}
	return out
}

// formatHooksDone tells what was done.
func formatHooksDone(v view, done []hookOutcome, use string) []string {
	p := &page{view: v}
	last := ""
	for _, o := range done {
		if !o.Changed {
			continue
		}
		if o.Agent != last {
			p.add(strings.ToUpper(use[:1]) + use[1:] + "ed " + text.Line(o.Agent) + ".")
		}
		last = o.Agent
		if o.Note != "" {
			p.prose(o.Note, "  ", v.Warn)
		}
	}
	return p.lines
}
