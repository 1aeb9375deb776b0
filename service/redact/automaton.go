package redact

import (
	"fmt"
	"slices"
	"strings"
)

// automaton is an Aho-Corasick machine over ASCII letters without case: one table lookup a byte, whatever the number of
// patterns. Bytes that no pattern uses share one column, so that a thousand states fit in a CPU's second-level cache.
type automaton struct {
	column [256]uint8
	shift  uint
	// next[state<<shift|column] is the next state; hitBit is set where a pattern ends there.
	next []uint16
	// ends[state] lists the patterns that end in state, longest first.
	ends [][]uint16
	lens []int
}

const hitBit = 1 << 15

// newAutomaton builds the machine for patterns, which must not be empty. Pattern i is reported as i.
func newAutomaton(patterns []string) (*automaton, error) {
	a := &automaton{}
	columns := 1
	for _, p := range patterns {
		if p == "" {
			return nil, fmt.Errorf("build keyword automaton: empty pattern")
		}
		a.lens = append(a.lens, len(p))
		for _, c := range []byte(strings.ToLower(p)) {
			if a.column[c] == 0 {
				a.column[c] = uint8(columns)
				columns++
			}
		}
	}
	for c := 'A'; c <= 'Z'; c++ {
		a.column[c] = a.column[c-'A'+'a']
	}
	for 1<<a.shift < columns {
		a.shift++
	}
	a.trie(patterns)
	if len(a.ends) >= hitBit {
		return nil, fmt.Errorf("build keyword automaton: %d states are too many", len(a.ends))
	}
	a.link()
	return a, nil
}

func (a *automaton) trie(patterns []string) {
	row := make([]uint16, 1<<a.shift)
	a.next = append(a.next, row...)
	a.ends = append(a.ends, nil)
	for i, p := range patterns {
		s := 0
		for _, c := range []byte(strings.ToLower(p)) {
			at := s<<a.shift | int(a.column[c])
			if a.next[at] == 0 {
				a.next[at] = uint16(len(a.ends))
				a.next = append(a.next, row...)
				a.ends = append(a.ends, nil)
			}
			s = int(a.next[at])
		}
		a.ends[s] = append(a.ends[s], uint16(i))
	}
}

// link turns the trie into a machine that never goes back, level by level, and marks the states where a pattern ends.
func (a *automaton) link() {
	width := 1 << a.shift
	fail := make([]int, len(a.ends))
	var queue []int
	for c := range width {
		if s := a.next[c]; s != 0 {
			queue = append(queue, int(s))
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		a.ends[s] = slices.Concat(a.ends[s], a.ends[fail[s]])
		for c := range width {
			at, back := s<<a.shift|c, a.next[fail[s]<<a.shift|c]
			if child := a.next[at]; child != 0 {
				fail[child] = int(back)
				queue = append(queue, int(child))
			} else {
				a.next[at] = back
			}
		}
	}
	for i, s := range a.next {
		if len(a.ends[s]) > 0 {
			a.next[i] |= hitBit
		}
	}
}

// each calls hit for every pattern in s with the offset of the byte after it, in the order of those offsets.
func (a *automaton) each(s string, hit func(pattern, end int)) {
	state := uint16(0)
	for i := 0; i < len(s); i++ {
		state = a.next[int(state&^hitBit)<<a.shift|int(a.column[s[i]])]
		if state&hitBit != 0 {
			for _, p := range a.ends[state&^hitBit] {
				hit(int(p), i+1)
			}
		}
	}
}

// contains reports whether any pattern is in s.
func (a *automaton) contains(s string) bool {
	state := uint16(0)
	for i := 0; i < len(s); i++ {
		state = a.next[int(state&^hitBit)<<a.shift|int(a.column[s[i]])]
		if state&hitBit != 0 {
			return true
		}
	}
	return false
}

// bytes is the memory that the machine holds.
func (a *automaton) bytes() int {
	n := 2*len(a.next) + 24*len(a.ends)
	for _, e := range a.ends {
		n += 2 * len(e)
	}
	return n
}
