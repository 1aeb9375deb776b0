package daemon

import (
	"cmp"
	"context"
	"slices"
	"time"

	"dormouse/service/api"
	"dormouse/service/recall"
	"dormouse/store/memory"
)

// countDays counts sessions and memories by the day of this machine's calendar, from since to before until, the earliest day first.
func (d *Daemon) countDays(_ context.Context, since, until int64) ([]api.Day, error) {
	sessions, err := d.everySession(false)
	if err != nil {
		return nil, err
	}
	days := map[string]*api.Day{}
	zone := d.p.Now().Location()
	at := func(t int64) *api.Day {
		if t < since || t >= until {
			return &api.Day{}
		}
		name := time.Unix(t, 0).In(zone).Format(time.DateOnly)
		if days[name] == nil {
			days[name] = &api.Day{Day: name}
		}
		return days[name]
	}
	for _, s := range sessions {
		at(s.UpdatedAt).Sessions++
	}
	d.served(func(s *memory.State) {
		events, _ := recall.Timeline(s, recall.TimelineQuery{View: view(""), Since: since, Until: until})
		for _, e := range events {
			at(*e.Provenance.EventTime).Memories++
		}
	})
	out := make([]api.Day, 0, len(days))
	for _, day := range days {
		out = append(out, *day)
	}
	slices.SortFunc(out, func(a, b api.Day) int { return cmp.Compare(a.Day, b.Day) })
	return out, nil
}
