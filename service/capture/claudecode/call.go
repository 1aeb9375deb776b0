package claudecode

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// call is one tool call, from its arguments until its result.
type call struct {
	id       string
	node     memory.Node
	msg      *message
	index    int    // among the calls of the message
	subagent string // kind of the sub-agent that the call starts
	answered bool
	handed   bool          // its node was handed over
	after    []memory.Node // texts of the client that follow the call
	file     string
	line     int
}

// call takes a tool_use block. Its node hangs on the newest link of the chain, so that calls of one message follow each
// other and make no fork.
func (p *Parser) call(m *message, r *record, b result) {
	id := b.Get("id").String()
	if id == "" {
		id = m.key + "#" + strconv.Itoa(m.calls)
	}
	parts := []string{id}
	if old := p.calls[id]; old != nil {
		if old.msg == m {
			return
		}
		parts = []string{m.key, id}
	}
	c := &call{id: strings.Clone(id), msg: m, index: m.calls, file: r.line.File, line: r.line.Number}
	c.node = p.begin(m.stream, r, memory.NodeID(Agent, parts...), m.stream.tip)
	c.node.Role = memory.RoleTool
	c.node.Name = strings.Clone(b.Get("name").String())
	c.node.CalledBy = memory.Ref(m.id)
	input := b.Get("input")
	c.node.Input = transcript.JSON(strings.Clone(input.Raw))
	if r.uuid != "" {
		c.node.Metadata.SourceIDs = []string{strings.Clone(r.uuid)}
	}
	describe(&c.node, input)
	if kind := input.Get("subagent_type").String(); kind != "" || c.node.Name == "Task" || c.node.Name == "Agent" {
		c.subagent = strings.Clone(kind)
		if prompt := strings.Clone(input.Get("prompt").String()); prompt != "" {
			p.prompts[prompt] = append(p.prompts[prompt], c)
		}
	}
	m.calls++
	m.link, m.last = c.node.ID, c
	p.calls[c.id] = c
	m.stream.waiting = append(m.stream.waiting, c)
}

// answer takes the result of a call. It returns where the record that carries it hangs.
func (p *Parser) answer(r *record, b result, s *stream, up place) place {
	id := first(b.Get("tool_use_id").String(), r.sourceCall)
	c := p.calls[id]
	if c == nil && b.Get("tool_use_id").String() == "" {
		c = p.unnamed(r, up)
	}
	if c == nil {
		return p.leftOver(r, b, nil, id, s, up)
	}
	p.startedBy(r, c)
	if c.answered {
		return place{msg: c.msg} // the same result again
	}
	if !c.handed && p.opts.Known != nil {
		if stored, ok := p.opts.Known(c.node.ID); ok && stored.Metadata.Status == memory.StatusPending {
			p.handOver(c, memory.StatusPending)
		}
	}
	c.answered = true
	if c.handed {
		return p.leftOver(r, b, c, id, s, up)
	}
	fill(&c.node, b, r.result)
	c.msg.stream.showBefore(&c.node, r.result)
	if r.uuid != "" {
		c.node.Metadata.SourceIDs = append(c.node.Metadata.SourceIDs, strings.Clone(r.uuid))
	}
	c.msg.stream.waiting = slices.DeleteFunc(c.msg.stream.waiting, func(w *call) bool { return w == c })
	if c.msg.released {
		p.handOver(c, "")
	} else {
		c.msg.done = append(c.msg.done, c)
	}
	return place{msg: c.msg}
}

// unnamed is the call that a result without an id answers: the first one without a result of the message that it names or
// hangs on.
func (p *Parser) unnamed(r *record, up place) *call {
	m := up.msg
	if at, ok := p.at[r.sourceAgent]; ok && at.msg != nil {
		m = at.msg
	}
	if m == nil {
		return nil
	}
	for _, c := range m.stream.waiting {
		if c.msg == m {
			return c
		}
	}
	return nil
}

// startedBy remembers which sub-agent a call started, where its result says so.
func (p *Parser) startedBy(r *record, c *call) {
	if agent := r.result.Get("agentId").String(); agent != "" {
		p.started[strings.Clone(agent)] = c.id
	}
}

func (p *Parser) handOver(c *call, status memory.Status) {
	if c.handed {
		return
	}
	c.handed = true
	n := c.node
	if status != "" {
		n.Metadata.Status = status
	}
	p.emit(c.msg.stream, n, c.file, c.line)
	c.node = memory.Node{ID: n.ID, Name: n.Name} // texts are not kept
	p.emitAll(c.msg.stream, c.after, c.file, c.line)
	c.after = nil
}

// leftOver is a result whose call was handed over without one, or is not in the transcript: a node of its own, so that it is
// not lost, under the user's role as it is recorded, so that it does not count as a call.
func (p *Parser) leftOver(r *record, b result, c *call, id string, s *stream, up place) place {
	p.closeOpen(s)
	sum := sha256.Sum256([]byte(b.Raw))
	n := p.begin(s, r, memory.NodeID(Agent, "result", id, hex.EncodeToString(sum[:8])), up.tip())
	n.Role, n.Metadata.Kind = memory.RoleUser, memory.KindHarness
	if r.uuid != "" {
		n.Metadata.SourceIDs = []string{strings.Clone(r.uuid)}
	}
	if c != nil {
		n.Name = c.node.Name
		n.Reads = []string{"node:" + c.node.ID}
	}
	fill(&n, b, r.result)
	p.emit(s, n, r.line.File, r.line.Number)
	return place{node: n.ID}
}
