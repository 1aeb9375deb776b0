package home

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestALockThatAnotherProgramHoldsIsSaidWithItsProgram has a program that is no Dormouse lock the file, as a script or a mistaken flock(1) would.
func TestALockThatAnotherProgramHoldsIsSaidWithItsProgram(t *testing.T) {
	flock, err := exec.LookPath("flock")
	if err != nil {
		t.Skip("there is no flock(1) here")
	}
	h := At(t.TempDir())
	if err := Mkdir(h.Run()); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(flock, "--no-fork", h.LockFile(), "sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	for { // go test's own limit ends it
		if free, err := h.Free(); err == nil && !free {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if err := os.WriteFile(h.Run()+"/pid", []byte("1\n"), 0o600); err != nil { // of a service that is gone
		t.Fatal(err)
	}
	if pid, err := h.Holder(); pid != cmd.Process.Pid || err != nil {
		t.Errorf("held by %d, %v; not by %d", pid, err, cmd.Process.Pid)
	}
	_, err = h.Lock()
	if !errors.Is(err, ErrLocked) {
		t.Fatal(err)
	}
	for _, want := range []string{strconv.Itoa(cmd.Process.Pid) + " (sleep)", h.LockFile(), "kill ", EnvHome} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not said: %v", want, err)
		}
	}
}
