package session

import (
	"iter"
	"slices"
	"strings"

	"dormouse/store/gitrepo"
)

// none is the lane that a root starts from, and the place that is none.
const none = -1

// lane is one line of the conversation and one branch of the repository: main, or a retry. Its history/ begins with the
// first nodes of another lane's and goes on with its own: each node of the main conversation follows on the one before, and
// what sub-agents did lies between. history/ of a lane only grows at its end.
type lane struct {
	parent int     // the lane that it forks from; none where it has a root of its own
	shared int     // how many nodes it has from its parent
	own    []int32 // places of its own nodes, rising
	last   int     // place of its last own node of the main conversation; none before it has one
	turn   int     // of that node
	from   int     // the lane that was followed before this one began

	ref       string      // its branch; empty before its first commit
	tip       gitrepo.OID // its newest commit
	committed int         // how many nodes are in tip
	when      int64       // of tip
	lastTurn  int         // highest turn up to tip; -1 when there is none
	rest      []gitrepo.TreeEntry
}

func newLane(parent, shared int) lane {
	return lane{parent: parent, shared: shared, last: none, from: parent, lastTurn: -1}
}

func (l *lane) len() int { return l.shared + len(l.own) }

// until is how many nodes the lane has that lie before a place.
func (l *lane) until(place int) int {
	i, _ := slices.BinarySearch(l.own, int32(place))
	return l.shared + i
}

// lanes are a session's lines, each after the one that it forks from. of says for every node whose own it is.
type lanes struct {
	all []lane
	of  []int32
}

// clone is a copy that can be changed without the other's readers seeing it: what they have is only appended to.
func (l *lanes) clone() lanes { return lanes{all: slices.Clone(l.all), of: l.of} }

// at is the place of the i-th node of a lane.
func (l *lanes) at(lane, i int) int {
	for i < l.all[lane].shared {
		lane = l.all[lane].parent
	}
	return int(l.all[lane].own[i-l.all[lane].shared])
}

// places gives the places of a lane's first n nodes, rising.
func (l *lanes) places(lane, n int) iter.Seq[int] {
	return func(yield func(int) bool) { l.each(lane, n, yield) }
}

func (l *lanes) each(lane, n int, yield func(int) bool) bool {
	x := &l.all[lane]
	if x.shared > 0 && !l.each(x.parent, min(n, x.shared), yield) {
		return false
	}
	for _, place := range x.own[:max(n-x.shared, 0)] {
		if !yield(int(place)) {
			return false
		}
	}
	return true
}

// holds reports whether a node is on a lane: its own, or shared.
func (l *lanes) holds(lane, place int) bool {
	owner := int(l.of[place])
	limit := l.all[lane].len()
	for lane != owner {
		limit, lane = min(limit, l.all[lane].shared), l.all[lane].parent
		if lane == none {
			return false
		}
	}
	return l.all[owner].until(place) < limit
}

// add appends a node to a lane; its place is the next one.
func (l *lanes) add(lane int) {
	x := &l.all[lane]
	x.own = append(x.own, int32(len(l.of)))
	l.of = append(l.of, int32(lane))
}

// branch is the branch that shows a lane: its own, or before it has one that of the lane that was followed before. Before
// the first commit there is none, and in a history that was lost there is no lane.
func (l *lanes) branch(lane int) string {
	for ; lane != none && lane < len(l.all); lane = l.all[lane].from {
		if ref := l.all[lane].ref; ref != "" {
			return ref
		}
	}
	return gitrepo.MainBranch
}

// byRef is the lane with a branch.
func (l *lanes) byRef(ref string) (int, bool) {
	i := slices.IndexFunc(l.all, func(x lane) bool { return ref != "" && x.ref == ref })
	return i, i >= 0
}

// active is the lane with the newest node of the main conversation.
func (l *lanes) active() int {
	best := 0
	for i := range l.all {
		if l.all[i].last > l.all[best].last {
			best = i
		}
	}
	return best
}

// retryPrefix begins the names of the branches that retries have.
const (
	heads       = "refs/heads/"
	retryPrefix = heads + "retry-"
)

// retryRef is the branch of a retry: named for its first answer.
func retryRef(id string) string {
	for strings.Contains(id, "..") { // not in a ref's name
		id = strings.ReplaceAll(id, "..", ".-")
	}
	if rest, ok := strings.CutSuffix(id, ".lock"); ok {
		id = rest + "-lock"
	}
	return retryPrefix + id
}

// isLane reports whether a branch can be a lane's.
func isLane(ref string) bool { return ref == gitrepo.MainBranch || strings.HasPrefix(ref, retryPrefix) }
