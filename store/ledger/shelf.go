package ledger

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"dormouse/store/memory"
)

// packSize is how many decisions are packed together: few enough that finding one costs less than a millisecond.
const packSize = 64

// shelf holds the decisions of one machine in the order of its log, packed, since there may be hundreds of thousands of them and
// the whole of them is seldom asked for. A copy of a shelf goes on showing what was on it when it was copied.
type shelf struct {
	machine string
	heads   []decided
	packs   [][]byte // of packSize decisions each, compressed
	open    packer   // the newest, not compressed yet
	unseen  bool     // while it is read: nobody has a copy
	// rulings are the decisions that bear on others (memory.Rules), without their texts.
	rulings []memory.Decision
	mixed   bool // the log is not in the order of the fold, as a damaged one may be
}

// decided is what decisions are found by: the hashes of their own id, of the record that they are about, and of the decision
// that they undo.
type decided struct {
	id, record, undoes uint64
	lamport            uint64
}

// zip is the codec of all shelves. Both ends may be used by several goroutines.
var zip = sync.OnceValues(func() (*zstd.Encoder, *zstd.Decoder) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(128<<10), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(fmt.Sprint("the options of the decisions' codec: ", err)) // they are constants
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderLowmem(true))
	if err != nil {
		panic(fmt.Sprint("the options of the decisions' codec: ", err))
	}
	return enc, dec
})

// hash64 is FNV-1a.
func hash64(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// add puts a decision behind the others.
func (s *shelf) add(d memory.Decision) error {
	if n := len(s.heads); n > 0 && d.Lamport < s.heads[n-1].lamport {
		s.mixed = true
	}
	s.heads = append(s.heads, decided{hash64(d.ID), hash64(d.Proposal.RecordID), hash64(string(d.Undoes)), d.Lamport})
	if memory.Rules(&d) {
		s.rulings = append(s.rulings, memory.Outline(&d))
	}
	if s.open.out == nil {
		s.open.out = make([]byte, 0, 1<<15)
	}
	if err := s.open.decision(&d); err != nil {
		return fmt.Errorf("pack decision %s: %w", d.ID, err)
	}
	if len(s.heads)%packSize > 0 {
		return nil
	}
	enc, _ := zip()
	room := rooms.Get().(*[]byte)
	defer rooms.Put(room)
	*room = enc.EncodeAll(s.open.out, (*room)[:0])
	s.packs = append(s.packs, bytes.Clone(*room))
	had := s.open.out[:0]
	if !s.unseen { // a copy may still show them
		had = nil
	}
	s.open = packer{out: had}
	return nil
}

// rooms are for packs on their way.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

// goOn is a copy that is added to while the shelf stays as it is.
func (s *shelf) goOn() *shelf {
	now := *s
	now.heads, now.packs, now.rulings = slices.Clip(s.heads), slices.Clip(s.packs), slices.Clip(s.rulings)
	now.open.out, now.unseen = slices.Clip(s.open.out), true
	return &now
}

// held is how many bytes of memory the shelf takes, nearly.
func (s *shelf) held() (n int64) {
	for _, p := range s.packs {
		n += int64(cap(p)) + 24
	}
	return n + int64(cap(s.open.out)) + 32*int64(cap(s.heads)) + 512*int64(len(s.rulings))
}

// tidy puts the decisions into the order of the fold, if they are not.
func (s *shelf) tidy() error {
	if !s.mixed {
		return nil
	}
	all := slices.SortedFunc(s.all(), memory.CompareDecisions)
	*s = shelf{machine: s.machine}
	for _, d := range all {
		if err := s.add(d); err != nil {
			return err
		}
	}
	return nil
}

// pack reads the decisions of a pack into room, and what it is compressed from into buf. What was packed here can always be read. bare leaves
// out what no fold asks for, and has the decisions' JSON lie in buf.
func (s *shelf) pack(n int, room []memory.Decision, buf []byte, bare bool) (out []memory.Decision, raw []byte) {
	raw = s.open.out
	var err error
	if n < len(s.packs) {
		_, dec := zip()
		raw, err = dec.DecodeAll(s.packs[n], buf[:0])
		buf = raw
	}
	if err == nil {
		out, err = unpackDecisions(raw, room, bare)
	}
	if err != nil {
		panic(fmt.Sprintf("decisions of %s that were packed in memory cannot be read: %v", s.machine, err))
	}
	return out, buf
}

// all yields the decisions in their order.
func (s *shelf) all() iter.Seq[memory.Decision] { return inOrder([]*shelf{s}) }

// matching lists the decisions whose head is wanted, in their order.
func (s *shelf) matching(wanted func(decided) bool) (out []memory.Decision) {
	var pack []memory.Decision
	var buf []byte
	at := -1
	for i, h := range s.heads {
		if !wanted(h) {
			continue
		}
		if i/packSize != at {
			at = i / packSize
			pack, buf = s.pack(at, pack[:0], buf, false)
		}
		out = append(out, pack[i%packSize])
	}
	return out
}

// cursor goes through a shelf's decisions.
type cursor struct {
	s    *shelf
	bare bool
	n    int // of the next decision
	at   int // of the pack that is read
	pack []memory.Decision
	buf  []byte
}

// from begins at the nth decision.
func (s *shelf) from(n int, bare bool) *cursor { return &cursor{s: s, bare: bare, n: n, at: -1} }

// now is the next decision, which is valid until the cursor goes on; nil behind the last one.
func (c *cursor) now() *memory.Decision {
	if c.n >= len(c.s.heads) {
		return nil
	}
	if p := c.n / packSize; p != c.at {
		c.pack, c.buf = c.s.pack(p, c.pack[:0], c.buf, c.bare)
		c.at = p
	}
	return &c.pack[c.n%packSize]
}

// inOrder yields the decisions of several shelves in the order of the fold.
func inOrder(shelves []*shelf) iter.Seq[memory.Decision] {
	return func(yield func(memory.Decision) bool) {
		var open []*cursor
		for _, s := range shelves {
			open = append(open, s.from(0, false))
		}
		for d := range together(open) {
			if !yield(*d) {
				return
			}
		}
	}
}

// together yields what is left of several shelves in the order of the fold. A decision is valid until the next one.
func together(open []*cursor) iter.Seq[*memory.Decision] {
	return func(yield func(*memory.Decision) bool) {
		for {
			var first *cursor
			for _, c := range open {
				if d := c.now(); d != nil && (first == nil || d.Compare(first.now()) < 0) {
					first = c
				}
			}
			if first == nil || !yield(first.now()) {
				return
			}
			first.n++
		}
	}
}
