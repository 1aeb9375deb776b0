package process

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestWhoHasLockedAFileIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	if pid := Locker(path); pid != 0 {
		t.Errorf("a file that is not there is locked by %d", pid)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // test
	if pid := Locker(path); pid != 0 {
		t.Errorf("before: %d", pid)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if pid := Locker(path); pid != os.Getpid() {
		t.Errorf("locked by %d, not %d", pid, os.Getpid())
	}
}

func TestALockIsFoundInTheSystemsTable(t *testing.T) {
	const table = `1: FLOCK  ADVISORY  WRITE 25979 fe:1b:146296 0 EOF
1: -> FLOCK  ADVISORY  WRITE 4 fe:1b:146296 0 EOF
2: POSIX  ADVISORY  WRITE 7 00:1b:99 0 EOF
3: FLOCK  ADVISORY  READ 8 00:2f:77 0 EOF
4: FLOCK  ADVISORY  WRITE 9 00:30:55 0 EOF
5: FLOCK  ADVISORY  WRITE 10 00:31:55 0 EOF
6: FLOCK  ADVISORY  WRITE -1 00:31:44 0 EOF
7: FLOCK
`
	for _, tt := range []struct {
		major, minor uint32
		inode        uint64
		want         int
	}{
		{0xfe, 0x1b, 146296, 25979},
		{0, 0x1b, 99, 0},         // no flock
		{0, 5, 77, 8},            // as Btrfs tells it
		{0, 5, 55, 0},            // two fit
		{0, 0x31, 55, 10},        // one fits better
		{0, 0x31, 44, 0},         // in another container
		{0xfe, 0x1b, 46296, 0},   // the end of another number
		{0xfe, 0x1b, 1462960, 0}, // the beginning of one
	} {
		if got := lockerIn(table, unix.Mkdev(tt.major, tt.minor), tt.inode); got != tt.want {
			t.Errorf("%+v: %d", tt, got)
		}
	}
}
