package memory

import "slices"

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
	Extra      Extra    `json:"-"`
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
	better := func(x, y *Segment) bool {
		if (x.MadeBy == "rules") != (y.MadeBy == "rules") {
			return y.MadeBy == "rules"
		}
		return x.MadeBy+"\x00"+x.Summary+"\x00"+x.PrimaryTag > y.MadeBy+"\x00"+y.Summary+"\x00"+y.PrimaryTag
	}
	tags, extra := union(a.Tags, b.Tags), joinExtra(a.Extra, b.Extra)
	if better(b, a) {
		*a = *b
	}
	a.Tags, a.Extra = slices.Clone(tags), extra
}
