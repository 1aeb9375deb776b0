package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dormouse/store/disk"
)

// ErrBusy says that a git command holds a lock on the repository.
var ErrBusy = errors.New("a git command is using the repository")

// lockSuffix ends the name of a lock: the name of what it locks, and this.
const lockSuffix = ".lock"

const (
	lockTries = 50
	lockPause = 20 * time.Millisecond
)

// lock takes path+".lock", the file by which git commands keep each other out. A lock of ours is a hard link to the
// repository's config: it is there with its content at once, and is told from a git command's at any later time. Both kinds are
// waited for (1 s). After that, one of ours was left by a process that was killed, since only one process of ours writes to a
// repository and it holds no lock for long: it is broken. A git command's lock is never broken. A draft needs no lock.
func (r *Repo) lock(path string) (unlock func() error, err error) {
	if r.draft != nil {
		return func() error { return nil }, nil
	}
	path += lockSuffix
	for try := 0; ; try++ {
		err := r.makeLock(path)
		if err == nil {
			return func() error { return disk.Remove(path) }, nil
		}
		if !errors.Is(err, os.ErrExist) {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if try < lockTries {
			time.Sleep(lockPause)
			continue
		}
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			continue
		}
		if !OwnLock(path) {
			return nil, fmt.Errorf("%w: %s is there; when no git command runs there, delete it", ErrBusy, path)
		}
		if err := disk.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("break lock %s: %w", path, err)
		}
	}
}

// OwnLock reports whether a lock is one of ours, and not a git command's.
func OwnLock(path string) bool {
	held, err := os.ReadFile(path)
	return err == nil && bytes.HasPrefix(held, []byte(configStart))
}

// ownLocks are the locks of ours that are there.
func (r *Repo) ownLocks() (out []string, err error) {
	top, err := list(r.git, "", lockSuffix)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(r.refPath("refs"), func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && !d.IsDir() && strings.HasSuffix(path, lockSuffix) {
			top = append(top, path)
		}
		return err
	})
	for _, path := range top {
		if OwnLock(path) {
			out = append(out, path)
		}
	}
	return out, err
}

// makeLock makes a lock, or fails with os.ErrExist. Where the file system has no hard links, the content follows a moment
// after the name.
func (r *Repo) makeLock(path string) error {
	err := disk.Link(filepath.Join(r.git, "config"), path)
	if err == nil || errors.Is(err, os.ErrExist) || errors.Is(err, os.ErrNotExist) {
		return err
	}
	f, err := disk.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(configStart)
	return errors.Join(err, f.Close())
}
