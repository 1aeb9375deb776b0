package daemon

import (
	"context"
	"slices"

	"dormouse/service/api"
	"dormouse/service/recall"
	"dormouse/store/index"
	"dormouse/store/memory"
)

func (d *Daemon) search(ctx context.Context, q api.SearchQuery) (api.Search, error) {
	id, err := d.projectID(ctx, q.Project)
	if err != nil {
		return api.Search{}, err
	}
	var kinds []index.Kind
	for _, k := range q.Kinds {
		kinds = append(kinds, index.Kind(k))
	}
	query := recall.Query{Text: q.Words, View: viewFor(id, q.For), Kinds: kinds, Limit: q.Limit, EveryWord: q.Every}
	if query.IDs, err = d.taggedIDs(query.View, q.Tag); err != nil {
		return api.Search{}, err
	}
	if q.Sessions {
		return d.searchSessions(ctx, query, q.For)
	}
	hits, err := d.searcher.Search(ctx, query)
	if err != nil {
		return api.Search{}, err
	}
	out := api.Search{Hits: []api.Hit{}, Indexing: d.catchingUp()}
	for _, h := range hits {
		candidate, there := d.standing(h)
		if !there {
			continue
		}
		hit := d.hitOf(h, q.For)
		hit.Candidate = candidate
		if q.Explain {
			for _, p := range h.Parts {
				hit.Parts = append(hit.Parts, api.ScorePart(p))
			}
		}
		out.Hits = append(out.Hits, hit)
	}
	return out, nil
}

// standing reports whether what the index found is still in the memory, and why it is a candidate, if it is: the index may be a
// moment behind a decision of the person.
func (d *Daemon) standing(h recall.Hit) (candidate string, there bool) {
	if d.hidden()[h.Project] {
		return "", false
	}
	kind := map[index.Kind]memory.RecordKind{index.KindEvent: memory.RecordEvent, index.KindEntity: memory.RecordEntity, index.KindFact: memory.RecordFact,
		index.KindTagSummary: memory.RecordTagSummary}[h.What]
	if kind == "" {
		return "", !d.hiddenHit(h)
	}
	ref, hidden := memory.RecordRef{Kind: kind, ID: h.ID}, d.hidden()
	if kind == memory.RecordEntity {
		ref.Scope = h.Scope
	}
	d.ledger.Read(func(s *memory.State) {
		if rec := s.Record(ref); rec != nil && !memory.OfProjects(rec, hidden) {
			why, _ := s.IsCandidate(rec)
			candidate, there = why.Reason, true
		}
	})
	return candidate, there
}

// hitOf is a hit as it is told to an agent or, for "", to the person.
func (d *Daemon) hitOf(h recall.Hit, agent string) api.Hit {
	out := api.Hit{What: string(h.What), ID: h.ID, Score: h.Score, Title: h.Title, Snippet: h.Snippet, Trust: h.Trust,
		ProjectID: h.Project, SessionID: h.Session, Turn: h.Turn, Nodes: h.Nodes, Time: h.Time, Superseded: h.Superseded}
	if h.Session != "" {
		out.Missing, out.Branch = d.missing(h.Session), d.branchOf(h.Session)
	}
	switch h.What {
	case index.KindEvent:
		out.Kind = memory.Kind(h.Label)
	case index.KindTurn:
		if x, err := d.sessions.Open(h.Session); err == nil && (agent == "" || len(d.privateTurns(x)) == 0) {
			out.Title = x.Meta().Title
		}
	}
	return out
}

// mostTurns is how many turns of a session that was found are told.
const mostTurns = 20

// searchSessions finds the sessions that a query is about, for an agent or, for "", the person.
func (d *Daemon) searchSessions(ctx context.Context, q recall.Query, agent string) (api.Search, error) {
	found, err := d.searcher.Sessions(ctx, q)
	if err != nil {
		return api.Search{}, err
	}
	out := api.Search{Hits: []api.Hit{}, Indexing: d.catchingUp()}
	for _, s := range found {
		x, err := d.sessions.Open(s.Session)
		candidate, there := d.standing(s.Best)
		if err != nil || !there {
			continue
		}
		best := d.hitOf(s.Best, agent)
		best.Candidate = candidate
		private := d.privateTurns(x)
		turns := slices.DeleteFunc(s.Turns, func(n int) bool { return agent != "" && private[n] })
		f := api.FoundSession{SessionID: s.Session, ProjectID: s.Project, Score: s.Score, Turns: turns[:min(len(turns), mostTurns)], Best: best}
		if agent == "" || len(private) == 0 {
			f.Title = x.Meta().Title
		}
		out.Sessions = append(out.Sessions, f)
	}
	return out, nil
}
