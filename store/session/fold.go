package session

import (
	"errors"
	"slices"

	"dormouse/store/gitrepo"
)

// stretch is the commits that one pack was made for.
type stretch struct {
	pack    gitrepo.PackInfo
	commits []counted // newest first
}

// counted is a commit and how many nodes there are with it.
type counted struct {
	gitrepo.CommitInfo
	nodes int
}

// commitParts is how many objects a commit has beside its nodes: itself, its root tree and its history tree.
const commitParts = 3

// fold packs the newest commits' packs anew as one. An older pack is taken in while join, asked with the number of its objects
// and that of the newer ones together, says so. A pack that holds anything else than its commits and their nodes, such as one that git gc
// made, ends it.
func (st *state) fold(join func(older, newer int) bool) error {
	r := st.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	list, before, err := st.stretches(r)
	if err != nil {
		return err
	}
	n, size := 0, 0
	for n < len(list) && (n == 0 || join(list[n].pack.Objects, size)) {
		size += list[n].pack.Objects
		n++
	}
	if n < 2 {
		return nil
	}
	if n < len(list) {
		before = list[n].commits[0].nodes
	}
	return st.repack(r, list[:n], before)
}

// stretches lists the packs from the newest commit back, as long as each holds just what its commits need; before is the
// number of nodes that are older than all of them.
func (st *state) stretches(r *gitrepo.Reader) (list []stretch, before int, err error) {
	packs, err := st.repo.Packs()
	if err != nil {
		return nil, 0, err
	}
	ends := treeEnds(st.entries[:st.committed])
	for c, err := range r.Log(st.tip) {
		if err != nil {
			return nil, 0, err
		}
		name, err := r.PackOf(c.OID)
		if err != nil {
			return nil, 0, err
		}
		nodes, err := nodeCount(r, c, ends)
		if err != nil {
			break // not of our making
		}
		if n := len(list); n == 0 || list[n-1].pack.Name != name {
			var pack gitrepo.PackInfo
			if i := slices.IndexFunc(packs, func(p gitrepo.PackInfo) bool { return p.Name == name }); i >= 0 {
				pack = packs[i]
			}
			list = append(list, stretch{pack: pack})
		}
		last := &list[len(list)-1]
		last.commits = append(last.commits, counted{c, nodes})
	}
	for i, s := range list {
		older := 0
		if i+1 < len(list) {
			older = list[i+1].commits[0].nodes
		}
		newest := s.commits[0].nodes
		if s.pack.Objects != newest-older+commitParts*len(s.commits) {
			return list[:i], newest, nil
		}
	}
	return list, 0, nil
}

// repack writes the stretches' objects into one pack and removes theirs.
func (st *state) repack(r *gitrepo.Reader, list []stretch, before int) error {
	var commits []counted
	for _, s := range slices.Backward(list) {
		for _, c := range slices.Backward(s.commits) {
			commits = append(commits, c)
		}
	}
	w, err := st.repo.NewPack()
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := st.repackNodes(w, r, commits, before); err != nil {
		return err
	}
	for _, c := range commits {
		if err := w.Copy(r, gitrepo.Tree, c.Tree); err != nil {
			return err
		}
		if err := w.Copy(r, gitrepo.Commit, c.OID); err != nil {
			return err
		}
	}
	if err := w.Finish(); err != nil {
		return err
	}
	if err := r.Close(); err != nil {
		return err
	}
	var errs []error
	for _, s := range list {
		errs = append(errs, st.repo.RemovePack(s.pack.Name))
	}
	return errors.Join(errs...)
}

// repackNodes packs the nodes that the commits added and their trees of history/. commits are in the order of the branch.
func (st *state) repackNodes(w *gitrepo.PackWriter, r *gitrepo.Reader, commits []counted, before int) error {
	last := commits[len(commits)-1].nodes
	var tree []byte
	for i := range st.entries[:last] {
		e := &st.entries[i]
		tree = gitrepo.AppendEntry(tree, gitrepo.TreeEntry{Mode: gitrepo.ModeFile, Name: e.name, OID: e.oid})
		if i < before {
			continue
		}
		if err := w.Copy(r, gitrepo.Blob, e.oid); err != nil {
			return err
		}
	}
	ends := treeEnds(st.entries[:last])
	var lens []int
	for _, c := range commits[:len(commits)-1] {
		lens = append(lens, ends[c.nodes-1])
	}
	_, _, err := w.AddPrefixes(gitrepo.Tree, tree, lens)
	return err
}
