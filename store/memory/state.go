package memory

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
)

// State is what all decisions of all machines add up to. It is the same for every order in which the decisions arrived.
// Records whose claim is refused, forgotten or erased are not in it.
type State struct {
	Events       map[string]*Event // by id
	Entities     map[Key]*Entity   // by scope and id
	Edges        map[string]*Edge  // by id
	Facts        map[string]*Fact
	Segments     map[string]*Segment
	Tags         map[Key]*Tag
	TagAliases   map[string]*TagAlias
	TagSummaries map[string]*TagSummary
	Others       map[RecordRef]json.RawMessage // records of kinds that this version does not know

	Bars   map[ClaimKey]Bar // claims that a decision in force refuses or forgets
	Erased map[string]Bar   // hashes of claims whose text was erased
	Undone map[string]bool  // ids of decisions that are not in force
	Pinned map[RecordRef]string
	// Candidates are the records that were added without being settled; Suggestions the supersedes, merges and splits that
	// wait for the person, by what they suggest; Declined those that were refused. The values are ids of decisions.
	Candidates  map[RecordRef]Candidate
	Suggestions map[Suggestion]string
	Declined    map[Suggestion]string
	Confirmed   map[RecordRef]string // records that the person accepted or edited
	Problems    []string             // decisions whose record could not be read; the rest goes on

	claims    map[RecordRef]ClaimKey // as they were proposed, where the record tells another one
	edited    map[RecordRef]bool     // by the person
	unadded   map[RecordRef]bool     // edited before anything added them
	replaced  map[RecordRef]replacement
	merged    map[RecordRef]replacement
	split     map[RecordRef][]string
	contested map[RecordRef]Candidate // facts
	near      nearIndex
	names     *names
	moves     map[RecordRef]moved
	placed    map[RecordRef]placed
	live      Live
	withheld  map[string][]string
	earned    map[Key]EarnedTag
	settled   []func() // take back what Settle changed in records
}

// Key finds an entity or a tag: its id is unique within its scope.
type Key struct {
	Scope Scope
	ID    string
}

// Candidate says why a record is not settled.
type Candidate struct {
	Decision string
	Reason   string
	Contests []string // ids of the records that it contradicts
}

// replacement is what takes a record's place, and the decision that says so.
type replacement struct{ by, decision string }

// Suggestion is what a supersede, a merge or a split suggests: the same suggestion is made and declined once.
type Suggestion struct {
	Action Action
	Record RecordRef
	Other  string // id of the other record; of a split, its parts
}

// Suggested is what a decision to supersede, merge or split suggests.
func Suggested(d *Decision) Suggestion {
	other := d.Proposal.By
	if d.Action == ActionSplit {
		other = string(claim(slices.Sorted(slices.Values(d.Proposal.Parts))...))
	}
	return Suggestion{d.Action, d.Proposal.Target(), other}
}

func newState() *State {
	return &State{
		Events: map[string]*Event{}, Entities: map[Key]*Entity{}, Edges: map[string]*Edge{}, Facts: map[string]*Fact{},
		Segments: map[string]*Segment{}, Tags: map[Key]*Tag{}, TagAliases: map[string]*TagAlias{}, TagSummaries: map[string]*TagSummary{},
		Others: map[RecordRef]json.RawMessage{}, Bars: map[ClaimKey]Bar{}, Erased: map[string]Bar{}, Undone: map[string]bool{},
		Pinned: map[RecordRef]string{}, Candidates: map[RecordRef]Candidate{}, Suggestions: map[Suggestion]string{},
		Declined: map[Suggestion]string{}, Confirmed: map[RecordRef]string{}, claims: map[RecordRef]ClaimKey{},
		edited: map[RecordRef]bool{}, unadded: map[RecordRef]bool{}, names: newNames(), replaced: map[RecordRef]replacement{},
		merged: map[RecordRef]replacement{}, split: map[RecordRef][]string{}, contested: map[RecordRef]Candidate{},
		moves: map[RecordRef]moved{}, placed: map[RecordRef]placed{},
	}
}

// Record finds a record; nil where there is none of this kind, scope and id.
func (s *State) Record(ref RecordRef) Record {
	key := Key{ref.Scope, ref.ID}
	switch ref.Kind {
	case RecordEvent:
		return found(s.Events, ref.ID)
	case RecordEntity:
		return found(s.Entities, key)
	case RecordEdge:
		return found(s.Edges, ref.ID)
	case RecordFact:
		return found(s.Facts, ref.ID)
	case RecordSegment:
		return found(s.Segments, ref.ID)
	case RecordTag:
		return found(s.Tags, key)
	case RecordTagAlias:
		return found(s.TagAliases, ref.ID)
	case RecordTagSummary:
		return found(s.TagSummaries, ref.ID)
	}
	return nil
}

func found[K comparable, T any, R interface {
	*T
	Record
}](m map[K]*T, k K) Record {
	if v := m[k]; v != nil {
		return R(v)
	}
	return nil
}

// Records yields every record, in no order.
func (s *State) Records() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		_ = each(s.Events, yield) && each(s.Entities, yield) && each(s.Edges, yield) && each(s.Facts, yield) &&
			each(s.Segments, yield) && each(s.Tags, yield) && each(s.TagAliases, yield) && each(s.TagSummaries, yield)
	}
}

func each[K comparable, T any, R interface {
	*T
	Record
}](m map[K]*T, yield func(Record) bool) bool {
	for v := range maps.Values(m) {
		if !yield(R(v)) {
			return false
		}
	}
	return true
}

// ClaimOf is the claim key under which a record was proposed. It stays when the person edits the record, so that a
// refusal or a forget holds for what was proposed, too.
func (s *State) ClaimOf(r Record) ClaimKey {
	if key := s.claims[r.Ref()]; key != "" {
		return key
	}
	if p, ok := s.placed[r.Ref()]; ok {
		return p.claim
	}
	return r.Claim()
}

// IsCandidate reports whether a record is not settled, and why: it was added as a candidate, or only free text of a tool or a
// page says it. Candidates are shown in review and search, and enter no core.md.
func (s *State) IsCandidate(r Record) (why Candidate, ok bool) {
	ref := r.Ref()
	if s.Confirmed[ref] != "" {
		return Candidate{}, false
	}
	if c, ok := s.Candidates[ref]; ok {
		return c, true
	}
	if c, ok := s.contested[ref]; ok {
		return c, true
	}
	if t := trustOf(r); t != "" && t.Rank() >= TrustQuoted.Rank() {
		return Candidate{Reason: "only a tool or a page says it"}, true
	}
	return Candidate{}, false
}

// trustOf is a record's trust; empty for kinds that have none.
func trustOf(r Record) Trust {
	switch r := r.(type) {
	case *Event:
		return r.Trust
	case *Fact:
		return r.Trust
	}
	return ""
}
