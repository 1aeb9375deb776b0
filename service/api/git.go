package api

import "net/url"

// The paths of Project-Git.
const (
	PathProjectRename = "/v1/projects/rename"     // POST ?project=&name=: give it the person's own name; empty takes that back
	PathProject       = "/v1/project"             // ?project=: one project with its repository
	PathAutoCommit    = "/v1/projects/autocommit" // POST ?project=&on=: commit what agents change in a turn, or stop to
	PathCommits       = "/v1/commits"             // ?project=&session=&agent=&since=&until=&limit=&for=
	PathCommit        = "/v1/commit"              // ?project=&id=&bytes=&for=
	PathTurnBegin     = "/v1/turn/begin"          // POST ?session=&project=&turn=&model=&words=: an agent's turn begins
	PathTurnEnd       = "/v1/turn/end"            // POST likewise: it has ended
)

// ProjectState is one project with its repository.
type ProjectState struct {
	Project Project `json:"project"`
	Git     *Git    `json:"git"` // null where the folder has no repository, or it cannot be read
	// Problem says why Git is null, and what helps.
	Problem    string     `json:"problem,omitempty"`
	AutoCommit AutoCommit `json:"auto_commit"`
}

// Git is how a project's repository stands.
type Git struct {
	Root   string `json:"root"`            // of its work tree
	Branch string `json:"branch"`          // empty when HEAD is detached
	Head   string `json:"head"`            // its newest commit; empty before the first one
	Doing  string `json:"doing,omitempty"` // a merge, a rebase, ... that is not finished
	// Changes counts the paths that differ from the newest commit or are untracked.
	Changes int `json:"changes"`
	// ReadBy is go-git or "git command"; Why says why go-git does not do.
	ReadBy string `json:"read_by"`
	Why    string `json:"why,omitempty"`
}

// AutoCommit is whether agents' turns are committed, and what became of the newest.
type AutoCommit struct {
	On   bool         `json:"on"`
	Last *TurnOutcome `json:"last,omitempty"` // that changed something, since the service began
}

// TurnOutcome is what became of a turn's changes.
type TurnOutcome struct {
	SessionID string `json:"session_id"`
	Turn      int    `json:"turn"`
	Commit    string `json:"commit"` // empty when nothing was committed
	// Reason is why not: off, nothing_changed, begin_unknown, not_clean, under_way, detached, moved, shared, nested, secret, unsigned,
	// refused, cannot_tell or no_repository. Text says it in words, with what helps.
	Reason string `json:"reason,omitempty"`
	Text   string `json:"text,omitempty"`
	At     int64  `json:"at"`
}

// TurnReport is what an agent's hook tells of a turn.
type TurnReport struct {
	SessionID string // of the session, or the agent's own
	Project   string // id, name or folder; a folder is where the agent works
	Turn      int    // 0 where the hook does not know it
	Model     string
	Words     string // the beginning of the prompt
}

// Values are the report's parameters in a request.
func (r TurnReport) Values() url.Values {
	return values("session", r.SessionID, "project", r.Project, "turn", number(int64(r.Turn)), "model", r.Model, "words", r.Words)
}

// CommitQuery asks for the commits of a project on all its local branches, newest first. Empty fields do not filter.
type CommitQuery struct {
	Project string // id, name or folder; may be empty where Session is given
	Session string // whole id: those that were made while it went on
	Agent   bool   // only those that were made here for agents
	Since   int64  // Unix seconds, inclusive
	Until   int64  // Unix seconds, exclusive
	Limit   int
	For     string // the agent that asks, from whom the commits of private turns are kept; empty for the person
}

// Values are the query's parameters in a request.
func (q CommitQuery) Values() url.Values {
	agent := ""
	if q.Agent {
		agent = "true"
	}
	return values("project", q.Project, "session", q.Session, "agent", agent, "since", number(q.Since), "until", number(q.Until),
		"limit", number(int64(q.Limit)), "for", q.For)
}

// Commits is a slice of a project's history.
type Commits struct {
	Project Project  `json:"project"`
	Commits []Commit `json:"commits"`
	More    bool     `json:"more"` // there are older ones that fit
}

// Commit is one commit of a project's repository.
type Commit struct {
	ID      string `json:"id"`
	Author  string `json:"author"`
	Agent   bool   `json:"agent"` // made here for an agent
	Time    int64  `json:"time"`  // when it was made
	Subject string `json:"subject"`
	Body    string `json:"body,omitempty"`
	// Links are the sessions that it belongs to.
	Links []CommitLink `json:"links"`
}

// CommitLink ties a commit to a session.
type CommitLink struct {
	SessionID string `json:"session_id"`
	Turn      int    `json:"turn,omitempty"`    // 0 where it is not known
	NodeID    string `json:"node_id,omitempty"` // empty where it is not known
	// By is message (the commit names the session), call (a tool call shows the commit) or time (it was made meanwhile).
	By string `json:"by"`
}

// CommitShown is one commit with what it changed against its first parent.
type CommitShown struct {
	Commit
	Project Project      `json:"project"`
	Files   []FileChange `json:"files"`
	Diff    string       `json:"diff"` // unified; as far as it was asked for
	Cut     bool         `json:"cut"`  // there is more of it
}

// FileChange is one file that a commit changed.
type FileChange struct {
	Path    string `json:"path"`
	From    string `json:"from,omitempty"` // where it was before, of one that was moved or copied
	Op      string `json:"op"`             // add, modify, delete, move or copy
	Added   int    `json:"added"`          // lines
	Removed int    `json:"removed"`        // lines
	Binary  bool   `json:"binary,omitempty"`
}
