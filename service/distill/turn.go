package distill

import (
	"dormouse/service/distill/tagging"
	"dormouse/store/memory"
)

// Turn is one prompt of the person with all that answers it, and what came before it on the same branch.
type Turn struct {
	Session memory.Session
	Project Project
	N       int           // the turn's number in its session; 0 before the first prompt
	Nodes   []memory.Node // in the order of the session; sub-agents' nodes among them
	Prior   Prior
}

// Project is what a turn knows of the project that it works in.
type Project struct {
	ID   string
	Name string
	Root string // its folder on the machine of the session; empty where unknown
}

// Prior is what a turn knows of its ancestors: bounded, and built from them alone.
type Prior struct {
	// Said is the end of the last message of the assistant before this turn, to which the person's words may answer.
	Said Message
	// Seen are the newest records of the ancestors, oldest first, at most maxSeen. They stop a turn from saying it again.
	Seen []Seen
	// Files holds the files that the ancestors edited, by base name, to spell out names that the texts abbreviate.
	Files map[string]string
	// Ran counts the successful runs of the project's test, check and build commands, at most maxCommands of them.
	Ran map[string]int
	// Pending are the files that the ancestors edited since their last commit.
	Pending []string
	// Parts are the names, in lower case, of the project's parts that the ancestors said to have more than one, with the ids of
	// their entities; at most maxParts.
	Parts map[string]string
	// SameTags are names of tags that the ancestors said to be another one's, in canonical form.
	SameTags map[string]string
}

// Message is a text and the node that holds it.
type Message struct {
	Node string
	Text string
}

// Seen is the gist of a record.
type Seen struct {
	Kind  memory.Kind
	Words []string // content words, sorted
}

const (
	maxSeen = 48   // records of ancestors that a turn compares itself with
	maxSaid = 6000 // bytes kept of the message that a prompt answers
	// maxCommands is how many commands are counted.
	maxCommands = 40
	maxParts    = 100
	maxFiles    = 400 // edited files of ancestors that are remembered by base name
)

// Draft is a proposed event: one line and the nodes that bear it out.
type Draft struct {
	Kind     memory.Kind
	Summary  string // one self-contained line, shorter than MaxSummary bytes
	Trust    memory.Trust
	Nodes    []string // evidence, in the order of the session, 1 to maxEvidence
	At       *int64   // time of the newest evidence; nil where the transcript does not say
	Entities []string // ids, sorted
	Commit   *string  // the commit of the project that the event is about
	score    float64
	standing bool   // a standing wish of the person
	page     bool   // it stood on a page of another program's memory, and waits for the person
	commits  []act  // made in the turn
	command  string // that the event is about
	model    bool   // a model proposes it
	order    int    // position of the evidence in the turn, to list drafts in the order of what happened
}

// EntityDraft is a proposed entity.
type EntityDraft struct {
	Type    string
	Name    string
	Aliases []string
	Attrs   map[string]string
	Nodes   []string
	At      *int64
}

// ID is the entity's id within its scope.
func (e *EntityDraft) ID() string { return memory.EntityID(e.Type, e.Name) }

// EdgeDraft is a proposed relation between two entities, by id.
type EdgeDraft struct {
	From, Relation, To string
	Confidence         float64
	Nodes              []string
	At                 *int64
}

// Extraction is what one turn holds. Next is the Prior of the turns that follow it.
type Extraction struct {
	Events   []Draft
	Entities []EntityDraft
	Edges    []EdgeDraft
	Facts    []FactDraft
	About    tagging.Evidence // what the turn may be tagged with
	SameTags []sameTag
	Full     fullText
	Same     map[string]string // names that the turn states to be another one's: other name in lower case -> name
	Next     Prior
}

// MaxSummary is the length that a summary stays below, in bytes.
const MaxSummary = 160

const maxEvidence = 6

// Score is the weight that the draft was ranked by.
func (d *Draft) Score() float64 { return d.score }
