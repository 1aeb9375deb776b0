package main

import (
	"cmp"
	"fmt"
	"strings"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// formatStatus says how the service is, what is wrong first to be seen at the end, beside the prompt.
func formatStatus(v view, s api.Status) []string {
	p := &page{view: v}
	p.add("Dormouse is " + v.Strong(text.Line(cmp.Or(s.Phase, "running"))) + "." + v.trouble(s))
	p.field("Memory", joined(v.path(s.Home), demoMark(s.Demo)))
	p.field("Since", joined(v.when(s.StartedAt), fmt.Sprintf("process %d", s.PID), "machine "+text.Line(s.Machine)))
	if s.PausedUntil != 0 {
		p.field("Paused", v.pausedUntil(s)+"; to go on now: dormouse resume")
	}
	p.gap()
	p.counts(s)
	p.agents(s.Agents)
	p.parts(s.Parts)
	p.skipped(s.Skipped, maxPlaces)
	if len(s.Problems) > 0 {
		p.head("Problems")
		for _, problem := range s.Problems {
			p.prose(text.Clean(problem), "  ", v.Warn)
		}
	}
	if s.Counts.Sessions == 0 {
		p.hint("Nothing was captured yet. Work with one of the agents above; the folders that are watched:", "dormouse status --json")
	}
	return p.lines
}

// trouble names the parts that are not well, to be looked for below.
func (v view) trouble(s api.Status) string {
	var failed, degraded []string
	for _, p := range s.Parts {
		switch {
		case p.Health == api.HealthFailed || p.Health == "" && p.State == "amber":
			failed = append(failed, text.Line(p.Name))
		case p.Health == api.HealthDegraded:
			degraded = append(degraded, text.Line(p.Name))
		}
	}
	switch {
	case len(failed) > 0:
		return " " + v.Warn("In trouble: "+strings.Join(failed, ", ")+".")
	case len(degraded) > 0:
		return " " + v.Warn("Not all is well: "+strings.Join(degraded, ", ")+".")
	}
	return ""
}

func demoMark(demo bool) string {
	if demo {
		return "the demo's, not yours"
	}
	return ""
}

// scanned tells how far the first look through the agents' folders is.
func scanned(s api.Scan) string {
	return joined(fmt.Sprintf("%s of %s read", number(s.FilesDone), count(s.Files, "file")), count(s.Sessions, "session")+" so far",
		size(max(0, s.Bytes-s.BytesDone))+" left")
}

func (p *page) counts(s api.Status) {
	c, b := s.Counts, s.Backlog
	p.field("Holds", joined(count(c.Sessions, "session"), count(c.Turns, "turn"), count(c.Nodes, "node"), count(c.Projects, "project")))
	p.field("Learned", joined(count(c.Events, "event"), count(c.Entities, "entity"), count(c.Edges, "relation")))
	p.field("Search", count(c.Indexed, "document")+" in the index")
	if s.Vectors.Model != "" || s.Vectors.Failure != "" {
		p.vectors(s.Vectors)
	}
	if s.Scan != nil {
		p.field("Capturing", scanned(*s.Scan))
	}
	p.field("Waiting", joined(count(b.Open, "session")+" still open", fmt.Sprintf("%s for sleep", number(b.Waiting)),
		fmt.Sprintf("%s for the index", number(b.Index))))
	p.shadow(s.Shadow)
	p.field("Slept", p.slept(s.LastSleep))
	p.model(s.LLM)
	if n := s.LastNight; n != nil {
		p.field("Last night", p.lastNight(n))
	}
	switch {
	case s.SleepWaits != "":
		p.field("Next sleep", "waits for a quiet moment: "+text.Line(s.SleepWaits))
	case s.NextSleep != 0:
		p.field("Next sleep", p.when(s.NextSleep))
	}
	if c.Redacted > 0 {
		p.field("Redacted", count(c.Redacted, "secret")+" replaced before anything was written")
	}
	p.field("On disk", packed(s.Packing))
	if c.Away > 0 {
		p.field("Unreachable", count(c.Away, "session")+" in folders of projects that are not there; dormouse sessions names them")
	}
	if c.Deleted > 0 {
		p.field("Deleted", count(c.Deleted, "session")+" by you; dormouse sessions --deleted names them")
	}
	if c.Invalid > 0 {
		p.field("Unreadable", count(c.Invalid, "folder")+" among the sessions without a readable meta.json")
	}
}

// shadow tells of the shadow histories, where there are any.
func (p *page) shadow(s api.Shadow) {
	if s.Projects == 0 && s.Sessions == 0 {
		return
	}
	waiting := ""
	if s.Waiting > 0 {
		waiting = number(s.Waiting) + " waiting"
	}
	p.field("Shadow", joined("edited files of "+count(s.Projects, "project"), count(s.Sessions, "session"), size(s.Bytes), waiting))
}

// packed is what the sessions take on the disk.
func packed(k api.Packing) string {
	if k.Files == 0 {
		return ""
	}
	waiting, freed := "", ""
	if k.Waiting > 0 {
		waiting = fmt.Sprintf("%s to be packed", number(k.Waiting))
	}
	if k.Freed > 0 {
		freed = size(k.Freed) + " less by packing"
	}
	return joined(count(k.Files, "file"), size(k.Bytes), freed, waiting)
}

// slept is what the last sleep did.
func (v view) slept(r *memory.Run) string {
	if r == nil {
		return "not yet; dormouse sleep distils what is waiting now"
	}
	return joined(v.when(r.Ended), text.Line(r.Kind), gains(r.Counts))
}

// lastNight tells in one line how the last night went.
func (v view) lastNight(n *api.Night) string {
	how := "all went well"
	switch f := n.Failures(); {
	case n.Ended == 0:
		how = "goes on"
	case len(f) > 0:
		how = fmt.Sprintf("%s failed: %s", count(len(f), "stage"), text.Line(f[0].Name))
	case len(n.Waits) > 0:
		how = text.Line(n.Waits[0])
	}
	return joined(v.when(n.Began), "took "+took(*n), how, "dormouse sleep --last")
}

// gains is what a run took in and gave.
func gains(c memory.RunCounts) string {
	return fmt.Sprintf("%s gave %s, %s, %s", count(c.Sessions, "session"), count(c.Events, "event"), count(c.Entities, "entity"),
		count(c.Edges, "relation"))
}

func (p *page) agents(list []api.Agent) {
	if len(list) == 0 {
		return
	}
	t := text.Table{Head: p.Faint, Columns: []text.Column{{Title: "agent"}, {Title: "sessions", Right: true},
		{Title: "nodes", Right: true}, {Title: "files", Right: true, Drop: 3}, {Title: "size", Right: true, Drop: 2},
		{Title: "last seen"}, {Title: "age", Right: true}, {Title: "folders", Min: 16, Drop: 1, Tail: true}}}
	var absent []string
	for _, a := range list {
		roots := make([]string, len(a.Roots))
		for i, r := range a.Roots {
			roots[i] = p.path(r)
		}
		row := []string{text.Line(a.Name), number(a.Sessions), number(a.Nodes), number(a.Files), size(a.Bytes), p.stamp(a.LastSeen),
			p.age(a.LastSeen), strings.Join(roots, ", ")}
		if !a.Found {
			absent = append(absent, text.Line(a.Name))
			continue
		}
		t.Rows = append(t.Rows, row)
	}
	p.head("Agents")
	if len(t.Rows) > 0 {
		p.table(t, "  ")
	}
	if len(absent) > 0 {
		p.prose("not on this machine: "+strings.Join(absent, ", "), "  ", p.Faint)
	}
}

func (p *page) parts(list []api.Part) {
	if len(list) == 0 {
		return
	}
	name, state := 0, 0
	for _, part := range list {
		name, state = max(name, text.Width(text.Line(part.Name))), max(state, text.Width(partState(part)))
	}
	p.head("Parts")
	for _, part := range list {
		lead := "  " + text.Pad(text.Line(part.Name), name) + "  "
		shown := partState(part)
		indent := strings.Repeat(" ", text.Width(lead)+state+2)
		first := len(p.lines)
		p.prose(p.doing(part), indent, nil)
		after := strings.TrimPrefix(p.lines[first], indent)
		p.lines[first] = lead + p.state(shown)
		if after != "" {
			p.lines[first] += strings.Repeat(" ", state-text.Width(shown)+2) + after
		}
		if part.Failure != "" {
			p.prose(text.Clean(part.Failure), indent, p.Warn)
		}
	}
}

// partState is the state of a part in a word. One that works again and again after failures is not told as being well.
func partState(part api.Part) string {
	if part.State == api.HealthOK && part.Health == api.HealthDegraded {
		return api.HealthDegraded
	}
	return text.Line(part.State)
}

// state paints the state of a part.
func (p *page) state(shown string) string {
	switch shown {
	case "ok":
		return p.Good(shown)
	case "amber", api.HealthDegraded:
		return p.Warn(shown)
	case "off":
		return p.Faint(shown)
	}
	return shown
}

// doing is what a part does, or how long it has failed.
func (p *page) doing(part api.Part) string {
	if part.Failed == 0 {
		return text.Line(part.Doing)
	}
	last := "has not worked yet"
	if part.LastOK != 0 {
		last = "worked last " + p.when(part.LastOK)
	}
	return joined(text.Line(part.Doing), count(part.Failed, "failure")+" in a row, "+last)
}

// maxPlaces is how many places are named for one reason where not all are asked for.
const maxPlaces = 3

// skipped tells what could not be used, with at most so many places for one reason, and how many more there are.
func (p *page) skipped(list []api.SkipReason, most int) {
	if len(list) == 0 {
		return
	}
	p.head("Could not be used")
	for _, s := range list {
		p.prose(fmt.Sprintf("%s: %s, %s", text.Line(s.Agent), text.Line(s.Reason), count(s.Count, "time")), "  ", nil)
		named := s.Places[:min(len(s.Places), most)]
		for _, place := range named {
			p.add(p.Faint("    " + text.CutLeft(p.path(place), max(0, p.width-4))))
		}
		switch rest := s.Count - int64(len(named)); {
		case len(named) == 0 || rest <= 0:
		case len(named) < len(s.Places):
			p.add(p.Faint(fmt.Sprintf("    and %s more: dormouse agents --problems", number(rest))))
		default:
			p.add(p.Faint(fmt.Sprintf("    and %s more before these", number(rest))))
		}
	}
}
