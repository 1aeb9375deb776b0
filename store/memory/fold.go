package memory

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// State is what all decisions of all machines add up to. It is the same for every order in which the decisions arrived.
type State struct {
	Events   map[string]*Event // by id
	Entities map[Key]*Entity   // by scope and id
	Edges    map[string]*Edge  // by id
	Refused  map[ClaimKey]bool // claims that a decision in force refuses
	Gone     map[ClaimKey]bool // claims that a decision in force forgets
	Undone   map[string]bool   // ids of decisions that are not in force
	Problems []string          // decisions whose record could not be read; the rest goes on
}

// Key finds an entity: its id is unique within its scope.
type Key struct {
	Scope Scope
	ID    string
}

// Fold adds up decisions. It sorts a copy by (lamport, machine, id); the given slice is not changed.
func Fold(decisions []Decision) *State {
	ds := slices.Clone(decisions)
	slices.SortFunc(ds, CompareDecisions)
	s := &State{
		Events: map[string]*Event{}, Entities: map[Key]*Entity{}, Edges: map[string]*Edge{},
		Refused: map[ClaimKey]bool{}, Gone: map[ClaimKey]bool{},
		Undone: undone(ds),
	}
	for i := range ds {
		s.Apply(&ds[i])
	}
	return s
}

// CompareDecisions is the order of the fold. No wall clock takes part in it.
func CompareDecisions(a, b Decision) int {
	return cmp.Or(cmp.Compare(a.Lamport, b.Lamport), cmp.Compare(a.Machine, b.Machine), cmp.Compare(a.ID, b.ID))
}

// undone walks from the newest decision back, so that an undo that was itself undone has no effect.
func undone(ds []Decision) map[string]bool {
	out := map[string]bool{}
	for _, d := range slices.Backward(ds) {
		if d.Action == ActionUndo && d.Accepted && d.Undoes != "" && !out[d.ID] {
			out[string(d.Undoes)] = true
		}
	}
	return out
}

// Apply adds one decision, which must come after all applied ones in the order of CompareDecisions. An undo has an effect
// only through Fold, since it reaches back.
func (s *State) Apply(d *Decision) {
	if s.Undone[d.ID] {
		return
	}
	key := d.Proposal.ClaimKey
	if !d.Accepted {
		if d.Action == ActionAdd && key != "" {
			s.Refused[key] = true
		}
		return
	}
	switch d.Action {
	case ActionAdd, ActionEdit:
		if err := s.put(d); err != nil {
			s.Problems = append(s.Problems, fmt.Sprintf("decision %s: %v", d.ID, err))
		}
		if d.Action == ActionAdd {
			delete(s.Refused, key)
		}
	case ActionSupersede:
		s.supersede(d)
	case ActionForget:
		s.Gone[key] = true
	}
}

// put reads a decision's record and joins it with what is there.
func (s *State) put(d *Decision) error {
	raw := d.After
	if isNull(raw) {
		raw = d.Proposal.Record
	}
	replace := d.Action == ActionEdit
	switch d.Proposal.Kind {
	case RecordEvent:
		return putRecord(raw, replace, s.Events, func(e *Event) string { return e.ID }, joinEvents)
	case RecordEntity:
		return putRecord(raw, replace, s.Entities, func(e *Entity) Key { return Key{e.Scope, e.ID} }, joinEntities)
	case RecordEdge:
		return putRecord(raw, replace, s.Edges, func(e *Edge) string { return e.ID }, joinEdges)
	}
	return nil // a kind of a newer version: kept in the log, unknown here
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func putRecord[K comparable, T any](raw json.RawMessage, replace bool, into map[K]*T, key func(*T) K, join func(a, b *T)) error {
	rec := new(T)
	if err := json.Unmarshal(raw, rec); err != nil {
		return fmt.Errorf("read record: %w", err)
	}
	k := key(rec)
	if old, ok := into[k]; ok && !replace {
		join(old, rec)
		return nil
	}
	into[k] = rec
	return nil
}

// joinEvents merges b into a: two proposals of one event differ at most in where they were seen first and by whom.
func joinEvents(a, b *Event) {
	a.Provenance = joinProvenance(a.Provenance, b.Provenance)
	a.Summary = max(a.Summary, b.Summary)
	a.Trust = Stronger(a.Trust, b.Trust)
	a.Entities = union(a.Entities, b.Entities)
	a.SupersededBy = max(a.SupersededBy, b.SupersededBy)
	a.Extra = joinExtra(a.Extra, b.Extra)
}

// joinEntities merges b into a. The name is that of the earlier sighting, every other name becomes an alias; of two values
// of an attribute the greater one stays, so that no order of arrival matters.
func joinEntities(a, b *Entity) {
	first, later := a, b
	if cmp.Or(b.Provenance.Compare(a.Provenance), cmp.Compare(b.Name, a.Name)) < 0 {
		first, later = b, a
	}
	attrs := map[string]string{}
	maps.Copy(attrs, first.Attrs)
	for k, v := range later.Attrs {
		attrs[k] = max(attrs[k], v)
	}
	name := first.Name
	aliases := union(append(slices.Clone(a.Aliases), b.Aliases...), []string{later.Name})
	a.Aliases = slices.DeleteFunc(aliases, func(s string) bool { return s == name })
	a.Provenance = joinProvenance(a.Provenance, b.Provenance)
	a.Name, a.Attrs = name, attrs
	a.SupersededBy = max(a.SupersededBy, b.SupersededBy)
	a.Extra = joinExtra(a.Extra, b.Extra)
}

// joinEdges merges b into a.
func joinEdges(a, b *Edge) {
	a.Provenance = joinProvenance(a.Provenance, b.Provenance)
	a.EventTime, a.IngestionTime = a.Provenance.EventTime, a.Provenance.IngestionTime
	a.Confidence = max(a.Confidence, b.Confidence)
	a.SupersededBy = max(a.SupersededBy, b.SupersededBy)
	a.Extra = joinExtra(a.Extra, b.Extra)
}

// joinProvenance keeps the earlier sighting, with the earlier of two equal sightings' ingestion times.
func joinProvenance(a, b Provenance) Provenance {
	c := a.Compare(b)
	if c == 0 {
		a.IngestionTime = min(a.IngestionTime, b.IngestionTime)
		if a.Commit == nil || b.Commit != nil && *b.Commit < *a.Commit {
			a.Commit = b.Commit
		}
		return a
	}
	if c > 0 {
		return b
	}
	return a
}

func joinExtra(a, b Extra) Extra {
	if len(b) == 0 {
		return a
	}
	out := Extra{}
	maps.Copy(out, a)
	for k, v := range b {
		if old, ok := out[k]; !ok || string(v) > string(old) {
			out[k] = v
		}
	}
	return out
}

func union(a, b []string) []string {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

// supersede marks the record that a decision replaces. It never removes it.
func (s *State) supersede(d *Decision) {
	by := Ref(d.Proposal.By)
	switch d.Proposal.Kind {
	case RecordEvent:
		if e := s.Events[d.Proposal.RecordID]; e != nil {
			e.SupersededBy = by
		}
	case RecordEntity:
		if e := s.Entities[Key{d.Proposal.Scope, d.Proposal.RecordID}]; e != nil {
			e.SupersededBy = by
		}
	case RecordEdge:
		if e := s.Edges[d.Proposal.RecordID]; e != nil {
			e.SupersededBy = by
		}
	}
}
