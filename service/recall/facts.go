package recall

import (
	"slices"
	"strings"

	"dormouse/store/memory"
)

// FactQuery asks for facts.
type FactQuery struct {
	View    memory.View
	Subject string // an entity's id, name or alias, or "person"; empty for all
	Project string // id; empty for all that the view sees
	All     bool   // not only those that are served
	At      int64  // when, in Unix seconds
	Limit   int    // 0 means all
}

// How a fact stands at a time.
const (
	FactServed     = "served"
	FactFuture     = "future"     // its window opens later
	FactLapsed     = "lapsed"     // its window has closed
	FactEnded      = "ended"      // what it tells of has ended, or was given up
	FactSuperseded = "superseded" // another one took its place
	FactCandidate  = "candidate"  // it is not settled
)

// FactState tells how a fact stands at a time.
func FactState(s *memory.State, f *memory.Fact, at int64) string {
	_, candidate := s.IsCandidate(f)
	switch {
	case f.SupersededBy != "":
		return FactSuperseded
	case f.ValidFrom != nil && at < *f.ValidFrom:
		return FactFuture
	case f.ValidUntil != nil && at >= *f.ValidUntil:
		return FactLapsed
	case !f.HoldsAt(at):
		return FactEnded
	case candidate:
		return FactCandidate
	}
	return FactServed
}

// Facts lists the facts that match, by subject, verb and object, and counts how many match in all. Those that are served are
// listed, and what is not settled is not; with All, every one is.
func Facts(s *memory.State, q FactQuery) (facts []*memory.Fact, total int) {
	var about []string
	if q.Subject != "" {
		about = append(Resolve(s, q.View, q.Subject), q.Subject)
	}
	for _, f := range s.FactList() {
		if !q.View.Sees(f.Scope) || q.Project != "" && f.Provenance.ProjectID != q.Project {
			continue
		}
		if about != nil && !slices.ContainsFunc(about, func(name string) bool { return strings.EqualFold(name, f.Subject) }) {
			continue
		}
		if q.All || FactState(s, f, q.At) == FactServed {
			facts = append(facts, f)
		}
	}
	total = len(facts)
	if q.Limit > 0 && total > q.Limit {
		facts = facts[:q.Limit]
	}
	return facts, total
}
