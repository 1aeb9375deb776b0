package model

import (
	"context"
	"slices"
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// AgentsPage is the coding agents, what was captured of them, and how they are connected.
type AgentsPage struct {
	Trouble *Trouble
	Rows    []AgentRow // those on this machine first
	Summary string
	// Absent names the agents that are not on this machine.
	Absent   string
	Skipped  []Skip
	Problems []string
	Empty    *Empty
}

// AgentRow is one coding agent on this machine.
type AgentRow struct {
	ID, Name string
	// Numbers are its sessions, messages and size; Seen is when something was captured last.
	Numbers, Seen string
	Folders       []string
	// State is how its hooks and tools are, in a word; empty where there are none that could be connected.
	State string
	Tone  Tone
	// Notes are what is to be looked at or done.
	Notes []Fact
	// What can be done.
	CanConnect, CanDisconnect bool
}

// Agents asks for all agents.
func (p *Presenter) Agents(ctx context.Context) AgentsPage {
	b := p.o.Backend()
	s, err := b.Status(ctx)
	if err != nil {
		return AgentsPage{Trouble: troubleOf(err)}
	}
	links, err := b.Links(ctx)
	if e, ok := asRefusal(err); err != nil && (!ok || e.Code != api.CodeNotFound) { // a service that knows no settings still captures
		return AgentsPage{Trouble: troubleOf(err)}
	}
	w := p.style()
	page := AgentsPage{}
	var absent []string
	for _, a := range allAgents(s.Agents, links) {
		i := slices.IndexFunc(links, func(l api.Link) bool { return l.Agent == a.Name })
		switch {
		case i >= 0 && (a.Found || links[i].Installed):
			page.Rows = append(page.Rows, w.agentRow(a, &links[i]))
		case a.Found:
			page.Rows = append(page.Rows, w.agentRow(a, nil))
		default:
			absent = append(absent, AgentName(a.Name))
		}
	}
	if len(absent) > 0 {
		page.Absent = lang.Say("Not on this machine: {agents}.", list(absent))
	}
	for _, skip := range s.Skipped {
		page.Skipped = append(page.Skipped, w.skip(skip))
	}
	for _, problem := range s.Problems {
		page.Problems = append(page.Problems, Clean(problem))
	}
	page.Summary = agentsSummary(page.Rows)
	if len(page.Rows) == 0 {
		page.Empty = &Empty{Title: lang.Say("No agent was found"), Text: lang.Say("Dormouse looks where each agent keeps its sessions. As soon as one of those below writes something there, it appears here.")}
	}
	return page
}

// allAgents are those that are captured, and those that could be connected beside them.
func allAgents(captured []api.Agent, links []api.Link) []api.Agent {
	out := slices.Clone(captured)
	for _, l := range links {
		if !slices.ContainsFunc(out, func(a api.Agent) bool { return a.Name == l.Agent }) {
			out = append(out, api.Agent{Name: l.Agent})
		}
	}
	return out
}

func agentsSummary(rows []AgentRow) string {
	if len(rows) == 0 {
		return ""
	}
	connected := 0
	for _, r := range rows {
		if r.CanDisconnect {
			connected++
		}
	}
	return dots(lang.Count(len(rows), "{n} agents on this machine"), lang.Count(connected, "{n} connected"))
}

func (w style) agentRow(a api.Agent, l *api.Link) AgentRow {
	seen := w.agent(a)
	row := AgentRow{ID: a.Name, Name: seen.Name, Numbers: seen.Numbers, Folders: seen.Folders}
	if seen.Seen != "" {
		row.Seen = lang.Say("last seen {when}", seen.Seen)
	}
	note := func(tone Tone, text string) { row.Notes = append(row.Notes, Fact{Text: text, Tone: tone}) }
	if text, tone := w.risk(a); text != "" {
		note(tone, text)
	}
	if l == nil {
		row.State, row.Tone = lang.Say("Captured"), Good
		return row
	}
	hooks, tools := l.Hooks == api.LinkConnected, l.MCP == "" || l.MCP == api.LinkConnected
	row.CanConnect = l.Trouble == "" && !(hooks && tools && l.Note == "")
	row.CanDisconnect = l.Trouble == "" && (l.Hooks != api.LinkMissing || l.MCP == api.LinkConnected)
	switch {
	case l.Trouble != "":
		row.State, row.Tone = lang.Say("Unreadable"), Bad
		note(Bad, sentence(l.Trouble))
	case l.Hooks == api.LinkUntrusted:
		row.State, row.Tone = lang.Say("Not yet trusted"), Warn
	case hooks && tools && l.Note != "":
		row.State, row.Tone = lang.Say("To be connected anew"), Warn
	case hooks && tools:
		row.State, row.Tone = lang.Say("Connected"), Good
	case hooks || l.MCP == api.LinkConnected:
		row.State, row.Tone = lang.Say("Half connected"), Warn
	default:
		row.State, row.Tone = lang.Say("Not connected"), Off
	}
	if hooks && !l.Injects && l.Note == "" {
		note(Plain, lang.Say("Its sessions are told nothing: the settings except it."))
	}
	if l.Note != "" {
		note(Warn, sentence(l.Note))
	}
	return row
}

// risk says what the agent's own clean-up is about to delete before it was captured.
func (w style) risk(a api.Agent) (string, Tone) {
	r := a.AtRisk
	if r.KeptDays == 0 {
		return "", Plain
	}
	says := lang.Count(r.KeptDays, "It deletes by itself what was not changed for {n} days.")
	if r.Next == 0 {
		return joined(" ", says, lang.Say("All that it wrote is captured.")), Plain
	}
	when := lang.Say("the first goes {when}", w.day(r.Next))
	if r.Next <= w.now.Unix() {
		when = lang.Say("the first may go any time")
	}
	if r.Files == 0 {
		return joined(" ", says, lang.Say("Not all that it wrote is captured yet; {when}.", when)), Plain
	}
	return joined(" ", lang.Count(r.Files, "At risk: {n} transcripts, {size}, not captured yet and gone within 7 days; {when}.", size(r.Bytes), when), says), Bad
}

// LinkPreview is what would be written to an agent's settings.
type LinkPreview struct {
	Question
	Files []LinkFile
	Told  Notice // where there is nothing to write, or it cannot be told
	query api.LinkQuery
	note  string
}

// LinkFile is the change of one file.
type LinkFile struct {
	Path  string
	Lines []DiffLine
}

// DiffLine is a line of a change: Good is added, Bad taken away, Off says where it is, and Plain stays.
type DiffLine struct {
	Text string
	Tone Tone
}

// PreviewLink asks what connecting an agent, or disconnecting it, would write.
func (p *Presenter) PreviewLink(ctx context.Context, row AgentRow, connect bool) LinkPreview {
	q := api.LinkQuery{Agent: row.ID, Action: api.LinkDisconnect}
	if connect {
		q.Action = api.LinkConnect
	}
	plan, err := p.o.Backend().LinkPlan(ctx, q)
	if err != nil {
		return LinkPreview{Told: refusedOr(lang.Say("Looking at the settings"), err)}
	}
	if len(plan.Files) == 0 {
		return LinkPreview{Told: Notice{Text: lang.Say("There is nothing to change: the settings of {agent} are so already.", row.Name)}}
	}
	q.Mark = plan.Mark
	out := LinkPreview{query: q, note: plan.Note, Question: Question{Title: lang.Say("Connect {agent}?", row.Name), Yes: lang.Say("Connect"), No: lang.Say("Cancel"),
		Text: lang.Say("This is written to its settings. Everything else in them stays as it is, and disconnecting takes it out again.")}}
	if !connect {
		out.Question = Question{Title: lang.Say("Disconnect {agent}?", row.Name), Yes: lang.Say("Disconnect"), No: lang.Say("Cancel"),
			Text: lang.Say("This is taken out of its settings. What it writes is captured all the same, a little later; its sessions are told nothing any more.")}
	}
	w := p.style()
	for _, f := range plan.Files {
		out.Files = append(out.Files, LinkFile{Path: w.path(f.Path), Lines: linesOfDiff(f.Diff)})
	}
	return out
}

// linesOfDiff are the lines of a unified diff without the names of its files.
func linesOfDiff(diff string) (out []DiffLine) {
	i := -1
	for line := range strings.Lines(diff) {
		text := strings.ReplaceAll(Clean(strings.TrimRight(line, "\r\n")), "\t", "    ")
		i++
		switch {
		case i < 2 && (strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ")):
		case strings.HasPrefix(line, "@@"):
			out = append(out, DiffLine{text, Off})
		case strings.HasPrefix(line, "+"):
			out = append(out, DiffLine{text, Good})
		case strings.HasPrefix(line, "-"):
			out = append(out, DiffLine{text, Bad})
		default:
			out = append(out, DiffLine{text, Plain})
		}
	}
	return out
}

// Link writes what a preview showed.
func (p *Presenter) Link(ctx context.Context, shown LinkPreview) Notice {
	if _, err := p.o.Backend().LinkChange(ctx, shown.query); err != nil {
		return refusedOr(lang.Say("Changing its settings"), err)
	}
	done := lang.Say("{agent} is connected.", AgentName(shown.query.Agent))
	if shown.query.Action == api.LinkDisconnect {
		done = lang.Say("{agent} is disconnected.", AgentName(shown.query.Agent))
	}
	return Notice{Tone: Good, Text: joined(" ", done, shown.note)}
}
