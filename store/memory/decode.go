package memory

import "encoding/json"

// The names of the members that are read here, in the order of their bits.
var (
	provenanceNames = []string{"project_id", "session_id", "node_ids", "commit", "event_time", "ingestion_time"}
	eventNames      = []string{"id", "summary", "kind", "provenance", "entities", "scope", "trust", "superseded_by"}
	entityNames     = []string{"id", "type", "name", "aliases", "attrs", "scope", "provenance", "superseded_by"}
	edgeNames       = []string{"id", "from", "to", "relation", "event_time", "ingestion_time", "provenance", "confidence", "scope", "superseded_by"}
	proposalNames   = []string{"kind", "claim_key", "record_id", "scope", "record", "by", "parts", "candidate", "contests"}
	decisionNames   = []string{"id", "action", "accepted", "reason", "policy_version", "proposal", "before", "after", "by", "observed_at",
		"event_date", "lamport", "machine", "undoes", "prev_hash"}
)

func (s *scan) provenance(p *Provenance) bool { return s.provenanceIn(p, nil, nil) }

// provenanceIn reads a provenance; at and node are room for its time and its nodes.
func (s *scan) provenanceIn(p *Provenance, at *int64, node []string) bool {
	var seen uint32
	return s.object(func(name string) bool {
		switch name {
		case "project_id":
			return once(&seen, 0) && s.shared(&p.ProjectID)
		case "session_id":
			return once(&seen, 1) && s.shared(&p.SessionID)
		case "node_ids":
			return once(&seen, 2) && s.list(&p.NodeIDs, node, s.kept)
		case "commit":
			if !once(&seen, 3) {
				return false
			}
			if s.null() {
				p.Commit = nil
				return true
			}
			p.Commit = new(string)
			return s.text(p.Commit)
		case "event_time":
			return once(&seen, 4) && s.optionalIn(&p.EventTime, at)
		case "ingestion_time":
			return once(&seen, 5) && s.whole(&p.IngestionTime)
		}
		return false
	})
}

// scanEvent reads an event that has no unknown members; false where it has any or is read otherwise.
func scanEvent(raw []byte, e *Event) bool {
	s := scan{b: raw}
	return s.event(e, nil, nil)
}

// event is scanEvent; at and node are room for its time and its nodes.
func (s *scan) event(e *Event, at *int64, node []string) bool {
	out, seen := *e, uint32(0)
	out.Extra = nil
	if !s.object(func(name string) bool {
		switch name {
		case "id":
			return once(&seen, 0) && s.kept(&out.ID)
		case "summary":
			return once(&seen, 1) && s.kept(&out.Summary)
		case "kind":
			return once(&seen, 2) && s.text((*string)(&out.Kind))
		case "provenance":
			return once(&seen, 3) && s.provenanceIn(&out.Provenance, at, node)
		case "entities":
			return once(&seen, 4) && s.list(&out.Entities, nil, s.shared)
		case "scope":
			return once(&seen, 5) && s.shared((*string)(&out.Scope))
		case "trust":
			return once(&seen, 6) && s.text((*string)(&out.Trust))
		case "superseded_by":
			return once(&seen, 7) && s.ref(&out.SupersededBy)
		}
		return false
	}) || !s.end() {
		return false
	}
	*e = out
	return true
}

// scanEntity is scanEvent for an entity.
func scanEntity(raw []byte, e *Entity) bool {
	s := scan{b: raw}
	return s.entity(e)
}

