package memory

import "encoding/json"

// Role says who speaks in a node.
type Role string

// The roles of a node.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Letter is the role's letter in the name of a node file: u, a or t.
func (r Role) Letter() string {
	switch r {
	case RoleUser:
		return "u"
	case RoleAssistant:
		return "a"
	default:
		return "t"
	}
}

// Ref is the id of another node. The empty Ref is JSON null.
type Ref string

// MarshalJSON writes the empty Ref as null.
func (r Ref) MarshalJSON() ([]byte, error) {
	if r == "" {
		return []byte("null"), nil
	}
	return Encode(string(r))
}

// Node is one entry in a session's DAG: a message of the user, a message of the assistant, or a tool call with its result.
// It is the content of one file history/NNNNNN-<letter>-<id>.json and is never changed after it was written.
type Node struct {
	ID  string `json:"id"`
	Seq int    `json:"seq"` // position in history/, from 1; assigned by store/session
	// Role, and for a tool the name that the agent calls it by.
	Role Role   `json:"role"`
	Name string `json:"name"`
	// Input holds a tool call's arguments as the agent gave them; null for messages.
	Input json.RawMessage `json:"input"`
	// Output is the text of a message, or the result of a tool call.
	Output string `json:"output"`
	// ParentID is the node before this one on its branch; null for the first node of a session or of a sub-agent. Tool nodes
	// are links of the same chain, so a node has two children only where the conversation really forks.
	ParentID Ref `json:"parent_id"`
	// CalledBy is, for a tool node, the assistant node that called it; for the first node of a sub-agent, the tool node that
	// started the sub-agent.
	CalledBy Ref `json:"called_by"`
	// Reads names what the node drew on: "file:<path>" with "#<blob>" where the content is known (FileOf), "node:<id>",
	// "session:<id>" and "memory:<id>".
	Reads     []string `json:"reads"`
	CreatedAt int64    `json:"created_at"` // Unix seconds; 0 where the transcript does not say
	Metadata  Metadata `json:"metadata"`
}

// MarshalJSON writes an empty list of reads as [].
func (n Node) MarshalJSON() ([]byte, error) {
	return appendNode(make([]byte, 0, 512+len(n.Output)+len(n.Output)/16+len(n.Input)+len(n.Metadata.Thinking)), &n)
}

// UserKind tells a person's words from the other texts that agents store under the user role.
type UserKind string

// The kinds of a user node. Only a prompt of the main conversation starts a turn.
const (
	KindPrompt     UserKind = "prompt"     // typed or dictated by the person
	KindHarness    UserKind = "harness"    // written by the agent's client: reminders, command echoes, notices, instructions files
	KindCompaction UserKind = "compaction" // a summary that replaced earlier context
	KindInjected   UserKind = "injected"   // put there by Dormouse; never remembered again
	KindTask       UserKind = "task"       // an agent's prompt to its sub-agent
	KindPage       UserKind = "page"       // stood on a page of another program's memory; it gives nothing but candidates
)

// Status of a tool call or of a message.
type Status string

// The states of a node. The empty Status means that it ended as usual.
const (
	StatusOK          Status = "ok"
	StatusError       Status = "error"
	StatusInterrupted Status = "interrupted"
	StatusPending     Status = "pending" // no result in the transcript
)

