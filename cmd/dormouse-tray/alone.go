package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gofrs/flock"
)

// errAnother says that a tray for the same memory runs already.
var errAnother = errors.New("it is in the tray already")

// alone makes this the only tray for a state folder. The lock lies in a folder of this person's that the system empties, since
// the state folder is the service's. It is given back when the process ends, however it ends.
func alone(stateFolder string, env func(string) string) (*flock.Flock, error) {
	dir := env("XDG_RUNTIME_DIR")
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "dormouse-"+strconv.Itoa(os.Getuid()))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make a folder for the lock: %w", err)
		}
	}
	sum := sha256.Sum256([]byte(filepath.Clean(stateFolder)))
	lock := flock.New(filepath.Join(dir, "dormouse-tray-"+hex.EncodeToString(sum[:8])+".lock"), flock.SetPermissions(0o600))
	got, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("take the lock %s: %w", lock.Path(), err)
	case !got:
		return nil, errAnother
	}
	return lock, nil
}
