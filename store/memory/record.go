package memory

import (
	"cmp"
	"slices"
)

// Kind is what an event is.
type Kind string

// The kinds of an event.
const (
	KindWork     Kind = "work"     // something accomplished
	KindDecision Kind = "decision" // a choice with its reason, or a ruling of the person
	KindLearning Kind = "learning" // a fact that was found out
	KindEvent    Kind = "event"    // something that happened and is worth its date
)

// Trust is who stands behind a record: the strongest speaker who states its whole claim.
type Trust string

// The levels of trust, strongest first.
const (
	TrustPerson   Trust = "person"   // the person said it
	TrustObserved Trust = "observed" // the structure of a tool call shows it: path, exit code, commit, test counts
	TrustAgent    Trust = "agent"    // the agent said it
	TrustQuoted   Trust = "quoted"   // free text of a tool or a page says it
)

// Rank orders trust: 0 is the strongest. An unknown value ranks below quoted.
func (t Trust) Rank() int {
	i := slices.Index([]Trust{TrustPerson, TrustObserved, TrustAgent, TrustQuoted}, t)
	if i < 0 {
		return 4
	}
	return i
}

// Stronger returns the stronger of two levels.
func Stronger(a, b Trust) Trust {
	if b.Rank() < a.Rank() {
		return b
	}
	return a
}

// Provenance points from a record to where it comes from.
type Provenance struct {
	ProjectID string   `json:"project_id"`
	SessionID string   `json:"session_id"`
	NodeIDs   []string `json:"node_ids"`
	// Commit is the commit of the project that the record is about; nil where there is none.
	Commit        *string `json:"commit"`
	EventTime     *int64  `json:"event_time"`
	IngestionTime int64   `json:"ingestion_time"`
}

// Compare orders provenances by content alone: known event time first and earliest, then session, then nodes. Ingestion
// time does not count.
func (p Provenance) Compare(q Provenance) int {
	return cmp.Or(
		compareTime(p.EventTime, q.EventTime),
		cmp.Compare(p.SessionID, q.SessionID),
		slices.Compare(p.NodeIDs, q.NodeIDs),
		cmp.Compare(p.ProjectID, q.ProjectID),
	)
}

// compareTime puts known times before unknown ones, and early before late.
func compareTime(a, b *int64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(*a, *b)
}

// Event is one line of the timeline.
type Event struct {
	ID           string     `json:"id"`
	Summary      string     `json:"summary"`
	Kind         Kind       `json:"kind"`
	Provenance   Provenance `json:"provenance"`
	Entities     []string   `json:"entities"`
	Scope        Scope      `json:"scope"`
	Trust        Trust      `json:"trust"`
	SupersededBy Ref        `json:"superseded_by"`
	Extra        Extra      `json:"-"`
}

// Entity is one node of the knowledge graph. Its id is unique within its scope.
type Entity struct {
	ID           string            `json:"id"`
	Type         string            `json:"type"`
	Name         string            `json:"name"`
	Aliases      []string          `json:"aliases"`
	Attrs        map[string]string `json:"attrs"`
	Scope        Scope             `json:"scope"`
	Provenance   Provenance        `json:"provenance"`
	SupersededBy Ref               `json:"superseded_by"`
	Extra        Extra             `json:"-"`
}

// The types of an entity.
const (
	TypeProject    = "project"
	TypeFile       = "file"
	TypeCommit     = "commit"
	TypeCommand    = "command"
	TypeError      = "error"
	TypeIssue      = "issue"
	TypePreference = "preference"
	TypeTool       = "tool"
	TypeLibrary    = "library"
	TypeComponent  = "component" // a part of a project that has more than one name
)

// Edge is one relation of the knowledge graph. Its two times equal those of its provenance.
type Edge struct {
	ID            string     `json:"id"`
	From          string     `json:"from"`
	To            string     `json:"to"`
	Relation      string     `json:"relation"`
	EventTime     *int64     `json:"event_time"`
	IngestionTime int64      `json:"ingestion_time"`
	Provenance    Provenance `json:"provenance"`
	Confidence    float64    `json:"confidence"` // 0 to 1
	Scope         Scope      `json:"scope"`
	SupersededBy  Ref        `json:"superseded_by"`
	Extra         Extra      `json:"-"`
}

type (
	plainEvent  Event
	plainEntity Entity
	plainEdge   Edge
)

var (
	eventFields  = fieldNames(Event{})
	entityFields = fieldNames(Entity{})
	edgeFields   = fieldNames(Edge{})
)

// MarshalJSON writes the known fields in their order, then the unknown ones.
func (e Event) MarshalJSON() ([]byte, error) {
	e.Entities = orEmpty(e.Entities)
	e.Provenance.NodeIDs = orEmpty(e.Provenance.NodeIDs)
	return encodeWith(plainEvent(e), e.Extra)
}

// UnmarshalJSON keeps unknown fields in Extra.
func (e *Event) UnmarshalJSON(b []byte) (err error) {
	if scanEvent(b, e) {
		return nil
	}
	e.Extra, err = decodeWith(b, (*plainEvent)(e), eventFields)
	return err
}

// MarshalJSON writes the known fields in their order, then the unknown ones.
func (e Entity) MarshalJSON() ([]byte, error) {
	e.Aliases = orEmpty(e.Aliases)
	e.Provenance.NodeIDs = orEmpty(e.Provenance.NodeIDs)
	if e.Attrs == nil {
		e.Attrs = map[string]string{}
	}
	return encodeWith(plainEntity(e), e.Extra)
}

// UnmarshalJSON keeps unknown fields in Extra.
func (e *Entity) UnmarshalJSON(b []byte) (err error) {
	if scanEntity(b, e) {
		return nil
	}
	e.Extra, err = decodeWith(b, (*plainEntity)(e), entityFields)
	return err
}

// MarshalJSON writes the known fields in their order, then the unknown ones.
func (e Edge) MarshalJSON() ([]byte, error) {
	e.Provenance.NodeIDs = orEmpty(e.Provenance.NodeIDs)
	return encodeWith(plainEdge(e), e.Extra)
}

// UnmarshalJSON keeps unknown fields in Extra.
func (e *Edge) UnmarshalJSON(b []byte) (err error) {
	if scanEdge(b, e) {
		return nil
	}
	e.Extra, err = decodeWith(b, (*plainEdge)(e), edgeFields)
	return err
}

// Slug is the id's part after the type.
func (e Entity) Slug() string { return e.ID[min(len(e.ID), len(e.Type)+1):] }

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
