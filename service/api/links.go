package api

import "net/url"

// The paths of the agents' own settings, into which Dormouse's hooks and tools are put.
const (
	PathLinks      = "/v1/agents"        // how each agent's settings are
	PathLinkPlan   = "/v1/agents/plan"   // ?agent=&action=: what would be written
	PathLinkChange = "/v1/agents/change" // POST ?agent=&action=&mark=: write what the plan with that mark says
)

// What can be done with an agent's settings.
const (
	LinkConnect    = "connect"
	LinkDisconnect = "disconnect"
)

// Link is how an agent's settings are.
type Link struct {
	Agent     string `json:"agent"`
	Installed bool   `json:"installed"`
	// Hooks is connected, not connected or not yet trusted; MCP, for its tools, connected or not connected, or empty where it has none.
	Hooks string `json:"hooks"`
	MCP   string `json:"mcp,omitempty"`
	// Injects says that its sessions are told what the settings have them told.
	Injects bool   `json:"injects"`
	Note    string `json:"note,omitempty"`    // what the person has to do for the hooks to run
	Trouble string `json:"trouble,omitempty"` // why it cannot be told whether the hooks are there
}

// How hooks and tools are.
const (
	LinkConnected = "connected"
	LinkMissing   = "not connected"
	LinkUntrusted = "not yet trusted"
)

// LinkPlan is what would be written to an agent's settings.
type LinkPlan struct {
	Agent  string     `json:"agent"`
	Action string     `json:"action"`
	Files  []LinkFile `json:"files"` // that would change; none where there is nothing to do
	// Mark names just this change: PathLinkChange makes no other one.
	Mark string `json:"mark"`
	Note string `json:"note,omitempty"` // what is left to do by hand afterwards
}

// LinkFile is a change of one file, as a unified diff.
type LinkFile struct {
	Path string `json:"path"`
	Diff string `json:"diff"`
}

// LinkQuery names an agent and what is to be done with its settings.
type LinkQuery struct{ Agent, Action, Mark string }

// Values are the query's parameters in a request.
func (q LinkQuery) Values() url.Values {
	return values("agent", q.Agent, "action", q.Action, "mark", q.Mark)
}
