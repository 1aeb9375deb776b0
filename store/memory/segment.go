package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Segment is a span of a session's turns with its summary; the full text stays where it was said.
type Segment struct {
	ID         string   `json:"id"`
	Tags       []string `json:"tags"` // ids of tags
	PrimaryTag string   `json:"primary_tag"`
	Summary    string   `json:"summary"`
	Full       Span     `json:"full"`
	Ratio      float64  `json:"ratio"`   // bytes of the summary per byte of the full text
	MadeBy     string   `json:"made_by"` // what made the summary: rules, or a model's name
	Scope      Scope    `json:"scope"`
	// LogTurns stands in the log alone, and is what the rest of the segment follows from: its turns, what each worked on and what is
	// remembered of it. Summary is empty there, unless a model wrote it, and so are Tags and Ratio.
	LogTurns []SegmentTurn `json:"turns,omitempty"`
	Extra    Extra         `json:"-"`

	turns       []SegmentTurn
	told        string   // the summary, where it is in the log
	shown, said []string // ids of what its turns worked on and said, whether they are tags or not
	found       []string // the tags by which it is found
	by          Ref      // the segment that took its place
}

// SegmentTurn is a turn that a segment sums up.
type SegmentTurn struct {
	Node  string `json:"node"` // its first and its last one
	To    string `json:"to"`
	At    *int64 `json:"at"` // time of the first, where it is known
	Bytes int    `json:"bytes"`
	// Tags are ids of what the turn worked on, the most important first; Said are ids of words that lead to tags and make none.
	Tags []string `json:"tags"`
	Said []string `json:"said,omitempty"`
	// Records are ids of the events and facts that are remembered of it.
	Records []string `json:"records,omitempty"`
	// Ended are nodes that were its last one when it was looked at before, and then went on.
	Ended []string `json:"ended,omitempty"`
}

// Turns are the turns that the segment sums up, in their order.
func (s *Segment) Turns() []SegmentTurn {
	if len(s.turns) == 0 {
		return []SegmentTurn{{Node: s.Full.FromNode, To: s.Full.ToNode, Tags: s.Tags}}
	}
	return s.turns
}

// Until is the time of its newest turn, in Unix seconds; nil where none is known.
func (s *Segment) Until() (at *int64) {
	for _, t := range s.turns {
		if t.At != nil && (at == nil || *t.At > *at) {
			at = t.At
		}
	}
	return at
}

// AsProposed is the segment as the log has it.
func (s *Segment) AsProposed() *Segment {
	c := *s
	c.LogTurns, c.Summary = s.turns, s.told
	if c.Tags = s.shown; len(s.turns) > 0 {
		c.Tags, c.PrimaryTag, c.Ratio = nil, "", 0
	}
	return &c
}

// setAside keeps what stands in the log alone out of what is shown.
func (s *Segment) setAside() {
	s.turns, s.told, s.shown, s.LogTurns = s.LogTurns, s.Summary, s.Tags, nil
	if len(s.turns) > 0 {
		s.shown = oftenest(s.turns, func(t SegmentTurn) []string { return t.Tags })
		s.said = oftenest(s.turns, func(t SegmentTurn) []string { return t.Said })
	}
}

// oftenest are the names of turns, those of most turns first, else in their order.
func oftenest(turns []SegmentTurn, of func(SegmentTurn) []string) []string {
	n := map[string]int{}
	var out []string
	for _, t := range turns {
		for _, id := range of(t) {
			if n[id]++; n[id] == 1 {
				out = append(out, id)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(n[b], n[a]) })
	return slices.Clip(out)
}

// Span points to the full text: all nodes of a session from one to another, both included.
type Span struct {
	SessionID string `json:"session_id"`
	FromNode  string `json:"from_node"`
	ToNode    string `json:"to_node"`
}

// SegmentClaim is the claim key of a segment: the span that it sums up. The session is no part of it: a prefix that two sessions
// share is summed up once.
func SegmentClaim(s *Segment) ClaimKey {
	return claim(string(s.Scope), "segment", s.Full.FromNode, s.Full.ToNode)
}

// SegmentID derives a segment's id from its claim key.
func SegmentID(key ClaimKey) string { return "sg_" + digest(12, "segment", string(key)) }

type plainSegment Segment

var segmentFields = fieldNames(Segment{})

// MarshalJSON writes the known fields in their order, then the unknown ones.
func (s Segment) MarshalJSON() ([]byte, error) {
	s.Tags = orEmpty(s.Tags)
	return encodeWith(plainSegment(s), s.Extra)
}

// UnmarshalJSON keeps unknown fields in Extra.
func (s *Segment) UnmarshalJSON(b []byte) (err error) {
	s.Extra, err = decodeWith(b, (*plainSegment)(s), segmentFields)
	return err
}

// joinSegments merges b into a: of two summaries of one span that of a model counts before that of rules, and otherwise the
// greater text.
func joinSegments(a, b *Segment) {
	rank := func(s *Segment) string {
		by := "1"
		if s.MadeBy == MadeByRules {
			by = "0"
		}
		return strings.Join([]string{by, s.MadeBy, s.told, s.PrimaryTag, strings.Join(s.shown, " "), fmt.Sprint(recordsOf(s.turns))}, "\x00")
	}
	extra, bare := joinExtra(a.Extra, b.Extra), len(a.turns)+len(b.turns) == 0
	shown := union(a.shown, b.shown)
	var ended [][]string
	for i := range min(len(a.turns), len(b.turns)) {
		ended = append(ended, slices.Clip(union(a.turns[i].Ended, b.turns[i].Ended)))
	}
	if rank(b) > rank(a) {
		*a = *b
	}
	if a.Extra = extra; bare {
		a.shown = shown
	}
	a.turns = slices.Clone(a.turns)
	for i := range min(len(a.turns), len(ended)) {
		a.turns[i].Ended = ended[i]
	}
}

func recordsOf(turns []SegmentTurn) (out []string) {
	for _, t := range turns {
		out = append(out, t.Records...)
	}
	return out
}
