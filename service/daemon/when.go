package daemon

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"dormouse/service/api"
	"dormouse/service/recall"
	"dormouse/service/recall/when"
	"dormouse/store/index"
	"dormouse/store/memory"
)

// mostMatches is how many records are looked at for the words of a question.
const mostMatches = 200

// question is a question about a time that is being answered.
type question struct {
	d       *Daemon
	q       api.WhenQuery
	zone    *time.Location
	project string
	asked   when.Asked
	window  recall.Window
	out     api.When
}

// when answers a question about a time.
func (d *Daemon) when(ctx context.Context, q api.WhenQuery) (api.When, error) {
	id, err := d.projectID(ctx, q.Project)
	if err != nil {
		return api.When{}, err
	}
	zone := d.p.Now().Location()
	if q.Zone != "" {
		if zone, err = time.LoadLocation(q.Zone); err != nil {
			return api.When{}, &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("there is no time zone %q", q.Zone)}
		}
	}
	x := question{d: d, q: q, zone: zone, project: id}
	x.out.Indexing = d.catchingUp()
	if err := x.understand(ctx); err != nil {
		return api.When{}, err
	}
	if err := x.match(ctx); err != nil {
		return api.When{}, err
	}
	err = x.answer(ctx)
	return x.out, err
}

// understand reads the time, the mode and the words of the question.
func (x *question) understand(ctx context.Context) error {
	text := cmp.Or(x.q.Time, x.q.Question)
	found, ok := when.Find(text, x.d.p.Now().In(x.zone))
	inQuestion := found
	if x.q.Time != "" {
		inQuestion = when.Found{}
	}
	x.asked = when.Ask(x.q.Question, inQuestion)
	mode := cmp.Or(x.q.Mode, string(x.asked.Mode))
	x.out.Mode, x.out.Inferred = mode, x.q.Mode == "" && x.asked.Inferred
	x.out.Words = x.asked.Words
	w := found.Window
	switch {
	case !ok && (mode != api.WhenChange || x.q.Time != "" || x.asked.Words == ""):
		return noTime(text)
	case found.Anchor != "":
		var err error
		if w, err = x.anchor(ctx, found); err != nil {
			return err
		}
	}
	x.out.Understood.Expression, x.out.Understood.Since, x.out.Understood.Until = found.Text, w.Since, w.Until
	x.out.Understood.Zone = zoneName(x.zone, x.d.p.Now())
	x.out.Understood.Text = describeWindow(w, x.zone, x.out.Understood.Zone)
	x.window = recall.Window{View: viewFor(x.project, x.q.Agent), Project: within(x.project, x.q.Agent), Since: w.Since, Until: w.Until, Limit: x.q.Limit}
	switch {
	case x.asked.Decisions:
		x.window.Kind = memory.KindDecision
	case x.asked.Learnings:
		x.window.Kind = memory.KindLearning
	}
	return nil
}

// noTime asks which time is meant.
func noTime(text string) error {
	return &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("no time was found in %q; say which one is meant, for example:", clipped(text, 200)),
		Candidates: []string{"yesterday", "last week", "in March", "two weeks ago", "since 2026-05", "between 3 and 5 May", "before the release"}}
}

