package chain

import (
	"slices"
	"strings"

	"dormouse/store/memory"
)

// call is one call, from its arguments until its result.
type call struct {
	node     memory.Node // without its texts once it was handed over
	stream   *Stream
	at       At
	edits    []memory.Edit // that the arguments show
	answered bool
	handed   bool
}

// Result is the result of a call.
type Result struct {
	Text   string
	Images []memory.Image
	Status memory.Status // default: ok, or error for an exit code other than 0
	Exit   *int
	MS     int64         // how long it ran, in milliseconds; 0 where unknown
	Edits  []memory.Edit // default: those that the arguments show
	Source string        // the agent's own id of the record
}

// Answer takes the result of a call. One whose call is not in the transcript, or was handed over without it, becomes a node of
// its own on the stream s. A second result of the same call counts for nothing.
func (b *Session) Answer(s *Stream, at At, callID string, r Result) {
	c := b.unanswered(callID)
	switch {
	case c == nil:
		s.leftOver(at, nil, callID, r)
		return
	case c.answered:
		return
	}
	c.answered = true
	if !c.handed {
		if n, ok := b.known(c.node.ID); ok && n.Metadata.Status == memory.StatusPending {
			c.stream.drop(c)
			c.stream.handOver(c, memory.StatusPending)
		}
	}
	if c.handed {
		s.leftOver(at, c, callID, r)
		return
	}
	c.fill(r)
	if i := slices.Index(c.stream.waiting, c); i >= 0 {
		c.stream.waiting = slices.Delete(c.stream.waiting, i, i+1)
		c.stream.handOver(c, "")
	}
}

// unanswered is the first call of an id that has no result, else the last one; nil where there is none.
func (b *Session) unanswered(callID string) *call {
	var c *call
	for _, k := range b.calls[callID] {
		if c = k; !k.answered {
			break
		}
	}
	return c
}

// fill fills a result into the call's node.
func (c *call) fill(r Result) {
	fill(&c.node, r)
	if c.node.Metadata.Edits == nil && c.node.Metadata.Status == memory.StatusOK {
		c.node.Metadata.Edits = c.edits
	}
	c.edits = nil
}

func fill(n *memory.Node, r Result) {
	m := &n.Metadata
	n.Output = strings.Clone(r.Text)
	m.Images = append(m.Images, r.Images...)
	m.ExitCode, m.DurationMS, m.Edits = r.Exit, max(r.MS, 0), r.Edits
	m.Status = r.Status
	switch {
	case m.Status != "":
	case r.Exit != nil && *r.Exit != 0:
		m.Status = memory.StatusError
	default:
		m.Status = memory.StatusOK
	}
	if r.Source != "" {
		m.SourceIDs = append(m.SourceIDs, strings.Clone(r.Source))
	}
}

// drop takes a call out of what is held or waits.
func (s *Stream) drop(c *call) {
	s.held = slices.DeleteFunc(s.held, func(p *part) bool { return p.call == c })
	s.waiting = slices.DeleteFunc(s.waiting, func(k *call) bool { return k == c })
}

func (s *Stream) handOver(c *call, status memory.Status) {
	if c.handed {
		return
	}
	c.handed = true
	n := c.node
	if status != "" {
		n.Metadata.Status = status
	}
	s.emit(n, c.at)
	c.node = memory.Node{ID: n.ID, Name: n.Name}
	c.edits = nil
}

// leftOver is a result whose call was handed over without one, or is not in the transcript: a node of its own, under the role of
// the user, so that it does not count as a call.
func (s *Stream) leftOver(at At, c *call, callID string, r Result) {
	if r.Text == "" && len(r.Images) == 0 && c == nil {
		return
	}
	s.Close()
	id := s.b.ID("result", callID, first(r.Source, at.Source))
	if c != nil {
		id = s.b.ID("result", c.node.ID)
	}
	n, ok := s.begin(at, id)
	if !ok {
		return
	}
	n.Role, n.Metadata.Kind = memory.RoleUser, memory.KindHarness
	if c != nil {
		n.Name, n.Reads = c.node.Name, []string{"node:" + c.node.ID}
	}
	fill(&n, r)
	s.emit(n, at)
}

// HasCall reports whether a call was made.
func (b *Session) HasCall(callID string) bool { return len(b.calls[callID]) > 0 }

func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}
