package session

import (
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
		first, _ := slices.BinarySearchFunc(v.entries, fromSeq, func(e entry, seq int) int { return e.seq - seq })
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
	v, err := x.look(false)
	if err != nil {
		return nil, err
	}
	if v.heads == nil {
		places, ok, err := v.late(n)
		if err != nil {
			return nil, err
		}
		if ok {
			return v.nodes(places)
		}
		if v, err = x.look(true); err != nil {
			return nil, err
		}
	}
	var places []int
	for i, h := range v.heads {
		if h.turn == n {
			places = append(places, i)
		}
	}
	return v.nodes(places)
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
	if !ok || i >= len(v.heads) {
		return nil, fmt.Errorf("%w: %s in session %s", ErrNoNode, head, x.id)
	}
	seen := map[int]bool{}
	var places []int
	for ok && i < len(v.heads) && !seen[i] {
		seen[i] = true
		places = append(places, i)
		i, ok = v.byID(string(v.heads[i].parent))
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
	inner := map[memory.Ref]bool{}
	for _, h := range v.heads {
		if h.agent == "" {
			inner[h.parent] = true
		}
	}
	var out []string
	for i, h := range v.heads {
		if id := v.entries[i].id(); h.agent == "" && !inner[memory.Ref(id)] {
			out = append(out, id)
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
	out := make([]Link, len(v.heads))
	for i, h := range v.heads {
		e := &v.entries[i]
		out[i] = Link{ID: e.id(), Parent: h.parent, CalledBy: h.calledBy, Seq: e.seq, Turn: h.turn, Role: e.role, Agent: h.agent}
	}
	return out
}
