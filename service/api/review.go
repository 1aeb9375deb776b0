package api

import (
	"net/url"
	"strings"

	"dormouse/store/memory"
)

// The paths of review. Those that change something take POST, all others GET.
const (
	PathReview    = "/v1/review"    // ?project=&limit=
	PathDecide    = "/v1/decide"    // POST ?action=&id=&other=&parts=&set=&reason=&project=&to=
	PathDecisions = "/v1/decisions" // ?id=&limit=
	PathFacts     = "/v1/facts"     // ?subject=&project=&all=&as_of_event=&as_of_known=&limit=
)

// Review is what waits for the person, newest first.
type Review struct {
	Items []ReviewItem `json:"items"`
	Total int          `json:"total"` // that wait, of which Items may be the newest
}

// ReviewItem is one thing to decide.
type ReviewItem struct {
	ID string `json:"id"` // that a Decide takes: of a record, or of the decision that suggests something
	// What is candidate, contradiction, merge, split or supersede.
	What   string            `json:"what"`
	Kind   memory.RecordKind `json:"kind"`
	Scope  memory.Scope      `json:"scope"`
	Record string            `json:"record"` // id of the record, also where ID is a decision's
	Text   string            `json:"text"`   // the record in words
	// Field is the field that an edit of its words sets, Value what it holds; empty where a record has no words of its own.
	Field string `json:"field,omitempty"`
	Value string `json:"value,omitempty"`
	// Names are the other names of an entity, of which a split may take some.
	Names     []string     `json:"names,omitempty"`
	Reason    string       `json:"reason"` // why it waits
	Other     string       `json:"other,omitempty"`
	OtherText string       `json:"other_text,omitempty"`
	Parts     []string     `json:"parts,omitempty"`
	Contests  []Contested  `json:"contests,omitempty"`
	Trust     memory.Trust `json:"trust,omitempty"`
	ProjectID string       `json:"project_id"`
	SessionID string       `json:"session_id"`
	Turn      int          `json:"turn,omitempty"`
	Nodes     []string     `json:"nodes,omitempty"` // that it comes from
	Time      *int64       `json:"time"`
}

// Contested is a record that another one contradicts.
type Contested struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// The actions of a Decide.
const (
	DoAccept = "accept"
	DoRefuse = "refuse"
	DoEdit   = "edit"
	DoMerge  = "merge"
	DoSplit  = "split"
	DoPin    = "pin"
	DoUnpin  = "unpin"
	DoForget = "forget"
	DoErase  = "erase"
	DoUndo   = "undo"
	DoScope  = "scope"
)

// Actions lists the actions of a Decide.
var Actions = []string{DoAccept, DoRefuse, DoEdit, DoMerge, DoSplit, DoPin, DoUnpin, DoForget, DoErase, DoUndo, DoScope}

// Decide is what the person decides about a record or a decision.
type Decide struct {
	Action  string
	ID      string   // of a record, or of a decision
	Project string   // id or name: where an entity or a tag of one id is known in several projects
	Other   string   // the entity or tag that stays, for a merge
	Parts   []string // names or tags, for a split
	To      string   // for a scope: private, global, project:<id or name> or agent:<name>
	Set     string   // a JSON object with the new values of fields, for an edit
	Reason  string
}

// Values are the request's parameters.
func (d Decide) Values() url.Values {
	return values("action", d.Action, "id", d.ID, "project", d.Project, "other", d.Other, "parts", strings.Join(d.Parts, "\n"), "set", d.Set,
		"reason", d.Reason, "to", d.To)
}

// Decided is what a Decide wrote into the log.
type Decided struct {
	Decisions []memory.Decision `json:"decisions"`
	Text      string            `json:"text"` // the record in words; empty after an erase
	// Mentions counts memories that name an erased entity in their own words; they stay.
	Mentions int `json:"mentions,omitempty"`
}

// Decisions are lines of the log, newest first.
type Decisions struct {
	Decisions []DecisionShown `json:"decisions"`
	Total     int             `json:"total"` // that match
}

// DecisionShown is a decision and what became of it.
type DecisionShown struct {
	memory.Decision
	Text   string `json:"text"`   // the record in words; empty where it was erased
	Undone bool   `json:"undone"` // not in force any more
	Erased bool   `json:"erased"` // its text was erased
}

// DecisionQuery asks for decisions; empty fields do not filter.
type DecisionQuery struct {
	ID    string // of a decision or a record
	Limit int
}

// Values are the query's parameters in a request.
func (q DecisionQuery) Values() url.Values {
	return values("id", q.ID, "limit", number(int64(q.Limit)))
}

// AsOf is a point in the past from which to look: as things were at a time in the world, and as far as was known at a time,
// both in Unix seconds; 0 is now.
type AsOf struct {
	Event int64 // what had happened and what held
	Known int64 // what the memory knew
}

func (a AsOf) add(v url.Values) url.Values {
	for name, at := range map[string]int64{"as_of_event": a.Event, "as_of_known": a.Known} {
		if at != 0 {
			v.Set(name, number(at))
		}
	}
	return v
}

// FactQuery asks for facts; empty fields do not filter.
type FactQuery struct {
	Subject string // an entity's id or name, or "person"
	Project string // id or name
	All     bool   // future, lapsed, ended and superseded ones too
	AsOf    AsOf
	Limit   int
	For     string // see For
}

// Values are the query's parameters in a request.
func (q FactQuery) Values() url.Values {
	return q.AsOf.add(values("subject", q.Subject, "project", q.Project, "all", flag(q.All), "limit", number(int64(q.Limit)), "for", q.For))
}

// Facts are facts by subject, verb and object.
type Facts struct {
	Facts []FactShown `json:"facts"`
	Total int         `json:"total"`
	// Missing holds, by session id, why pointers into a session lead nowhere.
	Missing map[string]string `json:"missing,omitempty"`
}

// FactShown is a fact and how it stands.
type FactShown struct {
	Fact memory.Fact `json:"fact"`
	// State is served, future, lapsed, ended, superseded or candidate.
	State string `json:"state"`
	Turn  int    `json:"turn,omitempty"`
}
