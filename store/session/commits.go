package session

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dormouse/store/gitrepo"
)

// Commit is one commit of a session.
type Commit struct {
	SHA     string
	Parents []string
	Branch  string // that it was made on: main, or retry-<id of an answer>
	Turn    int    // that the message names
	Message string
	When    int64    // Unix seconds
	Nodes   []string // ids of the nodes that no commit before had, in the order of their numbers
}

// Commits lists the session's commits on all branches, newest first.
func (x *Session) Commits() ([]Commit, error) {
	v, err := x.look(false)
	if err != nil {
		return nil, err
	}
	r := v.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	list, err := v.records(r)
	if err != nil {
		return nil, fmt.Errorf("commits of session %s: %w", x.id, err)
	}
	out := make([]Commit, len(list))
	for i, c := range list {
		out[i] = v.commit(c)
	}
	return out, nil
}

// CommitOf is the commit that was the first to hold a node. A node of the open turn has none: ok is false.
func (x *Session) CommitOf(node string) (c Commit, ok bool, err error) {
	v, err := x.look(false)
	if err != nil {
		return c, false, err
	}
	place, known := v.byID(node)
	if !known || place >= len(v.entries) {
		return c, false, fmt.Errorf("%w: %s in session %s", ErrNoNode, node, x.id)
	}
	if place >= v.committed {
		return c, false, nil
	}
	r := v.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	if m, ok := v.markOf(place); ok {
		rec, err := v.recordOf(r, m, v.before(m))
		if err != nil {
			return c, false, fmt.Errorf("commit of node %s of session %s: %w", node, x.id, err)
		}
		return v.commit(rec), true, nil
	}
	list, err := laneRecords(r, &v.lanes, v.entries, int(v.lanes.of[place]), nil)
	if err != nil {
		return c, false, fmt.Errorf("commit of node %s of session %s: %w", node, x.id, err)
	}
	for _, rec := range list {
		if slices.Contains(rec.fresh, int32(place)) {
			return v.commit(rec), true, nil
		}
	}
	return c, false, nil
}

func (v *view) commit(c record) Commit {
	turn, _, _, _ := parseMessage(c.Message)
	out := Commit{SHA: c.OID.String(), Branch: strings.TrimPrefix(v.lanes.all[c.lane].ref, heads), Turn: turn, Message: c.Message, When: c.When}
	for _, p := range c.Parents {
		out.Parents = append(out.Parents, p.String())
	}
	for _, place := range c.fresh {
		out.Nodes = append(out.Nodes, v.entries[place].id())
	}
	return out
}

// record is a commit and where it is in the session.
type record struct {
	gitrepo.CommitInfo
	lane  int
	nodes int     // that its history/ begins with of its lane's
	fresh []int32 // places of the nodes that no commit before had
	alien bool    // its history/ is not one of ours
}

// records lists the commits of all lanes, newest first.
func records(r *gitrepo.Reader, l *lanes, entries []entry) ([]record, error) {
	seen := map[gitrepo.OID]bool{}
	var out []record
	for lane := range l.all {
		list, err := laneRecords(r, l, entries, lane, seen)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	slices.SortStableFunc(out, func(a, b record) int { return cmp.Compare(l.newest(&b), l.newest(&a)) })
	return out, nil
}

// newest is the place of the newest node that a commit has.
func (l *lanes) newest(c *record) int {
	if c.nodes == 0 {
		return none
	}
	return l.at(c.lane, c.nodes-1)
}

// laneRecords lists the commits of one lane, newest first, up to those that were seen. Without seen, those of the lanes that it
// forks from are among them, as commits that have no new node.
func laneRecords(r *gitrepo.Reader, l *lanes, entries []entry, lane int, seen map[gitrepo.OID]bool) ([]record, error) {
	x := &l.all[lane]
	ends := treeEnds(l, lane, entries)
	var out []record
	for c, err := range r.Log(x.tip) {
		if err != nil {
			return nil, err
		}
		if seen[c.OID] {
			break
		}
		if seen != nil {
			seen[c.OID] = true
		}
		n, err := nodeCount(r, c, ends)
		if err != nil && !errors.Is(err, errNotOurs) {
			return nil, err
		}
		out = append(out, record{CommitInfo: c, lane: lane, nodes: n, alien: err != nil})
	}
	before := x.shared
	for i := len(out) - 1; i >= 0; i-- {
		c := &out[i]
		if c.alien {
			c.nodes = before
		}
		if c.nodes > before {
			c.fresh = x.own[before-x.shared : c.nodes-x.shared]
			before = c.nodes
		}
	}
	return out, nil
}
