package socket

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// TestTheHolderIsTheProcessThatListens asks who listens at three doors: nobody, this process, and another one, which this test program is too.
func TestTheHolderIsTheProcessThatListens(t *testing.T) {
	if home := os.Getenv("DORMOUSE_TEST_LISTENS"); home != "" {
		ln, err := Listen(home)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("listens")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // until the other one has seen enough
		_ = ln.Close()
		return
	}
	if pid := Holder(t.Context(), t.TempDir()); pid != 0 {
		t.Errorf("nobody listens, and it is process %d", pid)
	}
	own := t.TempDir()
	ln, err := Listen(own)
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close() //nolint:errcheck // test
	if pid := Holder(t.Context(), own); pid != os.Getpid() {
		t.Errorf("process %d listens, and it is process %d", os.Getpid(), pid)
	}
	home := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestTheHolderIsTheProcessThatListens$")
	cmd.Env = append(os.Environ(), "DORMOUSE_TEST_LISTENS="+home)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if said, err := bufio.NewReader(out).ReadString('\n'); said != "listens\n" {
		t.Errorf("%q %v", said, err)
	}
	if pid := Holder(t.Context(), home); pid != cmd.Process.Pid {
		t.Errorf("process %d listens, and it is process %d", cmd.Process.Pid, pid)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if pid := Holder(gone, home); pid != 0 {
		t.Errorf("somebody who does not wait was told %d", pid)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
