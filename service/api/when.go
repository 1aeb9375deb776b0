package api

import (
	"net/url"

	"dormouse/store/memory"
)

// PathWhen answers a question about a time.
const PathWhen = "/v1/when" // ?q=&time=&mode=&zone=&project=&agent=&limit=

// The modes of a WhenQuery.
const (
	WhenLookup  = "lookup"  // what fits the words and lies in the window, best first
	WhenState   = "state"   // what held at the window's end
	WhenChange  = "change"  // what took the place of what within the window, in order
	WhenSummary = "summary" // how much of what happened in the window, and the most important of it
)

// WhenModes lists the modes of a WhenQuery.
var WhenModes = []string{WhenLookup, WhenState, WhenChange, WhenSummary}

// WhenQuery asks what the memory knows of a time.
type WhenQuery struct {
	// Question is in the person's own words: "what did we decide about the cache last week".
	Question string
	// Time is the expression of a time, where the question holds none or another one is meant: "since 2026-05".
	Time    string
	Mode    string // empty to read it from the question
	Zone    string // IANA name in which days begin and end; empty for the service's own
	Project string // id or name; empty for all
	Agent   string // who asks; empty for the person
	Limit   int
}

// Values are the query's parameters in a request.
func (q WhenQuery) Values() url.Values {
	return values("q", q.Question, "time", q.Time, "mode", q.Mode, "zone", q.Zone, "project", q.Project, "agent", q.Agent,
		"limit", number(int64(q.Limit)))
}

// When answers a WhenQuery. What is of no known time is in no answer that has a window.
type When struct {
	Mode       string     `json:"mode"`
	Inferred   bool       `json:"inferred"` // the mode was read from the question
	Understood Understood `json:"understood"`
	// Words are what is left of the question, by which was searched; empty for all that lies in the window.
	Words string `json:"words"`
	// Hits are the answer of a lookup.
	Hits []Hit `json:"hits,omitempty"`
	// State is the answer to a state, Changes that to a change, oldest first; Summary that of a summary.
	State   *StateThen     `json:"state,omitempty"`
	Changes []Changed      `json:"changes,omitempty"`
	Summary *WindowSummary `json:"summary,omitempty"`
	Total   int            `json:"total"` // that match, of which there may be fewer here
	// Undated counts memories that match the words and have no known time; they are in none of the above.
	Undated int `json:"undated"`
	// Turns holds, by a record's id, the turn of its session that it comes from, where it is known.
	Turns map[string]int `json:"turns,omitempty"`
	// Missing holds, by session id, why pointers into a session lead nowhere.
	Missing  map[string]string `json:"missing,omitempty"`
	Indexing bool              `json:"indexing"` // the index is still catching up, so that something may be missing
}

// Understood is how an expression of time was read: a window from Since to Until (exclusive) in Unix seconds, 0 for no bound.
type Understood struct {
	Expression string  `json:"expression"` // as the question has it; empty for all times
	Since      int64   `json:"since"`
	Until      int64   `json:"until"`
	Zone       string  `json:"zone"`
	Text       string  `json:"text"`             // "Mon 2026-11-16 to Sun 2026-11-22, Europe/Berlin"
	Anchor     *Anchor `json:"anchor,omitempty"` // what "before the release" was found to mean
}

// Anchor is the event by which a window was found.
type Anchor struct {
	Words string       `json:"words"`
	Event memory.Event `json:"event"`
}

// StateThen is what held at a time.
type StateThen struct {
	At     int64          `json:"at"` // Unix seconds
	Facts  []FactShown    `json:"facts"`
	Events []memory.Event `json:"events"` // that had happened and were not superseded, newest first
	Edges  []memory.Edge  `json:"edges"`
}

// Changed is one change.
type Changed struct {
	At int64 `json:"at"` // Unix seconds
	// What is superseded (Old gave way to New), began or ended (a fact's window), or happened.
	What string         `json:"what"`
	Old  *RecordBriefly `json:"old,omitempty"`
	New  *RecordBriefly `json:"new,omitempty"`
}

// RecordBriefly is a record in words, with where it comes from.
type RecordBriefly struct {
	ID        string            `json:"id"`
	Kind      memory.RecordKind `json:"kind"`
	Text      string            `json:"text"`
	Trust     memory.Trust      `json:"trust,omitempty"`
	ProjectID string            `json:"project_id"`
	SessionID string            `json:"session_id"`
	Time      *int64            `json:"time"`
}

// WindowSummary counts what happened in a window.
type WindowSummary struct {
	Days     []DayCount          `json:"days"` // that have something, oldest first
	Kinds    map[memory.Kind]int `json:"kinds"`
	Projects map[string]int      `json:"projects"` // by id
	Sessions int                 `json:"sessions"` // that the events come from
	Top      []memory.Event      `json:"top"`      // the most important ones, oldest first
}

// DayCount is one day of a summary.
type DayCount struct {
	Day   string              `json:"day"` // 2026-11-16, in the zone of the answer
	Kinds map[memory.Kind]int `json:"kinds"`
	Total int                 `json:"total"`
}
