package memory

import (
	"cmp"
	"slices"
)

// A name becomes a tag once what was worked on bears it out. Turns that no tag covers yet ask for one: what two sessions worked on
// in such turns is enough at first, and the more tags there are, the more turns it takes. What is worked on again and again gets
// its tag even where others cover it, by a higher bar. A name that was given once is no vocabulary.
const (
	askedSessions, askedTurns = 2, 2
	askedMore                 = 10 // tags after which one more turn is needed
	oftenSessions, oftenTurns = 3, 4
	oftenMore                 = 6
)

// EarnedTag is what bears a tag out: the turns' segments that worked on it.
type EarnedTag struct {
	Segments int
	Sessions int
	First    *Segment // the earliest
}

// Earned are the names that are tags by what was worked on, by scope and id. It follows from the segments alone.
func (s *State) Earned() map[Key]EarnedTag { return s.earned }

// use counts how a name was used so far.
type use struct {
	segments int
	sessions map[string]int
	first    *Segment
}

func (u *use) add(g *Segment, n int) {
	u.segments += n
	if u.sessions == nil {
		u.sessions = map[string]int{}
	}
	if u.sessions[g.Full.SessionID] += n; u.sessions[g.Full.SessionID] == 0 {
		delete(u.sessions, g.Full.SessionID)
	}
	if u.first == nil {
		u.first = g
	}
}

// earning is a project's vocabulary while it grows.
type earning struct {
	tags    map[string]bool
	all     map[string]*use     // of every turn
	asking  map[string]*use     // of those that no tag covers
	waiting map[string][]*asker // that no tag covers, by each name that would
}

type asker struct {
	g     *Segment
	shown []string
	done  bool
}

func counted(m map[string]*use, id string) *use {
	if m[id] == nil {
		m[id] = &use{}
	}
	return m[id]
}

// earn goes through the segments in the order in which things happened, whatever the order in which they were read.
func (s *State) earn(al tagAliases) map[Key]EarnedTag {
	by := map[Scope]*earning{}
	out := map[Key]EarnedTag{}
	segs := s.SegmentList()
	slices.SortStableFunc(segs, func(a, b *Segment) int { return compareTime(a.Turns()[0].At, b.Turns()[0].At) })
	for _, g := range segs {
		e := by[g.Scope]
		if e == nil {
			e = &earning{tags: map[string]bool{}, all: map[string]*use{}, asking: map[string]*use{}, waiting: map[string][]*asker{}}
			by[g.Scope] = e
		}
		e.take(g, s.leads(al, g, g.shown), s.leads(al, g, g.said))
	}
	for scope, e := range by {
		for id := range e.tags {
			u := e.all[id]
			out[Key{scope, id}] = EarnedTag{u.segments, len(u.sessions), u.first}
		}
	}
	return out
}

// leads are the tags that names of a segment stand for, each once.
func (s *State) leads(al tagAliases, g *Segment, names []string) (out []string) {
	for _, n := range names {
		for _, id := range s.lead(al, g.Scope, n, g.Full.SessionID) {
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

func (e *earning) take(g *Segment, shown, said []string) {
	a := &asker{g: g, shown: shown}
	for _, id := range shown {
		counted(e.all, id).add(g, 1)
	}
	terms := slices.Concat(shown, said)
	a.done = slices.ContainsFunc(terms, func(id string) bool { return e.tags[id] })
	if !a.done {
		for _, id := range shown {
			counted(e.asking, id).add(g, 1)
		}
		for _, id := range terms {
			e.waiting[id] = append(e.waiting[id], a)
		}
	}
	for _, id := range shown {
		if e.tags[id] || id == MiscTag {
			continue
		}
		n := len(e.tags)
		asked, often := e.asking[id], e.all[id]
		if !a.done && asked.segments >= askedTurns+n/askedMore && len(asked.sessions) >= askedSessions ||
			often.segments >= oftenTurns+n/oftenMore && len(often.sessions) >= oftenSessions {
			e.admit(id)
		}
	}
}

// admit takes a name into the vocabulary: the turns that it covers ask for no other one.
func (e *earning) admit(id string) {
	e.tags[id] = true
	for _, a := range e.waiting[id] {
		if a.done {
			continue
		}
		a.done = true
		for _, other := range a.shown {
			e.asking[other].add(a.g, -1)
		}
	}
	delete(e.waiting, id)
}

func compareTagKeys(a, b Key) int {
	return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Scope, b.Scope))
}
