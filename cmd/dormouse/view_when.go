package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// formatWhen shows the answer to a question about a time: how the time was understood, then the answer.
func formatWhen(v view, q api.WhenQuery, projects names, w api.When) []string {
	p := &page{view: v}
	p.understood(w)
	shown := 0
	switch {
	case w.State != nil:
		shown = p.stateThen(projects, w)
	case w.Mode == api.WhenChange:
		shown = p.changes(projects, w)
	case w.Summary != nil:
		shown = p.summary(projects, w)
	default:
		shown = p.lookup(projects, w)
	}
	if shown == 0 {
		p.gap()
		p.say("Nothing that is known to be from then fits.", "")
	}
	if left := w.Total - shown; left > 0 && w.Summary == nil && shown > 0 {
		p.hint(fmt.Sprintf("%s of %s. More of them: --limit %d", number(shown), number(w.Total), min(w.Total, 500)), "")
	}
	if w.Undated > 0 {
		verb := "fit"
		if w.Undated == 1 {
			verb = "fits"
		}
		p.hint(fmt.Sprintf("%s more %s and may be from any time: nobody knows when.", number(w.Undated), verb), "")
	}
	if w.Indexing {
		p.hint("The index is still catching up: there may be more.", "")
	}
	return p.lines
}

func (p *page) understood(w api.When) {
	u := w.Understood
	line := text.Line(u.Text)
	if u.Expression != "" {
		line = "“" + text.Line(u.Expression) + "” = " + line
	}
	if a := u.Anchor; a != nil && a.Event.Provenance.EventTime != nil {
		line += ", by: " + text.Line(a.Event.Summary) + " (" + p.at(*a.Event.Provenance.EventTime).Format("2006-01-02 15:04") + ")"
	}
	p.prose(line, "", p.Faint)
	words := ""
	if w.Words != "" {
		words = ", for: " + text.Line(w.Words)
	}
	p.prose(text.Line(w.Mode)+words, "", p.Faint)
}

func (p *page) lookup(projects names, w api.When) int {
	mark := marker(w.Words)
	for i, h := range w.Hits {
		p.gap()
		p.hit(i+1, h, projects, mark)
		if h.Superseded {
			p.prose("superseded since", "    ", p.Faint)
		}
	}
	return len(w.Hits)
}

func (p *page) stateThen(projects names, w api.When) int {
	s := w.State
	if len(s.Facts) > 0 {
		p.gap()
		p.head("What held")
	}
	for _, f := range s.Facts {
		p.prose(text.Line(f.Fact.Subject)+" "+text.Line(f.Fact.Verb)+" "+text.Line(f.Fact.Object), "  ", nil)
		p.receipt("    ", joined(window(&f.Fact, p.now.Location()), projects.of(f.Fact.Provenance.ProjectID), says(f.Fact.Trust)),
			leads(f.Fact.Provenance, f.Turn, f.Turn > 0, w.Missing))
	}
	if len(s.Edges) > 0 {
		p.gap()
		p.head("How things were related")
	}
	for _, e := range s.Edges {
		p.prose(text.Line(e.From)+" "+text.Line(e.Relation)+" "+text.Line(e.To), "  ", nil)
	}
	if len(s.Events) > 0 {
		p.gap()
		p.head("What had happened")
		p.days(projects, api.Timeline{Events: s.Events, Turns: w.Turns, Missing: w.Missing})
	}
	return len(s.Facts) + len(s.Edges) + len(s.Events)
}

func (p *page) changes(projects names, w api.When) int {
	for _, c := range w.Changes {
		p.gap()
		p.prose(p.at(c.At).Format("Mon 2006-01-02 15:04")+"  "+text.Line(c.What), "", p.Strong)
		p.briefly("- ", c.Old, projects, w)
		p.briefly("+ ", c.New, projects, w)
	}
	return len(w.Changes)
}

func (p *page) briefly(mark string, r *api.RecordBriefly, projects names, w api.When) {
	if r == nil {
		return
	}
	first := len(p.lines)
	p.prose(text.Line(r.Text), "    ", nil)
	p.lines[first] = "  " + mark + strings.TrimPrefix(p.lines[first], "    ")
	turn, known := w.Turns[r.ID]
	p.receipt("    ", joined(text.Line(r.ID), projects.of(r.ProjectID), says(r.Trust)), leads(memory.Provenance{SessionID: r.SessionID}, turn, known, w.Missing))
}

func (p *page) summary(projects names, w api.When) int {
	s := w.Summary
	if w.Total == 0 {
		return 0
	}
	p.gap()
	p.prose(fmt.Sprintf("%s in %s: %s", count(w.Total, "event"), count(s.Sessions, "session"), kinds(s.Kinds)), "", p.Strong)
	if len(s.Projects) > 1 {
		var list []string
		for _, id := range slices.SortedFunc(maps.Keys(s.Projects), func(a, b string) int {
			return cmp.Or(cmp.Compare(s.Projects[b], s.Projects[a]), cmp.Compare(a, b))
		}) {
			list = append(list, projects.of(id)+" "+number(s.Projects[id]))
		}
		p.prose(strings.Join(list, ", "), "", p.Faint)
	}
	for _, d := range s.Days {
		p.add("  " + text.Line(d.Day) + "  " + text.Pad(number(d.Total), 4) + "  " + kinds(d.Kinds))
	}
	p.gap()
	p.days(projects, api.Timeline{Events: s.Top, Turns: w.Turns, Missing: w.Missing})
	return len(s.Top)
}

// kinds lists how many events there are of each kind, the most first.
func kinds(of map[memory.Kind]int) string {
	var out []string
	for _, k := range slices.SortedFunc(maps.Keys(of), func(a, b memory.Kind) int { return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b)) }) {
		out = append(out, text.Line(string(k))+" "+number(of[k]))
	}
	return strings.Join(out, ", ")
}
