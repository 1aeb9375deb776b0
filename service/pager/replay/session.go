package replay

import (
	"encoding/json"
	"time"

	"dormouse/service/pager"
	"dormouse/store/memory"
)

// FromNodes is a captured session as a trace: its nodes in their order, each sub-agent a conversation of its own, and what comes after a
// compaction a window of its own. An assistant's message and the tools that it called are one message; their results are the next.
// Thinking and images are not in it.
func FromNodes(id, agent string, nodes []memory.Node) *Trace {
	t := &Trace{ID: id, Agent: agent}
	var order []string
	talks := map[string]*conversation{}
	for _, n := range nodes {
		c := talks[n.Metadata.AgentID]
		if c == nil {
			c = &conversation{}
			talks[n.Metadata.AgentID] = c
			order = append(order, n.Metadata.AgentID)
		}
		c.node(n)
	}
	for _, id := range order {
		t.Windows = append(t.Windows, talks[id].end()...)
	}
	return t
}

// conversation puts nodes together to messages.
type conversation struct {
	windows  [][]pager.Message
	window   []pager.Message
	asked    pager.Message // the assistant's message that is open
	answered pager.Message // the results of its calls so far
}

func (c *conversation) node(n memory.Node) {
	var at time.Time
	if n.CreatedAt > 0 {
		at = time.Unix(n.CreatedAt, 0).UTC()
	}
	switch n.Role {
	case memory.RoleTool:
		c.tool(n, at)
		return
	case memory.RoleAssistant:
		if len(c.answered.Blocks) > 0 {
			c.flush()
		}
		c.open(at)
		if n.Output != "" {
			c.asked.Blocks = append(c.asked.Blocks, pager.Block{Kind: pager.Text, Text: n.Output})
		}
		return
	}
	c.flush()
	if n.Metadata.Kind == memory.KindCompaction && len(c.window) > 0 {
		c.windows, c.window = append(c.windows, c.window), nil
	}
	text := pager.Block{Kind: pager.Text, Text: n.Output}
	if k := len(c.window); k > 0 && c.window[k-1].User {
		c.window[k-1].Blocks = append(c.window[k-1].Blocks, text)
		return
	}
	c.window = append(c.window, pager.Message{User: true, Time: at, Blocks: []pager.Block{text}})
}

func (c *conversation) tool(n memory.Node, at time.Time) {
	c.open(at)
	input := n.Input
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	c.asked.Blocks = append(c.asked.Blocks, pager.Block{Kind: pager.Call, ID: n.ID, Tool: n.Name, Input: compact(input)})
	c.answered.User = true
	c.answered.Blocks = append(c.answered.Blocks, pager.Block{Kind: pager.Result, ID: n.ID, Text: n.Output, Failed: n.Metadata.Status == memory.StatusError})
}

// open begins the assistant's message, if none is open.
func (c *conversation) open(at time.Time) {
	if c.asked.Time.IsZero() {
		c.asked.Time = at
	}
}

// flush ends the assistant's message and its results.
func (c *conversation) flush() {
	if len(c.asked.Blocks) > 0 {
		c.window = append(c.window, c.asked)
	}
	if len(c.answered.Blocks) > 0 {
		c.window = append(c.window, c.answered)
	}
	c.asked, c.answered = pager.Message{}, pager.Message{}
}

func (c *conversation) end() [][]pager.Message {
	c.flush()
	return append(c.windows, c.window)
}
