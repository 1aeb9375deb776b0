package session

import (
	"fmt"
	"iter"
	"slices"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

// NodesSince streams what came after a commit, in the order of the numbers; commit "" is the beginning. It ends after the first
// error.
//
// With head "" it is what every branch got after the commit was made: numbers rise in time whatever the branch, so a consumer
// that goes on from the newest commit it was given sees each node once, and of a fork its new nodes only. Nodes tells the same
// from a number.
//
// With a head it is what is on the way to that node, with what sub-agents did on it, and not on the way to the commit: the
// nodes that a consumer who knows the commit's branch lacks of the head's. What both share is not among them.
func (x *Session) NodesSince(commit, head string) iter.Seq2[memory.Node, error] {
	return func(yield func(memory.Node, error) bool) {
		v, err := x.look(head != "")
		if err != nil {
			yield(memory.Node{}, err)
			return
		}
		r := v.repo.Reader()
		defer r.Close() //nolint:errcheck // opened for reading
		places, err := v.since(r, commit, head)
		if err != nil {
			yield(memory.Node{}, fmt.Errorf("nodes of session %s: %w", x.id, err))
			return
		}
		for _, i := range places {
			n, err := readNode(v.repo, r, &v.entries[i])
			if !yield(n, err) || err != nil {
				return
			}
		}
	}
}

func (v *view) since(r *gitrepo.Reader, commit, head string) ([]int, error) {
	at, err := v.find(r, commit)
	if err != nil {
		return nil, err
	}
	if head == "" {
		var out []int
		for i := v.lanes.newest(&at) + 1; i < len(v.entries); i++ {
			out = append(out, i)
		}
		return out, nil
	}
	end, ok := v.byID(head)
	if !ok || end >= len(v.entries) {
		return nil, fmt.Errorf("%w: %s", ErrNoNode, head)
	}
	known := map[int]bool{}
	for place := range v.lanes.places(at.lane, at.nodes) {
		known[place] = true
	}
	return slices.DeleteFunc(v.wayTo(end), func(i int) bool { return known[i] }), nil
}

// find is the commit with a name; of "" one before all others.
func (v *view) find(r *gitrepo.Reader, commit string) (record, error) {
	if commit == "" {
		return record{}, nil
	}
	if at, ok := v.markNamed(commit); ok {
		m := v.marks[at]
		return record{CommitInfo: gitrepo.CommitInfo{OID: m.oid}, lane: v.laneOf(m), nodes: v.nodesOf(m)}, nil
	}
	list, err := records(r, &v.lanes, v.entries)
	if err != nil {
		return record{}, err
	}
	for _, c := range list {
		if c.OID.String() == commit {
			return c, nil
		}
	}
	return record{}, fmt.Errorf("%w: %s", ErrNoCommit, commit)
}

// wayTo gives the places of the nodes on the way from a root to a node, and of what sub-agents that were called on it did.
func (v *view) wayTo(end int) []int {
	on := make([]bool, len(v.entries))
	for i := end; i >= 0 && !on[i]; i = v.at(v.bonds.list[i].parent) {
		on[i] = true
	}
	var out []int
	for i, b := range v.bonds.list {
		if b.agent > 0 && !on[i] {
			on[i] = v.onWay(on, b.calledBy) || v.onWay(on, b.parent)
		}
		if on[i] {
			out = append(out, i)
		}
	}
	return out
}

func (v *view) onWay(on []bool, ref int32) bool {
	i := v.at(ref)
	return i >= 0 && on[i]
}

// at is the place of the node that a bond refers to; none when it is not there.
func (v *view) at(ref int32) int {
	if ref >= none {
		return int(ref)
	}
	if i, ok := v.byID(v.bonds.names[far(ref)]); ok && i < len(v.entries) {
		return i
	}
	return none
}

// Select reads nodes by their ids, in the order in which they are asked for. The error wraps ErrNoNode when the session does not
// have one of them.
func (x *Session) Select(ids ...string) ([]memory.Node, error) {
	v, err := x.look(false)
	if err != nil {
		return nil, err
	}
	places := make([]int, 0, len(ids))
	for _, id := range ids {
		i, ok := v.byID(id)
		if !ok || i >= len(v.entries) {
			return nil, fmt.Errorf("%w: %s in session %s", ErrNoNode, id, x.id)
		}
		places = append(places, i)
	}
	return v.nodes(places)
}
