package claudecode

import (
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// stream is one chain of nodes: the main conversation or a sub-agent.
type stream struct {
	agent, typ string
	calledBy   string // agent's id of the call that started the sub-agent, where a sidecar says it
	order      int
	begun      bool
	tip        string // newest link of the chain
	head       string // end of the branch that is followed
	open       *message
	waiting    []*call // calls without a result, in the order of the calls
	cwd        string
	branch     string
	compact    *memory.Compaction // of a boundary whose summary has not come yet
	files      map[string]string  // sums of the files as the chain's calls left them, by path
}

// emit hands over a node that is final.
func (p *Parser) emit(s *stream, n memory.Node, file string, line int) {
	if s.agent == "" {
		p.given[n.ID] = true
	}
	if n.CreatedAt > p.facts.Updated {
		p.facts.Updated = n.CreatedAt
	}
	if p.opts.Long != nil {
		transcript.Shorten(&n, p.opts.Long)
	}
	if transcript.Clip(&n) {
		p.opts.Skip(transcript.Skip{Reason: transcript.ClippedText, File: file, Line: line, Bytes: int64(n.Metadata.Clipped.Bytes)})
	}
	p.out = append(p.out, n)
}

func (p *Parser) emitAll(s *stream, nodes []memory.Node, file string, line int) {
	for _, n := range nodes {
		p.emit(s, n, file, line)
	}
}

// begin prepares a node of the stream: who speaks, where and when. The first node of a sub-agent points at the call that
// started it.
func (p *Parser) begin(s *stream, r *record, id string, parent string) memory.Node {
	n := memory.Node{ID: id, ParentID: memory.Ref(parent), CreatedAt: r.time}
	m := &n.Metadata
	m.AgentID, m.AgentType = s.agent, s.typ
	if r.cwd != s.cwd && r.cwd != "" {
		s.cwd = strings.Clone(r.cwd)
		m.Cwd = s.cwd
	}
	if r.branch != s.branch && r.branch != "" {
		s.branch = strings.Clone(r.branch)
		m.GitBranch = s.branch
	}
	if s.agent != "" && !s.begun {
		n.ParentID = ""
		if c := p.starter(s, r); c != nil {
			n.CalledBy = memory.Ref(c.node.ID)
			if s.typ == "" {
				s.typ = c.subagent
				m.AgentType = c.subagent
			}
		}
	}
	s.begun = true
	s.tip, s.head = id, id
	if s.agent == "" {
		p.parent[id] = parent
		p.leaf = ""
	}
	return n
}

// starter is the call that started the sub-agent: named by its sidecar, by the call's result or a progress record, else the
// first call that gave just this prompt and has no sub-agent yet.
func (p *Parser) starter(s *stream, r *record) *call {
	c := p.calls[first(s.calledBy, p.started[s.agent])]
	text := ""
	blocks(r.message, func(typ string, b result) {
		if typ == "text" && text == "" {
			text = textOf(b)
		}
	})
	waiting := p.prompts[text]
	if c == nil && len(waiting) > 0 {
		c = waiting[0]
	}
	for i, w := range waiting {
		if w == c {
			p.prompts[text] = append(append([]*call(nil), waiting[:i]...), waiting[i+1:]...)
			break
		}
	}
	return c
}

// Drain hands over what is final.
func (p *Parser) Drain(how transcript.Settle) []memory.Node {
	if how != transcript.Growing {
		for _, s := range p.order {
			p.settle(s, how)
		}
	}
	out := p.out
	p.out = nil
	p.facts.Head = p.head()
	return out
}

// head is the end of the active branch, as far as it was handed over.
func (p *Parser) head() string {
	id := p.leaf
	if main := p.streams[""]; id == "" && main != nil {
		id = main.head
	}
	for steps := 0; id != "" && !p.given[id] && steps <= len(p.parent); steps++ {
		id = p.parent[id]
	}
	return id
}

func (p *Parser) settle(s *stream, how transcript.Settle) {
	if m := s.open; m != nil && (how == transcript.Over || m.speaks()) {
		p.release(m)
	}
	if how == transcript.Over {
		p.giveUp(s)
	}
}

// giveUp hands over the calls of a stream that wait for their result.
func (p *Parser) giveUp(s *stream) {
	for _, c := range s.waiting {
		if c.msg.released {
			p.handOver(c, memory.StatusPending)
		}
	}
	s.waiting = nil
}
