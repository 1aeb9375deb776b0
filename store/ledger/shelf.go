package ledger

import (
	"fmt"
	"hash/fnv"
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
	packs   [][]byte          // of packSize decisions each
	open    []memory.Decision // the newest, not packed yet
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

func hash64(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // never fails
	return h.Sum64()
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
	if s.open = append(s.open, d); len(s.open) < packSize {
		return nil
	}
	raw, err := packDecisions(s.open)
	if err != nil {
		return err
	}
	enc, _ := zip()
	s.packs = append(s.packs, slices.Clip(enc.EncodeAll(raw, make([]byte, 0, len(raw)/4))))
	s.open = nil // a copy may still show them
	return nil
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

// pack reads the decisions of a pack. What was packed here can always be read.
func (s *shelf) pack(n int) []memory.Decision {
	if n == len(s.packs) {
		return s.open
	}
	_, dec := zip()
	raw, err := dec.DecodeAll(s.packs[n], nil)
	var out []memory.Decision
	if err == nil {
		out, err = unpackDecisions(raw)
	}
	if err != nil {
		panic(fmt.Sprintf("decisions of %s that were packed in memory cannot be read: %v", s.machine, err))
	}
	return out
}

// all yields the decisions in their order.
func (s *shelf) all() iter.Seq[memory.Decision] {
	return func(yield func(memory.Decision) bool) {
		for n := range len(s.packs) + 1 {
			for _, d := range s.pack(n) {
				if !yield(d) {
					return
				}
			}
		}
	}
}

// matching lists the decisions whose head is wanted, in their order.
func (s *shelf) matching(wanted func(decided) bool) (out []memory.Decision) {
	var pack []memory.Decision
	at := -1
	for i, h := range s.heads {
		if !wanted(h) {
			continue
		}
		if i/packSize != at {
			at = i / packSize
			pack = s.pack(at)
		}
		out = append(out, pack[i%packSize])
	}
	return out
}

// inOrder yields the decisions of several shelves in the order of the fold.
func inOrder(shelves []*shelf) iter.Seq[memory.Decision] {
	if len(shelves) == 1 {
		return shelves[0].all()
	}
	return func(yield func(memory.Decision) bool) {
		type reader struct {
			next func() (memory.Decision, bool)
			d    memory.Decision
		}
		var open []*reader
		for _, s := range shelves {
			next, stop := iter.Pull(s.all())
			defer stop()
			if d, ok := next(); ok {
				open = append(open, &reader{next, d})
			}
		}
		for len(open) > 0 {
			first := slices.MinFunc(open, func(a, b *reader) int { return memory.CompareDecisions(a.d, b.d) })
			if !yield(first.d) {
				return
			}
			var ok bool
			if first.d, ok = first.next(); !ok {
				open = slices.DeleteFunc(open, func(r *reader) bool { return r == first })
			}
		}
	}
}
