package session

import (
	"slices"

	"dormouse/store/memory"
)

// Sight says how much of a node the model saw.
type Sight string

// What a model can have seen of a node.
const (
	SeenFull       Sight = "full"
	SeenAged       Sight = "aged"       // a shorter form of it
	SeenSummarised Sight = "summarised" // a summary that covers it
	SeenCleared    Sight = "cleared"    // nothing any more
)

// Where a Context is known from.
const (
	FromTranscript = "transcript"
	FromProxy      = "proxy"
)

// Context is what the models saw at the end of a turn: the main conversation's, and each sub-agent's, whose context is its own.
type Context struct {
	Commit string   `json:"commit"`
	Turn   int      `json:"turn"`
	From   string   `json:"from"`   // transcript or proxy
	Tokens int64    `json:"tokens"` // of the newest model call of the main conversation, as its provider counted; 0 where unknown
	Views  []Viewed `json:"views"`  // the main conversation's first
}

// Viewed is the context of one conversation, in the order in which it was read.
type Viewed struct {
	Agent string `json:"agent"` // the sub-agent; empty for the main conversation
	Items []Item `json:"items"`
}

// Item is one node in a context. Tokens are the provider's count of an answer where the transcript has it, else a quarter of
// the bytes; they are of the whole node, whatever was seen of it, unless the proxy counted what it sent.
type Item struct {
	ID     string `json:"id"`
	State  Sight  `json:"state,omitempty"` // full when empty
	Tokens int    `json:"tokens"`
}

// bytesPerToken is the usual rule of thumb for text and code.
const bytesPerToken = 4

// glance is what a node does to the context.
type glance struct {
	id     string
	agent  string
	tokens int
	total  int64 // of the model call that made it
	// covers is set on the summary that replaced what was there up to the node last; empty: all.
	covers, empty bool
	last          string
	cleared       []string // calls of which the model sees the arguments alone from now on
}

func glanceOf(n *memory.Node) glance {
	size := len(n.Output)
	if string(n.Input) != "null" {
		size += len(n.Input)
	}
	g := glance{id: n.ID, agent: n.Metadata.AgentID, tokens: (size + bytesPerToken - 1) / bytesPerToken}
	if u := n.Metadata.Usage; u != nil {
		if u.Output > 0 {
			g.tokens = int(u.Output)
		}
		g.total = u.Input + u.CacheRead + u.CacheWrite
	}
	g.cleared = n.Metadata.Cleared
	if c := n.Metadata.Compaction; c != nil || n.Metadata.Kind == memory.KindCompaction {
		g.covers, g.empty = true, n.Output == ""
		if c != nil {
			g.last = c.Last
		}
	}
	return g
}

// delta is a Context as it is stored: what a turn changed in its parent commit's.
type delta struct {
	Commit string   `json:"commit"`
	Parent string   `json:"parent,omitempty"`
	Turn   int      `json:"turn"`
	From   string   `json:"from"`
	Tokens int64    `json:"tokens,omitempty"`
	Views  []change `json:"views"`
}

// change is what happened to one conversation's context, step by step.
type change struct {
	Agent string `json:"agent,omitempty"`
	Steps []step `json:"steps"`
}

// step first gives all items up to one (all there are when it is empty), or those of a list, a state, then those in Set, and then adds
// some.
type step struct {
	State Sight    `json:"state,omitempty"`
	UpTo  string   `json:"up_to,omitempty"`
	Of    []string `json:"of,omitempty"`
	Set   []Item   `json:"set,omitempty"`
	Add   []Item   `json:"add,omitempty"`
}

// see adds a node to a delta.
func (d *delta) see(g glance) {
	i := slices.IndexFunc(d.Views, func(c change) bool { return c.Agent == g.agent })
	if i < 0 {
		i = len(d.Views)
		d.Views = append(d.Views, change{Agent: g.agent})
	}
	c := &d.Views[i]
	if g.covers {
		state := SeenSummarised
		if g.empty {
			state = SeenCleared
		}
		c.Steps = append(c.Steps, step{State: state, UpTo: g.last})
	}
	if len(g.cleared) > 0 {
		c.Steps = append(c.Steps, step{State: SeenAged, Of: g.cleared})
	}
	if len(c.Steps) == 0 {
		c.Steps = append(c.Steps, step{})
	}
	last := &c.Steps[len(c.Steps)-1]
	last.Add = append(last.Add, Item{ID: g.id, Tokens: g.tokens})
	if g.agent == "" && g.total > 0 {
		d.Tokens = g.total
	}
}

// apply makes the context after a turn out of that before it.
func (c *Context) apply(d *delta) {
	c.Commit, c.Turn, c.From = d.Commit, d.Turn, d.From
	if d.Tokens > 0 {
		c.Tokens = d.Tokens
	}
	for _, ch := range d.Views {
		v := c.view(ch.Agent)
		for _, s := range ch.Steps {
			v.take(s)
		}
	}
}

// view is the context of a conversation, made where it is not there.
func (c *Context) view(agent string) *Viewed {
	i := slices.IndexFunc(c.Views, func(v Viewed) bool { return v.Agent == agent })
	if i < 0 {
		i = len(c.Views)
		c.Views = append(c.Views, Viewed{Agent: agent})
	}
	return &c.Views[i]
}

func (v *Viewed) take(s step) {
	if len(s.Of) > 0 {
		for i := range v.Items {
			if st := v.Items[i].State; (st == "" || st == SeenFull) && slices.Contains(s.Of, v.Items[i].ID) {
				v.Items[i].State = s.State
			}
		}
	} else if s.State != "" {
		end := len(v.Items)
		if i := slices.IndexFunc(v.Items, func(it Item) bool { return it.ID == s.UpTo }); i >= 0 {
			end = i + 1
		}
		for i := range v.Items[:end] {
			if v.Items[i].State != SeenCleared { // what is gone stays gone
				v.Items[i].State = s.State
			}
		}
	}
	for _, it := range s.Set {
		if i := slices.IndexFunc(v.Items, func(old Item) bool { return old.ID == it.ID }); i >= 0 {
			v.Items[i] = it
		}
	}
	v.Items = append(v.Items, s.Add...)
}

// sights is the whole context, with every state named and the main conversation first.
func (c Context) sights() Context {
	_ = c.view("")
	for _, v := range c.Views {
		for i := range v.Items {
			if v.Items[i].State == "" {
				v.Items[i].State = SeenFull
			}
		}
	}
	main := slices.IndexFunc(c.Views, func(v Viewed) bool { return v.Agent == "" })
	first := c.Views[main]
	c.Views = slices.Insert(slices.Delete(c.Views, main, main+1), 0, first)
	return c
}
