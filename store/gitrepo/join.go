package gitrepo

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Descends reports whether a commit is another one or was built on it.
func (x *Reader) Descends(tip, base OID) (bool, error) {
	seen := map[OID]bool{}
	for queue := []OID{tip}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at == base {
			return true, nil
		}
		c, err := x.Commit(at)
		if err != nil {
			return false, err
		}
		for _, p := range c.Parents {
			if !seen[p] {
				seen[p] = true
				queue = append(queue, p)
			}
		}
	}
	return false, nil
}

// Graft stores the tree base (zero: an empty one) with these files put in by their paths, and gives its name. Everything else
// in it stays as it is, whatever it is.
func (r *Repo) Graft(base OID, files map[string]OID) (OID, error) {
	if len(files) == 0 && !base.IsZero() {
		return base, nil
	}
	root := newFolder()
	for path, oid := range files {
		root.add(path, oid)
	}
	x := r.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	tree, err := root.write(r, x, base)
	if err == nil && tree.IsZero() {
		tree, err = r.WriteLoose(Tree, nil)
	}
	if err != nil {
		return tree, fmt.Errorf("join trees in %s: %w", r.dir, err)
	}
	return tree, nil
}

// add puts a file that is new or gone (zero) into a change, by its path.
func (f *folder) add(path string, oid OID) {
	parts := strings.Split(path, "/")
	for _, d := range parts[:len(parts)-1] {
		if f.dirs[d] == nil {
			f.dirs[d] = newFolder()
		}
		f = f.dirs[d]
	}
	f.files[parts[len(parts)-1]] = oid
}

// JoinCommit stores the commit that joins others and gives its name. It depends on its tree, parents and message alone:
// whoever joins the same makes the same commit, whichever of them was his own. Its time is that of the newest parent.
func (r *Repo) JoinCommit(tree OID, message string, parents ...OID) (OID, error) {
	parents = slices.Clone(parents)
	slices.SortFunc(parents, func(a, b OID) int { return bytes.Compare(a[:], b[:]) })
	x := r.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	var when int64
	for _, p := range parents {
		c, err := x.Commit(p)
		if err != nil {
			return OID{}, fmt.Errorf("join commits in %s: %w", r.dir, err)
		}
		when = max(when, c.When)
	}
	return r.WriteLoose(Commit, EncodeCommit(tree, parents, when, message))
}

// Advance moves the main branch from one commit (zero: none) to another and makes the index show that. When the branch is
// elsewhere, it fails with ErrMoved and changes nothing. The files of the work tree are the caller's.
func (r *Repo) Advance(from, to OID) error {
	r.writing.Lock()
	defer r.writing.Unlock()
	if err := r.SetRef(MainBranch, from, to); err != nil {
		return err
	}
	x := r.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	c, err := x.Commit(to)
	if err != nil {
		return err
	}
	return r.indexTree(x, c.Tree, nil)
}
