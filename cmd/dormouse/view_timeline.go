package main

import (
	"fmt"
	"reflect"
	"strings"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// formatTimeline lists events by day.
func formatTimeline(v view, q api.TimelineQuery, projects names, t api.Timeline) []string {
	p := &page{view: v}
	if len(t.Events) == 0 {
		if !reflect.DeepEqual(q, api.TimelineQuery{Limit: q.Limit}) {
			p.say("Nothing in the timeline fits. Try fewer filters, or look for words:", "dormouse search WORDS")
		} else {
			p.say("The timeline is empty. What was captured enters it when Dormouse sleeps; to do that now:", "dormouse sleep")
		}
		return p.lines
	}
	p.days(projects, t)
	if left := t.Total - len(t.Events); left > 0 {
		p.hint(fmt.Sprintf("%s of %s. All of them: --limit %d", number(len(t.Events)), count(t.Total, "event"), t.Total), "")
	}
	return p.lines
}

// days adds events under the day on which they happened.
func (p *page) days(projects names, t api.Timeline) {
	day := "none yet"
	for _, e := range t.Events {
		if d := p.day(e.Provenance.EventTime); d != day {
			day = d
			p.head(d)
		}
		turn, known := t.Turns[e.ID]
		p.event(e, projects, leads(e.Provenance, turn, known, t.Missing))
	}
}

// day is a heading of the timeline.
func (v view) day(unix *int64) string {
	if unix == nil {
		return "At an unknown time"
	}
	t := v.at(*unix)
	d := t.Format("Mon 2006-01-02")
	switch {
	case sameDay(t, v.now):
		return d + " (today)"
	case sameDay(t, v.now.AddDate(0, 0, -1)):
		return d + " (yesterday)"
	}
	return d + " (" + v.ago(*unix) + ")"
}

// event adds one event: time of day, kind, what happened; below it where, who says so, and how to open it.
func (p *page) event(e memory.Event, projects names, open string) {
	clock := "     "
	if e.Provenance.EventTime != nil {
		clock = p.at(*e.Provenance.EventTime).Format("15:04")
	}
	kind := text.Pad(text.Line(string(e.Kind)), len(memory.KindDecision))
	indent := strings.Repeat(" ", 2+len(clock)+2+text.Width(kind)+2)
	first := len(p.lines)
	paint := func(s string) string { return s }
	if e.SupersededBy != "" {
		paint = p.Faint
	}
	p.prose(text.Line(e.Summary), indent, paint)
	p.lines[first] = "  " + p.Faint(clock) + "  " + p.kind(e.Kind, kind) + "  " + strings.TrimPrefix(p.lines[first], indent)
	old := ""
	if e.SupersededBy != "" {
		old = "superseded by " + text.Line(string(e.SupersededBy))
	}
	id := ""
	if p.ids {
		id = text.Line(e.ID)
	}
	p.receipt(indent, joined(id, old, projects.of(e.Provenance.ProjectID), says(e.Trust)), open)
}

// receipt adds where a record comes from and how to open it: on one line where that fits.
func (p *page) receipt(indent, from, open string) {
	if open == "" {
		p.prose(from, indent, p.Faint)
		return
	}
	if from == "" {
		p.add(indent + p.link(open))
		return
	}
	if p.width > 0 && text.Width(indent+from+" · ↪ "+open) > p.width {
		p.prose(from, indent, p.Faint)
		p.add(indent + p.link(open))
		return
	}
	p.add(indent + p.Faint(from+" · ") + p.link(open))
}

// kind paints the kind of an event.
func (p *page) kind(k memory.Kind, shown string) string {
	switch k {
	case memory.KindDecision:
		return p.Strong(shown)
	case memory.KindLearning:
		return p.Good(shown)
	}
	return shown
}

// says tells who stands behind a record.
func says(t memory.Trust) string {
	switch t {
	case memory.TrustPerson:
		return "said by you"
	case memory.TrustObserved:
		return "observed"
	case memory.TrustAgent:
		return "said by the agent"
	case memory.TrustQuoted:
		return "quoted, unconfirmed"
	}
	return text.Line(string(t))
}