func (s *scan) entity(e *Entity) bool {
	out, seen := *e, uint32(0)
	out.Extra = nil
	if !s.object(func(name string) bool {
		switch name {
		case "id":
			return once(&seen, 0) && s.shared(&out.ID)
		case "type":
			return once(&seen, 1) && s.shared(&out.Type)
		case "name":
			return once(&seen, 2) && s.text(&out.Name)
		case "aliases":
			return once(&seen, 3) && s.texts(&out.Aliases)
		case "attrs":
			return once(&seen, 4) && s.attrs(&out.Attrs)
		case "scope":
			return once(&seen, 5) && s.shared((*string)(&out.Scope))
		case "provenance":
			return once(&seen, 6) && s.provenance(&out.Provenance)
		case "superseded_by":
			return once(&seen, 7) && s.ref(&out.SupersededBy)
		}
		return false
	}) || !s.end() {
		return false
	}
	*e = out
	return true
}

// attrs reads an object of strings into a map that has none yet.
func (s *scan) attrs(to *map[string]string) bool {
	if *to != nil || !s.eat('{') {
		return false
	}
	out := map[string]string{}
	*to = out
	if s.eat('}') {
		return true
	}
	for {
		var name, val string
		if !s.text(&name) || !s.eat(':') || !s.text(&val) {
			return false
		}
		out[name] = val
		if !s.eat(',') {
			return s.eat('}')
		}
	}
}

// scanEdge is scanEvent for an edge.
func scanEdge(raw []byte, e *Edge) bool {
	s := scan{b: raw}
	return s.edge(e)
}

func (s *scan) edge(e *Edge) bool {
	out, seen := *e, uint32(0)
	out.Extra = nil
	if !s.object(func(name string) bool {
		switch name {
		case "id":
			return once(&seen, 0) && s.kept(&out.ID)
		case "from":
			return once(&seen, 1) && s.shared(&out.From)
		case "to":
			return once(&seen, 2) && s.shared(&out.To)
		case "relation":
			return once(&seen, 3) && s.shared(&out.Relation)
		case "event_time":
			return once(&seen, 4) && s.optional(&out.EventTime)
		case "ingestion_time":
			return once(&seen, 5) && s.whole(&out.IngestionTime)
		case "provenance":
			return once(&seen, 6) && s.provenance(&out.Provenance)
		case "confidence":
			return once(&seen, 7) && s.real(&out.Confidence)
		case "scope":
			return once(&seen, 8) && s.shared((*string)(&out.Scope))
		case "superseded_by":
			return once(&seen, 9) && s.ref(&out.SupersededBy)
		}
		return false
	}) || !s.end() {
		return false
	}
	*e = out
	return true
}

func (s *scan) proposal(p *Proposal) bool {
	var seen uint32
	return s.object(func(name string) bool {
		switch name {
		case "kind":
			return once(&seen, 0) && s.text((*string)(&p.Kind))
		case "claim_key":
			return once(&seen, 1) && s.text((*string)(&p.ClaimKey))
		case "record_id":
			return once(&seen, 2) && s.text(&p.RecordID)
		case "scope":
			return once(&seen, 3) && s.again(&s.lines.last[lastScope], (*string)(&p.Scope))
		case "record":
			return once(&seen, 4) && s.raw((*[]byte)(&p.Record))
		case "by":
			return once(&seen, 5) && s.text(&p.By)
		case "parts":
			return once(&seen, 6) && s.texts(&p.Parts)
		case "candidate":
			return once(&seen, 7) && s.truth(&p.Candidate)
		case "contests":
			return once(&seen, 8) && s.texts(&p.Contests)
		}
		return false
	})
}

// Lines reads the lines of a log. Texts that a line has in common with the one before it are made once. The zero value is ready to use.
type Lines struct{ last [4]string }

// The texts that a line has in common with the one before it.
const (
	lastReason = iota
	lastPolicy
	lastScope
	lastMachine
)

// again reads a string, in the place of which the line before had last.
func (s *scan) again(last, to *string) bool {
	ok := s.textAs(to, func(raw []byte) string {
		if string(raw) == *last {
			return *last
		}
		return known(raw)
	})
	*last = *to
	return ok
}

// DecodeLine reads a line of a log as a decision. d is what encoding/json makes of it, and so is err; typ is its type, which may be another
// one than that of decisions.
func DecodeLine(raw []byte) (typ string, d Decision, err error) { return new(Lines).Decode(raw) }

