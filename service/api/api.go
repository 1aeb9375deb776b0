// Package api is the language of the local API: the paths, the requests and the answers that the service and its clients
// exchange as JSON over the local socket.
//
// It never opens a connection and never formats anything for a person. Times are Unix seconds, UTC; 0 or null means
// unknown.
package api

import (
	"encoding/json"

	"dormouse/store/memory"
)

// Version is the version of this language. A client and a service whose versions differ say so instead of guessing.
const Version = 1

// HeaderVersion is the header in which every answer names the Version that it speaks.
const HeaderVersion = "Dormouse-Api-Version"

// HeaderUntil is the header in which a request that changes something may name the time, in Unix milliseconds, after which nobody waits
// for its answer. A service that comes to it later, because it hung, refuses it: its caller was told that it failed.
const HeaderUntil = "Dormouse-Until"

// Host is the one host name that the API answers to. A page in a browser cannot ask for it.
const Host = "dormouse"

// The paths of the API. Those that change something take POST, all others GET.
const (
	PathStatus    = "/v1/status"
	PathSessions  = "/v1/sessions"         // ?project=&agent=&limit=&deleted=
	PathSession   = "/v1/session"          // ?id=&turn=&from=
	PathRename    = "/v1/session/rename"   // POST ?id=&title=
	PathPin       = "/v1/session/pin"      // POST ?id=&off=
	PathDelete    = "/v1/session/delete"   // POST ?id=
	PathUndelete  = "/v1/session/undelete" // POST ?id=: capture it again
	PathThaw      = "/v1/session/thaw"     // POST ?id=: write its files out to be read without git
	PathProjects  = "/v1/projects"
	PathTimeline  = "/v1/timeline"        // ?since=&until=&entity=&tag=&project=&kinds=&superseded=&limit=&as_of_event=&as_of_known=
	PathGraph     = "/v1/graph"           // ?entity=&hops=&project=&as_of_event=&as_of_known=
	PathSearch    = "/v1/search"          // ?q=&project=&limit=&kinds=&every=&explain=&tag=&sessions=
	PathCore      = "/v1/core"            // ?project=&explain=
	PathSleep     = "/v1/sleep"           // POST: distil what is waiting, now
	PathModelTry  = "/v1/llm/try"         // POST: ask the language model one tiny question
	PathCost      = "/v1/cost"            // ?by=&since=&until=: what models took
	PathStop      = "/v1/stop"            // POST: shut the service down in order
	PathHook      = "/v1/hook"            // POST a Hook
	PathPause     = "/v1/pause"           // POST ?until=: capture nothing until then; 0 goes on, Indefinitely has no end
	PathSync      = "/v1/sync"            // POST: exchange what was learned with the remote, now
	PathSyncSetup = "/v1/sync/setup"      // POST ?url=&restore=&know=&trust=: choose the remote; empty forgets it
	PathSyncLogin = "/v1/sync/login"      // POST ?url=&user=, the token in the header Dormouse-Token: keep it for that host
	PathBind      = "/v1/projects/bind"   // POST ?path=: bind a folder
	PathUnbind    = "/v1/projects/unbind" // POST ?project=: take the binding back
	PathEvents    = "/v1/events"          // server-sent events: one Change each
)

