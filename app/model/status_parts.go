package model

import (
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// Part is the health of one part of the service.
type Part struct {
	Name  string
	About string // what it is for
	State string // in a word
	Tone  Tone
	Doing string
	// Failure is what went wrong and what helps; History is how often and since when.
	Failure, History string
}

// parts are the names of the service's parts, and what they are for.
var parts = map[string][2]lang.Word{
	"capture": {lang.Mark("Capture"), lang.Mark("keeps what your agents write")},
	"hooks":   {lang.Mark("Hooks"), lang.Mark("hears from your agents at once")},
	"shadow":  {lang.Mark("File history"), lang.Mark("keeps files as your agents changed them")},
	"index":   {lang.Mark("Search"), lang.Mark("makes everything findable")},
	"sleep":   {lang.Mark("Sleep"), lang.Mark("learns from sessions that are over")},
	"distill": {lang.Mark("Sleep"), lang.Mark("learns from sessions that are over")},
	"packing": {lang.Mark("Packing"), lang.Mark("keeps old sessions small")},
	"api":     {lang.Mark("Answers"), lang.Mark("serves window, tray, commands and agents")},
	"sync":    {lang.Mark("Sync"), lang.Mark("exchanges memories with your other machines")},
	"vectors": {lang.Mark("Meaning"), lang.Mark("finds what has the same meaning in other words")},
	"memory":  {lang.Mark("Memory"), lang.Mark("keeps what was decided, and draws it up")},
	"model":   {lang.Mark("Language model"), lang.Mark("reads sessions where you set one")},
	"git":     {lang.Mark("Your projects' git"), lang.Mark("commits what agents did, where you want it")},
	"mcp":     {lang.Mark("Agents' tools"), lang.Mark("answers agents over HTTP")},
	"disk":    {lang.Mark("Disk"), lang.Mark("has room for what is captured")},
	"clock":   {lang.Mark("Clock"), lang.Mark("tells days and nights")},
}

// inTrouble says which part is in trouble, and how often it failed where it works in rounds.
func inTrouble(id string, failed int) string {
	if failed == 0 {
		return lang.Say("{part} is in trouble", partName(id))
	}
	return lang.Count(failed, "{part} failed {n} times in a row", partName(id))
}

func partName(id string) string {
	if p, ok := parts[id]; ok {
		return p[0].Text()
	}
	return Line(id)
}

func (w style) part(p api.Part) Part {
	out := Part{Name: partName(p.Name), About: parts[p.Name][1].Text(), Doing: sentence(Line(p.Doing)), Failure: sentence(p.Failure)}
	switch p.State {
	case "ok":
		out.State, out.Tone = lang.Say("OK"), Good
	case "busy":
		out.State, out.Tone = lang.Say("Busy"), Busy
	case "amber":
		out.State, out.Tone = lang.Say("In trouble"), Warn
	case "off":
		out.State, out.Tone = lang.Say("Off"), Off
	default:
		out.State = Line(p.State)
	}
	if p.Failed > 0 {
		last := lang.Say("it has not worked yet")
		if p.LastOK != 0 {
			last = lang.Say("it worked last {when}", w.both(p.LastOK))
		}
		out.History = lang.Count(p.Failed, "Failed {n} times in a row; {last}.", last)
		if out.Tone == Good {
			out.State, out.Tone = lang.Say("Trying again"), Busy
		}
	}
	return out
}

// Agent is what was captured of one coding agent that is on this machine.
type Agent struct {
	Name string
	// Numbers are its sessions, messages and size; Seen is when something was captured last.
	Numbers, Seen string
	Folders       []string
}

func (w style) agent(a api.Agent) Agent {
	out := Agent{Name: AgentName(a.Name)}
	for _, r := range a.Roots {
		out.Folders = append(out.Folders, w.path(r))
	}
	switch {
	case a.Sessions == 0:
		out.Numbers = lang.Say("No session yet")
	default:
		out.Numbers = dots(lang.Count(a.Sessions, "{n} sessions"), lang.Count(a.Nodes, "{n} messages and calls"), lang.Say("{size} read", size(a.Bytes)))
		out.Seen = w.ago(a.LastSeen)
	}
	return out
}

// Skip is something that could not be used, with the newest places.
type Skip struct {
	Text   string
	Places []string
}

// maxPlaces is how many places are named for one reason.
const maxPlaces = 3

func (w style) skip(s api.SkipReason) Skip {
	out := Skip{Text: lang.Count(s.Count, "{agent}: {reason}, {n} times", AgentName(s.Agent), strings.TrimSuffix(Line(s.Reason), "."))}
	for _, place := range s.Places[:min(len(s.Places), maxPlaces)] {
		out.Places = append(out.Places, w.path(place))
	}
	return out
}

// sync is how the exchange with other machines goes.
func (w style) sync(s api.Sync) []Fact {
	if s.Remote == "" {
		return []Fact{{Label: lang.Say("State"), Text: lang.Say("Off. To carry the memory to another machine: dormouse sync setup URL"), Tone: Off}}
	}
	last := lang.Say("not yet")
	if s.LastOK != 0 {
		last = w.both(s.LastOK)
	}
	facts := []Fact{{Label: lang.Say("Remote"), Text: Line(s.Remote)}, {Label: lang.Say("Last sync"), Text: last}}
	switch {
	case s.Machines == 1:
		facts = append(facts, Fact{Label: lang.Say("Machines"), Text: lang.Say("this one alone so far")})
	case s.Machines > 1:
		facts = append(facts, Fact{Label: lang.Say("Machines"), Text: lang.Count(s.Machines, "{n} share this memory")})
	}
	if s.Failed > 0 {
		facts = append(facts, Fact{Label: lang.Say("Trouble"), Tone: Warn, Text: lang.Count(s.Failed, "Failed {n} times in a row: {why}", sentence(s.Failure))})
	}
	return facts
}
