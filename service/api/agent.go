package api

import (
	"net/url"
	"strings"

	"dormouse/store/memory"
)

// The paths that agents' tools use beside the others. Of those, PathTimeline, PathGraph, PathSearch and PathFacts take a parameter
// "for": the name of the agent that asks. It sees what is global, what belongs to the project, and its own; with no project, what is
// global and its own. Without "for" the person asks, who sees everything.
const (
	PathLocate  = "/v1/locate"  // ?what=: lines
	PathAsk     = "/v1/ask"     // ?q=&project=&for=&limit=
	PathPropose = "/v1/propose" // POST ?text=&kind=&project=&for=&session=
)

// Located is which projects some folders, ids or names mean.
type Located struct {
	// Projects are those that were found, each once, in the order in which they were asked for.
	Projects []Project `json:"projects"`
	// New are folders that belong to a project of which nothing is known yet.
	New []string `json:"new,omitempty"`
	// Wide are folders that are no project by themselves: the home folder, a folder of repositories, one without git of which nothing is
	// known. Candidates are the known projects in them.
	Wide       []string  `json:"wide,omitempty"`
	Candidates []Project `json:"candidates,omitempty"`
	// Unknown are ids and names that no project has.
	Unknown []string `json:"unknown,omitempty"`
}

// AskQuery is a question that is to be answered out of the memory.
type AskQuery struct {
	Question string
	Project  string // id or name
	For      string // see PathAsk
	Limit    int    // of sentences
}

// Values are the query's parameters in a request.
func (q AskQuery) Values() url.Values {
	return values("q", q.Question, "project", q.Project, "for", q.For, "limit", number(int64(q.Limit)))
}

// Asked is the answer to a question: what the memory says, word for word, best first. It is empty where the memory says nothing.
type Asked struct {
	Sentences []Sentence `json:"sentences"`
	Hits      []Hit      `json:"hits"` // that the sentences are from, best first, and others that fit
	Indexing  bool       `json:"indexing"`
}

// Sentence is a piece of a memory that answers a question.
type Sentence struct {
	Text string `json:"text"`
	Hit  int    `json:"hit"` // its place in Hits, from 0
	Node string `json:"node,omitempty"`
	// Speaker is person, agent or tool, where a turn says it; empty for a record, whose Hit has its trust.
	Speaker string `json:"speaker,omitempty"`
}

// ProposeQuery is a memory that an agent offers.
type ProposeQuery struct {
	Text    string
	Kind    memory.Kind // empty for a learning
	Project string      // id or name
	For     string      // the agent
	Session string      // that it comes from, where the agent knows it
}

// Values are the query's parameters in a request.
func (q ProposeQuery) Values() url.Values {
	return values("text", q.Text, "kind", string(q.Kind), "project", q.Project, "for", q.For, "session", q.Session)
}

// What became of a proposal.
const (
	ProposalWaits   = "waiting" // for the person, who decides in review
	ProposalKnown   = "known"   // the memory has it already
	ProposalRefused = "refused" // the person refused or forgot it, or it is no memory
)

// Proposed is what became of a proposal.
type Proposed struct {
	// State is waiting, known or refused; Reason says why.
	State  string `json:"state"`
	Reason string `json:"reason"`
	ID     string `json:"id,omitempty"` // of the record
	Text   string `json:"text"`         // as it was taken, without secrets
	// SessionID names the session that holds the proposal itself, for the person to open.
	SessionID string `json:"session_id,omitempty"`
	Secrets   int    `json:"secrets,omitempty"` // that were taken out
}

// LocateValues are the parameters of a request to PathLocate.
func LocateValues(what []string) url.Values { return values("what", strings.Join(what, "\n")) }

// MCP is how agents can ask over HTTP.
type MCP struct {
	On        bool   `json:"on"`
	URL       string `json:"url,omitempty"`        // empty while nobody can
	TokenFile string `json:"token_file,omitempty"` // holds the token that every request has to bring
}