func clipped(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// match finds which records fit the words. Without words all do.
func (x *question) match(ctx context.Context) error {
	if x.asked.Words == "" || x.out.Mode == api.WhenLookup {
		return nil
	}
	hits, err := x.d.searcher.Search(ctx, recall.Query{Text: x.asked.Words, View: x.window.View, Superseded: true, Limit: mostMatches,
		Kinds: []index.Kind{index.KindEvent, index.KindFact, index.KindEntity}})
	if err != nil {
		return err
	}
	x.window.Keep = map[memory.RecordRef]bool{}
	about := map[string]bool{}
	for _, h := range hits {
		x.window.Keep[refOf(h)] = true
		if h.What == index.KindEntity {
			about[h.ID] = true
		}
	}
	x.d.served(func(s *memory.State) { // what is known of a thing that was found fits as well
		for _, f := range s.Facts {
			if about[f.Subject] {
				x.window.Keep[f.Ref()] = true
			}
		}
	})
	return nil
}

func refOf(h recall.Hit) memory.RecordRef {
	ref := memory.RecordRef{ID: h.ID, Kind: map[index.Kind]memory.RecordKind{index.KindEvent: memory.RecordEvent, index.KindFact: memory.RecordFact, index.KindEntity: memory.RecordEntity}[h.What]}
	if ref.Kind == memory.RecordEntity {
		ref.Scope = h.Scope
	}
	return ref
}

func (x *question) answer(ctx context.Context) error {
	switch x.out.Mode {
	case api.WhenState:
		x.state()
	case api.WhenChange:
		x.changes()
	case api.WhenSummary:
		x.summary()
	default:
		return x.lookup(ctx)
	}
	return nil
}

// lookup finds what fits the words in the window, best first; without words all events in it, newest first.
func (x *question) lookup(ctx context.Context) error {
	x.out.Hits = []api.Hit{}
	if x.asked.Words == "" {
		var events []memory.Event
		x.d.served(func(s *memory.State) {
			list, total, undated := recall.Happened(s, x.window)
			events, x.out.Total, x.out.Undated = values(list), total, undated
		})
		turns := x.d.turnsOfEvents(nil, events)
		for i := range events {
			x.out.Hits = append(x.out.Hits, x.d.eventHit(&events[i], turns))
		}
		return nil
	}
	q := recall.Query{Text: x.asked.Words, View: x.window.View, Since: x.window.Since, Until: x.window.Until, Superseded: true, Limit: x.q.Limit}
	hits, err := x.d.searcher.Search(ctx, q)
	if err != nil {
		return err
	}
	for _, h := range hits {
		if candidate, there := x.d.standing(h); there {
			hit := x.d.hitOf(h, x.q.Agent)
			hit.Candidate = candidate
			x.out.Hits = append(x.out.Hits, hit)
		}
	}
	x.out.Total = len(x.out.Hits)
	q.Since, q.Until, q.Limit, q.Kinds = 0, 0, mostMatches, []index.Kind{index.KindEvent, index.KindFact}
	if hits, err = x.d.searcher.Search(ctx, q); err != nil {
		return err
	}
	for _, h := range hits {
		if _, there := x.d.standing(h); there && h.Time == 0 {
			x.out.Undated++
		}
	}
	return nil
}

func (d *Daemon) eventHit(e *memory.Event, turns map[string]int) api.Hit {
	p := e.Provenance
	h := api.Hit{What: string(index.KindEvent), ID: e.ID, Title: e.Summary, Kind: e.Kind, Trust: e.Trust, ProjectID: p.ProjectID, SessionID: p.SessionID,
		Turn: turns[e.ID], Nodes: p.NodeIDs, Superseded: e.SupersededBy != ""}
	if p.EventTime != nil {
		h.Time = *p.EventTime
	}
	if p.SessionID != "" {
		h.Missing = d.missing(p.SessionID)
	}
	d.served(func(s *memory.State) {
		why, _ := s.IsCandidate(e)
		h.Candidate = why.Reason
	})
	return h
}

func (x *question) state() {
	at := x.d.p.Now().Unix()
	if u := x.window.Until; u != 0 && u <= at {
		at = u - 1
	}
	out := api.StateThen{At: at, Facts: []api.FactShown{}, Events: []memory.Event{}, Edges: []memory.Edge{}}
	var from []memory.Provenance
	x.d.served(func(all *memory.State) {
		then := all.AsOfEvent(at)
		t := recall.StateThen(then, all, x.window, at)
		x.out.Total, x.out.Undated = t.Total, t.Undated
		for _, f := range t.Facts {
			out.Facts = append(out.Facts, api.FactShown{Fact: *f, State: recall.FactState(then, f, at)})
			from = append(from, f.Provenance)
		}
		out.Events, out.Edges = append(out.Events, values(t.Events)...), append(out.Edges, values(t.Edges)...)
	})
	x.out.Turns = x.d.turnsOfEvents(nil, out.Events)
	for i, f := range out.Facts {
		x.d.addTurn(x.out.Turns, f.Fact.ID, from[i])
		out.Facts[i].Turn = x.out.Turns[f.Fact.ID]
	}
	x.out.Missing = x.d.missingOf(append(from, sourcesOf(out.Events)...))
	x.out.State = &out
}

func (x *question) changes() {
	x.out.Changes, x.out.Turns = []api.Changed{}, map[string]int{}
	var from []memory.Provenance
	var ids []string
	brief := func(r memory.Record) *api.RecordBriefly {
		if r == nil {
			return nil
		}
		out := &api.RecordBriefly{ID: r.Ref().ID, Kind: r.Ref().Kind, Text: r.Text()}
		switch r := r.(type) {
		case *memory.Event:
			out.Trust, out.Time = r.Trust, r.Provenance.EventTime
		case *memory.Fact:
			out.Trust, out.Time = r.Trust, r.Begins()
		}
		if p := r.Origin(); p != nil {
			out.ProjectID, out.SessionID = p.ProjectID, p.SessionID
			from, ids = append(from, *p), append(ids, out.ID)
		}
		return out
	}
	x.d.served(func(s *memory.State) {
		list, total, undated := recall.Changes(s, x.window)
		x.out.Total, x.out.Undated = total, undated
		for _, c := range list {
			x.out.Changes = append(x.out.Changes, api.Changed{At: c.At, What: c.What, Old: brief(c.Old), New: brief(c.New)})
		}
	})
	for i, p := range from {
		x.d.addTurn(x.out.Turns, ids[i], p)
	}
	x.out.Missing = x.d.missingOf(from)
}

func (x *question) summary() {
	out := api.WindowSummary{Days: []api.DayCount{}, Top: []memory.Event{}}
	x.d.served(func(s *memory.State) {
		sum := recall.Summarize(s, x.window, x.zone)
		x.out.Total, x.out.Undated = sum.Total, sum.Undated
		out.Kinds, out.Projects, out.Sessions = sum.Kinds, sum.Projects, sum.Sessions
		for _, day := range sum.Days {
			out.Days = append(out.Days, api.DayCount(day))
		}
		out.Top = append(out.Top, values(sum.Top)...)
	})
	x.out.Turns = x.d.turnsOfEvents(nil, out.Top)
	x.out.Missing = x.d.missingOf(sourcesOf(out.Top))
	x.out.Summary = &out
}
