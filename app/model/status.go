package model

import (
	"context"
	"strconv"

	"dormouse/app/lang"
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
		page.Demo = lang.Say("This is the demo: real sessions of other people, in a memory that never mixes with yours.")
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
		page.Absent = lang.Say("Not on this machine: {agents}.", list(absent))
	}
	for _, skip := range s.Skipped {
		page.Skipped = append(page.Skipped, w.skip(skip))
	}
	for _, problem := range s.Problems {
		page.Problems = append(page.Problems, Clean(problem))
	}
	if s.Counts.Sessions == 0 {
		page.Empty = &Empty{Title: lang.Say("Nothing was captured yet"),
			Text: lang.Say("Work with one of the agents below: what it writes appears here within seconds, and is kept even if the agent deletes it.")}
	}
	return page
}

// headline is the state: trouble before a pause, a pause before sleep.
func (w style) headline(s api.Status) (title, detail string, tone Tone) {
	for _, p := range s.Parts {
		if p.State == "amber" {
			return lang.Say("In trouble"), labelled(inTrouble(p.Name, p.Failed), sentence(p.Failure)), Warn
		}
	}
	switch {
	case w.paused(s):
		return lang.Say("Paused"), w.pause(s.PausedUntil), Off
	case sleeping(s):
		return lang.Say("Asleep"), lang.Say("Learning from what was captured."), Asleep
	case s.Phase == "active":
		return lang.Say("Awake"), lang.Say("An agent is at work; what it writes is captured as it comes."), Good
	}
	return lang.Say("Awake"), watching(s.Agents), Good
}

func (w style) paused(s api.Status) bool {
	return s.PausedUntil == api.Indefinitely || s.PausedUntil > w.now.Unix()
}

// pause says until when nothing is captured.
func (w style) pause(until int64) string {
	if until == api.Indefinitely {
		return lang.Say("Nothing is captured until you go on. What your agents write meanwhile is captured then.")
	}
	return lang.Say("Nothing is captured until {when}. What your agents write meanwhile is captured then.", w.day(until))
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
		return lang.Say("No agent was found on this machine yet.")
	case 1:
		return lang.Say("No agent is at work. Watching {agents}.", names[0])
	default:
		return lang.Say("No agent is at work. Watching {agents}.", lang.Say("{first} and {last}", list(names[:n-1]), names[n-1]))
	}
}

func figures(c api.Counts) []Figure {
	return []Figure{{number(c.Sessions), lang.Count(c.Sessions, "sessions (label)")}, {number(c.Turns), lang.Count(c.Turns, "turns (label)")},
		{number(c.Projects), lang.Count(c.Projects, "projects (label)")}, {number(c.Events), lang.Count(c.Events, "memories (label)")},
		{number(c.Entities), lang.Count(c.Entities, "entities (label)")}, {number(c.Edges), lang.Count(c.Edges, "relations (label)")}}
}

// sleep is when it slept, what that gave, when it sleeps next, and what waits for it.
func (w style) sleep(s api.Status) []Fact {
	last, gave := lang.Say("Not yet"), ""
	if r := s.LastSleep; r != nil {
		last, gave = w.both(r.Ended), gains(r.Counts, r.CostMicros)
	}
	facts := []Fact{{Label: lang.Say("Last sleep"), Text: last}}
	if gave != "" {
		facts = append(facts, Fact{Label: lang.Say("It gave"), Text: gave})
	}
	if s.SleepWaits != "" {
		facts = append(facts, Fact{Label: lang.Say("Next sleep"), Text: lang.Say("waits for a quiet moment: {why}", Line(s.SleepWaits))})
	} else if s.NextSleep != 0 {
		facts = append(facts, Fact{Label: lang.Say("Next sleep"), Text: w.both(s.NextSleep)})
	}
	return append(facts, Fact{Label: lang.Say("Waiting"), Text: waiting(s)})
}

// gains is what a sleep took in and gave.
func gains(c memory.RunCounts, micros int64) string {
	what := lang.Say("nothing new")
	if c.Events+c.Entities+c.Edges > 0 {
		what = lang.Say("{memories}, {entities} and {relations}", lang.Count(c.Events, "{n} memories"), lang.Count(c.Entities, "{n} entities"), lang.Count(c.Edges, "{n} relations"))
	}
	parts := []string{lang.Count(c.Sessions, "{what} from {n} sessions", what)}
	if c.Superseded > 0 {
		parts = append(parts, lang.Count(c.Superseded, "{n} replaced by newer ones"))
	}
	if c.Refused > 0 {
		parts = append(parts, lang.Count(c.Refused, "{n} refused"))
	}
	if micros > 0 {
		parts = append(parts, lang.Say("for {amount}", lang.Cents(micros)))
	}
	return list(parts)
}

func waiting(s api.Status) string {
	b := s.Backlog
	var parts []string
	if b.Open > 0 {
		parts = append(parts, lang.Count(b.Open, "{n} sessions still going on"))
	}
	if b.Waiting > 0 {
		parts = append(parts, lang.Count(b.Waiting, "{n} for sleep"))
	}
	if b.Index > 0 {
		parts = append(parts, lang.Count(b.Index, "{n} for the search index"))
	}
	switch {
	case s.Counts.Sessions == 0:
		return lang.Say("nothing")
	case len(parts) == 0:
		return lang.Say("nothing; all that was captured was learned from")
	}
	return list(parts)
}

// foot is where the memory lies and who serves it.
func (w style) foot(s api.Status) []Fact {
	facts := []Fact{{Label: lang.Say("Memory"), Text: w.path(s.Home)}, {Label: lang.Say("Running since"), Text: w.both(s.StartedAt)},
		{Label: lang.Say("This machine"), Text: dots(Line(s.Machine), lang.Say("process {id}", strconv.Itoa(s.PID)))}}
	if s.Counts.Redacted > 0 {
		facts = append(facts, Fact{Label: lang.Say("Secrets"), Text: lang.Count(s.Counts.Redacted, "{n} replaced before anything was written")})
	}
	if s.Counts.Invalid > 0 {
		facts = append(facts, Fact{Label: lang.Say("Unreadable"), Tone: Warn,
			Text: lang.Count(s.Counts.Invalid, "{n} folders among the sessions without a readable meta.json")})
	}
	return facts
}
