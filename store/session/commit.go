package session

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/store/gitrepo"
)

// outcome is a session's history after a batch.
type outcome struct {
	entries   []entry
	committed int
	tip       gitrepo.OID
	when      int64 // of tip
	lastTurn  int
}

// commit packs the turns that are over and moves the branch to the newest of them.
func (b *Batch) commit() (outcome, error) {
	to := outcome{committed: b.st.committed, tip: b.st.tip, when: b.st.when, lastTurn: b.st.lastTurn}
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
	return to, b.st.repo.SetRef(gitrepo.MainBranch, b.st.tip, to.tip)
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

// packTurns packs the trees and commits. Every older tree of history/ is the start of the newest one.
func (b *Batch) packTurns(r *gitrepo.Reader, to *outcome) error {
	tree, ends := b.historyTree()
	lens := make([]int, 0, len(b.ends))
	for _, end := range b.ends[:len(b.ends)-1] {
		lens = append(lens, ends[end-1])
	}
	whole, trees, err := b.pack.AddPrefixes(gitrepo.Tree, tree, lens)
	if err != nil {
		return err
	}
	trees = append(trees, whole)
	for i, end := range b.ends {
		root := gitrepo.EncodeTree(append(slices.Clone(b.st.rest), gitrepo.TreeEntry{Mode: gitrepo.ModeTree, Name: historyDir, OID: trees[i]}))
		rootID, err := b.pack.Add(gitrepo.Tree, root)
		if err != nil {
			return err
		}
		if err := b.packCommit(r, to, rootID, end); err != nil {
			return err
		}
	}
	return nil
}

// historyTree is the content of history/ with all that is committed or will be, and where each entry ends in it.
func (b *Batch) historyTree() (tree []byte, ends []int) {
	n := b.lastEnd()
	tree, ends = make([]byte, 0, n*56), make([]int, n)
	for i := range n {
		e := b.entry(i)
		tree = gitrepo.AppendEntry(tree, gitrepo.TreeEntry{Mode: gitrepo.ModeFile, Name: e.name, OID: e.oid})
		ends[i] = len(tree)
	}
	return tree, ends
}

// packCommit packs the commit of the nodes from to.committed up to end.
func (b *Batch) packCommit(r *gitrepo.Reader, to *outcome, root gitrepo.OID, end int) error {
	heads := make([]header, 0, end-to.committed)
	for i := to.committed; i < end; i++ {
		heads = append(heads, *b.head(i))
	}
	turn, when := turnOf(heads)
	to.when = cmp.Or(when, to.when)
	text, err := b.subjectOf(r, turn)
	if err != nil {
		return err
	}
	var parents []gitrepo.OID
	if !to.tip.IsZero() {
		parents = []gitrepo.OID{to.tip}
	}
	commit := gitrepo.EncodeCommit(root, parents, to.when, message(turn, text, turn <= to.lastTurn))
	to.tip, err = b.pack.Add(gitrepo.Commit, commit)
	to.committed, to.lastTurn = end, max(to.lastTurn, turn)
	return err
}

// subjectOf is what the commit message of a turn shows. Of a turn that was committed before, the commit tells.
func (b *Batch) subjectOf(r *gitrepo.Reader, turn int) (string, error) {
	for _, of := range []map[int]string{b.subjects, b.st.subjects} {
		if text, ok := of[turn]; ok {
			return text, nil
		}
	}
	for c, err := range r.Log(b.st.tip) {
		if err != nil {
			return "", err
		}
		if t, text, _, ok := parseMessage(c.Message); ok && t == turn {
			return text, nil
		}
	}
	return "", nil
}

// index makes git's index show what is committed. It is derived: while a git command holds it, it is let be. While the work
// tree shows another branch, the index is that branch's, and the files that were committed are removed, since they would be in
// the way of a checkout.
func (b *Batch) index(to *outcome) error {
	if to.committed == b.st.committed {
		return nil
	}
	if !b.st.repo.OnMain() {
		to.entries = slices.Clone(to.entries)
		for i := b.st.committed; i < to.committed; i++ {
			if e := &to.entries[i]; e.hot {
				if err := os.Remove(filepath.Join(b.dir, historyDir, e.name)); err != nil {
					return err
				}
				e.hot = false
			}
		}
		return nil
	}
	return b.st.writeIndex(to.entries[:to.committed])
}

// writeIndex makes git's index show these nodes and what else is in the newest commit.
func (st *state) writeIndex(entries []entry) error {
	rest, err := st.restFiles()
	if err != nil {
		return err
	}
	err = st.repo.WriteIndex(len(entries)+len(rest), func(yield func(gitrepo.IndexEntry) bool) {
		i := 0
		for ; i < len(rest) && rest[i].Path < historyDir+"/"; i++ {
			if !yield(rest[i]) {
				return
			}
		}
		for i := range entries {
			e := &entries[i]
			if !yield(gitrepo.IndexEntry{Path: historyDir + "/" + e.name, OID: e.oid, Cold: !e.hot, Stat: e.stat}) {
				return
			}
		}
		for ; i < len(rest); i++ {
			if !yield(rest[i]) {
				return
			}
		}
	})
	if errors.Is(err, gitrepo.ErrBusy) {
		return nil
	}
	return err
}

// restFiles lists the files that somebody committed beside history/, in the order of their paths.
func (st *state) restFiles() ([]gitrepo.IndexEntry, error) {
	var out []gitrepo.IndexEntry
	r := st.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	for _, e := range st.rest {
		add := func(path string, e gitrepo.TreeEntry) {
			out = append(out, gitrepo.IndexEntry{Path: path, OID: e.OID, Mode: e.Mode})
		}
		if !e.IsTree() {
			add(e.Name, e)
		} else if err := r.Walk(e.OID, e.Name+"/", add); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b gitrepo.IndexEntry) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}
