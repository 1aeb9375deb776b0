//go:build unix

package index

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestALockThatAStartingProgramStillHasIsWaitedFor holds the database's lock for a moment, as a program does that was started while it was open.
func TestALockThatAStartingProgramStillHasIsWaitedFor(t *testing.T) {
	t.Parallel()
	ix := open(t, Options{Dir: filepath.Join(t.TempDir(), "index")})
	lock, err := os.Open(ix.opts.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close() //nolint:errcheck // opened for reading
	put(t, ix, note("a", "word"))
	fd := int(lock.Fd())
	for range 5 {
		rest(t, ix)
		if err := syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			t.Fatal(err)
		}
		let := make(chan error, 1)
		time.AfterFunc(20*time.Millisecond, func() { let <- syscall.Flock(fd, syscall.LOCK_UN) })
		if got := found(t, ix, Query{Text: "word"}); len(got) != 1 {
			t.Errorf("found %v", got)
		}
		if err := <-let; err != nil {
			t.Fatal(err)
		}
	}
}
