package session

import (
	"slices"

	"dormouse/store/gitrepo"
)

// fewNodes is how many committed nodes are few: what is derived of them is read from them, and not kept in files of its own, as long as
// there is none.
var fewNodes = 64

// kept is how much of a state's links are in its links file.
type kept struct {
	nodes, marks, names int
	tips                []gitrepo.OID // of the lanes
	size                int64         // of the file, as far as it is good
}

// loadKept takes the history from the links file, when that tells of the branches that there are.
func (st *state) loadKept(r *gitrepo.Reader) bool {
	s, err := readLinks(st.repo.Dir())
	if err != nil || len(s.list) == 0 {
		return false
	}
	refs, err := laneRefs(st.repo)
	if err != nil || len(refs) != len(s.lanes.all) {
		return false
	}
	for i := range s.lanes.all {
		l := &s.lanes.all[i]
		if tip, ok := refs[l.ref]; !ok || tip != l.tip {
			return false
		}
		if _, err := r.Commit(l.tip); err != nil {
			return false // what is wrong shows when it is read
		}
	}
	st.lanes = s.lanes
	if !st.marked(s.marks) {
		st.lanes = lanes{}
		return false
	}
	st.entries, st.committed = s.entries, len(s.entries)
	st.take(s)
	return true
}

// readSaved reads what the links file tells of the nodes that there are, when it tells of other branches.
func (st *state) readSaved() saved {
	s, err := readLinks(st.repo.Dir())
	if err != nil || len(s.list) > st.committed {
		return saved{}
	}
	for i := range s.entries {
		if s.entries[i].oid != st.entries[i].oid {
			return saved{}
		}
	}
	return s
}

func (st *state) take(s saved) {
	b := s.bonds
	st.bonds, st.marks, st.strange, st.kept = &b, s.marks, false, s.kept
}

// addPending adds the links of the nodes that have no commit.
func (st *state) addPending() {
	for i := range st.pending {
		st.bonds.add(&st.pending[i], st.find)
	}
}

func (st *state) find(id string) (int, bool) {
	i, ok := st.ids()[id]
	return i, ok
}

// marked reports whether marks are those of all commits and of no others: on every lane each is built on the one before, and the
// last one is the newest.
func (st *state) marked(marks []mark) bool {
	last := make([]int32, len(st.lanes.all))
	for lane := range last {
		last[lane] = none
	}
	for i, m := range marks {
		lane := st.lanes.of[m.newest]
		before := last[lane]
		first := m.parent == none || st.lanes.of[marks[m.parent].newest] != lane
		if first != (before == none) || !first && (m.parent != before || m.newest <= marks[before].newest) {
			return false
		}
		last[lane] = int32(i)
	}
	for lane, i := range last {
		l := &st.lanes.all[lane]
		if i == none && !l.tip.IsZero() || i != none && (marks[i].oid != l.tip || l.until(int(marks[i].newest))+1 != l.committed) {
			return false
		}
	}
	return true
}

// loadBonds gets every node's link, from the nodes where the links file did not tell, and writes that file. Callers hold the session's
// lock, under which alone it is written.
func (st *state) loadBonds() error {
	if st.bonds != nil {
		return nil
	}
	s := st.readSaved()
	s.kept = kept{} // the lanes may have another order
	r := st.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	st.take(s)
	for i := len(s.list); i < st.committed; i++ {
		h, err := st.readHeader(r, i)
		if err != nil {
			st.bonds, st.marks = nil, nil
			return err
		}
		st.bonds.add(&h, st.find)
	}
	st.loadMarks(r)
	st.addPending()
	if !st.strange {
		st.keepLinks()
	}
	return nil
}

// keepLinks writes what is new into the links file. A failure costs time and nothing else: what is not there is read anew.
func (st *state) keepLinks() {
	if st.committed < fewNodes && st.kept.size == 0 { // reading them costs less than a file
		return
	}
	if st.foreign != "" || slices.ContainsFunc(st.committedLanes(), func(l lane) bool { return l.tip.IsZero() }) {
		return
	}
	if now, err := appendLinks(st.repo.Dir(), st); err == nil {
		st.kept = now
	}
}

// loadMarks brings the marks up to the newest commits.
func (st *state) loadMarks(r *gitrepo.Reader) {
	known := len(st.marks)
	err := st.markNew(r)
	if err != nil && known > 0 { // what the file tells does not lead to what there is
		st.marks, st.kept = nil, kept{}
		err = st.markNew(r)
	}
	if err == nil && !st.marked(st.marks) {
		err = errNotOurs
	}
	if err != nil {
		st.marks, st.kept, st.strange = nil, kept{}, true
	}
}

// markNew marks the commits that are not marked yet. It fails where one is not ours: then none of this helps.
func (st *state) markNew(r *gitrepo.Reader) error {
	at := make(map[gitrepo.OID]int32, len(st.marks))
	for i, m := range st.marks {
		at[m.oid] = int32(i)
	}
	for lane := range st.lanes.all {
		if err := st.markLane(r, lane, at); err != nil {
			return err
		}
	}
	return nil
}

func (st *state) markLane(r *gitrepo.Reader, lane int, at map[gitrepo.OID]int32) error {
	l := &st.lanes.all[lane]
	parent := int32(none)
	var fresh []gitrepo.CommitInfo
	for c, err := range r.Log(l.tip) {
		if err != nil {
			return err
		}
		if known, ok := at[c.OID]; ok {
			parent = known
			break
		}
		if len(c.Parents) > 1 {
			return errNotOurs
		}
		fresh = append(fresh, c)
	}
	if len(fresh) == 0 {
		return nil
	}
	before := l.shared
	if parent != none && int(st.lanes.of[st.marks[parent].newest]) == lane {
		before = l.until(int(st.marks[parent].newest)) + 1
	}
	ends := st.treeEnds(lane)
	for _, c := range slices.Backward(fresh) {
		n, err := nodeCount(r, c, ends)
		if err != nil {
			return err
		}
		if n <= before {
			return errNotOurs
		}
		turn, _, _, _ := parseMessage(c.Message)
		at[c.OID] = int32(len(st.marks))
		st.marks = append(st.marks, mark{oid: c.OID, parent: parent, turn: int32(turn), newest: int32(st.lanes.at(lane, n-1))})
		parent, before = at[c.OID], n
	}
	return nil
}

// keepMade adds the commits that a batch made to the marks, and what it added to the links file.
func (st *state) keepMade(made []newCommit) {
	if st.bonds == nil || st.strange || len(made) == 0 {
		return
	}
	st.addMarks(made)
	if !st.strange {
		st.keepLinks()
	}
}

func (st *state) addMarks(made []newCommit) {
	for _, c := range made {
		m := mark{oid: c.oid, parent: none, turn: int32(c.turn), newest: c.newest}
		if !c.parent.IsZero() {
			for i := len(st.marks) - 1; i >= 0 && m.parent == none; i-- {
				if st.marks[i].oid == c.parent {
					m.parent = int32(i)
				}
			}
			if m.parent == none {
				st.strange = true
			}
		}
		st.marks = append(st.marks, m)
	}
	if st.strange || !st.marked(st.marks) {
		st.marks, st.strange = nil, true
	}
}

// newCommit is a commit of a batch.
type newCommit struct {
	oid, parent gitrepo.OID
	turn        int
	newest      int32
}
