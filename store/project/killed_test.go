package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// A process that is to be killed runs this test with a work tree in its environment.
const doomedEnv = "DORMOUSE_TEST_DOOMED"

func TestDoomed(t *testing.T) {
	dir := os.Getenv(doomedEnv)
	if dir == "" {
		t.Skip("it is the process that the test below kills")
	}
	d := newDesk()
	d.Begin(t.Context(), turn(dir))
	edit(t, dir)
	d.End(t.Context(), turn(dir))
}

func awaitFile(path string) {
	for {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestAServiceThatIsKilledInACommitLosesNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the hook that this test plants is a script for sh")
	}
	settle(t)
	for hook, want := range map[string]struct{ status, commits string }{"exit 0": {"", "2"}, "exit 1": {"M  a.txt", "1"}} {
		dir := work(t)
		started, release := filepath.Join(t.TempDir(), "started"), filepath.Join(t.TempDir(), "release")
		script(t, filepath.Join(dir, ".git", "hooks", "pre-commit"), ": > '"+started+"'; while test -e '"+started+"' && ! test -e '"+release+"'; do sleep 0.05; done; "+hook)
		doomed := exec.Command(os.Args[0], "-test.run=^TestDoomed$")
		doomed.Env = append(os.Environ(), doomedEnv+"="+dir)
		if err := doomed.Start(); err != nil {
			t.Fatal(err)
		}
		awaitFile(started)
		if err := doomed.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = doomed.Wait() // it was killed
		put(t, release, "")
		for { // git goes on by itself, and puts its lock away
			if _, err := os.Stat(filepath.Join(dir, ".git", "index.lock")); err != nil && mine(t, dir, "--no-optional-locks", "rev-list", "--count", "HEAD") == want.commits {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		sound(t, dir)
		if got := mine(t, dir, "--no-optional-locks", "status", "--porcelain"); got != want.status {
			t.Errorf("%s: status %q, want %q", hook, got, want.status)
		}
		if b, err := os.ReadFile(filepath.Join(dir, "a.txt")); err != nil || string(b) != "changed by the agent\n" {
			t.Errorf("%s: the agent's work is %q, %v", hook, b, err)
		}
		d := newDesk()
		out := d.during(t, dir, func() { put(t, filepath.Join(dir, "b"), "next\n") })
		if hook == "exit 1" && out.Reason != NotClean || hook == "exit 0" && out.Commit == "" {
			t.Errorf("%s: the next turn: %+v", hook, out)
		}
	}
}
