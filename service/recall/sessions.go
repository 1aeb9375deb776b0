package recall

import (
	"cmp"
	"context"
	"slices"
)

// SessionHit is a session that was found.
type SessionHit struct {
	Session string
	Project string
	Score   float64 // comparable within one answer only
	Best    Hit     // the best of what was found in it
	Turns   []int   // that match, the best first; not those of records, which know their nodes alone
}

// Sessions finds the sessions that a query is about, best first, by their turns and by the records that come from them. What a session
// says of the matter in several places adds up, each further one counting less, and so does how much of the query the session
// has in all. Of the query's Limit, the number of sessions is meant.
func (s *Searcher) Sessions(ctx context.Context, q Query) ([]SessionHit, error) {
	limit := min(cmp.Or(max(q.Limit, 0), 10), mostHits)
	r, err := s.ranked(ctx, &q, mostSessionDocs)
	if err != nil || !r.fits(true) {
		return nil, err
	}
	order := r.sessions(&q)
	return s.sessionHits(order[:min(limit, len(order))], &q), nil
}

// sessions are the sessions of what was ranked, best first.
func (r *ranking) sessions(q *Query) []*sessionScore {
	byID := map[string]*sessionScore{}
	var order []*sessionScore
	for i := range r.list {
		h := &r.list[i]
		if h.Doc.Session == "" || !r.passes(h, q) {
			continue
		}
		x := byID[h.Doc.Session]
		if x == nil {
			x = &sessionScore{first: h, share: 1}
			byID[h.Doc.Session] = x
			order = append(order, x)
		}
		x.add(h, r.w.SessionShare)
	}
	for _, x := range order {
		x.total += r.w.SessionCovered * r.asked.covered(x.words)
	}
	slices.SortStableFunc(order, func(a, b *sessionScore) int { return cmp.Compare(b.total, a.total) })
	return order
}

// mostSessionDocs is how many documents are looked at to find sessions.
const mostSessionDocs = 400

// sessionScore adds up what was found of a session, best first.
type sessionScore struct {
	first *scored
	words uint64
	total float64
	share float64 // what the next turn counts
	turns []int
}

// add counts a hit; the next one counts so much of it.
func (x *sessionScore) add(h *scored, next float64) {
	x.words |= h.words
	if h.Doc.Turn != 0 && !slices.Contains(x.turns, h.Doc.Turn) {
		x.turns = append(x.turns, h.Doc.Turn)
	}
	x.total += x.share * max(h.total-h.near, 0) // neighbours count for themselves
	x.share *= next
}

func (s *Searcher) sessionHits(list []*sessionScore, q *Query) []SessionHit {
	a := s.analyzers.Get()
	defer s.analyzers.Put(a)
	cut := newSnipper(a, q.Text)
	out := make([]SessionHit, 0, len(list))
	for _, x := range list {
		out = append(out, SessionHit{Session: x.first.Doc.Session, Project: x.first.Doc.Project, Score: x.total, Best: s.hit(*x.first, cut), Turns: x.turns})
	}
	return out
}
