package recall

import (
	"cmp"
	"slices"
	"strings"

	"dormouse/store/memory"
)

// TimelineQuery asks for events.
type TimelineQuery struct {
	View memory.View
	// Since and Until (exclusive) bound the event time in Unix seconds; 0 is no bound. Events without a known time are outside
	// of any bound.
	Since, Until int64
	Entity       string        // id, name or alias; empty for all
	Tags         []memory.Key  // of turns that are about one of them; nil for all
	Project      string        // id; empty for all that the view sees
	Kinds        []memory.Kind // empty for all
	Superseded   bool
	Limit        int // the newest; 0 means all
}

// Timeline lists the events that match, newest first, those without a time last, and counts how many match in all.
func Timeline(s *memory.State, q TimelineQuery) (events []*memory.Event, total int) {
	var about []string
	if q.Entity != "" {
		if about = Resolve(s, q.View, q.Entity); len(about) == 0 {
			return nil, 0
		}
	}
	var tagged map[string]bool
	if q.Tags != nil {
		tagged = recordsOf(s.SegmentsOf(q.Tags))
	}
	for _, e := range s.Timeline() {
		if (tagged == nil || tagged[e.ID]) && q.View.Sees(e.Scope) && (q.Superseded || e.SupersededBy == "") && inWindow(e.Provenance.EventTime, q.Since, q.Until) &&
			(len(q.Kinds) == 0 || slices.Contains(q.Kinds, e.Kind)) && (q.Project == "" || e.Provenance.ProjectID == q.Project) && (about == nil || names(s, e, about)) {
			events = append(events, e)
		}
	}
	slices.SortStableFunc(events, newestFirst)
	total = len(events)
	if q.Limit > 0 && total > q.Limit {
		events = events[:q.Limit]
	}
	return events, total
}

func newestFirst(a, b *memory.Event) int {
	return cmp.Or(compareNewest(a.Provenance.EventTime, b.Provenance.EventTime), cmp.Compare(a.ID, b.ID))
}

// compareNewest puts late times before early ones, and unknown ones last.
func compareNewest(a, b *int64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(*b, *a)
}

func inWindow(t *int64, since, until int64) bool {
	if since == 0 && until == 0 {
		return true
	}
	return t != nil && (since == 0 || *t >= since) && (until == 0 || *t < until)
}

// names reports whether an event names one of the entities, by whatever name was merged into them.
func names(s *memory.State, e *memory.Event, ids []string) bool {
	return slices.ContainsFunc(e.Entities, func(id string) bool { return slices.Contains(ids, one(s, e.Scope, id)) })
}

// one is the entity that an entity was merged into, itself where it was not merged.
func one(s *memory.State, scope memory.Scope, id string) string {
	return s.MergedInto(memory.RecordRef{Kind: memory.RecordEntity, Scope: scope, ID: id})
}

// Resolve finds the entities of the view that a name means, by id: those whose id it is, else those whose name, slug or alias it is in
// any case, else the files whose path ends in it. Of merged entities it is the one that stays. The ids are sorted, each once; none where the name means nothing.
func Resolve(s *memory.State, view memory.View, name string) []string {
	name = strings.TrimSpace(name)
	if name == "" {
		return nil
	}
	var exact, called, ends []string
	slug := memory.Slug(name)
	for key, e := range s.Entities {
		if !view.Sees(key.Scope) {
			continue
		}
		switch {
		case e.ID == name:
			exact = append(exact, one(s, key.Scope, e.ID))
		case strings.EqualFold(e.Name, name), strings.EqualFold(e.Slug(), slug),
			slices.ContainsFunc(e.Aliases, func(a string) bool { return strings.EqualFold(a, name) }):
			called = append(called, one(s, key.Scope, e.ID))
		case e.Type == memory.TypeFile && strings.HasSuffix(e.Slug(), "/"+name):
			ends = append(ends, e.ID)
		}
	}
	for _, ids := range [][]string{exact, called, ends} {
		if len(ids) > 0 {
			slices.Sort(ids)
			return slices.Compact(ids)
		}
	}
	return nil
}
