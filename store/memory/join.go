package memory

import (
	"cmp"
	"maps"
	"slices"
)

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
