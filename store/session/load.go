package session

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

// branch is a branch as it is found: its newest commit, what lies beside history/, and history/ as git stores it.
type branch struct {
	ref  string
	tip  gitrepo.OID
	rest []gitrepo.TreeEntry
	raw  []byte
}

// laneRefs gives the branches that can be lanes.
func laneRefs(repo *gitrepo.Repo) (map[string]gitrepo.OID, error) {
	refs, err := repo.Refs(heads)
	for name := range refs {
		if !isLane(name) {
			delete(refs, name)
		}
	}
	return refs, err
}

// loadLanes reads the newest tree of every branch.
func (st *state) loadLanes(r *gitrepo.Reader) error {
	refs, err := laneRefs(st.repo)
	if err != nil {
		return err
	}
	var found []branch
	for _, name := range inOrder(r, refs) {
		b, err := readBranch(r, name, refs[name])
		if err != nil {
			return err
		}
		found = append(found, b)
	}
	found = forest(found)
	mine := make([][]entry, len(found))
	for i, b := range found {
		l := newLane(none, 0)
		if i > 0 {
			l.parent, l.shared = st.forkOf(i-1, entriesBefore(commonStart(found[i-1].raw, b.raw)))
			l.from = l.parent
		}
		if mine[i], err = st.ownNodes(b.raw, l.shared); err != nil {
			return err
		}
		l.ref, l.tip, l.rest, l.committed = b.ref, b.tip, b.rest, l.shared+len(mine[i])
		l.own = make([]int32, len(mine[i])) // their places follow
		st.lanes.all = append(st.lanes.all, l)
	}
	st.place(mine)
	for i := range st.lanes.all {
		if err := st.loadTip(r, &st.lanes.all[i]); err != nil {
			return err
		}
	}
	return nil
}

// inOrder are the names of branches in the order in which their commits were packed, so that a tree is read after the one that it is a
// delta on.
func inOrder(r *gitrepo.Reader, refs map[string]gitrepo.OID) []string {
	names := slices.Sorted(maps.Keys(refs))
	slices.SortStableFunc(names, func(a, b string) int { return r.Compare(refs[a], refs[b]) })
	return names
}

func readBranch(r *gitrepo.Reader, name string, tip gitrepo.OID) (branch, error) {
	b := branch{ref: name, tip: tip}
	root, err := r.Tree(tip)
	if err != nil {
		return b, err
	}
	for _, e := range root {
		if e.Name != historyDir || !e.IsTree() {
			b.rest = append(b.rest, e)
			continue
		}
		if _, b.raw, err = r.Object(e.OID); err != nil {
			return b, err
		}
	}
	return b, nil
}

// forest sorts branches so that each comes after the one that it forks from. Of two that share a beginning, the one whose next
// node has the smaller number has made the shared nodes: it was there before the other forked. So does a sort by content, since
// the names in history/ begin with the numbers. A branch that adds nothing to the others is none of ours.
func forest(found []branch) []branch {
	slices.SortFunc(found, func(a, b branch) int {
		return cmp.Or(bytes.Compare(a.raw, b.raw), cmp.Compare(rank(a.ref), rank(b.ref)), strings.Compare(a.ref, b.ref))
	})
	var out []branch
	for i, b := range found {
		adds := i+1 == len(found) || !bytes.HasPrefix(found[i+1].raw, b.raw)
		twice := len(out) > 0 && bytes.Equal(out[len(out)-1].raw, b.raw)
		if b.ref == gitrepo.MainBranch || adds && !twice {
			out = append(out, b)
		}
	}
	return out
}

func rank(ref string) int {
	if ref == gitrepo.MainBranch {
		return 0
	}
	return 1
}

// commonStart is what two trees begin with, cut at the end of an entry.
func commonStart(a, b []byte) []byte {
	n, whole := min(len(a), len(b)), 0
	for whole < n {
		end := bytes.IndexByte(a[whole:n], 0)
		if end < 0 {
			break
		}
		next := whole + end + 1 + len(gitrepo.OID{})
		if next > n || !bytes.Equal(a[whole:next], b[whole:next]) {
			break
		}
		whole = next
	}
	return a[:whole]
}

// entriesBefore counts the nodes in the beginning of a tree.
func entriesBefore(raw []byte) (n int) {
	for e, err := range gitrepo.Entries(raw) {
		if err != nil {
			return 0 // it was cut at an entry's end
		}
		if _, _, _, ok := parseName(e.Name); ok {
			n++
		}
	}
	return n
}

