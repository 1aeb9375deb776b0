package memory

import (
	"cmp"
	"slices"
)

// FactStatus is how the matter of a fact stands. It says nothing of who stands behind the fact.
type FactStatus string

// The statuses of a fact. A concluded action (completed) and a state that stopped (ceased) are opposite answers to whether
// something still is so.
const (
	StatusActive    FactStatus = "active"
	StatusCompleted FactStatus = "completed"
	StatusCeased    FactStatus = "ceased"
	StatusPlanned   FactStatus = "planned"
	StatusAbandoned FactStatus = "abandoned"
	StatusRecurring FactStatus = "recurring"
)

// Statuses lists all statuses. Of two sightings of one fact, the later one in this list counts.
var Statuses = []FactStatus{StatusPlanned, StatusActive, StatusRecurring, StatusCompleted, StatusCeased, StatusAbandoned}

// Fact is a statement with a time in which it holds: a preference or an instruction of the person, a property of a thing.
type Fact struct {
	ID      string     `json:"id"`
	Subject string     `json:"subject"` // an entity's id, or a name: "person" for the person
	Verb    string     `json:"verb"`
	Object  string     `json:"object"`
	Status  FactStatus `json:"status"`
	// ValidFrom is the first second in which the fact holds, ValidUntil the first in which it no longer does. Null is not
	// known: nobody named a beginning, or an end.
	ValidFrom    *int64     `json:"valid_from"`
	ValidUntil   *int64     `json:"valid_until"`
	Links        []Link     `json:"links"`
	Author       string     `json:"author"` // who stated it: "person", an agent's or a tool's name
	Provenance   Provenance `json:"provenance"`
	Scope        Scope      `json:"scope"`
	Trust        Trust      `json:"trust"`
	SupersededBy Ref        `json:"superseded_by"`
	Extra        Extra      `json:"-"`
}

// Link leads from a fact to another record or an entity.
type Link struct {
	Type string `json:"type"` // about, supersedes, contradicts, supports, part-of
	To   string `json:"to"`   // a record's or an entity's id
}

// The verbs of what the person wants. Facts with them are preferences and standing instructions.
const (
	VerbPrefers   = "prefers"
	VerbInstructs = "instructs"
)

// SubjectPerson is the subject of what the person wants, likes and is.
const SubjectPerson = "person"

// Wish reports whether the fact is a preference or an instruction of the person.
func (f *Fact) Wish() bool { return f.Verb == VerbPrefers || f.Verb == VerbInstructs }

// HoldsAt reports whether the fact is served at a time: its window is open and what it tells of has not ended. A fact whose
// window opens later, or has closed, is kept and not served.
func (f *Fact) HoldsAt(at int64) bool {
	if f.ValidFrom != nil && at < *f.ValidFrom || f.ValidUntil != nil && at >= *f.ValidUntil {
		return false
	}
	switch f.Status {
	case StatusCeased, StatusAbandoned:
		return f.ValidUntil != nil // its end is the window's end, and lies behind
	case StatusPlanned:
		return f.ValidFrom != nil // what was planned for then
	}
	return true
}

// Begins is the earliest second of which the fact tells: its window's beginning, else the time at which it was stated; nil
// where neither is known.
func (f *Fact) Begins() *int64 {
	if f.ValidFrom != nil {
		return f.ValidFrom
	}
	return f.Provenance.EventTime
}

// overlaps reports whether there may be a second in which both facts hold.
func (f *Fact) overlaps(g *Fact) bool {
	before := func(a, b *int64) bool { return a != nil && b != nil && *a <= *b }
	return !before(f.ValidUntil, g.ValidFrom) && !before(g.ValidUntil, f.ValidFrom)
}

// FactClaim is the claim key of a fact: who or what, verb, and the words of the object, whatever their case, order and
// number. The window is no part of it.
func FactClaim(f *Fact) ClaimKey {
	return claim(string(f.Scope), "fact", fold(f.Subject), fold(f.Verb), claimObject(f.Object))
}

// FactID derives a fact's id from its claim key and the beginning of its window: what held twice is two facts.
func FactID(key ClaimKey, from *int64) string {
	begin := ""
	if from != nil {
		begin = formatInt(*from)
	}
	return "fa_" + digest(12, "fact", string(key), begin)
}

type plainFact Fact

var factFields = fieldNames(Fact{})

// MarshalJSON writes the known fields in their order, then the unknown ones.
func (f Fact) MarshalJSON() ([]byte, error) {
	if f.Links == nil {
		f.Links = []Link{}
	}
	f.Provenance.NodeIDs = orEmpty(f.Provenance.NodeIDs)
	return encodeWith(plainFact(f), f.Extra)
}

// UnmarshalJSON keeps unknown fields in Extra.
func (f *Fact) UnmarshalJSON(b []byte) (err error) {
	f.Extra, err = decodeWith(b, (*plainFact)(f), factFields)
	return err
}

// joinFacts merges b into a: two sightings of one fact.
func joinFacts(a, b *Fact) {
	if later := slices.Index(Statuses, b.Status); later > slices.Index(Statuses, a.Status) {
		a.Status = b.Status
	}
	if a.ValidUntil == nil || b.ValidUntil != nil && *b.ValidUntil < *a.ValidUntil {
		a.ValidUntil = b.ValidUntil
	}
	if c := b.Provenance.Compare(a.Provenance); cmp.Or(c, cmp.Compare(b.Object, a.Object), cmp.Compare(b.Author, a.Author)) < 0 {
		a.Object, a.Author = b.Object, b.Author
	}
	a.Provenance = joinProvenance(a.Provenance, b.Provenance)
	a.Trust = Stronger(a.Trust, b.Trust)
	links := append(slices.Clone(a.Links), b.Links...)
	slices.SortFunc(links, func(x, y Link) int { return cmp.Or(cmp.Compare(x.Type, y.Type), cmp.Compare(x.To, y.To)) })
	a.Links = slices.Compact(links)
	a.SupersededBy = max(a.SupersededBy, b.SupersededBy)
	a.Extra = joinExtra(a.Extra, b.Extra)
}
