package session

import (
	"fmt"
	"slices"
)

// lateNodes is how many nodes are looked at from the end of a history for a turn that is asked for.
const lateNodes = 512

// late gives the places of a turn's nodes when it is one of the last, so that it opens at once however long the session is. All
// nodes of a turn follow on its prompt, and every node of the main conversation before the prompt has an earlier turn: one of those
// ends the search. ok is false when none is among the last nodes.
func (v *view) late(turn int) (places []int, ok bool, err error) {
	r := v.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	for i := len(v.entries) - 1; i >= max(0, len(v.entries)-lateNodes); i-- {
		e := &v.entries[i]
		data, err := readEntry(v.repo, r, e)
		if err != nil {
			return nil, false, err
		}
		h, err := parseHeader(data)
		if err != nil {
			return nil, false, fmt.Errorf("node %s of %s: %w", e.name, v.repo.Dir(), err)
		}
		if h.turn == turn {
			places = append(places, i)
		} else if h.agent == "" && h.turn < turn {
			ok = true
			break
		}
	}
	slices.Reverse(places)
	return places, ok || len(v.entries) <= lateNodes, nil
}
