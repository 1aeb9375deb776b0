package recall

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"dormouse/store/memory"
)

// Window is a question about a time: what it looks at, once words and time are known.
type Window struct {
	View    memory.View
	Project string // id; empty for all that the view sees
	// Since and Until (exclusive) bound the time in Unix seconds; 0 is no bound. What has no known time is in no window.
	Since, Until int64
	// Keep says which records fit the words; nil for all.
	Keep  map[memory.RecordRef]bool
	Kind  memory.Kind // of events alone; empty for all
	Limit int         // 0 means all
}

func (w *Window) keeps(r memory.Record) bool {
	p := r.Origin()
	return w.View.Sees(r.InScope()) && (w.Project == "" || p != nil && p.ProjectID == w.Project) && (w.Keep == nil || w.Keep[r.Ref()])
}

// events lists the events that fit, oldest first, and counts those that fit but for their time, which is unknown. What was superseded
// since happened all the same.
func (w *Window) events(s *memory.State) (list []*memory.Event, undated int) {
	for _, e := range s.Timeline() {
		switch {
		case !w.keeps(e) || w.Kind != "" && e.Kind != w.Kind:
		case e.Provenance.EventTime == nil:
			undated++
		case inWindow(e.Provenance.EventTime, w.Since, w.Until):
			list = append(list, e)
		}
	}
	return list, undated
}

// Happened lists the events of a window, newest first, and counts all that fit and those of an unknown time.
func Happened(s *memory.State, w Window) (list []*memory.Event, total, undated int) {
	list, undated = w.events(s)
	slices.SortStableFunc(list, newestFirst)
	total = len(list)
	if w.Limit > 0 {
		list = list[:min(len(list), w.Limit)]
	}
	return list, total, undated
}

// Then is what held at a time.
type Then struct {
	Facts   []*memory.Fact
	Events  []*memory.Event // newest first
	Edges   []*memory.Edge
	Total   int
	Undated int // facts and events that fit and have no known time
}

// StateThen tells what held at a time: then is the state as of it, all the state as it is now, from which undated records are
// counted.
func StateThen(then, all *memory.State, w Window, at int64) (out Then) {
	for _, f := range then.FactList() {
		if _, candidate := then.IsCandidate(f); w.keeps(f) && f.SupersededBy == "" && f.HoldsAt(at) && !candidate {
			out.Facts = append(out.Facts, f)
		}
	}
	for _, e := range then.Timeline() {
		if w.keeps(e) && e.SupersededBy == "" {
			out.Events = append(out.Events, e)
		}
	}
	slices.SortStableFunc(out.Events, newestFirst)
	if w.Keep != nil { // the whole graph is no answer
		for _, e := range then.EdgeList() {
			about := w.Keep[entityRef(e.Scope, e.From)] || w.Keep[entityRef(e.Scope, e.To)]
			if about && e.SupersededBy == "" && showsEdge(all, w.View, e) {
				out.Edges = append(out.Edges, e)
			}
		}
	}
	for r := range all.Records() {
		if begins, timed := begin(r); timed && begins == nil && w.keeps(r) {
			out.Undated++
		}
	}
	out.Total = len(out.Facts) + len(out.Events) + len(out.Edges)
	if n := w.Limit; n > 0 {
		out.Facts, out.Events, out.Edges = out.Facts[:min(n, len(out.Facts))], out.Events[:min(n, len(out.Events))], out.Edges[:min(n, len(out.Edges))]
	}
	return out
}

func entityRef(scope memory.Scope, id string) memory.RecordRef {
	return memory.RecordRef{Kind: memory.RecordEntity, Scope: scope, ID: id}
}

// begin is the time of an event or a fact; timed is false for records that have none by nature.
func begin(r memory.Record) (at *int64, timed bool) {
	switch r := r.(type) {
	case *memory.Event:
		return r.Provenance.EventTime, true
	case *memory.Fact:
		return r.Begins(), true
	}
	return nil, false
}

// What a change is.
const (
	Superseded = "superseded" // the old record gave way to the new one
	Began      = "began"      // a fact's window opened, or it was stated
	Ended      = "ended"      // a fact's window closed
	Decided    = "decided"    // an event that is a decision
)

// Change is one change.
type Change struct {
	At       int64
	What     string
	Old, New memory.Record // nil where there is none
}

