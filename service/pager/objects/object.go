package objects

import (
	"errors"
	"fmt"

	"dormouse/service/pager"
)

// Type says what an object is.
type Type string

// The types, and what is one of each.
const (
	FileContext       Type = "file_context"       // what a file holds: read by a tool, printed by a command, or written whole
	ToolResult        Type = "tool_result"        // any other call with its result: searches, commands, edits of a part of a file
	ErrorContext      Type = "error_context"      // a call that failed, or a command whose output reports a failure
	Plan              Type = "plan"               // steps that are to be done, by the person, the agent or a tool that keeps them
	DesignDecision    Type = "design_decision"    // what was chosen and why, in somebody's words
	DebuggingSession  Type = "debugging_session"  // what was said between a failure and its end; its calls are objects below it
	ConversationPhase Type = "conversation_phase" // all other talk on one topic
	ExternalReference Type = "external_reference" // what a page, a search of the web or another service gave
)

// Types are all types in the order in which they are listed.
func Types() []Type {
	return []Type{FileContext, ToolResult, ErrorContext, Plan, DesignDecision, DebuggingSession, ConversationPhase, ExternalReference}
}

// BytesPerToken is how many bytes of UTF-8 are counted as a token.
const BytesPerToken = 4

// Ref is where a block is kept.
type Ref struct {
	Node string // in the session's history; empty where that is not known
	Turn int    // from 1; 0 where it is not known
	// Quiet says that the block is of nobody: what a client or Dormouse put there. It is in no object.
	Quiet bool
	// Exit says that the command whose result it is ended with a code that is not 0.
	Exit bool
	// Summary says that the block is what a client put in the place of what was said before.
	Summary bool
}

// Message is a message of a conversation, and where each of its blocks is kept. Without Refs nothing is known of that.
type Message struct {
	pager.Message
	Refs []Ref
}

// Part is a block of an object, or the bytes of one from From up to To.
type Part struct {
	Block int    `json:"block"` // in the order in which the blocks of the conversation came, from 0
	Node  string `json:"node,omitempty"`
	Turn  int    `json:"turn,omitempty"`
	From  int    `json:"from"`
	To    int    `json:"to"`
}

// Object is one thing of a conversation. Sizes are bytes of UTF-8.
type Object struct {
	ID     string      `json:"id"`
	Type   Type        `json:"type"`
	Title  string      `json:"title"`           // one line of its own words
	Key    string      `json:"key,omitempty"`   // of a file its path; of a call what it asks for
	Agent  string      `json:"agent,omitempty"` // the sub-agent in whose conversation it is
	Turns  [2]int      `json:"turns"`           // the first and the last
	Goal   int         `json:"goal"`            // which goal of the conversation it belongs to, from 1
	Parts  []Part      `json:"parts"`
	Bytes  int         `json:"bytes"`
	Tokens int         `json:"tokens"`
	Level  pager.Level `json:"level"`
	// Superseded is the object that has newer content of the same thing.
	Superseded string `json:"superseded,omitempty"`
	// Also are the ids of objects that were joined to this one.
	Also []string `json:"also,omitempty"`

	text func() string
}

// Text is what the object holds.
func (o *Object) Text() string {
	if o.text == nil {
		return ""
	}
	return o.text()
}

// Kind is how two objects are related.
type Kind string

// The relations. An object that is superseded, the parent's child and so on is To.
const (
	References Kind = "references" // From names To, a file
	DependsOn  Kind = "depends_on" // From was made of To: an edit of the file as it was read, a decision of the page that was read for it
	ParentOf   Kind = "parent_of"  // To belongs to From, a part of the talk
	Supersedes Kind = "supersedes" // From has what To had, newer
)

// Relation is between two objects, by their ids.
type Relation struct {
	From string `json:"from"`
	Kind Kind   `json:"kind"`
	To   string `json:"to"`
}

// Options are the settings. Similarity is the cosine of two vectors.
type Options struct {
	// Embed gives a vector of unit length for a text, or one that is all zero where it knows nothing of it. Nil for none: topics then
	// shift at words alone, and only calls that ask for the same are joined.
	Embed func(text string) []float32

	Topic float64 // a prompt that is less similar to what was said before it opens a new part of the talk
	Goal  float64 // and one that is less similar than this is a new goal
	Every int     // turns after which neighbours are looked at, to join them
	Join  float64 // neighbours of a type that are more similar are joined
	Split int     // tokens beyond which an object is cut

	Admit     bool    // what is not worth it is not stored
	Threshold float64 // the least score of what is; see Score
	Weights   Weights
	Novel     float64 // distance from the nearest object at which one is fully new

	// Pager are the settings of the engine whose levels the objects are shown with.
	Pager pager.Options
}

// Weights are how much each factor counts towards a score; they are to sum to 1.
type Weights struct{ Type, Novelty, Utility, Recency float64 }

// Default are the settings that are used where nothing else is said.
func Default() Options {
	return Options{Topic: 0.7, Goal: 0.5, Every: 10, Join: 0.8, Split: 5000, Admit: true,
		Threshold: 0.4, Weights: Weights{Type: 0.35, Novelty: 0.25, Utility: 0.25, Recency: 0.15}, Novel: 0.15, Pager: pager.Default()}
}

// Validate says what is wrong with the settings.
func (o Options) Validate() error {
	w := o.Weights
	switch {
	case o.Goal > o.Topic || o.Topic > 1 || o.Goal < -1:
		return fmt.Errorf("objects: a new goal (below %g) is a new topic (below %g), both from -1 to 1", o.Goal, o.Topic)
	case o.Every < 1 || o.Split < 100:
		return errors.New("objects: neighbours are looked at every turn at most, and objects are cut at 100 tokens at least")
	case w.Type < 0 || w.Novelty < 0 || w.Utility < 0 || w.Recency < 0 || w.Type+w.Novelty+w.Utility+w.Recency > 1.0001:
		return fmt.Errorf("objects: the weights %+v are negative, or more than 1 together", w)
	}
	return o.Pager.Validate()
}
