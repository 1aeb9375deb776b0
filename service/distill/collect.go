package distill

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"dormouse/store/memory"
	"dormouse/store/session"
)

// Transcripts is what the distiller reads of the sessions. It never writes through it.
type Transcripts interface {
	// List names the sessions that can be read.
	List() ([]memory.Session, error)
	Open(id string) (Transcript, error)
	// Root is the id of a session's first node; empty where it has none yet. It must be cheap: it is asked of every session.
	Root(id string) (string, error)
}

// Transcript is one session, as store/session opens it.
type Transcript interface {
	Meta() memory.Session
	// Skeleton is how the nodes hang together, in the order of the session.
	Skeleton() []session.Link
	// Turn returns the nodes of one turn, sub-agents' among them, in the order of the session.
	Turn(n int) ([]memory.Node, error)
}

// outline is a session's turns as a tree: on a session without forks each turn follows the one before it.
type outline struct {
	turns  []int            // in the order of the session
	nodes  map[int][]string // ids by turn
	parent map[int]int      // the turn that a turn follows; -1 for the first of a branch
}

// outlineOf lays out a skeleton. A turn follows the turn of its first node's parent.
func outlineOf(links []session.Link) outline {
	o := outline{nodes: map[int][]string{}, parent: map[int]int{}}
	turnOf := make(map[string]int, len(links))
	for _, l := range links {
		turnOf[l.ID] = l.Turn
		if _, ok := o.parent[l.Turn]; !ok {
			o.turns = append(o.turns, l.Turn)
			o.parent[l.Turn] = -1
			if p, ok := turnOf[string(l.Parent)]; ok && p != l.Turn {
				o.parent[l.Turn] = p
			}
		}
		o.nodes[l.Turn] = append(o.nodes[l.Turn], l.ID)
	}
	return o
}

// wanted adds to the turns that changed all turns that they follow: a turn is read with what it knows of its ancestors.
func (o outline) wanted(changed map[int]bool) map[int]bool {
	out := maps.Clone(changed)
	for t := range changed {
		for p := o.parent[t]; p >= 0 && !out[p]; p = o.parent[p] {
			out[p] = true
		}
	}
	return out
}

// all is the set of all nodes.
func (o outline) all() map[string]bool {
	out := map[string]bool{}
	for _, ids := range o.nodes {
		for _, id := range ids {
			out[id] = true
		}
	}
	return out
}

// family is the sessions that may share nodes: they begin with the same one. A fork or a resumed session copies its parent
// from the first node on.
type family struct {
	session memory.Session
	nodes   map[string]bool
}

// older orders sessions: the one that was created first owns what it shares with others.
func older(a, b memory.Session) int {
	return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.ID, b.ID))
}

// owner is the oldest session that holds all the nodes; own where no other one does.
func owner(nodes []string, own memory.Session, kin []family) memory.Session {
	best := own
	for _, k := range kin {
		if older(k.session, best) < 0 && !slices.ContainsFunc(nodes, func(id string) bool { return !k.nodes[id] }) {
			best = k.session
		}
	}
	return best
}

// kin lists the sessions of a session's family that are older than it and were not dealt with in this run, with their nodes.
// Only these can own nodes that no run has covered. Sessions that cannot be opened have no part in it.
func (d *Distiller) kin(own memory.Session, root string, all []memory.Session, done map[string]bool) []family {
	var out []family
	for _, s := range all {
		if older(s, own) >= 0 || done[s.ID] {
			continue
		}
		if r, err := d.root(s.ID); err != nil || r != root {
			continue
		}
		t, err := d.o.Sessions.Open(s.ID)
		if err != nil {
			continue
		}
		nodes := map[string]bool{}
		for _, l := range t.Skeleton() {
			nodes[l.ID] = true
		}
		out = append(out, family{session: s, nodes: nodes})
	}
	slices.SortFunc(out, func(a, b family) int { return older(a.session, b.session) })
	return out
}

// root is the first node of a session. It never changes, so it is asked for once.
func (d *Distiller) root(id string) (string, error) {
	if r, ok := d.roots[id]; ok {
		return r, nil
	}
	r, err := d.o.Sessions.Root(id)
	if err != nil {
		return "", fmt.Errorf("first node of session %s: %w", id, err)
	}
	if r != "" {
		d.roots[id] = r
	}
	return r, nil
}
