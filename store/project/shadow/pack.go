package shadow

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"dormouse/store/gitrepo"
)

// Pack brings a project's repository into one pack, in which a version of a file takes what differs from the one before, when it
// has more than packs of them. What no branch holds any more goes. It reports whether there was something to do.
func (s *Store) Pack(projectID string, packs int) (bool, error) {
	r, err := s.repo(projectID)
	if err != nil {
		return false, err
	}
	r.Lock()
	defer r.Unlock()
	if !r.git.Exists() {
		return false, nil
	}
	list, err := r.git.Packs()
	if err != nil || len(list) <= max(packs, 1) {
		return false, err
	}
	return true, r.pack()
}

// pack writes all that the branches hold into a new pack and removes the others. Callers hold the lock.
func (r *repo) pack() error {
	old, err := r.git.Packs()
	if err != nil {
		return err
	}
	refs, err := r.git.Refs("refs/")
	if err != nil {
		return err
	}
	w, err := r.git.NewPack()
	if err != nil {
		return err
	}
	p := &packing{out: w, done: map[gitrepo.OID]bool{}, last: map[string]link{}}
	defer p.abort()
	x := r.git.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		if err := p.branch(x, refs[name]); err != nil {
			return fmt.Errorf("pack %s: %w", r.git.Dir(), err)
		}
		clear(p.last)
	}
	if err := p.finish(); err != nil {
		return err
	}
	_ = x.Close() // so that packs can be removed on every system
	r.packs.Lock()
	defer r.packs.Unlock()
	for _, one := range old {
		if one.Name == w.Name() {
			continue
		}
		if err := r.git.RemovePack(one.Name); err != nil {
			return err
		}
	}
	return nil
}

// branch adds a branch's commits, the oldest first, with all that they hold.
func (p *packing) branch(x *gitrepo.Reader, tip gitrepo.OID) error {
	var chain []gitrepo.CommitInfo
	for c, err := range x.Log(tip) {
		if err != nil {
			return err
		}
		chain = append(chain, c)
	}
	for _, c := range slices.Backward(chain) {
		if p.done[c.OID] {
			continue
		}
		if err := p.tree(x, c.Tree, ""); err != nil {
			return err
		}
		_, raw, err := x.Object(c.OID)
		if err != nil {
			return err
		}
		if _, err := p.add(gitrepo.Commit, raw); err != nil {
			return err
		}
	}
	return nil
}

func (p *packing) tree(x *gitrepo.Reader, oid gitrepo.OID, prefix string) error {
	if p.done[oid] {
		return nil
	}
	_, raw, err := x.Object(oid)
	if err != nil {
		return err
	}
	entries, err := gitrepo.ParseTree(raw)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsTree() {
			err = p.tree(x, e.OID, prefix+e.Name+"/")
		} else if !p.done[e.OID] {
			var content []byte
			if _, content, err = x.Object(e.OID); err == nil {
				_, err = p.version(prefix+e.Name, content)
			}
		}
		if err != nil {
			return err
		}
	}
	_, err = p.add(gitrepo.Tree, raw)
	return err
}

// Usage is what a project's shadow history takes.
type Usage struct {
	Sessions int
	Packs    int
	Bytes    int64 // of the packs with their indexes
}

// Usage tells what a project's shadow history takes on the disk. It waits for nobody.
func (s *Store) Usage(projectID string) (u Usage, err error) {
	r, err := s.repo(projectID)
	if err != nil || !r.git.Exists() {
		return u, err
	}
	refs, err := r.git.Refs(branches)
	if err != nil {
		return u, err
	}
	u.Sessions = len(refs)
	list, err := os.ReadDir(filepath.Join(s.Dir(projectID), "objects", "pack"))
	if err != nil {
		return u, fmt.Errorf("look at the shadow history of project %s: %w", projectID, err)
	}
	for _, e := range list {
		info, err := e.Info()
		if err != nil {
			continue // it was removed meanwhile
		}
		u.Bytes += info.Size()
		if filepath.Ext(e.Name()) == ".pack" {
			u.Packs++
		}
	}
	return u, nil
}
