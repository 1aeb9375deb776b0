package session

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"dormouse/store/memory"
)

const crashEnv = "DORMOUSE_TEST_CRASH"

// TestMain lets the test program be the process that is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv(crashEnv); dir != "" {
		if err := appendForEver(dir, os.Getenv(crashEnv+"_BULK") != ""); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// appendForEver appends turns to one session and says after each Close how many nodes are durable.
func appendForEver(dir string, bulk bool) error {
	x, err := New(Options{Dir: dir}).Ensure(memory.Session{Agent: "test", AgentSessionID: "crash"}, "tt")
	if err != nil {
		return err
	}
	for turn := x.Len()/5 + 1; ; turn++ {
		b := x.Begin(bulk)
		for _, n := range talk(turn, turn+1+turn%3) {
			if _, err := b.Append(n); err != nil {
				return err
			}
		}
		if err := b.Close(turn%2 == 0); err != nil {
			return err
		}
		fmt.Println(x.Len())
	}
}

// killedAfter runs appendForEver until it has said something a few times and for a moment more, kills it and gives what it
// said last.
func killedAfter(t *testing.T, dir string, bulk bool, times int, more time.Duration) int {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), crashEnv+"="+dir)
	if bulk {
		c.Env = append(c.Env, crashEnv+"_BULK=1")
	}
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	said, last := 0, 0
	kill := func() { time.AfterFunc(more, func() { _ = c.Process.Kill() }) }
	if times == 0 {
		kill()
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if n, err := strconv.Atoi(lines.Text()); err == nil {
			last = n
		}
		if said++; said == times {
			kill()
		}
	}
	if _ = c.Wait(); c.ProcessState.Exited() {
		t.Fatalf("it ended by itself: %s", errs.String())
	}
	return last // 0 when it came to say nothing
}

func TestKilledAtAnyMomentNothingDurableIsLost(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sessions")
	durable, known := 0, map[string]int{}
	var tips []string
	for round := range 20 {
		durable = max(durable, killedAfter(t, dir, round%3 == 2, rand.IntN(5), time.Duration(rand.IntN(30))*time.Millisecond))
		x, err := New(Options{Dir: dir}).Ensure(memory.Session{Agent: "test", AgentSessionID: "crash"}, "tt")
		if err != nil {
			t.Fatal(err)
		}
		nodes := all(t, x)
		if len(nodes) < durable {
			t.Fatalf("round %d: %d nodes, but %d were durable", round, len(nodes), durable)
		}
		seen := map[string]bool{}
		for i, n := range nodes {
			if seen[n.ID] || n.Seq != i+1 {
				t.Fatalf("round %d: node %s is there twice, or has number %d at place %d", round, n.ID, n.Seq, i+1)
			}
			seen[n.ID] = true
			if seq, ok := known[n.ID]; ok && seq != n.Seq {
				t.Fatalf("round %d: node %s moved from %d to %d", round, n.ID, seq, n.Seq)
			}
			known[n.ID] = n.Seq
		}
		if m := x.Meta(); len(nodes) > 0 && (m.Nodes != len(nodes) || string(m.HeadID) != nodes[len(nodes)-1].ID) {
			t.Errorf("round %d: meta.json says %d nodes, head %s; there are %d up to %s", round, m.Nodes, m.HeadID, len(nodes), nodes[len(nodes)-1].ID)
		}
		if len(nodes) == 0 {
			continue
		}
		if out := stock(t, x.Dir(), "fsck", "--strict", "--full", "--no-dangling"); out != "" {
			t.Errorf("round %d: git fsck says: %s", round, out)
		}
		if _, err := tryStock(x.Dir(), "rev-parse", "-q", "--verify", "HEAD"); err == nil {
			tips = append(tips, stock(t, x.Dir(), "rev-parse", "HEAD"))
			if n := len(tips); n > 1 { // what was committed stays an ancestor
				stock(t, x.Dir(), "merge-base", "--is-ancestor", tips[n-2], tips[n-1])
			}
		}
	}
	if durable < 20 || len(tips) < 5 {
		t.Errorf("only %d nodes and %d commits came about: the rounds are too short to show anything", durable, len(tips))
	}
	s := New(Options{Dir: dir})
	x, err := s.Open(memory.SessionID("tt", "test", "crash", 8))
	if err != nil {
		t.Fatal(err)
	}
	add(t, x, false, true, talk(x.Len()/5, x.Len()/5+2)...)
	if out := stock(t, x.Dir(), "fsck", "--strict", "--full", "--no-dangling"); out != "" {
		t.Errorf("git fsck says: %s", out)
	}
	clean(t, x)
	// Every turn has one commit, and the commits are those of a session that was never disturbed.
	calm, err := s.Ensure(memory.Session{Agent: "test", AgentSessionID: "calm"}, "tt")
	if err != nil {
		t.Fatal(err)
	}
	add(t, calm, true, true, talk(1, x.Len()/5+1)...)
	if a, b := shas(t, x), shas(t, calm); !slices.Equal(a, b) {
		t.Errorf("%d commits, of an undisturbed session %d", len(a), len(b))
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
