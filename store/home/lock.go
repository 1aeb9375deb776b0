package home

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dormouse/store/disk"
	"dormouse/store/process"
	"github.com/gofrs/flock"
)

// ErrLocked says that another service holds the state folder.
var ErrLocked = errors.New("another Dormouse service is using this state folder")

// Lock is the right to write to a state folder. The system takes it back when the process ends, however it ends.
type Lock struct {
	file *flock.Flock
	pid  string
}

// Lock takes the state folder for this process. When another process has it, the error wraps ErrLocked and names the process, with its
// program where the system tells that, and the way out.
func (h Home) Lock() (*Lock, error) {
	if err := Mkdir(h.Run()); err != nil {
		return nil, err
	}
	f := flock.New(h.LockFile(), flock.SetPermissions(FileMode))
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	ok, err := f.TryLockContext(ctx, lookTime/20)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("lock %s: %w", h.LockFile(), err)
	}
	pidFile := filepath.Join(h.Run(), "pid")
	if !ok {
		return nil, h.locked()
	}
	if err := WriteFile(pidFile, []byte(strconv.Itoa(os.Getpid())+"\n")); err != nil {
		return nil, errors.Join(err, f.Unlock())
	}
	return &Lock{file: f, pid: pidFile}, nil
}

// lookTime is how long Lock tries: somebody may be looking whether the folder is free at this moment, see Free.
const lookTime = 200 * time.Millisecond

// Free reports whether no service holds the state folder. A service that was told to stop holds it until all is put away, which
// is after its socket is gone.
func (h Home) Free() (bool, error) {
	if _, err := os.Stat(h.LockFile()); errors.Is(err, os.ErrNotExist) {
		return true, nil
	}
	f := flock.New(h.LockFile(), flock.SetPermissions(FileMode))
	free, err := f.TryRLock()
	if err != nil {
		return false, fmt.Errorf("look at the lock %s: %w", h.LockFile(), err)
	}
	if free {
		err = f.Unlock()
	}
	return free, err
}

// lockedError says who holds the state folder.
type lockedError struct{ text string }

func (e *lockedError) Error() string { return e.text }

func (e *lockedError) Unwrap() error { return ErrLocked }

// locked says who holds the state folder, and what to do about it.
func (h Home) locked() error {
	pid, err := h.Holder()
	if err == nil && pid != 0 && !process.IsOurs(pid) {
		return &lockedError{fmt.Sprintf("%s holds the lock %s and is no service of Dormouse; end it (%s), or set %s to use another folder",
			process.Said(pid), h.LockFile(), process.HowToEnd(pid), EnvHome)}
	}
	who := "process unknown"
	if pid != 0 {
		who = process.Said(pid)
	}
	return &lockedError{fmt.Sprintf("%v: %s (%s); stop it, or set %s to use another folder", ErrLocked, h.dir, who, EnvHome)}
}

// Holder is the process that holds the state folder: the one that the system names or, where it names none, the one that the last service
// to take the folder has written down. It is 0 where nobody holds it, or the number cannot be read.
func (h Home) Holder() (pid int, err error) {
	if free, err := h.Free(); err != nil || free {
		return 0, err
	}
	if pid := process.Locker(h.LockFile()); pid != 0 { // the file below may be an earlier service's
		return pid, nil
	}
	b, err := os.ReadFile(filepath.Join(h.Run(), "pid"))
	if err != nil {
		return 0, fmt.Errorf("see which process holds %s: %w", h.dir, err)
	}
	pid, err = strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil || pid <= 1 {
		return 0, fmt.Errorf("see which process holds %s: run/pid holds %.20q", h.dir, b)
	}
	return pid, nil
}

// Unlock gives the state folder free.
func (l *Lock) Unlock() error {
	err := disk.Remove(l.pid)
	if errors.Is(err, os.ErrNotExist) {
		err = nil // somebody was faster
	}
	return errors.Join(err, l.file.Unlock())
}
