package memory

import (
	"iter"
	"slices"
)

// FoldAsKnown adds up the decisions that were made until a time, in Unix seconds: what the memory knew then. What was forgotten
// or erased since is not shown by looking back, what was moved to another scope since is in that one; what was refused or undone since is, for it was believed then.
//
// The time of a decision is that of the clock of the machine that made it. It bounds what is looked at and orders nothing.
//
// all yields the decisions in the order of CompareDecisions. It is called three times, since not all are to be in memory at once.
func FoldAsKnown(all iter.Seq[Decision], at int64) *State {
	var ruled, rulings []Decision
	named := map[string]bool{} // by an undo
	for d := range all {
		if Rules(&d) {
			ruled = append(ruled, Outline(&d))
			named[string(d.Undoes)] = true
		}
	}
	since := undone(ruled)
	then := func(yield func(Decision) bool) {
		for d := range all {
			silences := d.Action == ActionForget || d.Action == ActionErase || d.Action == ActionScope
			if (d.ObservedAt <= at || silences && !since[d.ID]) && !yield(d) {
				return
			}
		}
	}
	for d := range then {
		if Rules(&d) || named[d.ID] {
			rulings = append(rulings, Outline(&d))
		}
	}
	return FoldAll(rulings, then)
}

func sorted(decisions []Decision) []Decision {
	ds := slices.Clone(decisions)
	slices.SortFunc(ds, CompareDecisions)
	return ds
}

// AsOfEvent is the state as things were at a time in the world, whenever they were written down: events and relations until
// then, facts whose window was open, and what has been superseded by something later still standing. What has no known time is
// left out. The given state is not changed.
func (s *State) AsOfEvent(at int64) *State {
	out := *s
	out.Events, out.Edges, out.Facts = map[string]*Event{}, map[string]*Edge{}, map[string]*Fact{}
	known := func(t *int64) bool { return t != nil && *t <= at }
	for id, e := range s.Events {
		if !known(e.Provenance.EventTime) {
			continue
		}
		c := *e
		if by := s.Events[string(c.SupersededBy)]; by != nil && !known(by.Provenance.EventTime) {
			c.SupersededBy = ""
		}
		out.Events[id] = &c
	}
	for id, e := range s.Edges {
		if !known(e.EventTime) {
			continue
		}
		c := *e
		if by := s.Edges[string(c.SupersededBy)]; by != nil && !known(by.EventTime) {
			c.SupersededBy = ""
		}
		out.Edges[id] = &c
	}
	for id, f := range s.Facts {
		if !known(f.Begins()) || !f.HoldsAt(at) {
			continue
		}
		c := *f
		if by := s.Facts[string(c.SupersededBy)]; by != nil && !known(by.Begins()) {
			c.SupersededBy = ""
		}
		out.Facts[id] = &c
	}
	return &out
}
