package gitsync

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Where the child of the crash test works; empty in its parent.
const (
	childDir    = "DORMOUSE_TEST_SYNC_DIR"
	childRemote = "DORMOUSE_TEST_SYNC_REMOTE"
)

// kills is how often a machine is killed: more under `make stress`.
func kills() int {
	if os.Getenv("DORMOUSE_STRESS") != "" {
		return 200
	}
	return 20
}

// live is a machine that learns and exchanges without end, and says what it has acknowledged.
func live(t *testing.T, dir, remote string) {
	m := machineAt(t, dir, "aa")
	if err := m.repo.SetRemoteURL(remote); err != nil {
		t.Fatal(err)
	}
	for i := len(strings.Split(m.knows(), ",")); ; i++ {
		name := fmt.Sprintf("kept %d of %d", i, os.Getpid())
		m.learn(name)
		fmt.Println("ack", name)
		if _, err := m.sync.Sync(t.Context()); err != nil {
			fmt.Println("failed", err)
		}
	}
}

func TestMachineKilledInTheMiddleOfAnExchangeLosesNothingAndBreaksNothingInBulk(t *testing.T) {
	if dir := os.Getenv(childDir); dir != "" {
		live(t, dir, os.Getenv(childRemote))
	}
	remote, dir := bare(t), t.TempDir()
	b := newMachine(t, "bb")
	b.setup(remote)
	r := rand.New(rand.NewPCG(3, 5))
	var acked []string
	for round := range kills() {
		acked = append(acked, killed(t, dir, remote, time.Duration(r.IntN(250))*time.Millisecond)...)
		b.learn(fmt.Sprint("b", round))
		b.exchange()
		for _, repo := range []string{dir, remote} {
			if out := git(t, repo, "fsck", "--strict", "--full", "--no-dangling"); out != "" {
				t.Fatalf("round %d: git fsck in %s says %s", round, repo, out)
			}
		}
	}
	a := machineAt(t, dir, "aa")
	a.exchange()
	b.exchange()
	a.exchange()
	known := strings.Split(a.knows(), ",")
	have := map[string]bool{}
	for _, k := range known {
		have[k] = true
	}
	for _, k := range acked {
		if !have[k] {
			t.Errorf("%q was acknowledged and is lost", k)
		}
	}
	if a.published() != b.published() || len(acked) < kills() {
		t.Errorf("a knows %d, %d were acknowledged; b knows %s", len(known), len(acked), b.knows())
	}
	a.sound()
	b.sound()
}

// killed runs the machine as a child and kills it some time after it has acknowledged something.
func killed(t *testing.T, dir, remote string, after time.Duration) (acked []string) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestMachineKilled")
	c.Env = append(os.Environ(), childDir+"="+dir, childRemote+"="+remote)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(out)
	for timer := (*time.Timer)(nil); ; {
		line, err := in.ReadString('\n')
		if err != nil {
			_, _ = io.Copy(io.Discard, in)
			break
		}
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "ack "); ok {
			acked = append(acked, name)
			if timer == nil {
				timer = time.AfterFunc(after, func() { _ = c.Process.Kill() })
			}
			continue
		}
		if !strings.Contains(line, "somebody else sent") { // what a git command left behind by the last kill was at
			t.Errorf("the machine said: %s", line)
		}
	}
	_ = c.Wait()
	return acked
}
