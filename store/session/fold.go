package session

import (
	"cmp"
	"errors"
	"slices"

	"dormouse/store/gitrepo"
)

// stretch is the commits that one pack was made for, and how new the newest of their nodes is.
type stretch struct {
	pack    gitrepo.PackInfo
	commits []record
	newest  int
}

// commitParts is how many objects a commit has beside its nodes: itself, its root tree and its history tree.
const commitParts = 3

// fold packs the newest commits' packs anew as one. An older pack is taken in while join, asked with the number of its objects
// and that of the newer ones together, says so. A pack that holds anything else than its commits and their nodes, such as one
// with somebody else's commits in it, ends it.
func (st *state) fold(join func(older, newer int) bool) error {
	r := st.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	list, err := st.stretches(r)
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
	return st.repack(r, list[:n])
}

// stretches lists the packs, the one with the newest nodes first, as long as each holds just what its commits need.
func (st *state) stretches(r *gitrepo.Reader) ([]stretch, error) {
	packs, err := st.repo.Packs()
	if err != nil {
		return nil, err
	}
	all, err := records(r, &st.lanes, st.entries)
	if err != nil {
		return nil, err
	}
	byName := map[string]*stretch{}
	var names []string
	for _, c := range all {
		name, err := r.PackOf(c.OID)
		if err != nil {
			return nil, err
		}
		s := byName[name]
		if s == nil {
			s = &stretch{newest: st.lanes.newest(&c)}
			if i := slices.IndexFunc(packs, func(p gitrepo.PackInfo) bool { return p.Name == name }); i >= 0 {
				s.pack = packs[i]
			}
			byName[name] = s
			names = append(names, name)
		}
		s.commits = append(s.commits, c)
	}
	var out []stretch
	for _, name := range names { // in the order of their newest nodes
		s := byName[name]
		if !s.ours() {
			break
		}
		out = append(out, *s)
	}
	return out, nil
}

// ours reports whether the pack holds what its commits need and nothing else. A commit of ours adds nodes.
func (s *stretch) ours() bool {
	n := 0
	for _, c := range s.commits {
		if c.alien || len(c.fresh) == 0 {
			return false
		}
		n += len(c.fresh) + commitParts
	}
	return s.pack.Objects == n
}

// repack writes the stretches' objects into one pack and removes theirs.
func (st *state) repack(r *gitrepo.Reader, list []stretch) error {
	var commits []record
	for _, s := range list {
		commits = append(commits, s.commits...)
	}
	w, err := st.repo.NewPack()
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := st.repackNodes(w, r, commits); err != nil {
		return err
	}
	for _, c := range slices.Backward(commits) {
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
		if s.pack.Name != w.Name() { // it is packed as it was
			errs = append(errs, st.repo.RemovePack(s.pack.Name))
		}
	}
	return errors.Join(errs...)
}

// repackNodes packs the nodes that the commits added, in the order of their numbers, and their trees of history/.
func (st *state) repackNodes(w *gitrepo.PackWriter, r *gitrepo.Reader, commits []record) error {
	lens := make([][]int, len(st.lanes.all))
	var places []int32
	for _, c := range commits {
		lens[c.lane] = append(lens[c.lane], c.nodes)
		places = append(places, c.fresh...)
	}
	slices.Sort(places)
	for _, place := range places {
		if err := w.Copy(r, gitrepo.Blob, st.entries[place].oid); err != nil {
			return err
		}
	}
	trees := newTrees(w, &st.lanes, func(place int) *entry { return &st.entries[place] })
	for lane := range st.lanes.all {
		if len(lens[lane]) == 0 {
			continue
		}
		slices.SortFunc(lens[lane], cmp.Compare)
		if _, err := trees.add(lane, lens[lane]); err != nil {
			return err
		}
	}
	return nil
}
