package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// other starts a program that is not ours and lives as long as the test.
func other(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	if runtime.GOOS == "windows" {
		cmd = exec.Command("ping", "-n", "600", "127.0.0.1")
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("no such program: %v", err)
	}
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	return cmd.Process.Pid
}

func TestAProcessIsNamedByItsProgram(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if got := Name(os.Getpid()); got != filepath.Base(own) {
		t.Errorf("this process is %q", got)
	}
	if !IsOurs(os.Getpid()) {
		t.Error("this process is not ours")
	}
	pid := other(t)
	if n := Name(pid); n == "" || IsOurs(pid) {
		t.Errorf("%q is ours: %v", n, IsOurs(pid))
	}
	if said := Said(pid); !strings.HasPrefix(said, "process "+strconv.Itoa(pid)+" (") {
		t.Errorf("%q", said)
	}
	if !strings.Contains(HowToEnd(pid), strconv.Itoa(pid)) {
		t.Errorf("%q", HowToEnd(pid))
	}
}

func TestAProcessThatIsGoneHasNoName(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	gone := cmd.Process.Pid
	for _, pid := range []int{0, -1, gone} {
		if n := Name(pid); n != "" {
			t.Errorf("process %d is %q", pid, n)
		}
	}
	if said := Said(gone); said != "process "+strconv.Itoa(gone) {
		t.Errorf("%q", said)
	}
}
