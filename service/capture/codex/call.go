package codex

import (
	"encoding/json"
	"strconv"
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// call is one tool call, from its arguments until its result.
type call struct {
	id       string // of the node
	callID   string
	node     memory.Node
	stream   *stream
	known    bool // the node was there already
	answered bool
	handed   bool
	result   string        // of a call that may have started a sub-agent
	edits    []memory.Edit // that events told of
	patches  []memory.Edit // that the arguments show
	file     string
	line     int
}

// call takes a call of a tool.
func (p *Parser) call(src *source, r *record) {
	s, c := src.stream, r.payload
	p.newResponse(s)
	callID := first(c.Get("call_id").String(), c.Get("id").String(), hash(c.Raw))
	name := first(c.Get("name").String(), strings.TrimSuffix(r.kind, "_call"))
	n, ok := p.begin(src, r, p.name(src, r, "call", callID))
	s.lastPrompt = ""
	thoughts := s.takeThoughts()
	k := &call{id: s.tip, callID: strings.Clone(callID), stream: s, known: !ok, file: r.line.File, line: r.line.Number}
	p.calls[k.callID] = append(p.calls[k.callID], k)
	if strings.Contains(name, "spawn") || strings.Contains(name, "agent") {
		p.spawns = append(p.spawns, k)
	}
	if !ok {
		k.handed = true // its result is there too, or came late
		return
	}
	n.Role, n.Name = memory.RoleTool, strings.Clone(name)
	n.CalledBy = memory.Ref(s.speaker)
	n.Input = arguments(c)
	n.Metadata.Thinking = thoughts
	n.Metadata.Usage, s.usage = s.usage, nil
	n.Metadata.Commands, k.patches = work(name, n.Input)
	k.node = n
	s.held = append(s.held, &part{call: k, file: k.file, line: k.line})
}

// arguments are a call's arguments as JSON: an object that came as a string is one again.
func arguments(c value) json.RawMessage {
	for _, field := range []string{"arguments", "input", "action"} {
		v := c.Get(field)
		switch {
		case !v.Exists():
		case v.Type == gjson.String && strings.HasPrefix(strings.TrimSpace(v.Str), "{"):
			return transcript.JSON(strings.Clone(v.Str))
		default:
			return transcript.JSON(strings.Clone(v.Raw))
		}
	}
	return nil
}

// wholeCall takes a call that carries its own result, such as a search of the web that the provider ran.
func (p *Parser) wholeCall(src *source, r *record, kind string) {
	s, c := src.stream, r.payload
	p.newResponse(s)
	n, ok := p.begin(src, r, p.name(src, r, "call", first(c.Get("id").String(), hash(c.Get("action").Raw))))
	s.lastPrompt = ""
	thoughts := s.takeThoughts()
	if !ok {
		return
	}
	n.Role, n.Name = memory.RoleTool, strings.TrimSuffix(kind, "_call")
	n.CalledBy = memory.Ref(s.speaker)
	n.Metadata.Thinking, n.Metadata.Status = thoughts, memory.StatusOK
	if s := c.Get("status").String(); s == "failed" || s == "incomplete" {
		n.Metadata.Status = memory.StatusError
	}
	n.Input = arguments(c)
	if data := c.Get("result").String(); kind == "image_generation_call" && data != "" {
		n.Metadata.Images = []memory.Image{transcript.Image("image/png", data)}
		n.Output = strings.Clone(c.Get("revised_prompt").String())
	}
	k := &call{id: n.ID, node: n, stream: s, answered: true, file: r.line.File, line: r.line.Number}
	s.held = append(s.held, &part{call: k, file: k.file, line: k.line})
}

// output takes the result of a call.
func (p *Parser) output(src *source, r *record) {
	s := src.stream
	id := r.payload.Get("call_id").String()
	got := outcomeOf(r.payload)
	text := got.text
	var c *call
	for _, k := range p.calls[id] {
		if c == nil || c.answered && !k.answered {
			c = k
		}
	}
	switch {
	case c == nil:
		p.leftOver(src, r, nil, id, got)
		return
	case c.known && !c.answered:
		c.answered = true
		c.result = strings.Clone(text[:min(len(text), 4096)])
		if p.pending(c.id) {
			p.leftOver(src, r, c, id, got)
		}
		return
	case c.answered:
		return // the same result again
	}
	c.answered = true
	if strings.Contains(c.node.Name, "spawn") || strings.Contains(c.node.Name, "agent") {
		c.result = strings.Clone(text[:min(len(text), 4096)])
	}
	if !c.handed && p.pending(c.id) {
		p.drop(c)
		p.handOver(c, memory.StatusPending)
	}
	if c.handed {
		p.leftOver(src, r, c, id, got)
		return
	}
	fill(&c.node, got)
	c.node.Metadata.SourceIDs = append(c.node.Metadata.SourceIDs, "L"+strconv.Itoa(r.line.Number))
	c.node.Metadata.Edits = c.edits
	if len(c.edits) == 0 && c.node.Metadata.Status == memory.StatusOK {
		c.node.Metadata.Edits = c.patches
	}
	for i, w := range s.waiting {
		if w == c {
			s.waiting = append(append([]*call(nil), s.waiting[:i]...), s.waiting[i+1:]...)
			p.handOver(c, "")
			return
		}
	}
}

// pending reports whether the call is stored without a result.
func (p *Parser) pending(id string) bool {
	if p.opts.Known == nil {
		return false
	}
	n, ok := p.opts.Known(id)
	return ok && n.Metadata.Status == memory.StatusPending
}

// drop takes a call out of what is held or waits.
func (p *Parser) drop(c *call) {
	s := c.stream
	var held []*part
	for _, h := range s.held {
		if h.call != c {
			held = append(held, h)
		}
	}
	s.held = held
	var waiting []*call
	for _, w := range s.waiting {
		if w != c {
			waiting = append(waiting, w)
		}
	}
	s.waiting = waiting
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
	p.emit(n, c.file, c.line)
	c.node = memory.Node{ID: n.ID, Name: n.Name} // texts are not kept
}

// leftOver is a result whose call was handed over without one, or is not in the rollout: a node of its own, under the role of
// the user, so that it does not count as a call.
func (p *Parser) leftOver(src *source, r *record, c *call, id string, got outcome) {
	p.flush(src.stream)
	n, ok := p.begin(src, r, p.name(src, r, "result", id))
	if !ok {
		return
	}
	n.Role, n.Metadata.Kind = memory.RoleUser, memory.KindHarness
	if c != nil {
		n.Name = c.node.Name
		n.Reads = []string{"node:" + c.id}
	}
	fill(&n, got)
	p.emit(n, r.line.File, r.line.Number)
}

// running is the call that an event tells of: by its id, else the newest without a result, which is the script that ran it.
func (p *Parser) running(s *stream, id string) *call {
	for i := len(p.calls[id]) - 1; i >= 0; i-- {
		if c := p.calls[id][i]; !c.handed {
			return c
		}
	}
	for i := len(s.held) - 1; i >= 0; i-- {
		if c := s.held[i].call; c != nil && !c.answered {
			return c
		}
	}
	if len(s.waiting) > 0 {
		return s.waiting[len(s.waiting)-1]
	}
	return nil
}

// ran takes what an event tells of a command.
func (c *call) ran(e value) {
	m := &c.node.Metadata
	if code := e.Get("exit_code"); code.Exists() && code.Type != gjson.Null {
		n := int(code.Int())
		m.ExitCode = &n
	}
	if ms := e.Get("duration_ms"); ms.Exists() {
		m.DurationMS += max(ms.Int(), 0)
	}
	if cmd := e.Get("command"); cmd.Type == gjson.String && len(m.Commands) == 0 {
		m.Commands = []string{strings.Clone(cmd.String())}
	}
}

// spawned notes which call started which sub-agent.
func (p *Parser) spawned(s *stream, e value) {
	c := p.running(s, first(e.Get("call_id").String(), e.Get("event_id").String(), e.Get("id").String()))
	if c == nil {
		return
	}
	for _, field := range []string{"agent_thread_id", "new_thread_id", "receiver_thread_id", "thread_id"} {
		if t := e.Get(field).String(); t != "" && p.started[t] == nil {
			p.started[strings.Clone(t)] = c
		}
	}
	e.Get("receiver_thread_ids").ForEach(func(_, t value) bool {
		if p.started[t.String()] == nil {
			p.started[strings.Clone(t.String())] = c
		}
		return true
	})
}