// Changes lists what changed in a window, oldest first: what superseded what, facts that began and ended, and decisions. It
// counts all of them, and those of an unknown time.
func Changes(s *memory.State, w Window) (list []Change, total, undated int) {
	replaced := map[memory.RecordRef]bool{}
	add := func(at *int64, c Change) {
		switch {
		case at == nil:
			undated++
		case inWindow(at, w.Since, w.Until):
			c.At = *at
			list = append(list, c)
		}
	}
	for r := range s.Records() {
		by := supersededBy(s, r)
		if by == nil || !w.View.Sees(r.InScope()) || !w.View.Sees(by.InScope()) || !w.keeps(r) && !w.keeps(by) {
			continue
		}
		replaced[by.Ref()] = true
		at, _ := begin(by)
		add(at, Change{What: Superseded, Old: r, New: by})
	}
	for _, f := range s.FactList() {
		if !w.keeps(f) {
			continue
		}
		if !replaced[f.Ref()] {
			add(f.Begins(), Change{What: Began, New: f})
		}
		if f.ValidUntil != nil && f.SupersededBy == "" {
			add(f.ValidUntil, Change{What: Ended, Old: f})
		}
	}
	for _, e := range s.Timeline() {
		if e.Kind == memory.KindDecision && !replaced[e.Ref()] && w.keeps(e) {
			add(e.Provenance.EventTime, Change{What: Decided, New: e})
		}
	}
	slices.SortFunc(list, compareChanges)
	total = len(list)
	if w.Limit > 0 && total > w.Limit { // the newest of them
		list = list[total-w.Limit:]
	}
	return list, total, undated
}

func compareChanges(a, b Change) int {
	id := func(r memory.Record) string {
		if r == nil {
			return ""
		}
		return r.Ref().ID
	}
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(id(a.New), id(b.New)), cmp.Compare(id(a.Old), id(b.Old)), cmp.Compare(a.What, b.What))
}

// supersededBy is what took the place of an event or a fact, where that is there.
func supersededBy(s *memory.State, r memory.Record) memory.Record {
	id := r.SupersededID()
	switch r.(type) {
	case *memory.Event:
		if e := s.Events[id]; id != "" && e != nil {
			return e
		}
	case *memory.Fact:
		if f := s.Facts[id]; id != "" && f != nil {
			return f
		}
	}
	return nil
}

// Day counts the events of one day.
type Day struct {
	Day   string // 2026-11-16
	Kinds map[memory.Kind]int
	Total int
}

// Summary counts the events of a window.
type Summary struct {
	Days     []Day
	Kinds    map[memory.Kind]int
	Projects map[string]int
	Sessions int
	Top      []*memory.Event // the most important ones, oldest first
	Total    int
	Undated  int
}

// Summarize counts what happened in a window, by the days of a zone.
func Summarize(s *memory.State, w Window, zone *time.Location) Summary {
	list, undated := w.events(s)
	out := Summary{Kinds: map[memory.Kind]int{}, Projects: map[string]int{}, Total: len(list), Undated: undated}
	sessions, days := map[string]bool{}, map[string]*Day{}
	for _, e := range list {
		name := time.Unix(*e.Provenance.EventTime, 0).In(zone).Format(time.DateOnly)
		d := days[name]
		if d == nil {
			d = &Day{Day: name, Kinds: map[memory.Kind]int{}}
			days[name] = d
		}
		d.Kinds[e.Kind]++
		d.Total++
		out.Kinds[e.Kind]++
		out.Projects[e.Provenance.ProjectID]++
		sessions[e.Provenance.SessionID] = true
	}
	out.Sessions = len(sessions)
	for _, name := range slices.Sorted(maps.Keys(days)) {
		out.Days = append(out.Days, *days[name])
	}
	out.Top = foremost(s, list, w.Limit)
	return out
}

// foremost are the events that matter most: pinned ones, then decisions before findings, work and the rest, by who stands behind
// them, and new ones first. They are listed in the order in which they happened.
func foremost(s *memory.State, list []*memory.Event, n int) []*memory.Event {
	weight := map[memory.Kind]int{memory.KindDecision: 3, memory.KindLearning: 2, memory.KindWork: 1}
	pinned := func(e *memory.Event) int {
		if s.Pinned[e.Ref()] != "" {
			return 1
		}
		return 0
	}
	gone := func(e *memory.Event) int { return min(len(e.SupersededBy), 1) }
	top := slices.Clone(list)
	slices.SortStableFunc(top, func(a, b *memory.Event) int {
		return cmp.Or(cmp.Compare(pinned(b), pinned(a)), cmp.Compare(gone(a), gone(b)), cmp.Compare(weight[b.Kind], weight[a.Kind]),
			cmp.Compare(a.Trust.Rank(), b.Trust.Rank()), newestFirst(a, b))
	})
	if n > 0 {
		top = top[:min(n, len(top))]
	}
	slices.SortStableFunc(top, func(a, b *memory.Event) int { return newestFirst(b, a) })
	return top
}
