package doctor

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"dormouse/store/home"
)

func TestAStateFolderThatCannotBeMadeIsSaid(t *testing.T) {
	above := t.TempDir()
	for dir, mode := range map[string]os.FileMode{filepath.Dir(above): 0o755, above: 0o555} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
	}
	found := make(chan []Finding)
	go func() {
		runtime.LockOSThread() // for good: the thread is nobody's from here on, and ends with this
		if os.Getuid() == 0 {
			_, _, _ = unix.RawSyscall(unix.SYS_SETRESUID, 65534, 65534, 65534)
		}
		found <- Folder(home.At(filepath.Join(above, "a", "b"))).Look(t.Context())
	}()
	if f := <-found; len(f) != 1 {
		t.Errorf("%+v", f)
	} else {
		want(t, f[0], Fail, above+" cannot be written to")
	}
	want(t, one(t, Folder(home.At(filepath.Join(t.TempDir(), "a", "b")))), Warn, "dormouse up makes it")
}
