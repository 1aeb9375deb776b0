// Package socket is the one door to the service: a unix socket in the state folder, or a named pipe on Windows, that only
// the person who runs the service can open. It knows where the door is, opens it for the service and knocks for clients.
//
// It never speaks through it: what is said is the business of service/localapi and service/client. It never reads the
// environment, which differs between a system service, a terminal and an agent's sandbox: equal state folders give equal
// doors.
package socket

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
)

// ErrNoService says that nobody listens: the service is not running, or was killed and left its socket behind.
var ErrNoService = errors.New("no service is listening")

// ErrBusy says that a service is there but takes no more connections: its queue is full because it is stuck.
var ErrBusy = errors.New("the service takes no connections")

// ErrInUse says that another service already listens.
var ErrInUse = errors.New("another service is listening")

// usedError says who listens.
type usedError struct {
	pid int // 0 where that is not known
}

func (e *usedError) Error() string {
	if e.pid == 0 {
		return ErrInUse.Error()
	}
	return fmt.Sprintf("process %d is listening there", e.pid)
}

func (e *usedError) Unwrap() error { return ErrInUse }

// ErrForeign says that the door, or the process behind it, belongs to another user of this computer.
var ErrForeign = errors.New("it belongs to another user")

// digest names a state folder in 16 hex digits. A folder has the same digest under every path that leads to it.
func digest(home string) string {
	if abs, err := filepath.Abs(home); err == nil {
		home = abs
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	sum := sha256.Sum256([]byte(fold(filepath.Clean(home))))
	return hex.EncodeToString(sum[:8])
}
