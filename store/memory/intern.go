package memory

import "slices"

// names holds each of the strings that many records have in common once.
type names map[string]string

func (n names) of(s string) string {
	if have, ok := n[s]; ok {
		return have
	}
	n[s] = s
	return s
}

// list shares the strings of a list and gives it no more room than it needs.
func (n names) list(s []string) []string {
	out := tight(s)
	for i := range out {
		out[i] = n.of(out[i])
	}
	return out
}

func tight(s []string) []string {
	if len(s) == cap(s) {
		return s
	}
	return append(make([]string, 0, len(s)), s...)
}

func (n names) provenance(p *Provenance) {
	p.ProjectID, p.SessionID, p.NodeIDs = n.of(p.ProjectID), n.of(p.SessionID), tight(p.NodeIDs)
}

// share makes a record that was just read take as little memory as it can: there may be hundreds of thousands.
func (n names) share(r Record) {
	if p := r.Origin(); p != nil {
		n.provenance(p)
	}
	scope := func(s *Scope) { *s = Scope(n.of(string(*s))) }
	switch r := r.(type) {
	case *Event:
		scope(&r.Scope)
		r.Kind, r.Trust, r.Entities = Kind(n.of(string(r.Kind))), Trust(n.of(string(r.Trust))), n.list(r.Entities)
	case *Entity:
		scope(&r.Scope)
		r.ID, r.Type, r.Aliases = n.of(r.ID), n.of(r.Type), tight(r.Aliases)
	case *Edge:
		scope(&r.Scope)
		r.From, r.To, r.Relation = n.of(r.From), n.of(r.To), n.of(r.Relation)
		if at := r.Provenance.EventTime; at != nil && r.EventTime != nil && *at == *r.EventTime {
			r.EventTime = at
		}
	case *Fact:
		scope(&r.Scope)
		r.Subject, r.Verb, r.Author = n.of(r.Subject), n.of(r.Verb), n.of(r.Author)
		r.Status, r.Trust = FactStatus(n.of(string(r.Status))), Trust(n.of(string(r.Trust)))
	case *Segment:
		scope(&r.Scope)
		r.Tags, r.PrimaryTag, r.MadeBy, r.Full.SessionID = n.list(r.Tags), n.of(r.PrimaryTag), n.of(r.MadeBy), n.of(r.Full.SessionID)
		for i := range r.LogTurns {
			t := &r.LogTurns[i]
			t.Tags, t.Said, t.Records = n.list(t.Tags), n.list(t.Said), tight(t.Records)
		}
		r.LogTurns = slices.Clip(r.LogTurns)
		r.setAside()
	case *Tag:
		scope(&r.Scope)
		r.ID = n.of(r.ID)
	case *TagAlias:
		scope(&r.Scope)
		r.Tags = n.list(r.Tags)
	case *TagSummary:
		scope(&r.Scope)
		r.Tag, r.MadeBy = n.of(r.Tag), n.of(r.MadeBy)
		for i := range r.Covers {
			r.Covers[i].SessionID = n.of(r.Covers[i].SessionID)
		}
		r.Covers = slices.Clip(r.Covers)
		r.from, r.From = tight(r.From), nil
	}
}
