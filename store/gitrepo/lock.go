package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// ErrBusy says that a git command holds a lock on the repository.
var ErrBusy = errors.New("a git command is using the repository")

const (
	lockMark  = "dormouse "
	lockTries = 50
	lockPause = 20 * time.Millisecond
)

// lock takes path+".lock", the file by which git commands keep each other out. Our lock files hold our mark and process id
// from their first moment on (they are made by a hard link), so one that a killed process left behind is told from a git
// command's: only one process of ours writes to a repository at a time. A git command's lock is waited for (1 s) and never
// broken.
func (r *Repo) lock(path string) (unlock func() error, err error) {
	path += ".lock"
	mine := []byte(lockMark + strconv.Itoa(os.Getpid()) + "\n")
	for try := range lockTries {
		err := createWith(path, mine)
		if err == nil {
			return func() error { return os.Remove(path) }, nil
		}
		if !errors.Is(err, os.ErrExist) {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		held, err := os.ReadFile(path)
		if err != nil {
			continue // gone meanwhile
		}
		left := bytes.HasPrefix(held, []byte(lockMark)) && (!bytes.Equal(held, mine) || try == lockTries-1)
		if left {
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				return nil, fmt.Errorf("break lock %s: %w", path, err)
			}
			continue
		}
		time.Sleep(lockPause)
	}
	if err := createWith(path, mine); err == nil {
		return func() error { return os.Remove(path) }, nil
	}
	return nil, fmt.Errorf("%w: %s is there; when no git command runs there, delete it", ErrBusy, path)
}

// createWith makes path with its content at once, or fails with os.ErrExist. Where the file system has no hard links, the
// content follows a moment after the name.
func createWith(path string, content []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), tempPrefix+"*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) //nolint:errcheck // its second name stays
	_, err = tmp.Write(content)
	if err := errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	if err = os.Link(tmp.Name(), path); err == nil || errors.Is(err, os.ErrExist) {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}
