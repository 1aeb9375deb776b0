package codex

import (
	"strconv"
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// stream is one chain of nodes: the person's thread or a sub-agent's.
type stream struct {
	agent, typ     string
	begun          bool
	tip            string  // newest link of the chain
	speaker        string  // newest assistant node of the turn
	held           []*part // of the response that is being read
	waiting        []*call // calls without a result that are no longer held
	asked          *asked  // user item that waits for the event that says whether the person wrote it
	shown          *shown  // message of an event that waits for its item
	echo           string  // key of a message that was taken from its event because nothing followed
	thoughts       []string
	used           []string // thoughts that went to the newest part
	said           map[string]bool
	lastPrompt     string // words of the newest prompt, until something answers it
	usage          *memory.Usage
	cwd, branch    string
	commit         string // of the repository, as the newest session_meta tells it
	oldCwd, oldRef string // of the node before
	oldCommit      string
	model          string
	lastCompaction string
}

// part is a message or a call of a response.
type part struct {
	node memory.Node
	call *call
	file string
	line int
}

// begin prepares the next node of a stream. ok is false when the node is there already: a file that replays another's
// records only moves the end of the chain.
func (p *Parser) begin(src *source, r *record, id string) (n memory.Node, ok bool) {
	s := src.stream
	if p.have[id] {
		s.tip = id
		return n, false
	}
	n = memory.Node{ID: id, ParentID: memory.Ref(s.tip), CreatedAt: r.time}
	m := &n.Metadata
	m.AgentID, m.AgentType = s.agent, s.typ
	m.SourceIDs = []string{"L" + strconv.Itoa(r.line.Number)}
	if s.cwd != s.oldCwd {
		m.Cwd, s.oldCwd = s.cwd, s.cwd
	}
	if s.branch != s.oldRef {
		m.GitBranch, s.oldRef = s.branch, s.branch
	}
	if s.commit != s.oldCommit {
		m.GitCommit, s.oldCommit = s.commit, s.commit
	}
	if s.agent != "" && !s.begun {
		n.ParentID = ""
		if c := p.starter(s.agent); c != nil {
			n.CalledBy = memory.Ref(c.id)
		}
	}
	s.begun = true
	p.have[id] = true
	p.parent[id] = string(n.ParentID)
	s.tip = id
	return n, true
}

// starter is the call that started a sub-agent: an event said so, or its result names the thread.
func (p *Parser) starter(thread string) *call {
	if c := p.started[thread]; c != nil {
		return c
	}
	for _, c := range p.spawns {
		if strings.Contains(c.result, thread) {
			return c
		}
	}
	return nil
}

func (p *Parser) emit(n memory.Node, file string, line int) {
	if n.CreatedAt > p.facts.Updated {
		p.facts.Updated = n.CreatedAt
	}
	if p.opts.Long != nil {
		transcript.Shorten(&n, p.opts.Long)
	}
	if transcript.Clip(&n) {
		p.opts.Skip(transcript.Skip{Reason: transcript.ClippedText, File: file, Line: line, Bytes: int64(n.Metadata.Clipped.Bytes)})
	}
	p.given[n.ID] = true
	p.out = append(p.out, n)
}

// flush hands over the parts of the response that was read. Calls without a result stay.
func (p *Parser) flush(s *stream) {
	held := s.held
	s.held = nil
	for _, h := range held {
		switch {
		case h.call == nil:
			p.emit(h.node, h.file, h.line)
		case h.call.answered:
			p.handOver(h.call, "")
		default:
			s.waiting = append(s.waiting, h.call)
		}
	}
}

// newResponse ends the response that was read when one of its calls has a result: what comes now belongs to the next.
func (p *Parser) newResponse(s *stream) {
	for _, h := range s.held {
		if h.call != nil && h.call.answered {
			p.flush(s)
			return
		}
	}
}

// giveUp hands over the calls that wait for their result: the turn is over.
func (p *Parser) giveUp(s *stream, status memory.Status) {
	p.flush(s)
	waiting := s.waiting
	s.waiting = nil
	for _, c := range waiting {
		p.handOver(c, status)
	}
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
	if main := p.streams[""]; main != nil {
		id := main.tip
		for steps := 0; id != "" && !p.given[id] && steps <= len(p.parent); steps++ {
			id = p.parent[id]
		}
		p.facts.Head = id
	}
	return out
}

func (p *Parser) settle(s *stream, how transcript.Settle) {
	if a := s.asked; a != nil && how == transcript.Over {
		s.asked = nil // its event would stand right behind it; nothing does
		p.prompts(a.src, &a.rec, a.text, a.images)
	}
	p.flush(s)
	if how == transcript.Over {
		if v := s.shown; v != nil {
			p.showShown(s)
			s.echo = v.key
		}
		p.flush(s)
		p.giveUp(s, memory.StatusPending)
	}
}

// takeThoughts are the thoughts that led to the part that begins.
func (s *stream) takeThoughts() string {
	t := strings.Join(s.thoughts, "\n\n")
	if len(s.thoughts) > 0 {
		s.used, s.thoughts = s.thoughts, nil
	}
	return t
}

func (s *stream) think(text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	for _, t := range append(s.thoughts, s.used...) {
		if t == text {
			return
		}
	}
	s.thoughts = append(s.thoughts, strings.Clone(text))
}
