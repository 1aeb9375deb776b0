package memory

// DefaultProject is the project of sessions that have no working directory.
const DefaultProject = "default"

// Session is the content of a session's meta.json.
type Session struct {
	ID             string `json:"id"`
	Title          string `json:"title"`
	Agent          string `json:"agent"`            // adapter name, for example claude-code
	AgentSessionID string `json:"agent_session_id"` // the agent's own id
	ProjectID      string `json:"project_id"`
	Cwd            string `json:"cwd"`
	GitBranch      string `json:"git_branch"`
	Model          string `json:"model"` // of the newest assistant message
	CreatedAt      int64  `json:"created_at"`
	UpdatedAt      int64  `json:"updated_at"` // of the newest node; renaming does not move it
	HeadID         Ref    `json:"head_id"`    // the newest node of the active branch
	Machine        string `json:"machine"`    // that captured it
	// Nodes and Turns count what history/ holds, so that a list needs no look into it; assigned by store/session.
	Nodes int `json:"nodes,omitempty"`
	Turns int `json:"turns,omitempty"`
	// Redacted counts the secrets that were replaced in the nodes; RootID is the first of them. Assigned by store/session.
	Redacted int `json:"redacted,omitempty"`
	RootID   Ref `json:"root_id"`
	// TitleBy says where the title comes from: user, agent, model or excerpt.
	TitleBy string `json:"title_by,omitempty"`
	// TitleAsked says that a model was asked for a title; it is asked once.
	TitleAsked bool `json:"title_asked,omitempty"`
	// Pinned marks a session that the person wants to find again. It does not move it in a list.
	Pinned bool `json:"pinned,omitempty"`
	// ForkOf is the agent's own id of the session that this one was derived from, where the transcript names it.
	ForkOf string `json:"fork_of,omitempty"`
}
