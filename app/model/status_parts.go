package model

import (
	"strings"

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
var parts = map[string][2]string{
	"capture": {"Capture", "keeps what your agents write"},
	"hooks":   {"Hooks", "hears from your agents at once"},
	"shadow":  {"File history", "keeps files as your agents changed them"},
	"index":   {"Search", "makes everything findable"},
	"sleep":   {"Sleep", "learns from sessions that are over"},
	"distill": {"Sleep", "learns from sessions that are over"},
	"packing": {"Packing", "keeps old sessions small"},
	"api":     {"Answers", "serves window, tray, commands and agents"},
	"sync":    {"Sync", "exchanges memories with your other machines"},
	"vectors": {"Meaning", "finds what has the same meaning in other words"},
	"memory":  {"Memory", "keeps what was decided, and draws it up"},
	"model":   {"Language model", "reads sessions where you set one"},
	"git":     {"Your projects' git", "commits what agents did, where you want it"},
	"mcp":     {"Agents' tools", "answers agents over HTTP"},
	"disk":    {"Disk", "has room for what is captured"},
	"clock":   {"Clock", "tells days and nights"},
}

// inTrouble says which part is in trouble, and how often it failed where it works in rounds.
func inTrouble(id string, failed int) string {
	if failed == 0 {
		return partName(id) + " is in trouble"
	}
	return partName(id) + " failed " + count(failed, "time") + " in a row"
}

func partName(id string) string {
	if p, ok := parts[id]; ok {
		return p[0]
	}
	return Line(id)
}

func (w style) part(p api.Part) Part {
	out := Part{Name: partName(p.Name), About: parts[p.Name][1], Doing: sentence(Line(p.Doing)), Failure: sentence(p.Failure)}
	switch p.State {
	case "ok":
		out.State, out.Tone = "OK", Good
	case "busy":
		out.State, out.Tone = "Busy", Busy
	case "amber":
		out.State, out.Tone = "In trouble", Warn
	case "off":
		out.State, out.Tone = "Off", Off
	default:
		out.State = Line(p.State)
	}
	if p.Failed > 0 {
		last := "it has not worked yet"
		if p.LastOK != 0 {
			last = "it worked last " + w.both(p.LastOK)
		}
		out.History = "Failed " + count(p.Failed, "time") + " in a row; " + last + "."
		if out.Tone == Good {
			out.State, out.Tone = "Trying again", Busy
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
		out.Numbers = "No session yet"
	default:
		out.Numbers = dots(count(a.Sessions, "session"), count(a.Nodes, "message")+" and calls", size(a.Bytes)+" read")
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
	out := Skip{Text: AgentName(s.Agent) + ": " + strings.TrimSuffix(Line(s.Reason), ".") + ", " + count(s.Count, "time")}
	for _, place := range s.Places[:min(len(s.Places), maxPlaces)] {
		out.Places = append(out.Places, w.path(place))
	}
	return out
}

// sync is how the exchange with other machines goes.
func (w style) sync(s api.Sync) []Fact {
	if s.Remote == "" {
		return []Fact{{Label: "State", Text: "Off. To carry the memory to another machine: dormouse sync setup URL", Tone: Off}}
	}
	last := "not yet"
	if s.LastOK != 0 {
		last = w.both(s.LastOK)
	}
	facts := []Fact{{Label: "Remote", Text: Line(s.Remote)}, {Label: "Last sync", Text: last}}
	switch {
	case s.Machines == 1:
		facts = append(facts, Fact{Label: "Machines", Text: "this one alone so far"})
	case s.Machines > 1:
		facts = append(facts, Fact{Label: "Machines", Text: number(s.Machines) + " share this memory"})
	}
	if s.Failed > 0 {
		facts = append(facts, Fact{Label: "Trouble", Tone: Warn, Text: "Failed " + count(s.Failed, "time") + " in a row: " + sentence(s.Failure)})
	}
	return facts
}
