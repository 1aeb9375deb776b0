package model

import (
	"cmp"
	"context"
	"strings"
	"time"

	"dormouse/app/lang"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// TimelinePage is what happened and was decided and found out, by day, the newest first.
type TimelinePage struct {
	Trouble  *Trouble
	Rows     []TimelineRow
	Projects []Choice // every one first, whose ID is empty
	Summary  string
	More     bool // there is more than was asked for
	Empty    *Empty
}

// TimelineRow is one line: the title of a day, or a memory.
type TimelineRow struct {
	Day string // the title of a day, and nothing else; empty for a memory

	ID      string
	Clock   string // when on its day; empty where that is not known
	Kind    string // in a word
	Text    string
	Project string
	Old     bool   // another one took its place
	By      string // what took its place, where that is known
	Facts   []Fact // who says it, where it comes from
	From    Place  // the turn that it comes from
	Missing string // why that cannot be opened

	project string // id of the one that it is of
}

// TimelineFilter says what is listed. Empty fields do not filter.
type TimelineFilter struct {
	Project string // id
	Kind    string // id of KindChoices
	Entity  string // a name
	Day     string // as 2026-05-31: that day alone
	Old     bool   // with what was replaced
	Limit   int    // how many at most; FirstEvents where it is 0
}

// How many memories are listed at first, and at most.
const (
	FirstEvents = 500
	maxEvents   = 10_000
)

// More is the filter with more room.
func (f TimelineFilter) More() TimelineFilter {
	f.Limit = min(maxEvents, 4*max(f.Limit, FirstEvents))
	return f
}

// Narrowed reports whether the filter leaves something out.
func (f TimelineFilter) Narrowed() bool { return f.Project+f.Kind+f.Entity+f.Day != "" }

// KindChoices are the kinds of memory, to be chosen from.
func KindChoices() []Choice {
	return []Choice{{"", lang.Say("Every kind")}, {string(memory.KindDecision), lang.Say("Decisions")}, {string(memory.KindLearning), lang.Say("Findings")},
		{string(memory.KindWork), lang.Say("Work")}, {string(memory.KindEvent), lang.Say("Events")}}
}

// kindWords are the kinds of a single memory.
var kindWords = map[memory.Kind]lang.Word{memory.KindDecision: lang.Mark("Decision"), memory.KindLearning: lang.Mark("Finding"), memory.KindWork: lang.Mark("Work"),
	memory.KindEvent: lang.Mark("Event")}

// Timeline asks for the memories that a filter leaves.
func (p *Presenter) Timeline(ctx context.Context, f TimelineFilter) TimelinePage {
	b := p.o.Backend()
	w := p.style()
	q := api.TimelineQuery{Project: f.Project, Entity: strings.TrimSpace(f.Entity), Superseded: f.Old, Limit: cmp.Or(f.Limit, FirstEvents)}
	if f.Kind != "" {
		q.Kinds = []memory.Kind{memory.Kind(f.Kind)}
	}
	if day, err := time.ParseInLocation(time.DateOnly, f.Day, w.now.Location()); err == nil {
		q.Since, q.Until = day.Unix(), day.AddDate(0, 0, 1).Unix()
	}
	projects, err := b.Projects(ctx)
	if err != nil {
		return TimelinePage{Trouble: troubleOf(err)}
	}
	line, err := b.Timeline(ctx, q)
	if err != nil {
		return TimelinePage{Trouble: troubleOf(err)}
	}
	page := TimelinePage{Projects: append([]Choice{{Label: lang.Say("Every project")}}, projectChoices(projects)...), More: line.Total > len(line.Events) && q.Limit < maxEvents}
	page.Rows = w.timelineRows(line, projectLabels(projects))
	page.Summary = lang.Count(line.Total, "{n} memories")
	if line.Total == 0 {
		page.Summary = ""
	}
	if len(line.Events) < line.Total {
		page.Summary = lang.Say("The newest {n} of {all}", number(len(line.Events)), page.Summary)
	}
	if f.Day != "" {
		page.Summary = dots(page.Summary, w.dayTitle(&q.Since))
	}
	switch {
	case len(line.Events) > 0:
	case f.Narrowed():
		page.Empty = &Empty{Title: lang.Say("No memory fits"), Text: lang.Say("Choose other filters, or press Escape to see everything again.")}
	default:
		page.Empty = &Empty{Title: lang.Say("Nothing was learned yet"),
			Text: lang.Say("When Dormouse sleeps, it writes down here what was done, decided and found out in your sessions, each line with the turn that it comes from.")}
	}
	return page
}

// timelineRows are the memories below the titles of their days.
func (w style) timelineRows(line api.Timeline, projects map[string]string) []TimelineRow {
	var out []TimelineRow
	day := ""
	for i := range line.Events {
		e := &line.Events[i]
		if title := w.dayTitle(e.Provenance.EventTime); title != day {
			day = title
			out = append(out, TimelineRow{Day: title})
		}
		row := TimelineRow{ID: e.ID, Kind: cmp.Or(kindWords[e.Kind].Text(), Line(string(e.Kind))), Text: Line(e.Summary), Project: projectWord(projects, e.Provenance.ProjectID),
			Old: e.SupersededBy != "", By: Line(line.Replaced[e.ID]), From: Place{Session: e.Provenance.SessionID, Turn: line.Turns[e.ID]},
			Missing: missingWhy(line.Missing[e.Provenance.SessionID])}
		if t := e.Provenance.EventTime; t != nil {
			row.Clock = w.at(*t).Format("15:04")
		}
		if id, ok := strings.CutPrefix(string(e.Scope), "project:"); ok {
			row.project = id
		}
		row.Facts = w.memoryFacts(e, row, line.Branches[e.Provenance.SessionID], projects)
		out = append(out, row)
	}
	return out
}

// memoryFacts is what there is to say of a memory beside its words.
func (w style) memoryFacts(e *memory.Event, row TimelineRow, branch string, projects map[string]string) []Fact {
	facts := []Fact{{Label: lang.Say("What it is"), Text: lang.Say("{what} {scope}", row.Kind, scopeWords(e.Scope, projects))}, {Label: lang.Say("Who says it"), Text: saidBy(e.Trust)}}
	when := lang.Say("at an unknown time")
	if t := e.Provenance.EventTime; t != nil {
		when = w.both(*t)
	}
	if branch != "" {
		when = dots(when, lang.Say("branch {name}", Line(branch)))
	}
	facts = append(facts, Fact{Label: lang.Say("From"), Text: when})
	var about []string
	for _, id := range e.Entities {
		_, name, _ := strings.Cut(id, ".")
		about = append(about, Line(cmp.Or(name, id)))
	}
	if len(about) > 0 {
		facts = append(facts, Fact{Label: lang.Say("About"), Text: cut(list(about), 300)})
	}
	switch {
	case row.By != "":
		facts = append(facts, Fact{Label: lang.Say("Replaced by"), Text: row.By, Tone: Warn})
	case row.Old:
		facts = append(facts, Fact{Label: lang.Say("Replaced"), Text: lang.Say("by a memory that is not here any more"), Tone: Warn})
	}
	return facts
}

// dayTitle is a day as the title of what happened on it.
func (w style) dayTitle(t *int64) string {
	if t == nil {
		return lang.Say("At an unknown time")
	}
	at := w.at(*t)
	date := lang.LongDate(at)
	if at.Year() != w.now.Year() {
		date = lang.LongDateYear(at)
	}
	switch days := daysBetween(w.now, at); {
	case days == 0:
		return dots(lang.Say("Today"), date)
	case days == -1:
		return dots(lang.Say("Yesterday"), date)
	}
	return dots(lang.Weekday(at), date)
}

// Forget takes a memory out of every answer.
func (p *Presenter) Forget(ctx context.Context, row TimelineRow) Ruling {
	return p.rule(ctx, lang.Say("Forgotten"), api.Decide{Action: api.DoForget, ID: row.ID, Project: row.project})
}

// RefuseMemory says that a memory is wrong: it goes out of every answer and does not come back in other words.
func (p *Presenter) RefuseMemory(ctx context.Context, row TimelineRow) Ruling {
	return p.rule(ctx, lang.Say("Refused"), api.Decide{Action: api.DoRefuse, ID: row.ID, Project: row.project})
}

// Pin has a memory always count as important.
func (p *Presenter) Pin(ctx context.Context, row TimelineRow) Ruling {
	return p.rule(ctx, lang.Say("Pinned"), api.Decide{Action: api.DoPin, ID: row.ID, Project: row.project})
}
