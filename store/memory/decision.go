package memory

import (
	"cmp"
	"encoding/json"
	"slices"
)

// PolicyVersion names the rules by which proposals are decided. It changes whenever the same input could be decided
// otherwise.
const PolicyVersion = "rules-3"

// Action is what a decision is about.
type Action string

// The actions. Each can be accepted or refused; a refusal is recorded as fully as an acceptance.
const (
	ActionAdd       Action = "add"       // a record is proposed
	ActionSupersede Action = "supersede" // a record is replaced by a newer one; both stay
	ActionEdit      Action = "edit"      // a record's fields are changed
	ActionForget    Action = "forget"    // a claim is taken out of every answer and does not come back
	ActionUndo      Action = "undo"      // an earlier decision is overturned by its id
	ActionErase     Action = "erase"     // a forget that takes the text out of the log as well; it cannot be undone
	ActionMerge     Action = "merge"     // an entity or a tag is found to be another one by another name
	ActionSplit     Action = "split"     // names are found not to belong to an entity, or a tag falls into parts
	ActionPin       Action = "pin"       // a record always counts as important
	ActionScope     Action = "scope"     // a record is shown to others than before, as far as its receipts hold
)

// RecordKind says which of a proposal's shapes its record has.
type RecordKind string

// The kinds of record.
const (
	RecordEvent      RecordKind = "event"
	RecordEntity     RecordKind = "entity"
	RecordEdge       RecordKind = "edge"
	RecordFact       RecordKind = "fact"
	RecordSegment    RecordKind = "segment"
	RecordTag        RecordKind = "tag"
	RecordTagAlias   RecordKind = "tag_alias"
	RecordTagSummary RecordKind = "tag_summary"
)

// Proposal is what was offered to the memory.
type Proposal struct {
	Kind     RecordKind `json:"kind"`
	ClaimKey ClaimKey   `json:"claim_key"`
	RecordID string     `json:"record_id"`
	Scope    Scope      `json:"scope"`
	// Record is the whole record, for an add.
	Record json.RawMessage `json:"record,omitempty"`
	// By is the id of the newer record, for a supersede; of the entity or tag that stays, for a merge.
	By string `json:"by,omitempty"`
	// Parts are the names that are split off an entity, or the ids of the tags into which a tag falls.
	Parts []string `json:"parts,omitempty"`
	// Candidate marks what is not settled: an added record is shown in review and search and enters no core.md; a supersede,
	// a merge or a split is a suggestion that waits for the person and has no effect.
	Candidate bool `json:"candidate,omitempty"`
	// Contests are the ids of the records that a candidate contradicts.
	Contests []string `json:"contests,omitempty"`
	// Move is the change of scope and its receipts, for a scope.
	Move *Move `json:"move,omitempty"`
	// Erased is the claim's hash, for an erase, whose proposal holds no other word of it. Nodes are the nodes that bore it out.
	// Erases are the ids of all decisions that spoke of it.
	Erased string   `json:"erased,omitempty"`
	Nodes  []string `json:"nodes,omitempty"`
	Erases []string `json:"erases,omitempty"`
}

// Decision is the log's line for one proposal. The same fields are written for a refusal as for an acceptance.
type Decision struct {
	ID       string `json:"id"`
	Action   Action `json:"action"`
	Accepted bool   `json:"accepted"`
	Reason   string `json:"reason"`
	// PolicyVersion names the rules in force.
	PolicyVersion string   `json:"policy_version"`
	Proposal      Proposal `json:"proposal"`
	// Before is the record as it was; null for an add.
	Before json.RawMessage `json:"before"`
	// After is the record as it is now; null where it is the proposal's record unchanged, and for a refusal.
	After json.RawMessage `json:"after"`
	// By is who decided: rule, model or person.
	By         string `json:"by"`
	ObservedAt int64  `json:"observed_at"` // Unix seconds; informative, orders nothing
	EventDate  *int64 `json:"event_date"`
	// Lamport and Machine order all decisions of all machines.
	Lamport uint64 `json:"lamport"`
	Machine string `json:"machine"`
	// Undoes is the id of the decision that an undo overturns.
	Undoes   Ref    `json:"undoes"`
	PrevHash string `json:"prev_hash"` // of the line before in the same log; empty on the first
}

