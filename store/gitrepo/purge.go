package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"dormouse/store/disk"
)

// Purge removes every object that no ref leads to, at once and for good, and the records of where refs were before. It must
// not run beside a writer, and no Reader may be open.
func (r *Repo) Purge() error {
	r.writing.Lock()
	defer r.writing.Unlock()
	keep, err := r.reachable()
	if err != nil {
		return fmt.Errorf("find what is in use in %s: %w", r.dir, err)
	}
	if err := r.purgePacks(keep); err != nil {
		return fmt.Errorf("remove what is not in use from %s: %w", r.dir, err)
	}
	loose, err := r.Loose()
	if err != nil {
		return err
	}
	var errs []error
	for _, oid := range loose {
		if !keep[oid] {
			errs = append(errs, disk.Remove(r.loosePath(oid)))
		}
	}
	for _, name := range []string{"logs", "FETCH_HEAD", "ORIG_HEAD", "objects/info/commit-graph", "objects/info/commit-graphs", "objects/pack/multi-pack-index"} {
		errs = append(errs, disk.RemoveAll(filepath.Join(r.git, filepath.FromSlash(name))))
	}
	return errors.Join(errs...)
}

// reachable is what refs and HEAD lead to.
func (r *Repo) reachable() (map[OID]bool, error) {
	refs, err := r.Refs("refs/")
	if err != nil {
		return nil, err
	}
	if b, err := os.ReadFile(r.refPath("HEAD")); err == nil && len(b) >= 40 {
		if oid, err := ParseOID(string(b[:40])); err == nil {
			refs["HEAD"] = oid
		}
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	x := r.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	keep := map[OID]bool{}
	var queue []OID
	for _, oid := range refs {
		queue = append(queue, oid)
	}
	for len(queue) > 0 {
		oid := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if keep[oid] || oid.IsZero() {
			continue
		}
		keep[oid] = true
		k, raw, err := x.Object(oid)
		if err != nil {
			return nil, err
		}
		switch k {
		case Commit:
			c, err := parseCommit(oid, raw)
			if err != nil {
				return nil, err
			}
			queue = append(append(queue, c.Tree), c.Parents...)
		case Tree:
			entries, err := ParseTree(raw)
			if err != nil {
				return nil, err
			}
			for _, e := range entries {
				switch {
				case e.IsTree():
					queue = append(queue, e.OID)
				case e.Mode&0o170000 != 0o160000: // a submodule's commit lies elsewhere
					keep[e.OID] = true
				}
			}
		}
	}
	return keep, nil
}

// purgePacks packs anew what is in use of the packs that hold something that is not.
func (r *Repo) purgePacks(keep map[OID]bool) error {
	packs, err := r.Packs()
	if err != nil {
		return err
	}
	x := r.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	w, err := r.NewPack()
	if err != nil {
		return err
	}
	defer w.Abort()
	var old []string
	done := map[OID]bool{}
	for _, p := range packs {
		oids, err := r.packed(p.Name)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(oids, func(o OID) bool { return !keep[o] }) {
			continue
		}
		old = append(old, p.Name)
		for _, oid := range oids {
			if !keep[oid] || done[oid] {
				continue
			}
			done[oid] = true
			if err := w.Copy(x, anyKind, oid); err != nil {
				return err
			}
		}
	}
	if err := w.Finish(); err != nil {
		return err
	}
	if err := x.Close(); err != nil {
		return err
	}
	old = slices.DeleteFunc(old, func(name string) bool { return name == w.Name() })
	return r.drop(nil, old)
}
