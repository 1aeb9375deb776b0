package mcptools

import (
	"context"
	"fmt"

	"dormouse/service/api"
)

func (t *Tools) statsTool() tool {
	return tool{name: "memory_stats", title: "How the memory is", run: t.stats,
		about:  "How much the memory holds of this project, and whether it is up to date.",
		params: nil}
}

func (t *Tools) stats(ctx context.Context, c *call) (*page, error) {
	st, err := t.m.Status(ctx)
	if err != nil {
		return nil, err
	}
	line, err := t.m.Timeline(ctx, api.TimelineQuery{Project: c.place.id, For: c.agent, Limit: 1})
	if err != nil {
		return nil, err
	}
	facts, err := t.m.Facts(ctx, api.FactQuery{Project: c.place.id, For: c.agent, Limit: 1})
	if err != nil {
		return nil, err
	}
	all, err := t.m.Projects(ctx)
	if err != nil {
		return nil, err
	}
	p := &page{title: "state of the memory"}
	count := func(format string, args ...any) {
		p.items = append(p.items, item{What: "count", Text: fmt.Sprintf(format, args...)})
	}
	for _, x := range all {
		if x.ID == c.place.id {
			count("sessions of this project: %d, the newest of %s", x.Sessions, moment(x.LastSeen))
		}
	}
	count("events that you may see: %d", line.Total)
	count("facts that hold and that you may see: %d", facts.Total)
	if n := st.Backlog.Waiting + st.Backlog.Open; n > 0 {
		count("sessions that are not learned from yet: %d, of which %d still go on", n, st.Backlog.Open)
	}
	if st.Backlog.Index > 0 {
		count("sessions that the search index does not hold yet: %d", st.Backlog.Index)
	}
	if s := st.LastSleep; s != nil {
		count("last sleep: %s, %s", s.Kind, moment(s.Ended))
	}
	state := "the service is " + st.Phase
	if st.PausedUntil != 0 {
		state += "; capture is paused, so nothing new is seen"
	}
	count("%s; you are known here as %s", state, c.agent)
	return p, nil
}
