package session

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"dormouse/store/disk"
	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// Limits within which a session may grow before it is packed while it is still going on.
const (
	looseTurns = 64
	looseBytes = 16 << 20
	// looseShare is how many times the bytes of its largest pack a session may have beside it; small ones do not count.
	looseShare = 4
	smallLoose = 1 << 20
)

// Weight is what a session takes on the disk.
type Weight struct {
	Files      int   // in all
	Bytes      int64 // of them
	Loose      int   // files in history/
	LooseTurns int   // prompts among them
	LooseBytes int64 // of them, and of all packs but the largest
	Objects    int   // that lie in files of their own, such as images
	Packs      int
	Largest    int64 // bytes of the largest pack
	Stale      int   // unfinished files of writes that were interrupted long ago
}

// Full reports whether a session has so much beside its largest pack that it is to be packed although it is going on. A turn that is
// committed live makes a pack of its own and leaves its files; some of its packs are folded into one on the way.
func (w Weight) Full() bool {
	return w.LooseTurns > looseTurns || w.LooseBytes > looseBytes || w.LooseBytes > smallLoose && w.LooseBytes > looseShare*w.Largest
}

// Cold reports whether there is nothing to pack: a pack of nodes is left, and one of long texts and images.
func (w Weight) Cold() bool { return w.Loose == 0 && w.Objects == 0 && w.Packs <= 2 }

// Weigh looks at a session's files. It opens none of them.
func (x *Session) Weigh() (Weight, error) {
	var w Weight
	var packs int64
	long := x.store.opts.Now().Add(-staleTemp)
	objects := filepath.Join(x.dir(), ".git", "objects")
	history, packed := filepath.Join(x.dir(), historyDir), filepath.Join(objects, "pack")
	err := filepath.WalkDir(x.dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return ignoreGone(err)
		}
		info, err := d.Info()
		if err != nil {
			return ignoreGone(err)
		}
		if d.IsDir() {
			return nil
		}
		if info.ModTime().Before(long) && x.isTemp(path) {
			w.Stale++
		}
		w.Files++
		w.Bytes += info.Size()
		if dir := filepath.Dir(path); filepath.Dir(dir) == objects && len(filepath.Base(dir)) == 2 {
			w.Objects++
		}
		switch filepath.Dir(path) {
		case history:
			w.Loose++
			if _, role, _, ok := parseName(d.Name()); ok && role == memory.RoleUser {
				w.LooseTurns++
			}
			w.LooseBytes += info.Size()
		case packed:
			if strings.HasSuffix(path, ".pack") {
				w.Packs++
				packs += info.Size()
				w.Largest = max(w.Largest, info.Size())
			}
		}
		return nil
	})
	if err != nil {
		return w, fmt.Errorf("weigh session %s: %w", x.id, err)
	}
	w.LooseBytes += packs - w.Largest
	return w, nil
}

// staleTemp is how old an unfinished file must be for nobody to be writing it, also a git command of somebody's.
const staleTemp = time.Hour

// isTemp reports whether a file below the session's folder is an unfinished one.
func (x *Session) isTemp(path string) bool {
	name, root := filepath.Base(path), filepath.Join(x.dir(), ".git")
	switch filepath.Dir(path) {
	case x.dir(), filepath.Join(x.dir(), historyDir):
		return strings.HasPrefix(name, home.TempPrefix)
	case root, filepath.Join(root, "objects"), filepath.Join(root, "objects", "pack"):
		return gitrepo.LeftOver(name)
	}
	return false
}

// Sweep removes the unfinished files of writes that were interrupted long ago, such as by a kill. It waits for an open batch.
func (x *Session) Sweep() error {
	x.writing.Lock()
	defer x.writing.Unlock()
	long := x.store.opts.Now().Add(-staleTemp)
	err := filepath.WalkDir(x.dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !x.isTemp(path) {
			return ignoreGone(err)
		}
		info, err := d.Info()
		if err == nil && info.ModTime().Before(long) {
			err = disk.Remove(path)
		}
		return ignoreGone(err)
	})
	if err != nil {
		return fmt.Errorf("remove what was left in session %s: %w", x.id, err)
	}
	return nil
}

// removeStale is Sweep for a folder of no session.
func (s *Store) removeStale(dir string) {
	long := s.opts.Now().Add(-staleTemp)
	entries, _ := readFolder(dir)
	for _, d := range entries {
		info, err := d.Info()
		if err == nil && !d.IsDir() && strings.HasPrefix(d.Name(), home.TempPrefix) && info.ModTime().Before(long) {
			_ = disk.Remove(filepath.Join(dir, d.Name()))
		}
	}
}

// ignoreGone takes a file that went away while it was looked at for none.
func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
