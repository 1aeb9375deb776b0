package memory

import (
	"cmp"
	"maps"
	"slices"
)

// Timeline lists the events that were not forgotten, by event time (unknown last), then id. Superseded ones are among
// them.
func (s *State) Timeline() []*Event {
	out := visible(s.Events, func(e *Event) ClaimKey { return EventClaim(e) }, s.Gone)
	slices.SortFunc(out, func(a, b *Event) int {
		return cmp.Or(compareTime(a.Provenance.EventTime, b.Provenance.EventTime), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// EntityList lists the entities that were not forgotten, by id, then scope.
func (s *State) EntityList() []*Entity {
	out := visible(s.Entities, func(e *Entity) ClaimKey { return EntityClaim(e) }, s.Gone)
	slices.SortFunc(out, func(a, b *Entity) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Scope, b.Scope)) })
	return out
}

// EdgeList lists the edges that were not forgotten, by their ends and relation, then id.
func (s *State) EdgeList() []*Edge {
	out := visible(s.Edges, func(e *Edge) ClaimKey { return EdgeClaim(e) }, s.Gone)
	slices.SortFunc(out, func(a, b *Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.To, b.To), cmp.Compare(a.ID, b.ID))
	})
	return out
}

func visible[K comparable, T any](m map[K]*T, key func(*T) ClaimKey, gone map[ClaimKey]bool) []*T {
	out := slices.Collect(maps.Values(m))
	if len(gone) == 0 {
		return out
	}
	return slices.DeleteFunc(out, func(r *T) bool { return gone[key(r)] })
}