// forkOf is the lane that has the shared-th node as its own, among a lane and those that it forks from.
func (st *state) forkOf(lane, shared int) (parent, n int) {
	if shared == 0 {
		return none, 0
	}
	for st.lanes.all[lane].shared >= shared {
		lane = st.lanes.all[lane].parent
	}
	return lane, shared
}

// ownNodes are the entries of a lane's own nodes: those in the content of its history/ after the first skip.
func (st *state) ownNodes(raw []byte, skip int) ([]entry, error) {
	out := make([]entry, 0, len(raw)/gitrepo.EntryLen(nodeName(1, memory.RoleUser, "0123456789abcdef"))+16)
	shares, i := skip > 0, 0
	for n, err := range gitrepo.Entries(raw) {
		if err != nil {
			return nil, err
		}
		if i++; i <= skip {
			continue
		}
		if shares {
			n.Name = strings.Clone(n.Name) // a few names must not keep a long tree in memory
		}
		if _, _, _, ok := parseName(n.Name); !ok {
			st.reject(n.Name)
			continue
		}
		out = append(out, entry{name: n.Name, oid: n.OID})
	}
	return out, nil
}

// place puts the lanes' nodes into the order of their numbers.
func (st *state) place(mine [][]entry) {
	if len(mine) == 1 { // git sorts by name, and the names begin with the numbers
		st.entries, st.committed = mine[0], len(mine[0])
		st.lanes.of = make([]int32, len(mine[0]), len(mine[0])+16)
		for i := range mine[0] {
			st.lanes.all[0].own[i] = int32(i)
		}
		return
	}
	type owned struct {
		entry
		lane, i int
	}
	var all []owned
	for lane, list := range mine {
		for i, e := range list {
			all = append(all, owned{e, lane, i})
		}
	}
	slices.SortStableFunc(all, func(a, b owned) int { return cmp.Compare(a.seq(), b.seq()) })
	st.entries = make([]entry, 0, len(all)+16)
	st.lanes.of = make([]int32, 0, len(all)+16)
	for place, e := range all {
		st.lanes.all[e.lane].own[e.i] = int32(place)
		st.entries = append(st.entries, e.entry)
		st.lanes.of = append(st.lanes.of, int32(e.lane))
	}
	st.committed = len(all)
}

// loadTip reads what the newest commits of a lane say.
func (st *state) loadTip(r *gitrepo.Reader, l *lane) (err error) {
	l.when, l.lastTurn, err = tipOf(r, l.tip)
	return err
}

// tipOf is a commit's time, and the highest turn that was committed up to it; -1 when there is none.
func tipOf(r *gitrepo.Reader, tip gitrepo.OID) (when int64, lastTurn int, err error) {
	for c, err := range r.Log(tip) {
		if err != nil {
			return 0, -1, err
		}
		if c.OID == tip {
			when = c.When
		}
		if turn, _, more, ok := parseMessage(c.Message); ok && !more {
			return when, turn, nil
		}
	}
	return when, -1, nil
}

// loadTurns finds what a writer goes on from: the node of every lane that the conversation goes on from, and how many prompts
// there were, which is the highest turn that a commit, or a node that has none yet, is of.
func (st *state) loadTurns() error {
	if st.turns >= 0 {
		return nil
	}
	r := st.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	turns := 0
	for _, h := range st.pending {
		turns = max(turns, h.turn)
	}
	for i := range st.lanes.all {
		l := &st.lanes.all[i]
		if err := st.loadLast(r, l); err != nil {
			return err
		}
		turns = max(turns, l.turn, l.lastTurn)
	}
	st.turns = turns
	return nil
}

// loadLast finds the last node of a lane by weaving anew what follows on its last prompt.
func (st *state) loadLast(r *gitrepo.Reader, l *lane) error {
	var list []header
	first := len(l.own)
	for prompt := false; first > 0 && !prompt; {
		first--
		h, err := st.readHeader(r, int(l.own[first]))
		if err != nil {
			return err
		}
		list, prompt = append(list, h), h.prompt
	}
	slices.Reverse(list)
	for i, h := range list {
		place := int(l.own[first+i])
		if h.agent != "" {
			continue
		}
		at, known := st.ids()[string(h.parent)]
		sub := known && at > l.last && at < place && slices.ContainsFunc(list[:i], func(o header) bool { return o.agent != "" })
		if sub {
			o, err := st.readHeader(r, at)
			if err != nil {
				return err
			}
			sub = o.agent != ""
		}
		if l.last == none || h.prompt || !known || at >= place || at == l.last || sub {
			l.last, l.turn = place, h.turn
		}
	}
	return nil
}