// Metadata carries what a node's agent recorded beside the text. Absent values are left out of the JSON.
type Metadata struct {
	Turn      int      `json:"turn"`                 // from 1; 0 before the first prompt; assigned by store/session
	SourceIDs []string `json:"source_ids,omitempty"` // ids of the agent's own records that the node was made of, in file order
	Kind      UserKind `json:"kind,omitempty"`       // of a user node
	Status    Status   `json:"status,omitempty"`
	Model     string   `json:"model,omitempty"`
	Thinking  string   `json:"thinking,omitempty"`
	Usage     *Usage   `json:"usage,omitempty"`
	ExitCode  *int     `json:"exit_code,omitempty"`
	// DurationMS is how long a tool ran, in milliseconds; 0 where unknown.
	DurationMS int64 `json:"duration_ms,omitempty"`
	// Cwd, GitBranch and GitCommit (the commit that was checked out) are set where they differ from the node before.
	Cwd       string `json:"cwd,omitempty"`
	GitBranch string `json:"git_branch,omitempty"`
	GitCommit string `json:"git_commit,omitempty"`
	// AgentID names the sub-agent that the node belongs to; empty on the main conversation. AgentType is its kind or role.
	AgentID   string  `json:"agent_id,omitempty"`
	AgentType string  `json:"agent_type,omitempty"`
	Images    []Image `json:"images,omitempty"`
	Edits     []Edit  `json:"edits,omitempty"`
	// Commands are the shell commands of a tool call, as far as its arguments show them.
	Commands   []string    `json:"commands,omitempty"`
	Compaction *Compaction `json:"compaction,omitempty"`
	// Cleared are the calls before the node whose results the agent took out of the model's context at this point, by their ids. What else
	// there was stayed.
	Cleared []string `json:"cleared,omitempty"`
	// Undone is set on a node that says that the last N turns before it were taken back.
	Undone int `json:"undone,omitempty"`
	// Redacted counts the secrets that were replaced in the node.
	Redacted int `json:"redacted,omitempty"`
	// Clipped is set where a text was too long to be stored whole.
	Clipped *Clipped `json:"clipped,omitempty"`
	// Files are the texts of the node that lie beside it, because they are too long for it.
	Files []File `json:"files,omitempty"`
}

// File is a part of a node that lies in the session's repository beside it. Of a text, the node holds head and tail; of an image that is
// kept, its Image.
type File struct {
	Path   string `json:"path"` // in the commits: files/<sha256>.<extension>; of an image its ref: refs/dormouse/images/<sha256>.<extension>
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	Blob   string `json:"blob"` // git's name of the content
}

// Usage is the tokens of one model call, as the provider counted them.
type Usage struct {
	Input      int64 `json:"input"`       // not read from or written to a cache
	CacheRead  int64 `json:"cache_read"`  //
	CacheWrite int64 `json:"cache_write"` //
	Output     int64 `json:"output"`
}

// Image stands for an image: what the transcript says that it is, how long (bytes, decoded) and its SHA-256 in hex, by which it is found
// where it was kept. What was no data, such as a link, has its own length and SHA-256.
type Image struct {
	Type   string `json:"type"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Edit is one file that a tool call changed.
type Edit struct {
	Path string `json:"path"`
	// Op is create, update or delete.
	Op string `json:"op"`
	// Diff is the change as a unified diff without file headers, where the transcript shows it.
	Diff string `json:"diff,omitempty"`
	// Before is the file's whole content before the change, where the transcript shows it and the session's earlier edits of the
	// file do not give it. BeforeSum is the content's sum (store/project/edit.Sum), also where Before is left out.
	Before    *string `json:"before,omitempty"`
	BeforeSum string  `json:"before_sum,omitempty"`
	// Added and Removed count lines, where the transcript shows them.
	Added   int `json:"added,omitempty"`
	Removed int `json:"removed,omitempty"`
}

// Compaction describes a point where the agent summarised its context.
type Compaction struct {
	Trigger string `json:"trigger,omitempty"` // auto or manual
	// PreTokens is the size of the context before, in tokens; 0 where unknown.
	PreTokens int64 `json:"pre_tokens,omitempty"`
	// Last is the last node that the summary covers.
	Last string `json:"last,omitempty"`
}

// Clipped tells of a text of which only head and tail were kept.
type Clipped struct {
	Bytes  int    `json:"bytes"` // of the whole text
	SHA256 string `json:"sha256"`
}

// StartsTurn reports whether the node is a prompt of the person on the main conversation.
func (n *Node) StartsTurn() bool {
	return n.Role == RoleUser && n.Metadata.Kind == KindPrompt && n.Metadata.AgentID == ""
}