// DecisionID derives a decision's id from what it decides and who at which point of which log decided it.
func DecisionID(d *Decision) string {
	verdict := "refused"
	if d.Accepted {
		verdict = "accepted"
	}
	return "de_" + digest(16, string(d.Action), verdict, string(d.Proposal.Kind), d.Proposal.RecordID, string(d.Proposal.ClaimKey),
		d.Proposal.By, string(d.Undoes), d.PolicyVersion, d.Machine, d.PrevHash, d.Proposal.Erased)
}

// RunID derives a run's id from its place in its log.
func RunID(r *Run) string { return "run_" + digest(12, r.Machine, r.PrevHash) }

// CompareRuns is the order of the fold, for runs.
func CompareRuns(a, b Run) int {
	return cmp.Or(cmp.Compare(a.Lamport, b.Lamport), cmp.Compare(a.Machine, b.Machine), cmp.Compare(a.ID, b.ID))
}

// Run is the log's line for one sleep: what was looked at, by what, and what it cost.
type Run struct {
	ID      string `json:"id"`
	Started int64  `json:"started"` // Unix seconds
	Ended   int64  `json:"ended"`
	// Kind is light (a session went idle), deep (nightly), manual, review, or devices.
	Kind          string `json:"kind"`
	Extractor     string `json:"extractor"`
	PolicyVersion string `json:"policy_version"`
	Model         string `json:"model,omitempty"`
	InputTokens   int64  `json:"input_tokens"`
	OutputTokens  int64  `json:"output_tokens"`
	// CostMicros is the cost in millionths of a US dollar.
	CostMicros int64 `json:"cost_micros"`
	// Coverage names the nodes that the run has dealt with, by session.
	Coverage []Coverage `json:"coverage"`
	Counts   RunCounts  `json:"counts"`
	// Known is what the machine had of the logs of others by then; left out where that is as in its last run that tells it.
	Known map[string]KnownLog `json:"known,omitempty"`
	// Device tells of a machine, in a run of the kind devices.
	Device   *DeviceNote `json:"device,omitempty"`
	Lamport  uint64      `json:"lamport"`
	Machine  string      `json:"machine"`
	PrevHash string      `json:"prev_hash"`
}

// RunReview is the kind of a run that is no sleep: the person decided something.
const RunReview = "review"

// LastSleep is the newest sleep among runs in the order of CompareRuns: a large one is written as several runs, which share
// machine, kind and start. Their counts and costs are added up; the coverage is left out. It is nil where there is no run.
func LastSleep(runs []Run) *Run {
	runs = slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return r.Kind == RunReview || r.Kind == RunDevices })
	if len(runs) == 0 {
		return nil
	}
	out := runs[len(runs)-1]
	out.Coverage = nil
	for _, r := range slices.Backward(runs[:len(runs)-1]) {
		if r.Machine != out.Machine || r.Kind != out.Kind || r.Started != out.Started {
			break
		}
		out.Counts = out.Counts.Plus(r.Counts)
		out.InputTokens += r.InputTokens
		out.OutputTokens += r.OutputTokens
		out.CostMicros += r.CostMicros
	}
	return &out
}

// Coverage is the nodes of one session that a run has dealt with.
type Coverage struct {
	SessionID string   `json:"session_id"`
	NodeIDs   []string `json:"node_ids"`
}

// RunCounts is what a run did, in numbers of records and turns.
type RunCounts struct {
	Sessions   int `json:"sessions"`
	Turns      int `json:"turns"`
	Nodes      int `json:"nodes"`
	Events     int `json:"events"`
	Entities   int `json:"entities"`
	Edges      int `json:"edges"`
	Facts      int `json:"facts,omitempty"`
	Segments   int `json:"segments,omitempty"`
	Tags       int `json:"tags,omitempty"`
	TagHits    int `json:"tag_hits,omitempty"` // names that led to the tag of another name
	Candidates int `json:"candidates,omitempty"`
	Superseded int `json:"superseded"`
	Refused    int `json:"refused"`
}

// Plus adds up two counts.
func (c RunCounts) Plus(d RunCounts) RunCounts {
	return RunCounts{
		Sessions: c.Sessions + d.Sessions, Turns: c.Turns + d.Turns, Nodes: c.Nodes + d.Nodes, Events: c.Events + d.Events,
		Entities: c.Entities + d.Entities, Edges: c.Edges + d.Edges, Facts: c.Facts + d.Facts, Segments: c.Segments + d.Segments,
		Tags: c.Tags + d.Tags, TagHits: c.TagHits + d.TagHits, Candidates: c.Candidates + d.Candidates, Superseded: c.Superseded + d.Superseded, Refused: c.Refused + d.Refused,
	}
}
