package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dormouse/store/gitrepo"
)

// marked reports whether the view knows the commits, so that they need not be looked for.
func (v *view) marked() bool { return v.linked && (len(v.marks) > 0 || v.committed == 0) }

func (v *view) laneOf(m mark) int { return int(v.lanes.of[m.newest]) }

// nodesOf is how many nodes of its lane a commit has.
func (v *view) nodesOf(m mark) int { return v.lanes.all[v.laneOf(m)].until(int(m.newest)) + 1 }

// before is how many of them were there before it.
func (v *view) before(m mark) int {
	if m.parent != none && v.laneOf(v.marks[m.parent]) == v.laneOf(m) {
		return v.nodesOf(v.marks[m.parent])
	}
	return v.lanes.all[v.laneOf(m)].shared
}

// markNamed is the place of a commit among the marks.
func (v *view) markNamed(commit string) (int, bool) {
	oid, err := gitrepo.ParseOID(commit)
	if err != nil || !v.marked() {
		return none, false
	}
	i := slices.IndexFunc(v.marks, func(m mark) bool { return m.oid == oid })
	return i, i >= 0
}

// markOf is the commit that was the first to hold a node, if the commits are known.
func (v *view) markOf(place int) (m mark, ok bool) {
	lane := v.lanes.of[place]
	for _, c := range v.marks {
		if v.lanes.of[c.newest] == lane && int(c.newest) >= place && (!ok || c.newest < m.newest) {
			m, ok = c, true
		}
	}
	return m, ok
}

// recordOf reads the commit of a mark. before is how many nodes of its lane it did not add.
func (v *view) recordOf(r *gitrepo.Reader, m mark, before int) (record, error) {
	info, err := r.Commit(m.oid)
	l := &v.lanes.all[v.laneOf(m)]
	rec := record{CommitInfo: info, lane: v.laneOf(m), nodes: v.nodesOf(m)}
	if err == nil {
		rec.fresh = l.own[before-l.shared : rec.nodes-l.shared]
	}
	return rec, err
}

// records lists the commits of all lanes, newest first.
func (v *view) records(r *gitrepo.Reader) ([]record, error) {
	if !v.marked() {
		return records(r, &v.lanes, v.entries)
	}
	out := make([]record, 0, len(v.marks))
	for _, m := range v.marks {
		rec, err := v.recordOf(r, m, v.before(m))
		if err != nil {
			return nil, err
		}
		out = append(out, rec)
	}
	slices.SortStableFunc(out, func(a, b record) int { return cmp.Compare(v.lanes.newest(&b), v.lanes.newest(&a)) })
	return out, nil
}

// CommitOfTurn is the newest commit whose message names a turn. Turn 0, what came before the first prompt, may be committed with the
// first one. ok is false where the turn has none.
func (x *Session) CommitOfTurn(turn int) (sha string, ok bool, err error) {
	v, err := x.look(true)
	if err != nil || !v.marked() {
		all, err := x.TurnCommits(turn, turn)
		sha, ok = all[turn]
		return sha, ok, err
	}
	var found mark
	for _, m := range v.marks {
		if int(m.turn) == turn && (!ok || m.newest > found.newest) {
			found, ok = m, true
		}
	}
	if !ok && turn == 0 && len(v.marks) > 0 {
		found, ok = slices.MinFunc(v.marks, func(a, b mark) int { return cmp.Compare(a.newest, b.newest) }), true
	}
	if !ok {
		return "", false, nil
	}
	return found.oid.String(), true, nil
}

// TurnCommits gives the CommitOfTurn of every turn from one to another that has one.
func (x *Session) TurnCommits(from, to int) (map[int]string, error) {
	v, err := x.look(true)
	out := map[int]string{}
	add := func(turn int, first bool, sha func() string) { // from the oldest on
		if first && from <= 0 {
			out[0] = sha()
		}
		if turn >= from && turn <= to {
			out[turn] = sha()
		}
	}
	if err == nil && v.marked() {
		marks, older := v.marks, func(a, b mark) int { return cmp.Compare(a.newest, b.newest) }
		if !slices.IsSortedFunc(marks, older) {
			marks = slices.SortedStableFunc(slices.Values(marks), older)
		}
		for i, m := range marks {
			add(int(m.turn), i == 0, m.oid.String)
		}
		return out, nil
	}
	commits, err := x.Commits()
	for i, c := range slices.Backward(commits) {
		add(c.Turn, i == len(commits)-1, func() string { return c.SHA })
	}
	return out, err
}

// BranchInfo is one line of a session: main, or a retry.
type BranchInfo struct {
	Name    string
	Commit  string // the newest
	Message string // of it
	Node    string // the newest of the main conversation on it that has a commit
	Commits int    // on it alone
	Shown   bool   // the session's head is on it
}

// Branches lists the branches that have commits: main first, then the one whose newest commit is the oldest.
func (x *Session) Branches() ([]BranchInfo, error) {
	v, err := x.look(true)
	if err != nil { // a node that cannot be read is in nobody's way here
		v, err = x.look(false)
	}
	if err != nil {
		return nil, err
	}
	r := v.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	counts, err := v.commitCounts(r)
	if err != nil {
		return nil, fmt.Errorf("branches of session %s: %w", x.id, err)
	}
	shown := none
	if at, ok := v.byID(string(x.Meta().HeadID)); ok && at < v.committed {
		shown = int(v.lanes.of[at])
	}
	var order []int
	for lane, n := range counts {
		if n > 0 {
			order = append(order, lane)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(rank(v.lanes.all[a].ref), rank(v.lanes.all[b].ref)), cmp.Compare(v.newestOf(a), v.newestOf(b)))
	})
	out := make([]BranchInfo, 0, len(order))
	for _, lane := range order {
		l := &v.lanes.all[lane]
		c, err := r.Commit(l.tip)
		if err != nil {
			return nil, fmt.Errorf("branches of session %s: %w", x.id, err)
		}
		out = append(out, BranchInfo{Name: strings.TrimPrefix(l.ref, heads), Commit: l.tip.String(), Message: c.Message,
			Node: v.newestMain(lane), Commits: counts[lane], Shown: lane == shown})
	}
	return out, nil
}

// commitCounts is how many commits there are on each lane alone.
func (v *view) commitCounts(r *gitrepo.Reader) ([]int, error) {
	out := make([]int, len(v.lanes.all))
	if v.marked() {
		for _, m := range v.marks {
			out[v.laneOf(m)]++
		}
		return out, nil
	}
	list, err := records(r, &v.lanes, v.entries)
	for _, c := range list {
		out[c.lane]++
	}
	return out, err
}

// newestOf is the place of a lane's newest committed node; none where it has none.
func (v *view) newestOf(lane int) int {
	if n := v.lanes.all[lane].committed; n > 0 {
		return v.lanes.at(lane, n-1)
	}
	return none
}

// newestMain is the newest committed node of the main conversation among a lane's own.
func (v *view) newestMain(lane int) string {
	l := &v.lanes.all[lane]
	for _, place := range slices.Backward(l.own[:max(l.committed-l.shared, 0)]) {
		if !v.linked || v.bonds.list[place].agent == 0 {
			return v.entries[place].id()
		}
	}
	return ""
}
