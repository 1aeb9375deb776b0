package session

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

func readNode(repo *gitrepo.Repo, r *gitrepo.Reader, e *entry) (memory.Node, error) {
	var n memory.Node
	data, err := readEntry(repo, r, e)
	if err != nil {
		return n, err
	}
	if err := json.Unmarshal(data, &n); err != nil {
		return n, fmt.Errorf("node %s of %s: %w", e.name, repo.Dir(), err)
	}
	return n, nil
}

// Nodes streams the nodes from this number on, in the order of their numbers. It ends after the first error.
func (x *Session) Nodes(fromSeq int) iter.Seq2[memory.Node, error] {
	return func(yield func(memory.Node, error) bool) {
		v, err := x.look(false)
		if err != nil {
			yield(memory.Node{}, err)
			return
		}
		r := v.repo.Reader()
		defer r.Close() //nolint:errcheck // opened for reading
		first, _ := slices.BinarySearchFunc(v.entries, fromSeq, func(e entry, seq int) int { return e.seq() - seq })
		for i := first; i < len(v.entries); i++ {
			n, err := readNode(v.repo, r, &v.entries[i])
			if !yield(n, err) || err != nil {
				return
			}
		}
	}
}

// nodes reads those of the entries with these places.
func (v *view) nodes(places []int) ([]memory.Node, error) {
	r := v.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	out := make([]memory.Node, 0, len(places))
	for _, i := range places {
		n, err := readNode(v.repo, r, &v.entries[i])
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// Node reads one node. The error wraps ErrNoNode when the session does not have it.
func (x *Session) Node(id string) (memory.Node, error) {
	v, err := x.look(false)
	if err != nil {
		return memory.Node{}, err
	}
	i, ok := v.byID(id)
	if !ok || i >= len(v.entries) {
		return memory.Node{}, fmt.Errorf("%w: %s in session %s", ErrNoNode, id, x.id)
	}
	list, err := v.nodes([]int{i})
	if err != nil {
		return memory.Node{}, err
	}
	return list[0], nil
}

// Turn reads the nodes of turn n, sub-agents' included, in the order of their numbers. A turn that the session does not have
// gives none.
func (x *Session) Turn(n int) ([]memory.Node, error) {
	v, places, err := x.turnPlaces(n)
	if err != nil {
		return nil, err
	}
	nodes, err := v.nodes(places)
	return nodes, x.noteFailure(err)
}

// turnPlaces finds the nodes of a turn.
func (x *Session) turnPlaces(n int) (v view, places []int, err error) {
	if v, err = x.look(false); err != nil {
		return v, nil, err
	}
	if !v.linked {
		places, ok, err := v.late(n)
		if err != nil || ok {
			return v, places, x.noteFailure(err)
		}
		if v, err = x.look(true); err != nil {
			return v, nil, err
		}
	}
	for i, b := range v.bonds.list {
		if int(b.turn) == n {
			places = append(places, i)
		}
	}
	return v, places, nil
}

// TurnNodes is a turn with its nodes, sub-agents' included, in the order of their numbers.
type TurnNodes struct {
	N     int
	Nodes []memory.Node
}

// Turns streams the turns from a number on. It ends after the first error.
func (x *Session) Turns(from int) iter.Seq2[TurnNodes, error] {
	return func(yield func(TurnNodes, error) bool) {
		v, err := x.look(true)
		if err != nil {
			yield(TurnNodes{}, err)
			return
		}
		places := make([]int32, 0, len(v.entries))
		for i, b := range v.bonds.list {
			if int(b.turn) >= from {
				places = append(places, int32(i))
			}
		}
		byTurn := func(a, b int32) int { return cmp.Compare(v.bonds.list[a].turn, v.bonds.list[b].turn) }
		if !slices.IsSortedFunc(places, byTurn) {
			slices.SortStableFunc(places, byTurn)
		}
		r := v.repo.Reader()
		defer r.Close() //nolint:errcheck // opened for reading
		for len(places) > 0 {
			t := TurnNodes{N: int(v.bonds.list[places[0]].turn)}
			for len(places) > 0 && int(v.bonds.list[places[0]].turn) == t.N {
				n, err := readNode(v.repo, r, &v.entries[places[0]])
				if err != nil {
					yield(t, x.noteFailure(err))
					return
				}
				t.Nodes, places = append(t.Nodes, n), places[1:]
			}
			if !yield(t, nil) {
				return
			}
		}
	}
}

// TurnOf is the turn of a node; ok is false when the session does not have it, or cannot be read.
func (x *Session) TurnOf(node string) (turn int, ok bool) {
	v, err := x.look(true)
	if err != nil {
		return 0, false
	}
	i, ok := v.byID(node)
	if !ok || i >= len(v.bonds.list) {
		return 0, false
	}
	return int(v.bonds.list[i].turn), true
}

// Branch reads the nodes from the root to head along their parents; head "" is the session's own head. A chain that comes
// back on itself is cut there.
func (x *Session) Branch(head string) ([]memory.Node, error) {
	if head == "" {
		head = string(x.Meta().HeadID)
	}
	v, err := x.look(true)
	if err != nil {
		return nil, err
	}
	if head == "" {
		return nil, nil
	}
	i, ok := v.byID(head)
	if !ok || i >= len(v.entries) {
		return nil, fmt.Errorf("%w: %s in session %s", ErrNoNode, head, x.id)
	}
	seen := map[int]bool{}
	var places []int
	for i >= 0 && !seen[i] {
		seen[i] = true
		places = append(places, i)
		i = v.at(v.bonds.list[i].parent)
	}
	slices.Reverse(places)
	return v.nodes(places)
}

// Heads are the nodes of the main conversation that no other node of it follows on, in the order of their numbers.
func (x *Session) Heads() []string {
	v, err := x.look(true)
	if err != nil {
		return nil
	}
	inner := make([]bool, len(v.entries))
	for _, b := range v.bonds.list {
		if i := v.at(b.parent); b.agent == 0 && i >= 0 {
			inner[i] = true
		}
	}
	var out []string
	for i, b := range v.bonds.list {
		if b.agent == 0 && !inner[i] {
			out = append(out, v.entries[i].id())
		}
	}
	return out
}

// Skeleton is every node's place in the DAG, in the order of the numbers. It is nil when the history cannot be read; Problems
// tells why.
func (x *Session) Skeleton() []Link {
	v, err := x.look(true)
	if err != nil {
		return nil
	}
	out := make([]Link, len(v.entries))
	for i := range v.entries {
		out[i] = v.link(i)
	}
	return out
}

func (v *view) link(i int) Link {
	e, h := &v.entries[i], v.bonds.header(i, v.entries)
	return Link{ID: e.id(), Parent: h.parent, CalledBy: h.calledBy, Seq: e.seq(), Turn: h.turn, Role: e.role(), Agent: h.agent}
}