// Decode is DecodeLine.
func (l *Lines) Decode(raw []byte) (typ string, d Decision, err error) {
	if s := (scan{b: raw, lines: l}); s.line(&typ, &d) && s.end() {
		return typ, d, nil
	}
	return decodeSlowly(raw)
}

func decodeSlowly(raw []byte) (typ string, d Decision, err error) {
	var l struct {
		Type string `json:"type"`
		Decision
		// What the log adds, which must be of its types.
		Salt   string `json:"salt"`
		Digest string `json:"digest"`
		Claim  string `json:"claim"`
	}
	err = json.Unmarshal(raw, &l)
	return l.Type, l.Decision, err
}

func (s *scan) line(typ *string, d *Decision) bool {
	var seen uint32
	return s.object(func(name string) bool {
		switch name {
		case "id":
			return once(&seen, 0) && s.text(&d.ID)
		case "action":
			return once(&seen, 1) && s.text((*string)(&d.Action))
		case "accepted":
			return once(&seen, 2) && s.truth(&d.Accepted)
		case "reason":
			return once(&seen, 3) && s.again(&s.lines.last[lastReason], &d.Reason)
		case "policy_version":
			return once(&seen, 4) && s.again(&s.lines.last[lastPolicy], &d.PolicyVersion)
		case "proposal":
			return once(&seen, 5) && s.proposal(&d.Proposal)
		case "before":
			return once(&seen, 6) && s.raw((*[]byte)(&d.Before))
		case "after":
			return once(&seen, 7) && s.raw((*[]byte)(&d.After))
		case "by":
			return once(&seen, 8) && s.text(&d.By)
		case "observed_at":
			return once(&seen, 9) && s.whole(&d.ObservedAt)
		case "event_date":
			return once(&seen, 10) && s.optional(&d.EventDate)
		case "lamport":
			return once(&seen, 11) && s.natural(&d.Lamport)
		case "machine":
			return once(&seen, 12) && s.again(&s.lines.last[lastMachine], &d.Machine)
		case "undoes":
			return once(&seen, 13) && s.ref(&d.Undoes)
		case "prev_hash":
			return once(&seen, 14) && s.text(&d.PrevHash)
		case "type":
			return once(&seen, 15) && s.text(typ)
		case "salt":
			return once(&seen, 16) && s.passText()
		case "digest":
			return once(&seen, 17) && s.passText()
		case "claim":
			return once(&seen, 18) && s.passText()
		}
		return false
	})
}

// onlyKnown reports whether an object has members with these names alone, each once at most.
func onlyKnown(raw []byte, names map[string]bool) bool {
	s := scan{b: raw}
	var seen [32]string
	n := 0
	return s.object(func(name string) bool {
		if !names[name] || n == len(seen) {
			return false
		}
		for _, had := range seen[:n] {
			if had == name {
				return false
			}
		}
		seen[n] = name
		n++
		return s.skip(0)
	}) && s.end()
}

// decodeRecord is json.Unmarshal, which would look over the whole of a record first that is then read anew.
func decodeRecord(raw []byte, rec any) error { return decodeKept(raw, rec, nil, false) }

// decodeKept is decodeRecord that keeps texts in names. own says that the record is the first of its id, so that those which are its alone are
// likely to stay.
func decodeKept(raw []byte, rec any, n *names, own bool) error {
	s := scan{b: raw, names: n, own: own}
	read := false
	switch r := rec.(type) {
	case *eventRoom:
		if read = s.event(&r.Event, &r.at, r.node[:0]); !read {
			return json.Unmarshal(raw, &r.Event)
		}
	case *Event:
		read = s.event(r, nil, nil)
	case *Entity:
		read = s.entity(r)
	case *Edge:
		read = s.edge(r)
	}
	if read {
		return nil
	}
	return json.Unmarshal(raw, rec)
}
