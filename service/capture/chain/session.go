package chain

import (
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// Session builds the nodes of one session. Its methods are called by one goroutine at a time.
type Session struct {
	// Facts is what is known of the session; the adapter fills in what it reads, the chain Head, Updated, FirstPrompt, Own and
	// the model of the newest message.
	Facts transcript.Facts

	agent   string
	opts    transcript.Options
	streams map[string]*Stream
	order   []*Stream
	calls   map[string][]*call // agent's id of a call -> calls, in file order
	parent  map[string]string  // node -> parent, of all nodes that were made
	prompts map[string]bool    // nodes that start a turn
	given   map[string]bool    // nodes that were handed over
	out     []memory.Node
}

// At is where a record lies and when it was written.
type At struct {
	File   string
	Line   int
	Time   int64  // Unix seconds; 0 where unknown
	Source string // the agent's own id of the record
}

// New is an empty session of an agent.
func New(agent string, o transcript.Options) *Session {
	if o.Skip == nil {
		o.Skip = func(transcript.Skip) {}
	}
	if o.Look == nil {
		o.Look = func(string) {}
	}
	return &Session{agent: agent, opts: o, streams: map[string]*Stream{}, calls: map[string][]*call{}, parent: map[string]string{},
		prompts: map[string]bool{}, given: map[string]bool{}}
}

// Look shows the JSON that nodes are made of to those who want its images. Only a transcript.Library has to.
func (b *Session) Look(raw string) { b.opts.Look(raw) }

// Main is the stream of the person's conversation.
func (b *Session) Main() *Stream { return b.Stream("") }

// Stream is the stream of a sub-agent, or the main one for an empty id.
func (b *Session) Stream(agentID string) *Stream {
	s := b.streams[agentID]
	if s == nil {
		s = &Stream{b: b, agent: agentID}
		b.streams[agentID] = s
		b.order = append(b.order, s)
	}
	return s
}

// Skip tells of something that was not used.
func (b *Session) Skip(at At, reason string, bytes int) {
	b.opts.Skip(transcript.Skip{Reason: reason, File: at.File, Line: at.Line, Bytes: int64(bytes)})
}

// Unknown tells of a record of a kind that the adapter does not know.
func (b *Session) Unknown(at At, kind string, bytes int) {
	if kind == "" {
		kind = "(none)"
	}
	b.Skip(at, transcript.UnknownType+" "+kind[:min(len(kind), 40)], bytes)
}

// ID is the id of a node made of the agent's own ids.
func (b *Session) ID(parts ...string) string { return memory.NodeID(b.agent, parts...) }

// Has reports whether a node was made.
func (b *Session) Has(id string) bool {
	_, ok := b.parent[id]
	return ok
}

// Parent is the node that a node hangs on; empty for the first one.
func (b *Session) Parent(id string) string { return b.parent[id] }

// Seen takes a time that a record tells, for the beginning of the session.
func (b *Session) Seen(unix int64) {
	if unix > 0 && (b.Facts.Created == 0 || unix < b.Facts.Created) {
		b.Facts.Created = unix
	}
}

// emit hands a node over.
func (b *Session) emit(n memory.Node, at At) {
	b.Facts.Updated = max(b.Facts.Updated, n.CreatedAt)
	if b.opts.Long != nil {
		transcript.Shorten(&n, b.opts.Long)
	}
	if transcript.Clip(&n) {
		b.Skip(at, transcript.ClippedText, n.Metadata.Clipped.Bytes)
	}
	b.given[n.ID] = true
	if b.out == nil {
		b.out = make([]memory.Node, 0, 8)
	}
	b.out = append(b.out, n)
}

// Drain hands over what is final. See transcript.Parser.
func (b *Session) Drain(how transcript.Settle) []memory.Node {
	for _, s := range b.order {
		if how != transcript.Growing {
			s.Close()
		}
		if how == transcript.Over {
			s.GiveUp(memory.StatusPending)
			s.free()
		}
	}
	out := b.out
	b.out = nil
	b.Facts.Head = b.head()
	return out
}

// head is the end of the main conversation, as far as it was handed over.
func (b *Session) head() string {
	main := b.streams[""]
	if main == nil {
		return ""
	}
	id := main.Tip
	for steps := 0; id != "" && !b.given[id] && steps <= len(b.parent); steps++ {
		id = b.parent[id]
	}
	return id
}

// known is a node as it was stored before this session was read; ok is false where it was not.
func (b *Session) known(id string) (memory.Node, bool) {
	if b.opts.Known == nil {
		return memory.Node{}, false
	}
	return b.opts.Known(id)
}

// Turns counts the prompts from a node upwards until another one, which is not counted.
func (b *Session) Turns(from, until string) int {
	n := 0
	for steps := 0; from != "" && from != until && steps <= len(b.parent); steps++ {
		if b.prompts[from] {
			n++
		}
		from = b.parent[from]
	}
	return n
}
