package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"dormouse/store/disk"
	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// movable reports whether a session may be given another place now, and where.
func (x *Session) movable() (project, to string, ok bool) {
	s := x.store
	if x.dir() != s.path(x.id) || !x.there() {
		return "", "", false
	}
	if project = s.opts.Inside(x.Meta()); project == "" || s.shelter(project) != nil {
		return "", "", false
	}
	return project, filepath.Join(inside(project), x.id), true
}

// Settle moves a session that lives in the store's own folder into its project's, where it belongs since the project was bound. The
// copy is whole and durable before locations.json names it; until then the session lives where it was, from then on there. The old
// folder is removed by SweepMoved. It waits for an open batch.
func (s *Store) Settle(id string) (moved bool, err error) {
	x, err := s.Open(id)
	if err != nil {
		return false, err
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	project, to, ok := x.movable()
	if !ok {
		return false, nil
	}
	if exists(to) {
		if !sameHistory(x.dir(), to) {
			return false, nil // somebody else's, or a copy that went on elsewhere
		}
	} else if err := copyWhole(x.dir(), to); err != nil {
		return false, fmt.Errorf("move session %s into %s: %w", id, project, err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := writeMeta(to, x.meta); err != nil { // it may have been renamed meanwhile
		return false, err
	}
	if err := s.places.put(id, Location{Path: project, Seen: x.meta}); err != nil {
		return false, err
	}
	x.moveTo(to)
	x.st = nil
	return true, nil
}

// SweepMoved removes the old folders of sessions that were moved, once the new ones hold all that they have.
func (s *Store) SweepMoved() error {
	places, err := s.places.list()
	if err != nil {
		return err
	}
	var errs []error
	for id, at := range places {
		old, now := s.path(id), filepath.Join(inside(at.Path), id)
		if _, err := readMeta(now); err == nil && exists(old) && holdsAll(now, old) {
			errs = append(errs, removeWhole(old))
		}
	}
	return errors.Join(errs...)
}

// sameHistory reports whether two folders are one session with one history.
func sameHistory(a, b string) bool {
	ma, errA := readMeta(a)
	mb, errB := readMeta(b)
	return errA == nil && errB == nil && same(ma, mb) && holdsAll(a, b) && holdsAll(b, a)
}

// holdsAll reports whether a repository has another one's main branch, each file of its open turn, and its images.
func holdsAll(has, of string) bool {
	tip, err := gitrepo.Open(of).Ref(gitrepo.MainBranch)
	if err != nil || !tip.IsZero() && !gitrepo.Open(has).Has(tip) || !holdsImages(gitrepo.Open(has), gitrepo.Open(of)) {
		return false
	}
	st, err := load(gitrepo.Open(of))
	if err != nil {
		return false
	}
	now, err := load(gitrepo.Open(has))
	if err != nil {
		return false
	}
	for i := range st.entries {
		if _, ok := now.ids()[st.entries[i].id()]; !ok {
			return false
		}
	}
	return true
}

// copyWhole copies a session's folder so that it is there whole and durable, or not at all.
func copyWhole(from, to string) error {
	tmp := filepath.Join(filepath.Dir(to), newPrefix+filepath.Base(to))
	if err := disk.RemoveAll(tmp); err != nil {
		return err
	}
	if err := copyTree(from, tmp); err != nil {
		return errors.Join(err, disk.RemoveAll(tmp))
	}
	return disk.Rename(tmp, to)
}

// copyTree copies a folder and makes the copy durable. Times are kept, by which git's index knows the files.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		dest := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			if err := disk.Mkdir(dest, home.DirMode); err != nil {
				return err
			}
			return disk.SyncDir(filepath.Dir(dest))
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return disk.Symlink(target, dest)
		case !d.Type().IsRegular():
			return nil
		}
		return copyFile(path, dest)
	})
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // opened for reading
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := disk.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	err = errors.Join(err, out.Sync(), out.Close())
	if err != nil {
		return err
	}
	return errors.Join(os.Chmod(to, info.Mode().Perm()), os.Chtimes(to, info.ModTime(), info.ModTime()))
}

// Misplaced reports whether a session lives in the store's own folder and belongs into its project's.
func (s *Store) Misplaced(m memory.Session) bool {
	if _, outside, err := s.places.get(m.ID); err != nil || outside {
		return false
	}
	project := s.opts.Inside(m)
	return project != "" && s.unsuited(project) == nil && !exists(filepath.Join(inside(project), m.ID))
}
