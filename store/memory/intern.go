package memory

import (
	"slices"
	"strings"
)

// names keeps the texts of records in little room and in few pieces, since the garbage collector looks at each: those that many records have in
// common once, and those of one record alone behind those of another.
type names struct {
	shared map[string]string
	own    strings.Builder // never grows beyond its room: what was given out lies in it
	events []eventRoom     // not given out yet
	room   int64           // bytes of all pieces
}

// Sizes of the pieces: ownRoom in bytes, eventsRoom in events.
const (
	ownRoom    = 32 << 10
	eventsRoom = 32
	eventBytes = 240 // of an eventRoom
)

// eventRoom is an event with what nearly every one points to.
type eventRoom struct {
	Event
	at   int64
	node [1]string
}

func newNames() *names { return &names{shared: map[string]string{}} }

// Resident is about how many bytes of memory the state takes: what its records lie in, and a guess at what they are found by.
func (s *State) Resident() int64 {
	const (
		found   = 60   // in a map
		record  = 600  // of another kind than an event
		segment = 2000 // has turns
	)
	others := len(s.Entities) + len(s.Edges) + len(s.Facts) + len(s.Tags) + len(s.TagAliases) + len(s.TagSummaries) + len(s.Others)
	return s.names.room + found*int64(len(s.Events)+len(s.names.shared)) + record*int64(others) + segment*int64(len(s.Segments))
}

// event gives an event to be filled in.
func (n *names) event() *eventRoom {
	if len(n.events) == 0 {
		n.events = make([]eventRoom, eventsRoom)
		n.room += eventsRoom * eventBytes
	}
	e := &n.events[0]
	n.events = n.events[1:]
	return e
}

// keep gives a text of one record.
func (n *names) keep(raw []byte) string {
	if len(raw) > ownRoom/8 {
		return string(raw)
	}
	if n.own.Cap()-n.own.Len() < len(raw) {
		n.own = strings.Builder{}
		n.own.Grow(ownRoom)
		n.room += ownRoom
	}
	from := n.own.Len()
	n.own.Write(raw)
	return n.own.String()[from:]
}

// read is of for a text that was just read.
func (n *names) read(raw []byte) string {
	if have, ok := n.shared[string(raw)]; ok {
		return have
	}
	return n.of(string(raw))
}

func (n *names) of(s string) string {
	if have, ok := n.shared[s]; ok {
		return have
	}
	n.shared[s] = s
	return s
}

// list shares the strings of a list and gives it no more room than it needs.
func (n *names) list(s []string) []string {
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

func (n *names) provenance(p *Provenance) {
	p.ProjectID, p.SessionID, p.NodeIDs = n.of(p.ProjectID), n.of(p.SessionID), tight(p.NodeIDs)
}

// share makes a record that was just read take as little memory as it can: there may be hundreds of thousands.
func (n *names) share(r Record) {
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
