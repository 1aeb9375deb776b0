// Package home knows the layout of the state folder and how to write to it so that a crash at any moment leaves either
// the old content or the new: the lock, atomic writes, permissions, the machine's id.
//
// It never interprets what the files hold.
package home

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"dormouse/store/disk"
)

// EnvHome is the environment variable that moves the state folder.
const EnvHome = "DORMOUSE_HOME"

// Modes of what lies in the state folder: for its owner alone.
const (
	DirMode  fs.FileMode = 0o700
	FileMode fs.FileMode = 0o600
)

// Home is a state folder.
type Home struct{ dir string }

// At is the state folder in dir. It touches nothing.
func At(dir string) Home { return Home{dir: dir} }

// Default is the state folder that env and the user's home folder name: $DORMOUSE_HOME, else ~/.dormouse.
func Default(env func(string) string) (Home, error) {
	if d := env(EnvHome); d != "" {
		abs, err := filepath.Abs(d)
		if err != nil {
			return Home{}, fmt.Errorf("%s=%q: %w", EnvHome, d, err)
		}
		return At(abs), nil
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return Home{}, fmt.Errorf("find your home folder (set %s to choose a state folder): %w", EnvHome, err)
	}
	return At(filepath.Join(user, ".dormouse")), nil
}

// Demo is the state folder beside this one that holds the demo's memory, so that it never mixes with the user's.
func (h Home) Demo() Home { return At(h.dir + "-demo") }

// The parts of the state folder.

func (h Home) Dir() string      { return h.dir }
func (h Home) Config() string   { return filepath.Join(h.dir, "config.toml") }
func (h Home) Sessions() string { return filepath.Join(h.dir, "sessions") }
func (h Home) Summary() string  { return filepath.Join(h.dir, "sessions.summary") } // of all meta.json, for the next start
func (h Home) Projects() string { return filepath.Join(h.dir, "projects") }
func (h Home) Memory() string   { return filepath.Join(h.dir, "memory") }
func (h Home) Index() string    { return filepath.Join(h.dir, "index") }
func (h Home) Cost() string     { return filepath.Join(h.dir, "cost") } // what models took
func (h Home) Logs() string     { return filepath.Join(h.dir, "logs") }

// Log is the service's log, beside which it puts older ones; Said is what the service and its keeper said on their standard error,
// where the system keeps no journal.
func (h Home) Log() string         { return filepath.Join(h.Logs(), "dormouse.log") }
func (h Home) Said() string        { return filepath.Join(h.Logs(), "service.log") }
func (h Home) Run() string         { return filepath.Join(h.dir, "run") }
func (h Home) LockFile() string    { return filepath.Join(h.dir, "run", "lock") }
func (h Home) machineFile() string { return filepath.Join(h.dir, "machine") }

// Create makes the state folder and its parts, and takes group and others out of their permissions.
func (h Home) Create() error {
	for _, d := range []string{h.dir, h.Sessions(), h.Projects(), h.Memory(), h.Index(), h.Logs(), h.Run()} {
		if err := Mkdir(d); err != nil {
			return err
		}
	}
	return nil
}

// Used reports whether the state folder holds a memory: a session was captured into it.
func (h Home) Used() bool {
	entries, err := os.ReadDir(h.Sessions())
	return err == nil && len(entries) > 0
}

// Mkdir makes a folder that only its owner may enter. A folder that is there is kept and closed to others.
func Mkdir(dir string) error {
	if err := disk.MkdirAll(dir, DirMode); err != nil {
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			return fmt.Errorf("make folder %s: %w; make the folder above it writable for you, or set %s to one that is", dir, err, EnvHome)
		}
		return fmt.Errorf("make folder %s: %w", dir, err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("make folder %s: %w", dir, err)
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	if err := os.Chmod(dir, DirMode); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("close folder %s to others: %w", dir, err)
	}
	return nil
}
