package transcript

import (
	"io"

	"dormouse/store/memory"
)

// File is one file of a session, as an adapter recognised it from its path and its first lines.
type File struct {
	Path string `json:"path"`
	// Session is the agent's own id of the session that the file belongs to; a sub-agent's file belongs to the session of the
	// conversation that started it.
	Session string `json:"session"`
	// AgentID is set on a sub-agent's own file.
	AgentID string `json:"agent_id,omitempty"`
	// AgentType and CalledBy are what a sidecar says of a sub-agent: its kind, and the agent's id of the call that started it.
	AgentType string `json:"agent_type,omitempty"`
	CalledBy  string `json:"called_by,omitempty"`
	// Cwd is the working directory of the session where only a file beside the transcript says it.
	Cwd string `json:"cwd,omitempty"`
	// Part is the agent's own id of this file where one session is spread over several; else empty.
	Part string `json:"part,omitempty"`
	// Base is the part that this file continues, up to BaseEnd bytes of it; BaseEnd 0 means all of it.
	Base    string `json:"base,omitempty"`
	BaseEnd int64  `json:"base_end,omitempty"`
	// Prefix is set on a file of another session that this one goes on from: it is read up to where it goes on, for the shared
	// beginning, and tells no facts.
	Prefix bool `json:"prefix,omitempty"`
}

// Line is one line of a transcript. Data is valid until the next line is read.
type Line struct {
	File   string
	Number int   // from 1
	Offset int64 // of the first byte, in bytes
	Length int64 // in the file, with the line's end; Data is shorter where long texts were cut out
	Data   []byte
}

// Settle says how sure it is that the files will not grow for now.
type Settle int

const (
	// Growing: only what later records have closed is final.
	Growing Settle = iota
	// Quiet: nothing was written for a moment. Messages are final, running calls are not.
	Quiet
	// Over: the session is not live. Calls without a result are final too.
	Over
)

// Parser turns the lines of one session's files into nodes. It is fed by one goroutine at a time. Feeding the same lines of
// the same files in the same order gives the same nodes, however they are cut into rounds of Feed and Drain(Growing).
type Parser interface {
	// Open announces a file before its first line.
	Open(File)
	// Feed takes the next line of an opened file.
	Feed(Line)
	// Drain hands over the nodes that are final, parents before children as far as the transcript allows. What comes after a
	// node that was final too early follows as a node of its own, so that nothing is lost and nothing comes twice.
	Drain(Settle) []memory.Node
	// Facts is what is known of the session so far.
	Facts() Facts
}

// Options are what a parser gets from outside. Every field may be left out.
type Options struct {
	// Known returns a node that is stored already, so that a parser that starts again does not hand over the rest of a message
	// whose first part was final too early as if it were one with it. It must be cheap for an id that is not stored.
	Known func(id string) (memory.Node, bool)
	// Stored reports whether any node of the session that a Library reads is stored: where none is, Known need not be asked.
	Stored func() bool
	// Skip is told of everything that was not used.
	Skip func(Skip)
	// Long takes a text of a node that is too long for it, and gives what stands for it in the node: its two ends around a mark. The whole
	// is stored beside the node. It gives the text itself where it cannot be kept. Most such texts are cut out of a Parser's lines before
	// it sees them.
	Long func(text string) string
	// Cut, which may be nil, is where a Library's long texts go that are cut out before all of them is in memory. It is asked anew for each
	// reading.
	Cut func() Cut
	// Wait, which may be nil, is called before a Library takes several megabytes of one record, so that it may wait until there is memory.
	Wait func()
	// Look is told of the JSON that the nodes of a Library are made of, before they are handed over: images are taken out of it. What a
	// Parser is fed is looked at without it.
	Look func(raw string)
	// Image, where it is set, is told of the images that a Library holds in files of their own, before the nodes that name them: by the
	// SHA256 of their Image, and how the file is opened. It reports false of a file that is no image to keep.
	Image func(named string, open func() (io.ReadCloser, error)) bool
}

// Cutting is where long texts go; where the options do not say, they are thrown away.
func (o Options) Cutting() Cut {
	if o.Cut == nil {
		return Cut{}
	}
	return o.Cut()
}

// Waiting waits for memory, where the options say how.
func (o Options) Waiting() {
	if o.Wait != nil {
		o.Wait()
	}
}

// Facts is what a transcript says of its session.
type Facts struct {
	Cwd           string // the first working directory
	GitBranch     string // the newest
	RepositoryURL string // where the transcript names it
	Model         string // of the newest assistant message
	Title         string // given by the agent or by the person
	TitleBy       string // user or agent; empty without a title
	FirstPrompt   string // text of the first prompt of the person
	ForkOf        string // agent's own id of the session that this one was derived from
	Head          string // newest node of the active branch that was handed over
	Created       int64  // Unix seconds; 0 where unknown
	Updated       int64  // of the newest node
	Own           bool   // a call that Dormouse made itself: not a session to remember
}
