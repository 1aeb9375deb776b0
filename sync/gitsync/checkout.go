package gitsync

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"dormouse/store/gitrepo"
	"dormouse/store/home"
)

// sighting is how a log file on the disk looked when it was last found to hold a blob.
type sighting struct {
	blob gitrepo.OID
	stat gitrepo.Stat
}

// checkout makes the files of other machines' logs hold what a commit says, and reports whether any did not. Logs that are
// set aside and those of this machine are left alone, and files that the commit does not know too.
func (s *Syncer) checkout(x *gitrepo.Reader, commit gitrepo.OID, apart []string) (changed bool, err error) {
	want, err := logsIn(x, commit)
	if err != nil {
		return false, err
	}
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if machineOf(path) == s.o.Machine || slices.Contains(apart, path) {
			continue
		}
		did, err := s.checkoutFile(x, path, want[path])
		changed = changed || did
		if err != nil {
			return changed, fmt.Errorf("write %s: %w", path, err)
		}
	}
	return changed, nil
}

func (s *Syncer) checkoutFile(x *gitrepo.Reader, path string, e gitrepo.TreeEntry) (changed bool, err error) {
	file := filepath.Join(s.o.Repo.Dir(), filepath.FromSlash(path))
	info, err := os.Lstat(file)
	if err == nil && s.seen[path] == (sighting{e.OID, gitrepo.StatOf(info)}) {
		return false, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if reason, err := unfit(x, e); err != nil || reason != "" {
		return false, err
	}
	data, err := read(x, e)
	if err != nil {
		return false, err
	}
	if !holds(file, data) {
		if err := home.Mkdir(filepath.Dir(file)); err != nil {
			return false, err
		}
		if err := home.WriteFile(file, data); err != nil {
			return true, err // it may be in its place and not be flushed
		}
		changed = true
	}
	if info, err = os.Lstat(file); err != nil {
		return changed, err
	}
	s.seen[path] = sighting{e.OID, gitrepo.StatOf(info)}
	return changed, nil
}

// holds reports whether a plain file holds these bytes.
func holds(file string, data []byte) bool {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return false
	}
	have, err := os.ReadFile(file)
	return err == nil && bytes.Equal(have, data)
}
