package mcptools

import (
	"context"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// walker walks timeline, graph and facts.
type walker interface {
	Timeline(context.Context, api.TimelineQuery) (api.Timeline, error)
	Graph(context.Context, api.GraphQuery) (api.Graph, error)
	Facts(context.Context, api.FactQuery) (api.Facts, error)
}

const maxEvents = 5000

func (t *Tools) timelineTool() tool {
	return tool{name: "memory_timeline", title: "What happened, newest first", run: t.timeline,
		about: "What was done, decided, found out and happened in this project, newest first; of one thing, or in a window of time.",
		params: []param{{name: "entity", max: maxName, about: "Only what names this: an entity's id (file.a/b.go) or name."},
			sinceParam, untilParam, limitParam(20, 100), cursorParam}}
}

func (t *Tools) timeline(ctx context.Context, c *call) (*page, error) {
	since, until, err := c.window()
	if err != nil {
		return nil, err
	}
	got, err := t.m.Timeline(ctx, api.TimelineQuery{Since: since, Until: until, Entity: c.text("entity"), Project: c.place.id, For: c.agent,
		Limit: min(c.from+c.number("limit")+1, maxEvents)})
	if err != nil {
		return nil, err
	}
	events, more := some(got.Events, c.from, c.number("limit"))
	p := &page{title: "timeline", total: got.Total, more: more}
	for _, e := range events {
		it := eventItem(e, got.Turns[e.ID], got.Missing[e.Provenance.SessionID])
		it.on(got.Branches[it.Session])
		p.items = append(p.items, it)
	}
	return p, nil
}

func eventItem(e memory.Event, turn int, missing string) item {
	it := item{What: "event", ID: e.ID, Text: clip(line(e.Summary), maxText), Kind: string(e.Kind), Trust: string(e.Trust), Time: momentOf(e.Provenance.EventTime),
		Session: e.Provenance.SessionID, Turn: turn, Open: open(e.Provenance.SessionID, turn)}
	it.away(missing)
	return it
}

func factItem(f api.FactShown, missing string) item {
	it := item{What: "fact", ID: f.Fact.ID, Text: clip(line(f.Fact.Text()), maxText), Trust: string(f.Fact.Trust), Time: momentOf(f.Fact.Provenance.EventTime),
		Session: f.Fact.Provenance.SessionID, Turn: f.Turn, Open: open(f.Fact.Provenance.SessionID, f.Turn)}
	if f.State != "served" {
		it.Note = f.State
	}
	it.away(missing)
	return it
}
