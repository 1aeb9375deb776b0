package session

import (
	"errors"
	"slices"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

// outcome is a session's history after a batch.
type outcome struct {
	entries   []entry
	lanes     lanes
	committed int
}

// made is a commit of a lane.
type made struct {
	nodes    int // in its tree
	tip      gitrepo.OID
	when     int64
	lastTurn int
	rest     []gitrepo.TreeEntry
}

// commit packs the turns that are over and moves the branches to the newest of them.
func (b *Batch) commit() (outcome, error) {
	to := outcome{lanes: b.lanes.clone(), committed: b.lastEnd()}
	if len(b.ends) == 0 {
		return to, nil
	}
	r := b.st.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	if b.pack == nil {
		var err error
		if b.pack, err = b.st.repo.NewPack(); err != nil {
			return to, err
		}
	}
	if err := b.packFiles(r); err != nil {
		return to, err
	}
	if err := b.packTurns(r, &to); err != nil {
		return to, err
	}
	if err := b.pack.Finish(); err != nil {
		return to, err
	}
	return to, b.moveRefs(&to)
}

// moveRefs moves the branches that have new commits, all or none.
func (b *Batch) moveRefs(to *outcome) error {
	var moves []gitrepo.RefMove
	for i, l := range to.lanes.all {
		if was := b.lanes.all[i].tip; l.tip != was {
			moves = append(moves, gitrepo.RefMove{Name: l.ref, From: was, To: l.tip})
		}
	}
	if len(moves) == 1 {
		return b.st.repo.SetRef(moves[0].Name, moves[0].From, moves[0].To)
	}
	return b.st.repo.SetRefs(moves)
}

// packFiles packs the nodes that lie in history/ and will be committed. Those of a bulk batch are packed already.
func (b *Batch) packFiles(r *gitrepo.Reader) error {
	end := b.lastEnd()
	if b.bulk {
		end = min(end, len(b.st.entries))
	}
	for i := b.st.committed; i < end; i++ {
		data, err := readEntry(b.st.repo, r, b.entry(i))
		if err != nil {
			return err
		}
		if _, err := b.pack.Add(gitrepo.Blob, data); err != nil {
			return err
		}
	}
	return nil
}

func (b *Batch) entry(i int) *entry {
	if i < len(b.st.entries) {
		return &b.st.entries[i]
	}
	return &b.entries[i-len(b.st.entries)]
}

// packTurns packs the trees and commits. Where a turn is over, every lane gets a commit of its nodes that have none yet.
func (b *Batch) packTurns(r *gitrepo.Reader, to *outcome) error {
	trees := newTrees(b.pack, &b.lanes, b.entry)
	oids := make([][]gitrepo.OID, len(b.lanes.all))
	for lane := range b.lanes.all {
		if lens := b.commitLens(lane); len(lens) > 0 {
			var err error
			if oids[lane], err = trees.add(lane, lens); err != nil {
				return err
			}
		}
	}
	c := commits{b: b, r: r, to: to, made: make([][]made, len(b.lanes.all))}
	from := b.st.committed
	for _, end := range b.ends {
		for lane := range b.lanes.all {
			l := &b.lanes.all[lane]
			first, last := l.until(from), l.until(end)
			if first == last {
				continue
			}
			if err := c.add(lane, l.own[first-l.shared:last-l.shared], oids[lane][0]); err != nil {
				return err
			}
			oids[lane] = oids[lane][1:]
		}
		from = end
	}
	return nil
}

// commitLens gives how many nodes a lane has in each of its new commits.
func (b *Batch) commitLens(lane int) (lens []int) {
	l := &b.lanes.all[lane]
	before := l.until(b.st.committed)
	for _, end := range b.ends {
		if n := l.until(end); n > before {
			lens, before = append(lens, n), n
		}
	}
	return lens
}

// commits makes the commits of a batch, those of a lane in their order, and a fork's after those that it is built on.
type commits struct {
	b    *Batch
	r    *gitrepo.Reader
	to   *outcome
	made [][]made // of each lane, in this batch
}

// add packs the commit of a lane's next own nodes. tree is history/ with them.
func (c *commits) add(lane int, places []int32, tree gitrepo.OID) error {
	l := &c.to.lanes.all[lane]
	if l.ref == "" {
		if err := c.begin(lane, places); err != nil {
			return err
		}
	}
	turn := 0
	for _, place := range places {
		h := c.b.head(int(place))
		turn = max(turn, h.turn)
		if h.created > 0 {
			l.when = h.created
		}
	}
	text, err := c.b.subjectOf(c.r, lane, turn)
	if err != nil {
		return err
	}
	var parents []gitrepo.OID
	if !l.tip.IsZero() {
		parents = []gitrepo.OID{l.tip}
	}
	if l.rest, err = c.files(l.rest, places); err != nil {
		return err
	}
	root := gitrepo.EncodeTree(append(slices.Clone(l.rest), gitrepo.TreeEntry{Mode: gitrepo.ModeTree, Name: historyDir, OID: tree}))
	rootID, err := c.b.pack.Add(gitrepo.Tree, root)
	if err != nil {
		return err
	}
	l.tip, err = c.b.pack.Add(gitrepo.Commit, gitrepo.EncodeCommit(rootID, parents, l.when, message(turn, text, turn <= l.lastTurn)))
	if err != nil {
		return err
	}
	before := l.committed
	l.committed, l.lastTurn = l.until(int(places[len(places)-1]))+1, max(l.lastTurn, turn)
	if err := c.note(lane, before, parents, turn); err != nil {
		return err
	}
	add := newCommit{oid: l.tip, turn: turn, newest: places[len(places)-1]}
	if len(parents) > 0 {
		add.parent = parents[0]
	}
	c.b.made = append(c.b.made, add)
	c.made[lane] = append(c.made[lane], made{l.committed, l.tip, l.when, l.lastTurn, l.rest})
	return nil
}

// note keeps what the models saw in a commit that was just made. before is how many of the lane's nodes its parent has.
func (c *commits) note(lane, before int, parents []gitrepo.OID, turn int) error {
	if !c.b.keepsContexts() {
		return nil
	}
	l := &c.to.lanes.all[lane]
	d := delta{Commit: l.tip.String(), Turn: turn, From: FromTranscript}
	if len(parents) > 0 {
		d.Parent = parents[0].String()
	}
	for i := before; i < l.committed; i++ {
		place := c.b.lanes.at(lane, i)
		if place >= c.b.st.committed {
			d.see(*c.b.head(place).seen)
			continue
		}
		n, err := readNode(c.b.st.repo, c.r, c.b.entry(place))
		if err != nil {
			return err
		}
		d.see(glanceOf(&n))
	}
	c.b.contexts = append(c.b.contexts, d)
	return nil
}

// begin prepares the first commit of a lane: what it is built on, and its branch. It is built on the newest commit that holds
// nothing but what the lane has too: the turn before the one that was tried again. Of that turn it has the shared nodes anew.
func (c *commits) begin(lane int, places []int32) (err error) {
	l := &c.to.lanes.all[lane]
	if l.parent != none {
		base, err := c.base(l.parent, l.shared)
		if err != nil {
			return err
		}
		l.tip, l.when, l.lastTurn, l.rest, l.committed = base.tip, base.when, base.lastTurn, base.rest, base.nodes
	}
	l.ref, err = c.nameOf(lane, places)
	return err
}

// base is the newest commit of a lane, or of one that it forks from, with at most n nodes.
func (c *commits) base(lane, n int) (made, error) {
	for lane != none {
		for _, m := range slices.Backward(c.made[lane]) {
			if m.nodes <= n {
				return m, nil
			}
		}
		if tip := c.b.lanes.all[lane].tip; !tip.IsZero() {
			return c.storedBase(lane, tip, n)
		}
		n, lane = min(n, c.b.lanes.all[lane].shared), c.b.lanes.all[lane].parent
	}
	return made{lastTurn: -1}, nil
}

// storedBase is base among the commits that a lane had before the batch.
func (c *commits) storedBase(lane int, tip gitrepo.OID, n int) (made, error) {
	ends := c.b.st.treeEnds(lane)
	for info, err := range c.r.Log(tip) {
		if err != nil {
			return made{}, err
		}
		nodes, err := nodeCount(c.r, info, ends)
		if errors.Is(err, errNotOurs) || err == nil && nodes > n {
			continue
		}
		if err != nil {
			return made{}, err
		}
		m := made{nodes: nodes, tip: info.OID}
		root, err := c.r.Tree(info.Tree)
		if err != nil {
			return m, err
		}
		m.rest = slices.DeleteFunc(root, func(e gitrepo.TreeEntry) bool { return e.Name == historyDir && e.IsTree() })
		m.when, m.lastTurn, err = tipOf(c.r, info.OID)
		return m, err
	}
	return made{lastTurn: -1}, nil
}

// nameOf is the branch of a lane: main for the first one, else for the first answer of the retry, or for its first node when it
// has no answer yet.
func (c *commits) nameOf(lane int, places []int32) (string, error) {
	if lane == 0 {
		return gitrepo.MainBranch, nil
	}
	id := c.b.entry(int(places[0])).id()
	for _, place := range places {
		if e := c.b.entry(int(place)); e.role() == memory.RoleAssistant && c.b.head(int(place)).agent == "" {
			id = e.id()
			break
		}
	}
	for name := retryRef(id); ; name += "-again" {
		taken, err := c.b.st.repo.Ref(name)
		if _, ours := c.to.lanes.byRef(name); err != nil || taken.IsZero() && !ours {
			return name, err
		}
	}
}

// subjectOf is what the commit message of a turn shows. Of a turn that was committed before, a commit tells.
func (b *Batch) subjectOf(r *gitrepo.Reader, lane, turn int) (string, error) {
	if turn == 0 {
		return b.firstText(r)
	}
	for _, of := range []map[int]string{b.subjects, b.st.subjects} {
		if text, ok := of[turn]; ok {
			return text, nil
		}
	}
	return b.committedSubject(r, lane, turn)
}

// firstText is the first text before the first prompt. Those nodes may have been committed with the first turn, so the nodes
// are asked.
func (b *Batch) firstText(r *gitrepo.Reader) (string, error) {
	for i := range b.st.entries {
		n, err := readNode(b.st.repo, r, &b.st.entries[i])
		if err != nil {
			return "", err
		}
		if n.Metadata.Turn == 0 && n.Output != "" {
			return subject(n.Output), nil
		}
	}
	return b.subjects[0], nil
}

// committedSubject looks for a turn in the commits, those of a lane first.
func (b *Batch) committedSubject(r *gitrepo.Reader, lane, turn int) (string, error) {
	for i := range b.lanes.all {
		for c, err := range r.Log(b.lanes.all[(lane+i)%len(b.lanes.all)].tip) {
			if err != nil {
				return "", err
			}
			if t, text, _, ok := parseMessage(c.Message); ok && t == turn {
				return text, nil
			}
		}
	}
	return "", nil
}