// Error is the body of every answer that is not a success.
type Error struct {
	Message string `json:"error"`
	// Code is not_found, elsewhere, ambiguous, bad_request, forbidden, busy, unknown_host, login or internal.
	Code string `json:"code"`
	// Candidates are what an ambiguous request may have meant.
	Candidates []string `json:"candidates,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// The codes of an Error.
const (
	CodeNotFound   = "not_found"
	CodeElsewhere  = "elsewhere" // a session that another machine of the person captured
	CodeAmbiguous  = "ambiguous"
	CodeBadRequest = "bad_request"
	CodeForbidden  = "forbidden"
	CodeBusy       = "busy"
	// An ssh host shows a key that is not known; Candidates holds its fingerprint.
	CodeUnknownHost = "unknown_host"
	CodeLogin       = "login" // the remote does not know the person: a token or key is missing, wrong or expired
	CodeInternal    = "internal"
)

// Status is how the service is.
type Status struct {
	APIVersion int    `json:"api_version"`
	Home       string `json:"home"`
	Demo       bool   `json:"demo"` // serves the demo's memory, not the person's
	Machine    string `json:"machine"`
	PID        int    `json:"pid"`
	StartedAt  int64  `json:"started_at"`
	// Phase is active, idle or asleep.
	Phase string `json:"phase"`
	// Health is the worst of the parts': ok, degraded, or amber where a part has failed three times in a row.
	Health    string      `json:"health"`
	Parts     []Part      `json:"parts"`
	Agents    []Agent     `json:"agents"`
	Counts    Counts      `json:"counts"`
	Backlog   Backlog     `json:"backlog"`
	Scan      *Scan       `json:"scan,omitempty"` // the first look through the agents' folders, while it goes on
	LastSleep *memory.Run `json:"last_sleep"`     // without its coverage
	NextSleep int64       `json:"next_sleep"`     // of the next deep sleep, or of the one that waits
	// SleepWaits is why a deep sleep that is due does not begin or go on; empty where none waits.
	SleepWaits string `json:"sleep_waits,omitempty"`
	// LastNight is the newest whole sleep; nil where there was none.
	LastNight *Night `json:"last_night,omitempty"`
	// PausedUntil is when capture goes on; 0 when it is not paused, Indefinitely when nobody said.
	PausedUntil int64        `json:"paused_until"`
	Sync        Sync         `json:"sync"`
	Packing     Packing      `json:"packing"`
	Hooks       Hooks        `json:"hooks"`
	Shadow      Shadow       `json:"shadow"`
	LLM         LLM          `json:"llm"`
	MCP         MCP          `json:"mcp"`
	Proxy       Proxy        `json:"proxy"`
	Quiet       Quiet        `json:"quiet"`
	Vectors     Vectors      `json:"vectors"`
	Skipped     []SkipReason `json:"skipped"`
	Problems    []string     `json:"problems"`
}

// Indefinitely is a time that does not come.
const Indefinitely = -1

// Packing is what became of the sessions that nobody works with, since the service began.
type Packing struct {
	Waiting int   `json:"waiting"` // sessions that are to be looked at in this round
	Packed  int   `json:"packed"`  // sessions, each time counted
	Freed   int64 `json:"freed"`   // bytes by that
	Moved   int   `json:"moved"`   // sessions, into the folders of their projects
	At      int64 `json:"at"`      // of the last one that was packed
	// Of the sessions that were looked at, Cold have nothing left to pack; all together take so many files and bytes.
	Cold  int   `json:"cold"`
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
}

// How a part is.
const (
	HealthOK       = "ok"
	HealthDegraded = "degraded"
	HealthFailed   = "failed"
	HealthOff      = "off"
	HealthAmber    = "amber" // of the whole
)

// Part is the health of one part of the service.
type Part struct {
	Name string `json:"name"`
	// State is ok, busy, amber (three failures in a row) or off.
	State   string `json:"state"`
	Doing   string `json:"doing,omitempty"`
	Failure string `json:"failure,omitempty"` // of the last round, with its remedy
	Failed  int    `json:"failed,omitempty"`  // rounds in a row
	LastOK  int64  `json:"last_ok,omitempty"`
	// Health is ok, degraded (it failed, and tries again, or works around it), failed (three times in a row) or off.
	Health string `json:"health"`
	// LastFailed and LastFailure are of the last failure since the service began, also after it worked again.
	LastFailed  int64  `json:"last_failed,omitempty"`
	LastFailure string `json:"last_failure,omitempty"`
}

// Agent is what was captured of one coding agent.
type Agent struct {
	Name     string   `json:"name"`
	Roots    []string `json:"roots"` // folders that are watched
	Found    bool     `json:"found"` // at least one of them is there
	Files    int      `json:"files"`
	Sessions int      `json:"sessions"`
	Nodes    int      `json:"nodes"`
	Bytes    int64    `json:"bytes"` // of its transcripts
	LastSeen int64    `json:"last_seen"`
	AtRisk   AtRisk   `json:"at_risk"`
}

// SkipReason counts what could not be used, for one agent and reason, and names the newest places ("file:line").
type SkipReason struct {
	Agent  string   `json:"agent"`
	Reason string   `json:"reason"`
	Count  int64    `json:"count"`
	Places []string `json:"places"`
}

// Counts is how much the memory holds.
type Counts struct {
	Sessions int `json:"sessions"`
	// Invalid counts folders among the sessions that are none: without a meta.json that parses.
	Invalid  int `json:"invalid"`
	Away     int `json:"away"`    // sessions that are known and out of reach
	Deleted  int `json:"deleted"` // sessions that the person deleted
	Turns    int `json:"turns"`
	Nodes    int `json:"nodes"`
	Redacted int `json:"redacted"` // secrets that were replaced
	Projects int `json:"projects"`
	Bound    int `json:"bound"` // projects that the person bound
	Events   int `json:"events"`
	Entities int `json:"entities"`
	Edges    int `json:"edges"`
	Indexed  int `json:"indexed"` // documents in the search index
}

// Scan is how far the first look through the agents' folders is, since the service began.
type Scan struct {
	Files     int   `json:"files"` // that were found and are new or have changed
	FilesDone int   `json:"files_done"`
	Bytes     int64 `json:"bytes"` // of them
	BytesDone int64 `json:"bytes_done"`
	Sessions  int   `json:"sessions"` // that something was captured of
}

// Backlog is what was captured and not yet distilled or indexed.
type Backlog struct {
	Open    int `json:"open"`    // sessions that are still going on
	Waiting int `json:"waiting"` // sessions that went idle and wait for sleep
	Index   int `json:"index"`   // sessions that wait for the index
}

// Session is one session in a list.
type Session struct {
	memory.Session
	Project string `json:"project"` // its project's name
	Turns   int    `json:"turns"`
	Nodes   int    `json:"nodes"`
	// Missing says that there is nothing to open: MissingDeleted, MissingAway or MissingElsewhere; Reason says why and what helps.
	Missing string `json:"missing,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// Why the session that a pointer leads to cannot be opened here.
const (
	MissingDeleted   = "deleted"             // by the person
	MissingAway      = "out of reach"        // in a folder that is not there
	MissingElsewhere = "not on this machine" // or lost
)

// Thawed is a session whose files were written out.
type Thawed struct {
	Session Session `json:"session"`
	Dir     string  `json:"dir"` // its folder, a git repository
}

// Turn is a user node and all that answers it.
type Turn struct {
	N      int           `json:"n"`
	Commit string        `json:"commit"` // in the session's repository; empty while the turn is open
	Nodes  []memory.Node `json:"nodes"`
}

// Project is one project.
type Project struct {
	ID       string `json:"id"`
	Name     string `json:"name"`            // the person's own, else Found
	Found    string `json:"found,omitempty"` // the name that it was found with, under which its memories are filed
	Path     string `json:"path"`
	Remote   string `json:"remote"`
	Bound    bool   `json:"bound"`               // the person bound it, or it is a repository that was found and not unbound
	Shadow   bool   `json:"shadow,omitempty"`    // the files that agents edit are kept turn by turn
	InFolder bool   `json:"in_folder,omitempty"` // its new sessions lie in its folder: the person bound it, and the folder is here
	Sessions int    `json:"sessions"`
	LastSeen int64  `json:"last_seen"`
}

// Timeline is a slice of the timeline, newest first.
type Timeline struct {
	Events []memory.Event `json:"events"`
	Total  int            `json:"total"` // that match, of which Events may be the newest
	// Replaced holds, by the id of a superseded event, what the one that took its place says.
	Replaced map[string]string `json:"replaced,omitempty"`
	// Turns holds, by event id, the turn of its session that an event comes from, where it is known.
	Turns map[string]int `json:"turns,omitempty"`
	// Missing holds, by session id, why pointers into a session lead nowhere.
	Missing map[string]string `json:"missing,omitempty"`
	// Branches holds, by session id, the branch of git on which it took place, where that is known.
	Branches map[string]string `json:"branches,omitempty"`
}

// Graph is an entity and what lies around it.
type Graph struct {
	Center   memory.Entity   `json:"center"`
	Entities []memory.Entity `json:"entities"`
	Edges    []memory.Edge   `json:"edges"`
	Events   []memory.Event  `json:"events"` // that name the entity, newest first
	// Turns holds, by the id of an entity, edge or event, the turn of its session that it comes from, where it is known.
	Turns map[string]int `json:"turns,omitempty"`
	// Missing holds, by session id, why pointers into a session lead nowhere.
	Missing map[string]string `json:"missing,omitempty"`
	// Truncated says that there is more than was returned.
	Truncated bool `json:"truncated"`
}

// Hit is one answer of a search.
type Hit struct {
	// What is event, entity, fact, turn, segment (a tagged turn in short) or tag_summary (what a tag covers).
	What      string       `json:"what"`
	ID        string       `json:"id"`
	Score     float64      `json:"score"`
	Title     string       `json:"title"`
	Snippet   string       `json:"snippet"`
	Kind      memory.Kind  `json:"kind,omitempty"` // of an event
	Trust     memory.Trust `json:"trust,omitempty"`
	ProjectID string       `json:"project_id"`
	SessionID string       `json:"session_id"`
	Turn      int          `json:"turn"`
	Nodes     []string     `json:"nodes"`
	Time      int64        `json:"time"`
	Missing   string       `json:"missing,omitempty"` // why its session cannot be opened
	Branch    string       `json:"branch,omitempty"`  // of git, on which its session took place, where that is known
	// Superseded says that another memory took its place; such are found only where a time is asked about.
	Superseded bool `json:"superseded,omitempty"`
	// Candidate says why an event or a fact is not settled; empty where it is.
	Candidate string `json:"candidate,omitempty"`
	// Parts are the addends of the score; set only where that was asked for.
	Parts []ScorePart `json:"parts,omitempty"`
}

// ScorePart is one addend of a hit's score: text, vector, neighbours, covered, named, tags, identifier, project, recency, graph.
type ScorePart struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// FoundSession is a session that a search is about.
type FoundSession struct {
	SessionID string  `json:"session_id"`
	ProjectID string  `json:"project_id"`
	Title     string  `json:"title"`
	Score     float64 `json:"score"`
	Turns     []int   `json:"turns"` // that match, the best first
	Best      Hit     `json:"best"`  // the best of what was found in it
}

// Search is the answer to a search, best first.
type Search struct {
	Hits []Hit `json:"hits"`
	// Sessions are what was found, where sessions were asked for; then there are no Hits.
	Sessions []FoundSession `json:"sessions,omitempty"`
	// Indexing says that the index is still catching up, so that hits may be missing.
	Indexing bool `json:"indexing"`
}

// Core is a core.md as an agent gets it.
type Core struct {
	Project string `json:"project"` // empty for the global one
	Text    string `json:"text"`
	Bytes   int    `json:"bytes"`
	Limit   int    `json:"limit"`
	// Pointers say where the lines come from that end with a pointer, in their order.
	Pointers []Pointer `json:"pointers,omitempty"`
	// Lines say why each of these lines is there; set only where that was asked for.
	Lines []CoreLine `json:"lines,omitempty"`
}

// CoreLine is why a line of a core.md is there. Its score is the product of its parts; with the best scores a section's room is
// filled.
type CoreLine struct {
	Section string            `json:"section"`
	Text    string            `json:"text"` // without bullet and pointer
	Kind    memory.RecordKind `json:"kind"` // of the record that it tells
	Record  string            `json:"record"`
	Scope   memory.Scope      `json:"scope"`
	// Decision is the id of the newest accepted decision that added or changed the record; empty where none is known.
	Decision string     `json:"decision,omitempty"`
	Reason   string     `json:"reason,omitempty"` // of the decision
	Parts    []CorePart `json:"parts"`
	Score    float64    `json:"score"`
	Bytes    int        `json:"bytes"` // of the line
}

// CorePart is one factor of a score.
type CorePart struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Pointer is where a line of a core.md comes from.
type Pointer struct {
	SessionID string `json:"session_id"`
	Turn      int    `json:"turn"`              // 0 where it is not known
	Missing   string `json:"missing,omitempty"` // why the session cannot be opened
}

// Slept is what a sleep did.
type Slept struct {
	Run memory.Run `json:"run"` // without its coverage
}

// Hook is what an agent's hook reports.
type Hook struct {
	Event   string          `json:"event"`   // its name, as the agent calls it; may be empty
	Agent   string          `json:"agent"`   // the agent's name, where the hook was told it
	Inject  bool            `json:"inject"`  // the agent waits for what it is to be told
	Payload json.RawMessage `json:"payload"` // as the agent gave it
}

// Hooks counts what the agents' hooks told since the service began.
type Hooks struct {
	Heard   int   `json:"heard"`   // that were delivered
	Spooled int   `json:"spooled"` // that were picked up later
	Dropped int   `json:"dropped"` // for which there was no time; their sessions are read from the transcripts
	LastAt  int64 `json:"last_at"` // of the newest one that was delivered
}

// Change is one message of the event stream.
type Change struct {
	// Type is session_updated, sleep_started, sleep_ended (ID is the night's, where it was a whole one), sleep_paused, synced, imported (ID is the agent), decided (ID is that
	// of the record or decision), project or status.
	Type string `json:"type"`
	ID   string `json:"id,omitempty"`
	At   int64  `json:"at"`
}
