package model

import (
	"context"
	"fmt"
	"strings"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// StatusPage says how the service is.
type StatusPage struct {
	Trouble *Trouble
	// Title and Detail are the state in a word and a sentence.
	Title, Detail string
	Tone          Tone
	// Demo says that the memory is the demo's; empty for the person's own.
	Demo     string
	Paused   bool
	Sleeping bool // a sleep goes on: another one cannot be started
	Figures  []Figure
	Sleep    []Fact
	Sync     []Fact
	CanSync  bool
	Parts    []Part
	Agents   []Agent
	Absent   string // names the agents that are not on this machine
	Skipped  []Skip
	Problems []string
	Foot     []Fact // where the memory lies, and the like
	Empty    *Empty // nothing was captured yet
}

// Figure is a number to be seen from afar.
type Figure struct{ Value, Label string }

// Status asks how the service is.
func (p *Presenter) Status(ctx context.Context) StatusPage {
	s, err := p.o.Backend().Status(ctx)
	if err != nil {
		return StatusPage{Trouble: troubleOf(err)}
	}
	return p.style().status(s)
}

func (w style) status(s api.Status) StatusPage {
	page := StatusPage{
		Paused: w.paused(s), Sleeping: sleeping(s), CanSync: s.Sync.Remote != "",
		Figures: figures(s.Counts), Sleep: w.sleep(s), Sync: w.sync(s.Sync), Foot: w.foot(s),
	}
	page.Title, page.Detail, page.Tone = w.headline(s)
	if s.Demo {
		page.Demo = "This is the demo: real sessions of other people, in a memory that never mixes with yours."
	}
	for _, part := range s.Parts {
		page.Parts = append(page.Parts, w.part(part))
	}
	var absent []string
	for _, a := range s.Agents {
		if a.Found {
			page.Agents = append(page.Agents, w.agent(a))
		} else {
			absent = append(absent, AgentName(a.Name))
		}
	}
	if len(absent) > 0 {
		page.Absent = "Not on this machine: " + strings.Join(absent, ", ") + "."
	}
	for _, skip := range s.Skipped {
		page.Skipped = append(page.Skipped, w.skip(skip))
	}
	for _, problem := range s.Problems {
		page.Problems = append(page.Problems, Clean(problem))
	}
	if s.Counts.Sessions == 0 {
		page.Empty = &Empty{Title: "Nothing was captured yet",
			Text: "Work with one of the agents below: what it writes appears here within seconds, and is kept even if the agent deletes it."}
	}
	return page
}

// headline is the state: trouble before a pause, a pause before sleep.
func (w style) headline(s api.Status) (title, detail string, tone Tone) {
	for _, p := range s.Parts {
		if p.State == "amber" {
			return "In trouble", inTrouble(p.Name, p.Failed) + ": " + sentence(p.Failure), Warn
		}
	}
	switch {
	case w.paused(s):
		return "Paused", w.pause(s.PausedUntil), Off
	case sleeping(s):
		return "Asleep", "Learning from what was captured.", Asleep
	case s.Phase == "active":
		return "Awake", "An agent is at work; what it writes is captured as it comes.", Good
	}
	return "Awake", watching(s.Agents), Good
}

func (w style) paused(s api.Status) bool {
	return s.PausedUntil == api.Indefinitely || s.PausedUntil > w.now.Unix()
}

// pause says until when nothing is captured.
func (w style) pause(until int64) string {
	if until == api.Indefinitely {
		return "Nothing is captured until you go on. What your agents write meanwhile is captured then."
	}
	return "Nothing is captured until " + w.day(until) + ". What your agents write meanwhile is captured then."
}

func sleeping(s api.Status) bool {
	if s.Phase == "asleep" {
		return true
	}
	for _, p := range s.Parts {
		if p.Name == "sleep" && p.Doing != "" {
			return true
		}
	}
	return false
}

// watching says that nothing goes on, and names the agents whose folders are there.
func watching(agents []api.Agent) string {
	var names []string
	for _, a := range agents {
		if a.Found {
			names = append(names, AgentName(a.Name))
		}
	}
	switch n := len(names); n {
	case 0:
		return "No agent was found on this machine yet."
	case 1:
		return "No agent is at work. Watching " + names[0] + "."
	default:
		return "No agent is at work. Watching " + strings.Join(names[:n-1], ", ") + " and " + names[n-1] + "."
	}
}

func figures(c api.Counts) []Figure {
	figure := func(n int, one string) Figure {
		if n != 1 {
			one = many(one)
		}
		return Figure{Value: number(n), Label: one}
	}
	return []Figure{figure(c.Sessions, "session"), figure(c.Turns, "turn"), figure(c.Projects, "project"),
		figure(c.Events, "memory"), figure(c.Entities, "entity"), figure(c.Edges, "relation")}
}

// sleep is when it slept, what that gave, when it sleeps next, and what waits for it.
func (w style) sleep(s api.Status) []Fact {
	last, gave := "Not yet", ""
	if r := s.LastSleep; r != nil {
		last, gave = w.both(r.Ended), gains(r.Counts, r.CostMicros)
	}
	facts := []Fact{{Label: "Last sleep", Text: last}}
	if gave != "" {
		facts = append(facts, Fact{Label: "It gave", Text: gave})
	}
	if s.SleepWaits != "" {
		facts = append(facts, Fact{Label: "Next sleep", Text: "waits for a quiet moment: " + Line(s.SleepWaits)})
	} else if s.NextSleep != 0 {
		facts = append(facts, Fact{Label: "Next sleep", Text: w.both(s.NextSleep)})
	}
	return append(facts, Fact{Label: "Waiting", Text: waiting(s)})
}

// gains is what a sleep took in and gave.
func gains(c memory.RunCounts, micros int64) string {
	text := "nothing new"
	if c.Events+c.Entities+c.Edges > 0 {
		text = fmt.Sprintf("%s, %s and %s", count(c.Events, "memory"), count(c.Entities, "entity"), count(c.Edges, "relation"))
	}
	text += " from " + count(c.Sessions, "session")
	if c.Superseded > 0 {
		text += ", " + number(c.Superseded) + " replaced by newer ones"
	}
	if c.Refused > 0 {
		text += ", " + number(c.Refused) + " refused"
	}
	if micros > 0 {
		text += fmt.Sprintf(", for $%.2f", float64(micros)/1e6)
	}
	return text
}

func waiting(s api.Status) string {
	b := s.Backlog
	var parts []string
	if b.Open > 0 {
		parts = append(parts, count(b.Open, "session")+" still going on")
	}
	if b.Waiting > 0 {
		parts = append(parts, number(b.Waiting)+" for sleep")
	}
	if b.Index > 0 {
		parts = append(parts, number(b.Index)+" for the search index")
	}
	switch {
	case s.Counts.Sessions == 0:
		return "nothing"
	case len(parts) == 0:
		return "nothing; all that was captured was learned from"
	}
	return strings.Join(parts, ", ")
}

// foot is where the memory lies and who serves it.
func (w style) foot(s api.Status) []Fact {
	facts := []Fact{{Label: "Memory", Text: w.path(s.Home)}, {Label: "Running since", Text: w.both(s.StartedAt)},
		{Label: "This machine", Text: dots(Line(s.Machine), fmt.Sprintf("process %d", s.PID))}}
	if s.Counts.Redacted > 0 {
		facts = append(facts, Fact{Label: "Secrets", Text: number(s.Counts.Redacted) + " replaced before anything was written"})
	}
	if s.Counts.Invalid > 0 {
		facts = append(facts, Fact{Label: "Unreadable", Tone: Warn,
			Text: count(s.Counts.Invalid, "folder") + " among the sessions without a readable meta.json"})
	}
	return facts
}
