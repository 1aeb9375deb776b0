package memory

import (
	"cmp"
	"maps"
	"slices"
)

// Timeline lists the events, by event time (unknown last), then id. Superseded ones are among them.
func (s *State) Timeline() []*Event {
	return slices.SortedFunc(maps.Values(s.Events), func(a, b *Event) int {
		return cmp.Or(compareTime(a.Provenance.EventTime, b.Provenance.EventTime), cmp.Compare(a.ID, b.ID))
	})
}

// EntityList lists the entities, by id, then scope.
func (s *State) EntityList() []*Entity {
	return slices.SortedFunc(maps.Values(s.Entities), func(a, b *Entity) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Scope, b.Scope))
	})
}

// EdgeList lists the edges, by their ends and relation, then id.
func (s *State) EdgeList() []*Edge {
	return slices.SortedFunc(maps.Values(s.Edges), func(a, b *Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.To, b.To), cmp.Compare(a.ID, b.ID))
	})
}

// FactList lists the facts, by subject, verb and object, then id. Superseded ones, future ones and lapsed ones are among them.
func (s *State) FactList() []*Fact {
	return slices.SortedFunc(maps.Values(s.Facts), func(a, b *Fact) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Verb, b.Verb), cmp.Compare(a.Object, b.Object), cmp.Compare(a.ID, b.ID))
	})
}

// SegmentList lists the segments, by session, then id, without those that a longer one took the place of.
func (s *State) SegmentList() []*Segment {
	list := slices.DeleteFunc(slices.Collect(maps.Values(s.Segments)), func(g *Segment) bool { return g.by != "" })
	return slices.SortedFunc(slices.Values(list), func(a, b *Segment) int {
		return cmp.Or(cmp.Compare(a.Full.SessionID, b.Full.SessionID), cmp.Compare(a.ID, b.ID))
	})
}

// TagList lists the tags of the vocabularies, by id, then scope. Those that were merged or split are among them.
func (s *State) TagList() []*Tag {
	list := slices.DeleteFunc(slices.Collect(maps.Values(s.Tags)), func(t *Tag) bool {
		return t.SupersededBy == "" && !s.IsTag(Key{t.Scope, t.ID})
	})
	return slices.SortedFunc(slices.Values(list), func(a, b *Tag) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Scope, b.Scope))
	})
}

// TagAliasList lists the aliases of tags, by name, then id.
func (s *State) TagAliasList() []*TagAlias {
	return slices.SortedFunc(maps.Values(s.TagAliases), func(a, b *TagAlias) int {
		return cmp.Or(cmp.Compare(a.Alias, b.Alias), cmp.Compare(a.ID, b.ID))
	})
}

// TagSummaryList lists the summaries of tags, by tag, then id.
func (s *State) TagSummaryList() []*TagSummary {
	return slices.SortedFunc(maps.Values(s.TagSummaries), func(a, b *TagSummary) int {
		return cmp.Or(cmp.Compare(a.Tag, b.Tag), cmp.Compare(a.ID, b.ID))
	})
}

// OtherList lists the records of kinds that this version does not know, by kind, scope and id.
func (s *State) OtherList() []RecordRef { return slices.SortedFunc(maps.Keys(s.Others), compareRefs) }

// Serving lists the facts that are served at a time, in the order of FactList: their window is open, and nothing took their
// place.
func (s *State) Serving(at int64) []*Fact {
	return slices.DeleteFunc(s.FactList(), func(f *Fact) bool { return f.SupersededBy != "" || !f.HoldsAt(at) })
}
