// Package door makes a window the only one of its memory: what a later start wants to be shown is handed to the first one.
//
// It never shows anything itself, and never touches the state folder, which is the service's.
package door

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"

	"dormouse/service/socket"
)

// ErrOther says that a window for the same memory is open, and that it was told what to show.
var ErrOther = errors.New("the window is open already")

// Door makes this the only window for a state folder, and takes what later ones want to show.
type Door struct {
	lock *flock.Flock
	ln   net.Listener
}

// maxRequest is the longest message of another window, in bytes, and talkTime how long it may take.
const (
	maxRequest = 4096
	talkTime   = 5 * time.Second
)

// doorFolder is where the door of a state folder's window lies: not in the state folder, which is the service's, but where
// the system keeps what lives as long as a log-on.
func doorFolder(stateFolder string, env func(string) string) string {
	dir := env("XDG_RUNTIME_DIR")
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "dormouse-"+strconv.Itoa(os.Getuid()))
	}
	sum := sha256.Sum256([]byte(filepath.Clean(stateFolder)))
	return filepath.Join(dir, "dormouse-window-"+hex.EncodeToString(sum[:8]))
}

// Take opens the door. Where another window holds it, that one is handed the request, and the error is ErrOther.
func Take(ctx context.Context, stateFolder string, env func(string) string, r Request) (*Door, error) {
	dir := doorFolder(stateFolder, env)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make a folder for the window's lock: %w", err)
	}
	lock := flock.New(filepath.Join(dir, "lock"), flock.SetPermissions(0o600))
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("take the lock %s: %w", lock.Path(), err)
	}
	if !got {
		return nil, tell(ctx, dir, r)
	}
	ln, err := socket.Listen(dir)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the window's door: %w", err), lock.Close())
	}
	return &Door{lock: lock, ln: ln}, nil
}

// tell hands a request to the window that is open. It gives ErrOther when that took it.
func tell(ctx context.Context, dir string, r Request) error {
	ctx, cancel := context.WithTimeout(ctx, talkTime)
	defer cancel()
	c, err := socket.Dial(ctx, dir)
	if err == nil {
		defer c.Close() //nolint:errcheck // said and done
		if err = c.SetDeadline(time.Now().Add(talkTime)); err == nil {
			err = json.NewEncoder(c).Encode(r)
		}
		if err == nil {
			_, err = c.Read(make([]byte, 1)) // the other one closes when it has read
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("the window is open already, but does not answer; end the program dormouse-desktop: %w", err)
	}
	return ErrOther
}

// Serve hands on what later starts want to show, on a goroutine that ends with Close.
func (d *Door) Serve(do func(Request)) {
	go func() {
		for {
			c, err := d.ln.Accept()
			if err != nil {
				return
			}
			r, err := hear(c)
			_ = c.Close() // which tells the other one that it was heard
			if err == nil {
				do(r)
			}
		}
	}()
}

func hear(c net.Conn) (r Request, err error) {
	if err = c.SetDeadline(time.Now().Add(talkTime)); err == nil {
		err = json.NewDecoder(io.LimitReader(c, maxRequest)).Decode(&r)
	}
	return r, err
}

// Close gives the door back.
func (d *Door) Close() {
	_ = d.ln.Close()   // its goroutine ends with it
	_ = d.lock.Close() // the system takes it back in any case
}
