package api

import (
	"net/url"

	"dormouse/store/memory"
)

// PathBlame is the path of what made the lines of a file what they are.
const PathBlame = "/v1/blame" // ?path=&from=&to=

// BlameQuery asks which commits, sessions and decisions made lines of a file what they are.
type BlameQuery struct {
	Path     string // absolute
	From, To int    // lines from 1, both inclusive; 0 for the file's first and last
}

// Values are the query's parameters in a request.
func (q BlameQuery) Values() url.Values {
	return values("path", q.Path, "from", number(int64(q.From)), "to", number(int64(q.To)))
}

// Blame is what made the lines of a file what they are.
type Blame struct {
	Project Project `json:"project"`
	Path    string  `json:"path"` // from the project's folder
	// State is empty for the file as it lies on the disk, untracked or deleted; of a deleted one the lines are those that it had last.
	State  string       `json:"state,omitempty"`
	Lines  int          `json:"lines"` // of the file
	Blocks []BlameBlock `json:"blocks"`
	// Records are memories that name the file and come from none of the turns of the blocks, decisions first.
	Records []BlameRecord `json:"records,omitempty"`
	// More says that the file has more blocks than are told of.
	More bool `json:"more,omitempty"`
}

// BlameBlock is a run of lines with one origin.
type BlameBlock struct {
	From   int     `json:"from"`
	To     int     `json:"to"`
	First  string  `json:"first"`  // the first of the lines, cut where it is long
	Commit *Commit `json:"commit"` // null where no commit has the lines
	// Was is the file's path in that commit, where it was another.
	Was string `json:"was,omitempty"`
	// Turns are where the lines come from, the surest first; empty where no session is known to have made them.
	Turns []BlameTurn `json:"turns"`
	// Records are memories that come from these turns, decisions first.
	Records []BlameRecord `json:"records,omitempty"`
}

// BlameTurn is a turn of a session that lines come from.
type BlameTurn struct {
	SessionID string `json:"session_id"`
	Agent     string `json:"agent"`
	Title     string `json:"title"`
	Turn      int    `json:"turn,omitempty"` // 0 where it is not known
	// By says how it is known: message, call or time, as of a CommitLink, or edit: a call of the turn wrote the lines.
	By      string `json:"by"`
	Prompt  string `json:"prompt,omitempty"`  // what the person said in it, its beginning
	Missing string `json:"missing,omitempty"` // why the session cannot be opened
}

// BlameRecord is a memory that bears on lines.
type BlameRecord struct {
	ID        string       `json:"id"`
	Kind      memory.Kind  `json:"kind"` // of an event; "fact" of what holds
	Text      string       `json:"text"`
	Trust     memory.Trust `json:"trust"`
	SessionID string       `json:"session_id"`
	Turn      int          `json:"turn,omitempty"`
	Time      int64        `json:"time,omitempty"` // 0 where unknown
}
