package socket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os/user"
	"strings"
	"time"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

// fold makes paths that Windows takes for the same folder equal.
func fold(home string) string { return strings.ToLower(home) }

// Path is the name of the pipe at which the service of a state folder listens. Every user has their own.
func Path(home string) string {
	sid, _ := currentSID() // without it the name is still a good one; Listen and Dial report the failure
	return `\\.\pipe\dormouse-` + digest(sid + `\`)[:8] + "-" + digest(home)
}

// currentSID is this user's security identifier, as text.
func currentSID() (string, error) {
	u, err := user.Current()
	if err != nil {
		return "", fmt.Errorf("find out who you are: %w", err)
	}
	return u.Uid, nil
}

// Listen opens the door, for this user alone. Behind a live one the error wraps ErrInUse; a pipe ends with its process, so
// none is ever left behind.
func Listen(home string) (net.Listener, error) {
	sid, err := currentSID()
	if err != nil {
		return nil, err
	}
	path := Path(home)
	ln, err := winio.ListenPipe(path, &winio.PipeConfig{
		// Owner: this user. Access: protected from inheritance, all rights to this user, none to anyone else.
		SecurityDescriptor: "O:" + sid + "D:P(A;;GA;;;" + sid + ")",
	})
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_PIPE_BUSY) {
		return nil, fmt.Errorf("listen at %s: %w", path, &usedError{Holder(context.Background(), home)})
	}
	if err != nil {
		return nil, fmt.Errorf("listen at %s: %w", path, err)
	}
	return ln, nil
}

// Dial knocks at the door of a state folder's service. Where nobody listens the error wraps ErrNoService. A pipe that
// another user owns is never talked to.
func Dial(ctx context.Context, home string) (net.Conn, error) {
	path := Path(home)
	conn, err := winio.DialPipeContext(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w at %s", ErrNoService, path)
	}
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", path, err)
	}
	if err := checkOwner(conn); err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("connect to %s: %w", path, err)
	}
	return conn, nil
}

// knock is how long Holder waits for a pipe that has no room.
const knock = time.Second

// Holder is the process that listens at the door of a state folder, whatever it is; 0 where nobody does, it is another user's, or the
// system does not tell.
func Holder(ctx context.Context, home string) int {
	ctx, cancel := context.WithTimeout(ctx, knock)
	defer cancel()
	conn, err := Dial(ctx, home)
	if err != nil {
		return 0
	}
	defer conn.Close() //nolint:errcheck // nothing was said
	pipe, ok := conn.(interface{ Fd() uintptr })
	if !ok {
		return 0
	}
	var pid uint32
	if err := windows.GetNamedPipeServerProcessId(windows.Handle(pipe.Fd()), &pid); err != nil {
		return 0
	}
	return int(pid)
}

// checkOwner refuses a pipe that is not this user's.
func checkOwner(conn net.Conn) error {
	pipe, ok := conn.(interface{ Fd() uintptr })
	if !ok {
		return errors.New("the pipe has no handle")
	}
	sd, err := windows.GetSecurityInfo(windows.Handle(pipe.Fd()), windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return fmt.Errorf("find the pipe's owner: %w", err)
	}
	owner, _, err := sd.Owner()
	if err != nil {
		return fmt.Errorf("find the pipe's owner: %w", err)
	}
	sid, err := currentSID()
	if err != nil {
		return err
	}
	if owner.String() != sid {
		return ErrForeign
	}
	return nil
}
