package socket

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
		if _, err := Listen(home); !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), fmt.Sprintf("process %d is listening there", os.Getpid())) {
			t.Errorf("a stuck service was pushed aside, or is not named: %v", err)
		}
		if pid := Holder(t.Context(), home); pid != os.Getpid() {
			t.Errorf("it is process %d, not %d", os.Getpid(), pid)
		}
		return
	}
	t.Fatal("the queue never filled")
}

func TestWhoListensIsFoundInTheKernelsTable(t *testing.T) {
	const table = `Num       RefCount Protocol Flags    Type St Inode Path
ffff9: 00000003 00000000 00000000 0001 03 101 /run/a.sock
ffff8: 00000002 00000000 00010000 0001 01 102 /run/a.sock
ffff7: 00000002 00000000 00010000 0001 01 103 /run/a b.sock
ffff6: 00000002 00000000 00010000 0001 01 104
ffff5: 00000002 00000000 00010000 0001 01 105 /run/a.sock2
`
	for path, want := range map[string]string{"/run/a.sock": "102", "/run/a b.sock": "103", "/run/b.sock": "", "/run/a": ""} {
		if got := listening(table, path); got != want {
			t.Errorf("%q: %q, not %q", path, got, want)
		}
	}
}
