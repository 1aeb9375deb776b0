package memory

import (
	"maps"
	"slices"
)

// Settle carries out what decisions say of two records: supersessions, merges and splits. A record is superseded only while
// the one that took its place is there: where that one is refused, forgotten or undone, the older one stands again. It begins from what the
// decisions alone say, so that a state which is added to and settled again and again is the one of all decisions at once.
func (s *State) Settle() {
	s.unsettle()
	slices.Sort(s.Problems)
	for ref, r := range s.replaced {
		s.mark(ref, r.by)
	}
	for _, ref := range slices.SortedFunc(maps.Keys(s.merged), compareRefs) {
		s.merge(ref, s.merged[ref].by)
	}
	for ref, parts := range s.split {
		s.carrySplit(ref, parts)
	}
	s.hideForgottenEntities()
	s.settleTags()
	s.contest()
	s.place()
}

// unsettle takes back what Settle has changed, before anything else is added up.
func (s *State) unsettle() {
	for _, back := range slices.Backward(s.settled) {
		back()
	}
	clear(s.settled)
	s.settled = s.settled[:0]
	s.takeHome()
}

// takeBack keeps how to undo a change that Settle makes.
func (s *State) takeBack(back func()) { s.settled = append(s.settled, back) }

func compareRefs(a, b RecordRef) int {
	return slices.Compare([]string{string(a.Kind), string(a.Scope), a.ID}, []string{string(b.Kind), string(b.Scope), b.ID})
}

// mark says that a record was replaced, if what replaces it is there.
func (s *State) mark(ref RecordRef, by string) {
	old, next := s.Record(ref), s.Record(RecordRef{ref.Kind, ref.Scope, by})
	if old == nil || next == nil || by == ref.ID {
		return
	}
	s.takeBack(func() { old.supersede("") })
	old.supersede(Ref(by))
	f, isFact := old.(*Fact)
	g, _ := next.(*Fact)
	if !isFact || g == nil || g.ValidFrom == nil {
		return
	}
	until := f.ValidUntil
	s.takeBack(func() { f.ValidUntil = until })
	if f.ValidUntil == nil || *f.ValidUntil > *g.ValidFrom { // it held until the other one began
		f.ValidUntil = g.ValidFrom
	}
}

// SupersededBy is the decision by which a record was replaced or merged; empty where none was.
func (s *State) SupersededBy(ref RecordRef) string {
	if r, ok := s.replaced[ref]; ok {
		return r.decision
	}
	return s.merged[ref].decision
}

// merge makes an entity's or a tag's names aliases of another one.
func (s *State) merge(ref RecordRef, into string) {
	into = s.MergedInto(RecordRef{ref.Kind, ref.Scope, into})
	old, stays := s.Record(ref), s.Record(RecordRef{ref.Kind, ref.Scope, into})
	if old == nil || stays == nil || into == ref.ID {
		return
	}
	was := old.SupersededID()
	s.takeBack(func() { old.supersede(Ref(was)) })
	old.supersede(Ref(into))
	a, ok := stays.(*Entity)
	if !ok {
		return
	}
	b, aliases := old.(*Entity), a.Aliases
	s.takeBack(func() { a.Aliases = aliases })
	names := union(append(slices.Clone(a.Aliases), b.Aliases...), []string{b.Name})
	a.Aliases = slices.DeleteFunc(names, func(n string) bool { return n == a.Name })
}

// MergedInto is the id of the entity or tag that a merged one became part of, itself where it was not merged.
func (s *State) MergedInto(ref RecordRef) string {
	seen := map[string]bool{}
	for !seen[ref.ID] {
		seen[ref.ID] = true
		r, ok := s.merged[ref]
		if !ok {
			break
		}
		ref.ID = r.by
	}
	return ref.ID
}

// carrySplit takes names from an entity, which then is found by them no more, and makes each an entity of its own. Of a tag it
// says that its parts took its place; SplitInto lists them.
func (s *State) carrySplit(ref RecordRef, parts []string) {
	switch r := s.Record(ref).(type) {
	case *Entity:
		aliases := r.Aliases
		s.takeBack(func() { r.Aliases = aliases })
		r.Aliases = slices.DeleteFunc(slices.Clone(r.Aliases), func(n string) bool { return slices.Contains(parts, n) })
		for _, name := range parts {
			id := EntityID(r.Type, name)
			if key := (Key{r.Scope, id}); id != r.ID && s.Entities[key] == nil {
				s.takeBack(func() { delete(s.Entities, key) })
				s.Entities[key] = &Entity{ID: id, Type: r.Type, Name: name, Scope: r.Scope, Provenance: r.Provenance}
			}
		}
	case *Tag:
		if len(parts) > 0 && parts[0] != r.ID {
			was := r.SupersededID()
			s.takeBack(func() { r.supersede(Ref(was)) })
			r.supersede(Ref(parts[0]))
		}
	}
}

// SplitInto lists the ids of the tags into which a tag fell, sorted; none where it did not.
func (s *State) SplitInto(ref RecordRef) []string { return s.split[ref] }

// hideForgottenEntities takes the names of forgotten entities out of what mentions them: their edges, and the lists of
// events. The events' own words stay; they are memories of their own.
func (s *State) hideForgottenEntities() {
	gone := map[Key]bool{}
	for key := range s.Bars {
		if p := key.parts(); len(p) == 3 && p[1] == "entity" {
			gone[Key{Scope(p[0]), p[2]}] = true
		}
	}
	barred := func(scope Scope, id string) bool {
		if gone[Key{scope, id}] || gone[Key{Global, id}] {
			return true
		}
		_, erased := s.Erased[EntityClaim(&Entity{Scope: scope, ID: id}).Hash()]
		return erased
	}
	if len(gone) == 0 && len(s.Erased) == 0 {
		return
	}
	for id, e := range s.Edges {
		if barred(e.Scope, e.From) || barred(e.Scope, e.To) {
			delete(s.Edges, id)
			s.takeBack(func() { s.Edges[id] = e })
		}
	}
	for _, e := range s.Events {
		if slices.ContainsFunc(e.Entities, func(id string) bool { return barred(e.Scope, id) }) {
			entities := e.Entities
			s.takeBack(func() { e.Entities = entities })
			e.Entities = slices.DeleteFunc(slices.Clone(e.Entities), func(id string) bool { return barred(e.Scope, id) })
		}
	}
}
