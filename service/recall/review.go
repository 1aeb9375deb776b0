package recall

import (
	"cmp"
	"slices"

	"dormouse/store/memory"
)

// Waiting is one thing that waits for the person.
type Waiting struct {
	Record   memory.Record // the candidate, or the record that a suggestion is about
	Decision string        // id of the decision that suggests something; empty for a candidate
	// What is candidate, contradiction, merge, split or supersede.
	What     string
	Reason   string
	Other    memory.Record // of a merge or supersede, what would take the record's place; nil where it is gone
	Parts    []string      // of a split
	Contests []memory.Record
}

// The kinds of what waits.
const (
	WaitsCandidate     = "candidate"
	WaitsContradiction = "contradiction"
)

// Review lists what waits for the person within a view: candidates, contradictions, and suggestions to merge, split or supersede.
// The newest come first, suggestions before them. why tells the reason of a decision, by its id.
func Review(s *memory.State, v memory.View, decision func(id string) (memory.Decision, bool)) []Waiting {
	var out []Waiting
	for sug, id := range s.Suggestions {
		rec := s.Record(sug.Record)
		if rec == nil || !v.Sees(rec.InScope()) {
			continue
		}
		w := Waiting{Record: rec, Decision: id, What: string(sug.Action)}
		if d, ok := decision(id); ok {
			w.Reason, w.Parts = d.Reason, d.Proposal.Parts
		}
		if sug.Action != memory.ActionSplit {
			w.Other = s.Record(memory.RecordRef{Kind: sug.Record.Kind, Scope: sug.Record.Scope, ID: sug.Other})
		}
		out = append(out, w)
	}
	for rec := range s.Records() {
		why, ok := s.IsCandidate(rec)
		if !ok || !v.Sees(rec.InScope()) || rec.SupersededID() != "" {
			continue
		}
		w := Waiting{Record: rec, What: WaitsCandidate, Reason: why.Reason}
		for _, id := range why.Contests {
			if o := s.Record(memory.RecordRef{Kind: rec.Ref().Kind, Scope: rec.Ref().Scope, ID: id}); o != nil && o.SupersededID() == "" {
				w.Contests = append(w.Contests, o)
			}
		}
		if len(w.Contests) > 0 {
			w.What = WaitsContradiction
		}
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b Waiting) int {
		return cmp.Or(-cmp.Compare(a.Decision, b.Decision), compareNewest(timeOf(a.Record), timeOf(b.Record)),
			cmp.Compare(a.Record.Ref().Kind, b.Record.Ref().Kind), cmp.Compare(a.Record.Ref().Scope, b.Record.Ref().Scope),
			cmp.Compare(a.Record.Ref().ID, b.Record.Ref().ID))
	})
	return out
}

func timeOf(r memory.Record) *int64 {
	if p := r.Origin(); p != nil {
		return p.EventTime
	}
	return nil
}
