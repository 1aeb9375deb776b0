package mcptools

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"dormouse/service/api"
	"dormouse/store/memory"
)

func (t *Tools) whenTool() tool {
	return tool{name: "memory_remember_when", title: "Ask about a time", run: t.when,
		about: "Ask what was known, held, changed or happened at a time in words: \"what did we decide about the cache last week\", \"before the release\", \"since 2026-05\".",
		params: []param{{name: "question", needed: true, max: maxWords, about: "With its time, in the person's words."},
			{name: "time", max: maxName, about: "Where the question holds none: last Tuesday, 2026-05-01..2026-05-07."},
			{name: "mode", oneOf: api.WhenModes, about: "lookup: what lies in the window; state: what held at its end; change: what replaced what; summary: how much of what. Default: by the question."},
			{name: "zone", max: 64, about: "IANA time zone. Default: the person's."},
			limitParam(20, 100), cursorParam}}
}

func (t *Tools) when(ctx context.Context, c *call) (*page, error) {
	question, note := words(c.text("question"))
	got, err := t.m.When(ctx, api.WhenQuery{Question: question, Time: c.text("time"), Mode: c.text("mode"), Zone: c.text("zone"), Project: c.place.id,
		Agent: c.agent, Limit: min(c.from+c.number("limit")+1, maxHits)})
	if err != nil {
		return nil, err
	}
	list := whenItems(got)
	p := &page{title: "when: " + got.Mode + ", " + got.Understood.Text, total: got.Total}
	p.items, p.more = some(list, c.from, c.number("limit"))
	if got.Undated > 0 {
		note = joined(note, fmt.Sprintf("%d more fit and have no known time", got.Undated))
	}
	if got.Indexing {
		note = joined(note, catchingUp)
	}
	if p.note = note; len(list) == 0 {
		p.note = joined("nothing is known of that time", note)
	}
	return p, nil
}

func whenItems(w api.When) (out []item) {
	for _, h := range w.Hits {
		out = append(out, hitItem(h))
	}
	if w.State != nil {
		for _, f := range w.State.Facts {
			out = append(out, factItem(f, w.Missing[f.Fact.Provenance.SessionID]))
		}
		out = append(out, eventsOf(w, w.State.Events)...)
		for _, e := range w.State.Edges {
			out = append(out, item{What: "relation", ID: e.ID, Text: fmt.Sprintf("%s ──%s──► %s", line(e.From), line(e.Relation), line(e.To)), Time: momentOf(e.EventTime),
				Session: e.Provenance.SessionID, Open: open(e.Provenance.SessionID, 0)})
		}
	}
	for _, ch := range w.Changes {
		out = append(out, changeItem(ch, w))
	}
	if s := w.Summary; s != nil {
		for _, d := range s.Days {
			it := item{What: "day", Text: fmt.Sprintf("%s: %d", d.Day, d.Total)}
			for _, k := range slices.Sorted(maps.Keys(d.Kinds)) {
				it.Text += fmt.Sprintf(" · %d %s", d.Kinds[k], k)
			}
			out = append(out, it)
		}
		out = append(out, eventsOf(w, s.Top)...)
	}
	return out
}

func changeItem(ch api.Changed, w api.When) item {
	it := item{What: "change", Kind: ch.What, Time: moment(ch.At)}
	from := ch.New
	switch {
	case ch.Old != nil && ch.New != nil:
		it.Text = clip(line(ch.Old.Text), maxText/2) + " → " + clip(line(ch.New.Text), maxText/2)
	case ch.New != nil:
		it.Text = clip(line(ch.New.Text), maxText)
	case ch.Old != nil:
		from, it.Text = ch.Old, clip(line(ch.Old.Text), maxText)
	}
	if from != nil {
		it.ID, it.Trust, it.Session, it.Turn = from.ID, string(from.Trust), from.SessionID, w.Turns[from.ID]
		it.Open = open(it.Session, it.Turn)
		it.away(w.Missing[it.Session])
	}
	return it
}

func eventsOf(w api.When, list []memory.Event) (out []item) {
	for _, e := range list {
		out = append(out, eventItem(e, w.Turns[e.ID], w.Missing[e.Provenance.SessionID]))
	}
	return out
}
