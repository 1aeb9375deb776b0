package api

import "net/url"

// PathCoreBefore is the path of a core.md as it was at a time.
const PathCoreBefore = "/v1/core/before" // ?project=&at=

// PathInject is the path of what an agent would be told.
const PathInject = "/v1/inject" // ?agent=&cwd=&prompt=

// InjectQuery asks what an agent would be told in a new session in a folder: at its begin, or at a prompt.
type InjectQuery struct {
	Agent  string // its name
	Cwd    string // absolute path of the folder
	Prompt string // empty for the begin of the session
}

// Values are the query's parameters in a request.
func (q InjectQuery) Values() url.Values {
	return values("agent", q.Agent, "cwd", q.Cwd, "prompt", q.Prompt)
}

// Injection is what an agent is told.
type Injection struct {
	Agent   string `json:"agent"`
	Event   string `json:"event"`   // as the agent calls it
	Project string `json:"project"` // the project's id; empty where the folder belongs to none that is known
	Text    string `json:"text"`    // what the model gets, byte for byte; empty for nothing
	Bytes   int    `json:"bytes"`   // of Text
	Limit   int    `json:"limit"`
	Output  string `json:"output"` // what the hook prints: Text in the agent's form
	// Records are the ids of the records that a prompt is answered with.
	Records []string `json:"records,omitempty"`
	// Why says why nothing is told.
	Why string `json:"why,omitempty"`
}
