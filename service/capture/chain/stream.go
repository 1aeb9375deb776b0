package chain

import (
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// Stream is one chain of nodes: the main conversation or a sub-agent's. The fields may be set before a node is made.
type Stream struct {
	Tip string // node that the next one hangs on
	// Cwd, Branch, Commit and Model hold for the nodes that come.
	Cwd, Branch, Commit, Model string
	// Type is what kind of sub-agent it is; Caller is the agent's id of the call that started it.
	Type, Caller string
	// Await holds the nodes until the call of Caller is known, or nothing more will come.
	Await bool
	// Linear is set where the records of a file have one order alone, so that one which is there twice does not move the end of
	// the chain back to it.
	Linear bool

	b          *Session
	agent      string
	begun      bool
	speaker    string  // newest assistant node of the turn
	held       []*part // of the message that is not closed
	waiting    []*call // calls without a result whose message is closed
	locked     []*part // nodes that wait for the call that started the stream
	cwd        string  // of the node before
	branch     string
	commit     string
	compaction string // newest compaction
}

// part is a message or a call.
type part struct {
	node memory.Node
	call *call
	at   At
}

// Agent is the id of the sub-agent; empty on the main conversation.
func (s *Stream) Agent() string { return s.agent }

// begin prepares the next node. ok is false where it was made before: then the end of the chain at most moves there.
func (s *Stream) begin(at At, id string) (n memory.Node, ok bool) {
	if s.b.Has(id) {
		if !s.Linear {
			s.Tip = id
		}
		return n, false
	}
	s.b.Seen(at.Time)
	n = memory.Node{ID: id, ParentID: memory.Ref(s.Tip), CreatedAt: at.Time}
	m := &n.Metadata
	m.AgentID, m.AgentType = s.agent, s.Type
	if at.Source != "" {
		m.SourceIDs = []string{strings.Clone(at.Source)}
	}
	if s.Cwd != s.cwd && s.Cwd != "" {
		m.Cwd, s.cwd = s.Cwd, s.Cwd
	}
	if s.Branch != s.branch && s.Branch != "" {
		m.GitBranch, s.branch = s.Branch, s.Branch
	}
	if s.Commit != s.commit && s.Commit != "" {
		m.GitCommit, s.commit = s.Commit, s.Commit
	}
	if s.agent != "" && !s.begun {
		n.ParentID = ""
		if c := s.starter(); c != nil {
			n.CalledBy = memory.Ref(c.node.ID)
		}
	}
	s.begun = true
	s.b.parent[id] = string(n.ParentID)
	s.Tip = id
	return n, true
}

// starter is the call that started the sub-agent.
func (s *Stream) starter() *call {
	if calls := s.b.calls[s.Caller]; s.Caller != "" && len(calls) > 0 {
		return calls[0]
	}
	return nil
}

// Started says which call started the sub-agent, and lets go what waited for it.
func (s *Stream) Started(caller, typ string) {
	if s.agent == "" {
		return
	}
	if s.Caller == "" {
		s.Caller = strings.Clone(caller)
	}
	if s.Type == "" {
		s.Type = strings.Clone(typ)
	}
	if s.starter() != nil {
		s.free()
	}
}

// free hands over what waited for the call that started the stream.
func (s *Stream) free() {
	s.Await = false
	locked := s.locked
	s.locked = nil
	for i, l := range locked {
		if c := s.starter(); i == 0 && c != nil && l.node.ParentID == "" {
			l.node.CalledBy = memory.Ref(c.node.ID)
		}
		if l.node.Metadata.AgentType == "" {
			l.node.Metadata.AgentType = s.Type
		}
		s.b.emit(l.node, l.at)
	}
}

// lockedMost is how many nodes of a sub-agent wait at most for the call that started it.
const lockedMost = 2000

func (s *Stream) emit(n memory.Node, at At) {
	if s.Await && s.starter() == nil && len(s.locked) < lockedMost {
		s.locked = append(s.locked, &part{node: n, at: at})
		return
	}
	if s.Await {
		s.free()
	}
	s.b.emit(n, at)
}

// Close hands over the message that is held. Its calls without a result wait for it.
func (s *Stream) Close() {
	held := s.held
	s.held = nil
	for _, h := range held {
		switch {
		case h.call == nil:
			s.emit(h.node, h.at)
		case h.call.answered:
			s.handOver(h.call, "")
		default:
			s.waiting = append(s.waiting, h.call)
		}
	}
}

// GiveUp hands over the calls that wait for a result which will not come.
func (s *Stream) GiveUp(status memory.Status) {
	s.Close()
	waiting := s.waiting
	s.waiting = nil
	for _, c := range waiting {
		s.handOver(c, status)
	}
}

// HasCompaction reports whether the newest node is a compaction.
func (s *Stream) HasCompaction() bool { return s.compaction != "" && s.Tip == s.compaction }

// own reports whether a text was put there by Dormouse.
func own(text string) bool { return strings.Contains(text, transcript.OwnMark) }
