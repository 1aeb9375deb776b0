package socket

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAServiceWhoseQueueIsFullIsBusyAndNotAbsent(t *testing.T) {
	home := t.TempDir()
	path := Path(home)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd) //nolint:errcheck // test
	if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: path}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	for range 8 {
		conn, err := Dial(t.Context(), home)
		if err == nil {
			defer conn.Close() //nolint:errcheck // test
			continue
		}
		if !errors.Is(err, ErrBusy) {
			t.Errorf("full queue: %v", err)
		}
		if _, err := Listen(home); !errors.Is(err, ErrInUse) {
			t.Errorf("a stuck service was pushed aside: %v", err)
		}
		return
	}
	t.Fatal("the queue never filled")
}
