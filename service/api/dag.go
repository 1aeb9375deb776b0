package api

import (
	"net/url"
	"strconv"

	"dormouse/store/memory"
)

// The paths of a session's history: its commits, nodes, contexts and branches.
const (
	PathSessionCommits  = "/v1/session/commits"  // ?id=
	PathSessionBranches = "/v1/session/branches" // ?id=
	PathSessionNodes    = "/v1/session/nodes"    // ?id=&since=&after=&head=&limit=
	PathSessionContext  = "/v1/session/context"  // ?id=&turn=
	PathSessionSwitch   = "/v1/session/switch"   // POST ?id=&node=: go on from another branch
)

// SessionCommits are a session's commits on all branches, newest first, and its branches.
type SessionCommits struct {
	Session  Session         `json:"session"`
	Branches []Branch        `json:"branches"` // main first
	Commits  []SessionCommit `json:"commits"`
}

// SessionBranches are a session's branches: SessionCommits without the commits, of which there may be thousands.
type SessionBranches struct {
	Session  Session  `json:"session"`
	Branches []Branch `json:"branches"` // main first
}

// Branch is one line of a session: main, or a retry.
type Branch struct {
	Name    string `json:"name"`
	Commit  string `json:"commit"`  // the newest
	Message string `json:"message"` // of it
	Node    string `json:"node"`    // the newest of the main conversation on it that has a commit
	Turns   int    `json:"turns"`   // that have a commit on it alone
	Shown   bool   `json:"shown"`   // the session's head is on it
}

// SessionCommit is a turn's commit, or a part of it.
type SessionCommit struct {
	SHA     string   `json:"sha"`
	Parents []string `json:"parents"`
	Branch  string   `json:"branch"` // that it was made on
	Turn    int      `json:"turn"`
	Message string   `json:"message"`
	When    int64    `json:"when"`
	Nodes   []string `json:"nodes"` // that no commit before had
}

// NodeQuery asks for what a session got. Since is a commit: with no Head, what every branch got after it was made; with one, what
// is on the way to that node and not on the way to the commit. After is a number: what has a greater one. At most one of the two
// is given.
type NodeQuery struct {
	ID, Since, Head string
	After, Limit    int
}

// Values are the query as parameters.
func (q NodeQuery) Values() url.Values {
	v := url.Values{"id": {q.ID}}
	for name, text := range map[string]string{"since": q.Since, "head": q.Head} {
		if text != "" {
			v.Set(name, text)
		}
	}
	for name, n := range map[string]int{"after": q.After, "limit": q.Limit} {
		if n > 0 {
			v.Set(name, strconv.Itoa(n))
		}
	}
	return v
}

// Nodes are nodes in the order of their numbers.
type Nodes struct {
	Nodes []memory.Node `json:"nodes"`
	// Last is the number to go on after when More is set.
	Last int  `json:"last"`
	More bool `json:"more"`
}

// Context is what the models saw at the end of a turn.
type Context struct {
	Session Session `json:"session"`
	Turn    int     `json:"turn"`
	Commit  string  `json:"commit"`
	From    string  `json:"from"`   // transcript: reconstructed; proxy: seen on its way to the model
	Tokens  int64   `json:"tokens"` // of the newest model call, as its provider counted; 0 where unknown
	Views   []View  `json:"views"`  // the main conversation's first, then one for each sub-agent
}

// View is the context of one conversation.
type View struct {
	Agent string     `json:"agent"` // the sub-agent; empty for the main conversation
	Items []SeenNode `json:"items"`
}

// SeenNode is a node in a context: how much of it was seen, and about how many tokens it has.
type SeenNode struct {
	ID     string `json:"id"`
	State  string `json:"state"` // full, aged, summarised or cleared
	Tokens int    `json:"tokens"`
	Turn   int    `json:"turn"`
	Text   string `json:"text"` // its beginning, on one line
}
