package model

import (
	"context"
	"time"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// TodayPage is what happened since yesterday and how all parts are.
type TodayPage struct {
	StatusPage
	Scan     *Meter // the first look through the agents' folders; nil when it is over
	Steps    []Step // what to do first on a new machine; none once that is done
	Night    []Fact // the report of the last night
	Review   string // offers what waits for the person; empty where nothing does
	Sessions []SessionRow
	NoneYet  string // in place of sessions, where there was none today
	Calendar Calendar
	Spend    []Meter
}

// Step is one of the first things to do.
type Step struct {
	Title, Text string
	Page        string // the id of the page that does it; empty where nothing has to be done
	Button      string // what the button says that leads there
	Done        bool
	Warnings    []Fact // what is lost where it waits; none where nothing is
}

// Meter is how much of something was used.
type Meter struct {
	Label, Text string
	Share       float64 // of what may be used, from 0 to 1; negative where there is no bound
	Tone        Tone
}

// maxToday is how many of today's sessions are listed.
const maxToday = 6

// Today asks for all of it.
func (p *Presenter) Today(ctx context.Context) TodayPage {
	b := p.o.Backend()
	s, err := b.Status(ctx)
	if err != nil {
		return TodayPage{StatusPage: StatusPage{Trouble: troubleOf(err)}}
	}
	w := p.style()
	page := TodayPage{StatusPage: w.status(s), Steps: w.firstSteps(s), Night: w.night(s), Spend: spend(s.LLM), Scan: scan(s.Scan)}
	if n := p.Waiting(ctx); n > 0 {
		page.Review = lang.Count(n, "{n} things to decide")
	}
	page.Sessions = p.todaysSessions(ctx, w)
	if len(page.Sessions) == 0 {
		page.NoneYet = lang.Say("No session yet today. What your agents write appears here as it comes.")
	}
	page.Calendar = p.calendar(ctx, w)
	return page
}

// todaysSessions are the newest sessions of today; none where they cannot be had.
func (p *Presenter) todaysSessions(ctx context.Context, w style) []SessionRow {
	b := p.o.Backend()
	list, err := b.Sessions(ctx, api.SessionQuery{Limit: maxToday})
	if err != nil {
		return nil
	}
	projects, err := b.Projects(ctx)
	if err != nil {
		return nil
	}
	var out []SessionRow
	for _, s := range list {
		if daysBetween(w.now, w.at(s.UpdatedAt)) == 0 {
			row := w.session(s, projectLabels(projects))
			row.When = w.ago(s.UpdatedAt)
			out = append(out, row)
		}
	}
	return out
}

// night is the report of the last whole sleep, and when the next one comes.
func (w style) night(s api.Status) []Fact {
	n := s.LastNight
	if n == nil || n.Ended == 0 {
		return w.sleep(s)
	}
	c := n.Counts
	facts := []Fact{{Label: lang.Say("Slept"), Text: w.both(n.Ended)}}
	gave := []string{lang.Count(c.Events, "{n} memories learned")}
	if c.Events == 0 {
		gave[0] = lang.Say("nothing new")
	}
	if c.Superseded > 0 {
		gave = append(gave, lang.Count(c.Superseded, "{n} replaced"))
	}
	gave = append(gave, lang.Count(c.Sessions, "from {n} sessions"))
	facts = append(facts, Fact{Label: lang.Say("It gave"), Text: list(gave)})
	if n.CostMicros > 0 || n.InputTokens+n.OutputTokens > 0 {
		facts = append(facts, Fact{Label: lang.Say("It cost"), Text: dots(money(n.CostMicros), lang.Count(n.InputTokens+n.OutputTokens, "{n} tokens"), Line(n.Model))})
	}
	for _, f := range n.Failures() {
		facts = append(facts, Fact{Label: lang.Say("Failed"), Tone: Warn, Text: labelled(stageName(f.Name), sentence(f.Failure))})
	}
	if n.Cut {
		facts = append(facts, Fact{Label: lang.Say("Unfinished"), Tone: Warn, Text: lang.Say("It was woken before all was done. The next sleep does the rest.")})
	}
	if s.SleepWaits != "" {
		facts = append(facts, Fact{Label: lang.Say("Next sleep"), Text: lang.Say("waits for a quiet moment: {why}", Line(s.SleepWaits))})
	} else if s.NextSleep != 0 {
		facts = append(facts, Fact{Label: lang.Say("Next sleep"), Text: w.both(s.NextSleep)})
	}
	return append(facts, Fact{Label: lang.Say("Waiting"), Text: waiting(s)})
}

// scan is how far the first look through the agents' folders is.
func scan(s *api.Scan) *Meter {
	if s == nil || s.Files == 0 {
		return nil
	}
	m := &Meter{Label: lang.Say("Reading what your agents wrote"), Tone: Good,
		Text: dots(lang.Count(s.Files, "{done} of {n} files", number(s.FilesDone)), lang.Count(s.Sessions, "{n} sessions so far"), lang.Say("{size} left", size(s.Bytes-s.BytesDone)))}
	if s.Bytes > 0 {
		m.Share = float64(s.BytesDone) / float64(s.Bytes)
	}
	return m
}

// stageName is a stage of a sleep as it is written.
func stageName(id string) string {
	names := map[string]lang.Word{"backlog": lang.Mark("Learning"), "tags": lang.Mark("Tags"), "memory": lang.Mark("Drawing up the memory"), "packing": lang.Mark("Packing"),
		"index": lang.Mark("The search index"), "logs": lang.Mark("Logs"), "sync": lang.Mark("Sync")}
	return worded(names, id)
}

// money is millionths of a US dollar: "$0.04".
func money(micros int64) string { return lang.Money(micros) }

// spend is what the language model took of what it may, in this night and in this month.
func spend(l api.LLM) []Meter {
	if l.Extractor != "model" {
		return []Meter{{Label: lang.Say("Model"), Text: lang.Say("None is set. The rules that read your sessions cost nothing."), Share: -1, Tone: Off}}
	}
	meters := []Meter{meter(lang.Say("This night"), l.CostMicros, l.MaxCostMicros, l.Tokens, l.MaxTokens, l.Priced),
		meter(lang.Say("This month"), l.Month.CostMicros, l.Month.MaxCostMicros, l.Month.Tokens, l.Month.MaxTokens, l.Priced)}
	if l.Why != "" {
		meters = append(meters, Meter{Label: lang.Say("It waits"), Text: sentence(l.Why), Share: -1, Tone: Warn})
	}
	return meters
}

// meter is what was used beside what may be, of the bound that is nearer.
func meter(label string, cost, maxCost, tokens, maxTokens int64, priced bool) Meter {
	m := Meter{Label: label, Share: -1}
	used := lang.Count(tokens, "{n} tokens")
	if maxTokens > 0 {
		used = lang.Count(maxTokens, "{used} of {n} tokens", number(tokens))
		m.Share = float64(tokens) / float64(maxTokens)
	}
	price := ""
	if priced || cost > 0 {
		price = money(cost)
		if maxCost > 0 {
			price = lang.Say("{n} of {all}", price, money(maxCost))
			m.Share = max(m.Share, float64(cost)/float64(maxCost))
		}
	}
	m.Text = dots(price, used)
	switch {
	case m.Share >= 1:
		m.Tone, m.Share = Bad, 1
	case m.Share >= 0.8:
		m.Tone = Warn
	default:
		m.Tone = Good
	}
	return m
}

// firstSteps are what to do on a new machine. They are gone once all of it is done, and after the first whole night in any case.
func (w style) firstSteps(s api.Status) []Step {
	if s.LastNight != nil && s.LastNight.Ended != 0 && s.Counts.Sessions > 0 || s.Demo {
		return nil
	}
	var found []string
	for _, a := range s.Agents {
		if a.Found {
			found = append(found, AgentName(a.Name))
		}
	}
	agents := lang.Say("No agent was found yet. As soon as one writes its first session, it is captured.")
	if len(found) > 0 {
		agents = lang.Say("Found: {agents}. Their sessions are captured without anything to set up.", list(found))
	}
	steps := []Step{
		{Title: lang.Say("Work with an agent"), Text: agents, Done: s.Counts.Sessions > 0},
		{Title: lang.Say("Let your agents remember"), Text: lang.Say("Once they are connected, each new session begins with what is known. The first one that does completes this step."),
			Page: "agents", Button: lang.Say("Connect agents"), Done: s.Hooks.LastAt != 0, Warnings: w.losses(s.Agents)},
		{Title: lang.Say("Bind a project"), Text: lang.Say("A project brings its memory along: sessions of a bound one live in its folder."),
			Page: "projects", Button: lang.Say("Choose a folder"), Done: s.Counts.Bound > 0},
		{Title: lang.Say("Carry it to your other machines"), Text: lang.Say("A private git remote of your own is enough; it can be encrypted."),
			Page: "sync", Button: lang.Say("Set up sync"), Done: s.Sync.Remote != ""},
	}
	for _, step := range steps {
		if !step.Done {
			return steps
		}
	}
	return nil
}

// losses are the agents whose own clean-up is about to delete what was not captured.
func (w style) losses(agents []api.Agent) (out []Fact) {
	for _, a := range agents {
		if text, tone := w.risk(a); a.Found && tone == Bad {
			out = append(out, Fact{Label: AgentName(a.Name), Text: text, Tone: tone})
		}
	}
	return out
}

// midnight is when the day of a time begins.
func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}
