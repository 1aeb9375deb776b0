package claudecode

import (
	"slices"
	"strconv"
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

type result = gjson.Result

// message is one message of the model, gathered from its lines.
type message struct {
	key      string
	id       string // of the node
	request  string
	stream   *stream
	node     memory.Node // what the next part will be; its texts come from texts and thinking
	texts    []string
	thinking []string
	lines    int    // lines of the message so far, of all parts
	link     string // newest link of the chain that the message and its calls form
	calls    int    // of all parts
	released bool   // the first part was handed over
	file     string
	line     int
	last     *call         // newest call
	done     []*call       // calls with a result that wait for the message to be handed over
	after    []memory.Node // texts of the client that follow the message
}

// speaks reports whether the part at hand says or does something, so that it may be handed over when all is quiet. A lone
// thought is about to be followed by what was thought.
func (m *message) speaks() bool {
	return len(m.texts) > 0 || m.calls > 0 || m.released && len(m.thinking) > 0
}

// assistant takes one line of a message.
func (p *Parser) assistant(r *record, obj []byte, s *stream, up place) place {
	if !r.message.IsObject() {
		p.skip(r, transcript.BadShape, len(obj))
		return up
	}
	m := p.messageOf(r, obj, s, up)
	if s.open != m {
		p.closeOpen(s)
		s.open = m
	}
	p.partKnown(m, r)
	m.lines++
	if r.uuid != "" {
		m.node.Metadata.SourceIDs = append(m.node.Metadata.SourceIDs, strings.Clone(r.uuid))
	}
	p.about(m, r)
	blocks(r.message, func(typ string, b result) { p.block(m, r, typ, b) })
	return place{msg: m}
}

// messageOf is the message that a line belongs to. Lines of one message share its id; one without an id is one line. Where
// two requests gave the same id they are two messages.
func (p *Parser) messageOf(r *record, obj []byte, s *stream, up place) *message {
	key := r.message.Get("id").String()
	parts := []string{key}
	if key == "" {
		key = p.id(r, obj)
		parts = []string{key}
	}
	m := p.msgs[key]
	if m != nil && m.request != "" && r.requestID != "" && m.request != r.requestID {
		parts = append(parts, r.requestID)
		key += "\x00" + r.requestID
		m = p.msgs[key]
	}
	if m != nil {
		return m
	}
	if _, taken := p.at[key]; taken { // by a record: the ids of messages and those of records are different things
		parts = append([]string{"message"}, parts...)
	}
	m = &message{key: strings.Clone(key), request: strings.Clone(r.requestID), stream: s, file: r.line.File, line: r.line.Number}
	m.id = memory.NodeID(Agent, parts...)
	m.node = p.begin(s, r, m.id, up.tip())
	m.node.Role = memory.RoleAssistant
	m.link = m.id
	p.msgs[m.key] = m
	return m
}

// about takes what a line says of its message as a whole. Counts of tokens grow from line to line; the greatest is right.
func (p *Parser) about(m *message, r *record) {
	meta := &m.node.Metadata
	if model := r.message.Get("model").String(); model != "" {
		meta.Model = strings.Clone(model)
		if m.stream.agent == "" && model != "<synthetic>" {
			p.facts.Model = meta.Model
		}
	}
	switch {
	case r.apiError:
		meta.Status = memory.StatusError
	case r.aborted:
		meta.Status = memory.StatusInterrupted
	}
	u := r.message.Get("usage")
	if !u.IsObject() || m.released {
		return
	}
	now := meta.Usage
	if now == nil {
		now = &memory.Usage{}
		meta.Usage = now
	}
	now.Input = max(now.Input, u.Get("input_tokens").Int())
	now.CacheRead = max(now.CacheRead, u.Get("cache_read_input_tokens").Int())
	now.CacheWrite = max(now.CacheWrite, u.Get("cache_creation_input_tokens").Int())
	now.Output = max(now.Output, u.Get("output_tokens").Int())
}

func (p *Parser) block(m *message, r *record, typ string, b result) {
	switch {
	case typ == "text" || typ == "refusal":
		if t := first(textOf(b), b.Get("refusal").String()); strings.TrimSpace(t) != "" {
			p.say(m, r)
			m.texts = append(m.texts, strings.Clone(t))
		}
	case typ == "thinking":
		if t := b.Get("thinking").String(); t != "" {
			p.say(m, r)
			m.thinking = append(m.thinking, strings.Clone(t))
		}
	case strings.HasSuffix(typ, "tool_use"):
		p.call(m, r, b)
	case strings.HasSuffix(typ, "tool_result"):
		p.answer(r, b, m.stream, place{msg: m})
	case typ == "image":
		m.node.Metadata.Images = append(m.node.Metadata.Images, image(b))
	case typ == "redacted_thinking" || typ == "fallback":
	default:
		p.skip(r, "unknown block "+cut(typ), len(b.Raw))
	}
}

// say makes room for a text. A message whose node was handed over goes on in a node of its own.
func (p *Parser) say(m *message, r *record) {
	if !m.released || len(m.texts)+len(m.thinking) > 0 {
		return
	}
	n := p.begin(m.stream, r, memory.NodeID(Agent, m.key, "part", strconv.Itoa(m.lines)), m.stream.tip)
	n.Role = memory.RoleAssistant
	n.Metadata.Model = m.node.Metadata.Model
	n.Metadata.SourceIDs = m.node.Metadata.SourceIDs
	n.Metadata.Status = m.node.Metadata.Status
	m.node, m.link = n, n.ID
}

// closeOpen ends the open message of a stream: something else was said after it.
func (p *Parser) closeOpen(s *stream) {
	if s.open != nil {
		p.release(s.open)
		s.open = nil
	}
}

// release hands over what was gathered of a message, then its calls that have their result.
func (p *Parser) release(m *message) {
	if !m.released || len(m.texts)+len(m.thinking) > 0 {
		n := m.node
		n.Output = strings.Join(m.texts, "\n\n")
		n.Metadata.Thinking = strings.Join(m.thinking, "\n\n")
		m.released, m.texts, m.thinking = true, nil, nil
		p.emit(m.stream, n, m.file, m.line)
		m.node = memory.Node{Metadata: memory.Metadata{Model: n.Metadata.Model}}
		p.emitAll(m.stream, m.after, m.file, m.line)
		m.after = nil
	}
	done := m.done
	m.done = nil
	slices.SortFunc(done, func(a, b *call) int { return a.index - b.index })
	for _, c := range done {
		p.handOver(c, "")
	}
}

// partKnown makes a parser that starts again part a message where it was parted before: when the stored node was made of
// fewer lines than the message has, it was handed over before the rest came.
func (p *Parser) partKnown(m *message, r *record) {
	if p.opts.Known == nil || m.lines == 0 || r.uuid == "" {
		return
	}
	have := m.node.Metadata.SourceIDs
	if m.released && len(m.texts)+len(m.thinking) == 0 || len(have) == 0 {
		return
	}
	stored, ok := p.opts.Known(m.node.ID)
	if !ok || len(stored.Metadata.SourceIDs) == 0 {
		return
	}
	if stored.Metadata.SourceIDs[len(stored.Metadata.SourceIDs)-1] == have[len(have)-1] {
		p.release(m)
	}
}
