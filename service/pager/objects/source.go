package objects

import (
	"encoding/json"
	"time"

	"dormouse/service/pager"
	"dormouse/store/memory"
)

// Thread is one conversation: that of the person with the agent, or of an agent with a sub-agent.
type Thread struct {
	Agent  string // the sub-agent's id; empty for the main conversation
	Caller string // the node that started the sub-agent, where it is known
	// Windows are what lies between two compactions: a request holds the messages of one.
	Windows [][]Message
}

// FromMessages is a conversation as a client sends it.
func FromMessages(windows [][]pager.Message) Thread {
	var t Thread
	for _, w := range windows {
		var out []Message
		for _, m := range w {
			out = append(out, Message{Message: m})
		}
		t.Windows = append(t.Windows, out)
	}
	return t
}

// FromNodes are the conversations of a captured session, the main one first: its nodes in their order, each sub-agent's apart. An
// assistant's message and the tools that it called are one message; their results are the next. Thinking and images are not in it.
func FromNodes(nodes []memory.Node) []Thread {
	var order []string
	talks := map[string]*talk{}
	for i := range nodes {
		n := &nodes[i]
		id := n.Metadata.AgentID
		c := talks[id]
		if c == nil {
			c = &talk{t: Thread{Agent: id, Caller: string(n.CalledBy)}}
			talks[id] = c
			order = append(order, id)
		}
		c.node(n)
	}
	var out []Thread
	for _, id := range order {
		if t := talks[id].end(); id == "" {
			out = append([]Thread{t}, out...)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// talk puts nodes together to messages.
type talk struct {
	t        Thread
	window   []Message
	asked    Message // the assistant's message that is open
	answered Message // the results of its calls so far
}

func (c *talk) node(n *memory.Node) {
	var at time.Time
	if n.CreatedAt > 0 {
		at = time.Unix(n.CreatedAt, 0).UTC()
	}
	ref := Ref{Node: n.ID, Turn: n.Metadata.Turn}
	switch n.Role {
	case memory.RoleTool:
		c.tool(n, ref, at)
		return
	case memory.RoleAssistant:
		if len(c.answered.Blocks) > 0 {
			c.flush()
		}
		c.open(at)
		if n.Output != "" {
			c.asked.put(pager.Block{Kind: pager.Text, Text: n.Output}, ref)
		}
		return
	}
	c.flush()
	if n.Metadata.Kind == memory.KindCompaction && len(c.window) > 0 {
		c.t.Windows, c.window = append(c.t.Windows, c.window), nil
	}
	ref.Quiet = n.Metadata.Kind == memory.KindHarness || n.Metadata.Kind == memory.KindInjected
	ref.Summary = n.Metadata.Kind == memory.KindCompaction
	text := pager.Block{Kind: pager.Text, Text: n.Output}
	if k := len(c.window); k > 0 && c.window[k-1].User {
		c.window[k-1].put(text, ref)
		return
	}
	m := Message{Message: pager.Message{User: true, Time: at}}
	m.put(text, ref)
	c.window = append(c.window, m)
}

func (m *Message) put(b pager.Block, r Ref) {
	m.Blocks, m.Refs = append(m.Blocks, b), append(m.Refs, r)
}

func (c *talk) tool(n *memory.Node, ref Ref, at time.Time) {
	c.open(at)
	input := n.Input
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	ref.Quiet = memory.OwnCall(n) // what Dormouse itself was asked is not remembered again
	c.asked.put(pager.Block{Kind: pager.Call, ID: n.ID, Tool: n.Name, Input: input}, ref)
	c.answered.User = true
	ref.Exit = n.Metadata.ExitCode != nil && *n.Metadata.ExitCode != 0
	c.answered.put(pager.Block{Kind: pager.Result, ID: n.ID, Text: n.Output, Failed: n.Metadata.Status == memory.StatusError}, ref)
}

// open begins the assistant's message, if none is open.
func (c *talk) open(at time.Time) {
	if c.asked.Time.IsZero() {
		c.asked.Time = at
	}
}

// flush ends the assistant's message and its results.
func (c *talk) flush() {
	if len(c.asked.Blocks) > 0 {
		c.window = append(c.window, c.asked)
	}
	if len(c.answered.Blocks) > 0 {
		c.window = append(c.window, c.answered)
	}
	c.asked, c.answered = Message{}, Message{}
}

func (c *talk) end() Thread {
	c.flush()
	c.t.Windows = append(c.t.Windows, c.window)
	return c.t
}
