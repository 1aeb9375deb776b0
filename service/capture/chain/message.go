package chain

import (
	"encoding/json"
	"strings"

	"dormouse/store/memory"
)

// Message is a message of the model with the calls that it made.
type Message struct {
	Text     string
	Thinking string
	Model    string // default: the stream's
	Usage    *memory.Usage
	Images   []memory.Image
	Status   memory.Status
	Calls    []Call
	// Version tells a message apart from an earlier one of the same key with another text, where the agent replaces messages.
	Version string
}

// Call is a call of a tool.
type Call struct {
	ID    string // the agent's own
	Name  string
	Input json.RawMessage
	// Time is when it began, in Unix seconds; 0 where that is not told apart from the message.
	Time   int64
	Result *Result // where the message holds it
}

// Say takes a message of the model and its calls; it is held until Close. The message before it is closed. What a message
// without text thought and cost goes to its first call.
func (s *Stream) Say(at At, m Message, key ...string) {
	s.Close()
	if m.Model != "" {
		s.Model = strings.Clone(m.Model)
	}
	if s.agent == "" && s.Model != "" {
		s.b.Facts.Model = s.Model
	}
	spoke := strings.TrimSpace(m.Text) != "" || len(m.Images) > 0 || len(m.Calls) == 0 && (m.Thinking != "" || m.Usage != nil || m.Status != "")
	if spoke {
		s.say(at, &m, key)
	}
	for i := range m.Calls {
		s.call(at, &m, &m.Calls[i], key)
	}
}

func (s *Stream) say(at At, m *Message, key []string) {
	parts := append(append([]string(nil), key...), "say")
	if m.Version != "" {
		parts = append(parts, m.Version)
	}
	n, ok := s.begin(at, s.b.ID(parts...))
	s.speaker = s.Tip
	if ok {
		n.Role, n.Output = memory.RoleAssistant, strings.Clone(m.Text)
		n.Metadata.Images, n.Metadata.Status = m.Images, m.Status
		m.attach(&n, s.Model)
		s.held = append(s.held, &part{node: n, at: at})
	}
	m.Thinking, m.Usage = "", nil
}

// attach gives a node what the message holds beside its text; only the first node of it gets that.
func (m *Message) attach(n *memory.Node, model string) {
	n.Metadata.Thinking, n.Metadata.Usage = strings.Clone(m.Thinking), m.Usage
	if m.Usage != nil || n.Role == memory.RoleAssistant {
		n.Metadata.Model = model
	}
	m.Thinking, m.Usage = "", nil
}

// call takes one call of a message.
func (s *Stream) call(at At, m *Message, c *Call, key []string) {
	id := append(append([]string(nil), key...), "call", c.ID)
	if c.Time > 0 {
		at.Time = c.Time
	}
	n, ok := s.begin(at, s.b.ID(id...))
	if !ok {
		if c.Result != nil {
			s.b.Answer(s, at, c.ID, *c.Result)
		}
		m.Thinking, m.Usage = "", nil
		return
	}
	n.Role, n.Name, n.Input = memory.RoleTool, strings.Clone(c.Name), c.Input
	n.CalledBy = memory.Ref(s.speaker)
	m.attach(&n, s.Model)
	k := &call{node: n, stream: s, at: at}
	k.node.Metadata.Commands, k.edits = Work(c.Name, c.Input)
	callID := strings.Clone(c.ID)
	s.b.calls[callID] = append(s.b.calls[callID], k)
	s.held = append(s.held, &part{call: k, at: at})
	if c.Result != nil {
		s.b.Answer(s, at, c.ID, *c.Result)
	}
}
