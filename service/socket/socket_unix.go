//go:build unix

package socket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// maxPath is the longest path that a socket address holds, in bytes, without its final zero.
const maxPath = len(syscall.RawSockaddrUnix{}.Path) - 1

// knock is how long Listen waits for a sign of life behind a socket that is already there.
const knock = time.Second

func fold(home string) string { return home }

// Path is where the service of a state folder listens: <home>/run/dormouse.sock. Where that is longer than the system
// allows, it is a short path that is derived from the state folder, in a folder of this user's.
func Path(home string) string {
	return pathIn(home, shortDirs(os.Geteuid()))
}

// shortDirs are the folders for sockets whose own path is too long, best first: one of the login session, one for all.
// They do not depend on the environment.
func shortDirs(uid int) []string {
	id := strconv.Itoa(uid)
	return []string{filepath.Join("/run/user", id), filepath.Join("/tmp", "dormouse-"+id)}
}

// pathIn is Path with the session's folder and the common one given. The session's folder counts only where it is there.
func pathIn(home string, short []string) string {
	if path := filepath.Join(home, "run", "dormouse.sock"); len(path) <= maxPath {
		return path
	}
	name := digest(home) + ".sock"
	if info, err := os.Stat(short[0]); err == nil && info.IsDir() {
		return filepath.Join(short[0], "dormouse", name)
	}
	return filepath.Join(short[1], name)
}

// Listen opens the door. A socket that a dead service left behind is replaced; behind a live one the error wraps ErrInUse.
// The caller holds the state folder's lock, so that no two services do this at once. Connections of other users are
// closed before they are handed out.
func Listen(home string) (net.Listener, error) { return listenAt(Path(home)) }

func listenAt(path string) (net.Listener, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make the socket's folder: %w", err)
	}
	if err := checkFolder(filepath.Dir(path), true); err != nil {
		return nil, fmt.Errorf("listen at %s: %w", path, err)
	}
	ln, err := net.Listen("unix", path)
	if errors.Is(err, syscall.EADDRINUSE) {
		if err := removeStale(path); err != nil {
			return nil, fmt.Errorf("listen at %s: %w", path, err)
		}
		ln, err = net.Listen("unix", path)
	}
	if err != nil {
		return nil, fmt.Errorf("listen for clients: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("close the socket to others: %w", err), ln.Close())
	}
	return &listener{Listener: ln, uid: os.Geteuid()}, nil
}

// removeStale deletes a socket that nobody listens at, and nothing else.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return errors.New("something that is no socket is in the way; move it elsewhere")
	}
	conn, err := net.DialTimeout("unix", path, knock)
	if err == nil {
		pid := peer(conn).pid
		_ = conn.Close()
		return &usedError{pid}
	}
	if !errors.Is(err, syscall.ECONNREFUSED) && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w (%w)", &usedError{listenerAt(path)}, err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the socket of a dead service: %w", err)
	}
	return nil
}

// checkFolder makes sure that a socket's folder is a folder of this user's that nobody else may change. With repair, it is
// closed to others altogether.
func checkFolder(dir string, repair bool) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder; remove it", dir)
	case !ok || int(stat.Uid) != os.Geteuid():
		return fmt.Errorf("folder %s: %w; take it back, or set DORMOUSE_HOME to use another state folder", dir, ErrForeign)
	case repair && info.Mode().Perm()&0o077 != 0:
		return os.Chmod(dir, 0o700)
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("folder %s can be changed by others: chmod 700 it", dir)
	}
	return nil
}

// Dial knocks at the door of a state folder's service. Where nobody listens the error wraps ErrNoService; where a service
// is there but its queue is full, ErrBusy. A process of another user is never talked to.
func Dial(ctx context.Context, home string) (net.Conn, error) { return dialAt(ctx, Path(home)) }

func dialAt(ctx context.Context, path string) (net.Conn, error) {
	if err := checkFolder(filepath.Dir(path), false); err != nil {
		return nil, dialError(path, err)
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, dialError(path, err)
	}
	if p := peer(conn); p.known && p.uid != os.Geteuid() {
		_ = conn.Close()
		return nil, dialError(path, ErrForeign)
	}
	return conn, nil
}

// Holder is the process that listens at the door of a state folder, whatever it is; 0 where nobody does, it is another user's, or the
// system does not tell.
func Holder(ctx context.Context, home string) int { return holderAt(ctx, Path(home)) }

func holderAt(ctx context.Context, path string) int {
	conn, err := dialAt(ctx, path)
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, ErrBusy) {
		return listenerAt(path)
	}
	if err != nil {
		return 0
	}
	defer conn.Close() //nolint:errcheck // nothing was said
	return peer(conn).pid
}

func dialError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%w at %s", ErrNoService, path)
	case errors.Is(err, syscall.EAGAIN):
		return fmt.Errorf("%w at %s", ErrBusy, path)
	}
	return fmt.Errorf("connect to %s: %w", path, err)
}

// listener hands out the connections of one user.
type listener struct {
	net.Listener
	uid int
}

// Accept waits for the next connection of this user. One whose user the system does not tell is let in: the folder's
// permissions have let it through already.
func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if p := peer(conn); !p.known || p.uid == l.uid {
			return conn, nil
		}
		_ = conn.Close()
	}
}

// peerProcess is the process at the other end of a connection: its user, and its number where the system tells that.
type peerProcess struct {
	known bool
	uid   int
	pid   int
}

func peer(conn net.Conn) (p peerProcess) {
	c, ok := conn.(*net.UnixConn)
	if !ok {
		return p
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return p
	}
	if err := raw.Control(func(fd uintptr) { p = peerOf(int(fd)) }); err != nil {
		return peerProcess{}
	}
	return p
}
