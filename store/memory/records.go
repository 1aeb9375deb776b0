package memory

import (
	"encoding/json"
	"fmt"
)

// Record is a record of a kind that this version knows.
type Record interface {
	// Ref names the record among all records.
	Ref() RecordRef
	// InScope is who may be shown the record.
	InScope() Scope
	// Claim is what the record says, as it stands now. What a decision was about is told by its own claim key.
	Claim() ClaimKey
	// Origin is where the record comes from; nil for a segment, whose span says so.
	Origin() *Provenance
	// Text is the record in words: what a person reads in a list.
	Text() string
	// SupersededID is the id of the record that took its place; empty while it stands.
	SupersededID() string

	supersede(by Ref)
}

// RecordRef names a record. Scope is set where ids are unique within their scope only: entities and tags.
type RecordRef struct {
	Kind  RecordKind
	Scope Scope
	ID    string
}

// refOf is the reference of a record of a kind, in a scope.
func refOf(kind RecordKind, scope Scope, id string) RecordRef {
	if kind != RecordEntity && kind != RecordTag {
		scope = ""
	}
	return RecordRef{kind, scope, id}
}

// Target is the record that a proposal is about.
func (p *Proposal) Target() RecordRef { return refOf(p.Kind, p.Scope, p.RecordID) }

// DecodeRecord reads a record of a kind. It is nil, without an error, for a kind of a newer version.
func DecodeRecord(kind RecordKind, raw json.RawMessage) (Record, error) {
	rec := blank(kind)
	if rec == nil {
		return nil, nil
	}
	if err := json.Unmarshal(raw, rec); err != nil {
		return nil, fmt.Errorf("read %s: %w", kind, err)
	}
	return rec, nil
}

func blank(kind RecordKind) Record {
	switch kind {
	case RecordEvent:
		return &Event{}
	case RecordEntity:
		return &Entity{}
	case RecordEdge:
		return &Edge{}
	case RecordFact:
		return &Fact{}
	case RecordSegment:
		return &Segment{}
	case RecordTag:
		return &Tag{}
	case RecordTagAlias:
		return &TagAlias{}
	case RecordTagSummary:
		return &TagSummary{}
	}
	return nil
}

// Propose is the proposal to add a record, of which Guard has taken what must not be remembered.
func Propose(r Record) (Proposal, error) {
	guardRecord(r)
	raw, err := Encode(r)
	if err != nil {
		return Proposal{}, err
	}
	ref := r.Ref()
	return Proposal{Kind: ref.Kind, ClaimKey: r.Claim(), RecordID: ref.ID, Scope: r.InScope(), Record: raw}, nil
}

func (e *Event) Ref() RecordRef       { return refOf(RecordEvent, e.Scope, e.ID) }
func (e *Event) InScope() Scope       { return e.Scope }
func (e *Event) Claim() ClaimKey      { return EventClaim(e) }
func (e *Event) Origin() *Provenance  { return &e.Provenance }
func (e *Event) Text() string         { return e.Summary }
func (e *Event) SupersededID() string { return string(e.SupersededBy) }
func (e *Event) supersede(by Ref)     { e.SupersededBy = by }

func (e *Entity) Ref() RecordRef       { return refOf(RecordEntity, e.Scope, e.ID) }
func (e *Entity) InScope() Scope       { return e.Scope }
func (e *Entity) Claim() ClaimKey      { return EntityClaim(e) }
func (e *Entity) Origin() *Provenance  { return &e.Provenance }
func (e *Entity) Text() string         { return e.Name }
func (e *Entity) SupersededID() string { return string(e.SupersededBy) }
func (e *Entity) supersede(by Ref)     { e.SupersededBy = by }

func (e *Edge) Ref() RecordRef       { return refOf(RecordEdge, e.Scope, e.ID) }
func (e *Edge) InScope() Scope       { return e.Scope }
func (e *Edge) Claim() ClaimKey      { return EdgeClaim(e) }
func (e *Edge) Origin() *Provenance  { return &e.Provenance }
func (e *Edge) Text() string         { return e.From + " " + e.Relation + " " + e.To }
func (e *Edge) SupersededID() string { return string(e.SupersededBy) }
func (e *Edge) supersede(by Ref)     { e.SupersededBy = by }

func (f *Fact) Ref() RecordRef       { return refOf(RecordFact, f.Scope, f.ID) }
func (f *Fact) InScope() Scope       { return f.Scope }
func (f *Fact) Claim() ClaimKey      { return FactClaim(f) }
func (f *Fact) Origin() *Provenance  { return &f.Provenance }
func (f *Fact) Text() string         { return f.Subject + " " + f.Verb + " " + f.Object }
func (f *Fact) SupersededID() string { return string(f.SupersededBy) }
func (f *Fact) supersede(by Ref)     { f.SupersededBy = by }

func (s *Segment) Ref() RecordRef       { return refOf(RecordSegment, s.Scope, s.ID) }
func (s *Segment) InScope() Scope       { return s.Scope }
func (s *Segment) Claim() ClaimKey      { return SegmentClaim(s) }
func (s *Segment) Origin() *Provenance  { return nil }
func (s *Segment) Text() string         { return s.Summary }
func (s *Segment) SupersededID() string { return string(s.by) }
func (s *Segment) supersede(by Ref)     { s.by = by } // its shape has no place for it: it is not among those that are published

func (t *Tag) Ref() RecordRef       { return refOf(RecordTag, t.Scope, t.ID) }
func (t *Tag) InScope() Scope       { return t.Scope }
func (t *Tag) Claim() ClaimKey      { return TagClaim(t) }
func (t *Tag) Origin() *Provenance  { return &t.Provenance }
func (t *Tag) Text() string         { return t.Name }
func (t *Tag) SupersededID() string { return string(t.SupersededBy) }
func (t *Tag) supersede(by Ref)     { t.SupersededBy = by }

func (a *TagAlias) Ref() RecordRef       { return refOf(RecordTagAlias, a.Scope, a.ID) }
func (a *TagAlias) InScope() Scope       { return a.Scope }
func (a *TagAlias) Claim() ClaimKey      { return TagAliasClaim(a) }
func (a *TagAlias) Origin() *Provenance  { return &a.Provenance }
func (a *TagAlias) Text() string         { return a.Alias }
func (a *TagAlias) SupersededID() string { return string(a.SupersededBy) }
func (a *TagAlias) supersede(by Ref)     { a.SupersededBy = by }

func (t *TagSummary) Ref() RecordRef       { return refOf(RecordTagSummary, t.Scope, t.ID) }
func (t *TagSummary) InScope() Scope       { return t.Scope }
func (t *TagSummary) Claim() ClaimKey      { return TagSummaryClaim(t) }
func (t *TagSummary) Origin() *Provenance  { return &t.Provenance }
func (t *TagSummary) Text() string         { return t.Summary }
func (t *TagSummary) SupersededID() string { return string(t.SupersededBy) }
func (t *TagSummary) supersede(by Ref)     { t.SupersededBy = by }
