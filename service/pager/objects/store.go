package objects

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"dormouse/service/pager"
)

// Store holds the objects of one conversation. It is not safe for use by several goroutines at once.
type Store struct {
	o      Options
	agent  string
	blocks []entry
	segs   []*segment          // in the order in which they began
	calls  map[string]*segment // by the id of a call that has no result so far
	files  map[string][]*segment
	keys   map[string]*segment // of calls that are asked again, the newest
	seen   map[string]int      // beginnings of objects, by their sums

	turn, goal int
	phase      *segment // the part of the talk that goes on
	debug      *segment // the stretch of debugging that goes on; nil for none
	joined     int      // turn at which neighbours were looked at last
	from       int      // the first object that was not looked at then
	span       string   // the head of what was said since the last prompt
	outside    []*segment
	answered   int // calls with a result
	left       Left
	refused    []Refusal
	held       map[uint64]bool // lines of results that are stored, as sums; kept where admission is on
}

// Left is what is in no object.
type Left struct {
	Quiet int `json:"quiet"` // blocks that a client or Dormouse put there
	Other int `json:"other"` // blocks without a text: images, thinking
	Empty int `json:"empty"` // blocks with an empty text
}

// entry is a block and where it is kept.
type entry struct {
	pager.Block
	ref Ref
}

// content is what of a block belongs to an object.
func (e *entry) content() string {
	if e.Kind == pager.Call {
		return e.Tool + " " + string(e.Input)
	}
	return e.Text
}

func (e *entry) size() int {
	if e.Kind == pager.Call {
		return len(e.Tool) + 1 + len(e.Input)
	}
	return len(e.Text)
}

// segment is an object while it is being made.
type segment struct {
	id, key, path string
	kind          Type
	title         string
	blocks        []int
	turns         [2]int
	goal          int
	parent        *segment
	newer         *segment // that has newer content of the same thing
	into          *segment // that this one was joined to
	also          []string
	needs         []*segment
	span          lines // of a file: which of its lines; all where that is zero
	edits         bool  // of a call: it changes its file
	check         bool  // of a call: it says whether the work holds
	vec           []float32
	refused       string
}

// New returns a store for one conversation; agent is the sub-agent's id, empty for the main conversation.
func New(o Options, agent string) *Store {
	return &Store{o: o, agent: agent, calls: map[string]*segment{}, files: map[string][]*segment{}, keys: map[string]*segment{}, seen: map[string]int{}, held: map[uint64]bool{}, goal: 1}
}

// Add takes the next message.
func (s *Store) Add(m Message) {
	for i, b := range m.Blocks {
		var ref Ref
		if i < len(m.Refs) {
			ref = m.Refs[i]
		}
		if m.User && b.Kind == pager.Text && !ref.Quiet && strings.TrimSpace(b.Text) != "" {
			s.turn++
		}
		if ref.Turn == 0 {
			ref.Turn = s.turn
		}
		s.turn = max(s.turn, ref.Turn)
		s.blocks = append(s.blocks, entry{b, ref})
		s.block(len(s.blocks)-1, m.User)
	}
	if s.turn-s.joined >= s.o.Every {
		s.join()
	}
}

func (s *Store) block(i int, user bool) {
	e := &s.blocks[i]
	switch {
	case e.Kind == pager.Result: // it goes with its call
		s.result(i)
	case e.ref.Quiet:
		s.left.Quiet++
		if e.Kind == pager.Call {
			s.calls[e.ID] = nil
		}
	case e.Kind == pager.Other:
		s.left.Other++
	case e.Kind == pager.Call:
		s.call(i)
	case strings.TrimSpace(e.Text) == "":
		s.left.Empty++
	case user:
		s.prompt(i)
	default:
		s.said(i)
	}
}

// begin opens an object with a block.
func (s *Store) begin(kind Type, i int) *segment {
	e := &s.blocks[i]
	x := &segment{kind: kind, turns: [2]int{e.ref.Turn, e.ref.Turn}, goal: s.goal, title: titleOf(e)}
	x.id = s.idOf(e)
	x.put(s, i)
	s.segs = append(s.segs, x)
	return x
}

// put adds a block to an object.
func (x *segment) put(s *Store, i int) {
	x.blocks = append(x.blocks, i)
	x.turns[1] = max(x.turns[1], s.blocks[i].ref.Turn)
	x.vec = nil
}

// idOf is the id of an object that begins with a block: the sum of what the block holds, and how many began with the same before.
func (s *Store) idOf(e *entry) string {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%s\x00%d\x00%s", s.agent, e.Kind, e.content())
	sum := hex.EncodeToString(h.Sum(nil))[:24]
	n := s.seen[sum]
	s.seen[sum]++
	if n > 0 {
		more := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", sum, n))
		sum = hex.EncodeToString(more[:])
	}
	return "ob_" + sum[:12]
}

// maxTitle is the most characters of a title.
const maxTitle = 100

func titleOf(e *entry) string {
	text := e.Text
	if e.Kind == pager.Call {
		text = e.Tool + " " + pager.SubjectOf(e.Input)
	}
	if len(text) > 4*maxTitle+200 {
		text = text[:4*maxTitle+200]
	}
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "\uFFFD")
	if r := []rune(text); len(r) > maxTitle {
		text = string(r[:maxTitle-1]) + "…"
	}
	return text
}

// text is what an object holds, at most so many bytes; 0 for all.
func (x *segment) text(s *Store, most int) string {
	var b strings.Builder
	for _, i := range x.blocks {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		c := s.blocks[i].content()
		if most > 0 && b.Len()+len(c) > most {
			c = c[:most-b.Len()]
		}
		b.WriteString(c)
		if most > 0 && b.Len() >= most-1 {
			break
		}
	}
	return b.String()
}

func (x *segment) size(s *Store) (n int) {
	for _, i := range x.blocks {
		n += s.blocks[i].size()
	}
	return n
}

// embedded is how much of a text is shown to the embedder.
const embedded = 4000

// vector is an object's vector; nil without an embedder.
func (s *Store) vector(x *segment) []float32 {
	if s.o.Embed == nil {
		return nil
	}
	if x.vec == nil {
		x.vec = s.o.Embed(x.text(s, embedded))
	}
	return x.vec
}

// cosine of two vectors of unit length; ok is false where one knows nothing.
func cosine(a, b []float32) (sum float64, ok bool) {
	if len(a) == 0 || len(a) != len(b) {
		return 0, false
	}
	var na, nb float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
		na += float64(a[i]) * float64(a[i])
		nb += float64(b[i]) * float64(b[i])
	}
	return sum, na > 0 && nb > 0
}
