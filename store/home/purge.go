package home

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/store/disk"
)

// ours are the names of what a service puts into its state folder. What else lies there is somebody's.
var ours = []string{"backups", "config.toml", "cost", "damaged", "embedding.json", "format", "health.json", "index", "llm.json", "logs", "machine",
	"mcp.token", "memory", "paused", "projects", "proxied", "proxy", "proxy.key", "redact.key", "run", "samples", "sessions", "sessions.summary", "sleep.json", "sleep.json.damaged", "sync-keys.json"}

// ErrNotOurs says that a folder is not the state folder of a service.
var ErrNotOurs = errors.New("it is not a state folder of Dormouse")

// Purgeable tells why a folder may not be removed with all that it holds: it is not a state folder, or it is the folder user or one
// that holds it. A folder that is not there wraps fs.ErrNotExist.
func (h Home) Purgeable(user string) error {
	if _, err := os.Stat(h.dir); err != nil {
		return err
	}
	dir, err := filepath.EvalSymlinks(h.dir)
	if err != nil {
		return err
	}
	if user, err = filepath.EvalSymlinks(user); err != nil {
		return err
	}
	if rel, err := filepath.Rel(dir, user); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return fmt.Errorf("%s: %w: your home folder lies in it", h.dir, ErrNotOurs)
	}
	entries, err := os.ReadDir(h.dir)
	if err != nil {
		return err
	}
	there := func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	}
	// A service that never came up has made no more than its log and its lock.
	known := there("machine") || there("format") || !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() != "logs" && e.Name() != "run" })
	if !known {
		return fmt.Errorf("%s: %w", h.dir, ErrNotOurs)
	}
	return nil
}

// Purge removes all that a service has put into the state folder, and the folder when nothing else lies in it. It returns what
// is left of others. While a service holds the folder, nothing is removed and the error wraps ErrLocked.
func (h Home) Purge(user string) (left []string, err error) {
	if err := h.Purgeable(user); err != nil {
		return nil, err
	}
	lock, err := h.Lock()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(h.dir)
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	var errs []error
	for _, e := range entries {
		path := filepath.Join(h.dir, e.Name())
		switch {
		case e.Name() == filepath.Base(h.Run()): // the lock is in it
		case strings.HasPrefix(e.Name(), TempPrefix) || slices.Contains(ours, e.Name()):
			errs = append(errs, disk.RemoveAll(path))
		default:
			left = append(left, path)
		}
	}
	errs = append(errs, lock.Unlock(), disk.RemoveAll(h.Run()))
	if err := errors.Join(errs...); err != nil {
		return left, fmt.Errorf("remove the state folder: %w", err)
	}
	if len(left) > 0 {
		return left, nil
	}
	real, err := filepath.EvalSymlinks(h.dir)
	if err != nil {
		return nil, err
	}
	if err := disk.Remove(real); err != nil || real == h.dir {
		return nil, err
	}
	if info, err := os.Lstat(h.dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, disk.Remove(h.dir)
	}
	return nil, nil
}
