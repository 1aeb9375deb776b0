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

// aTurn is how many nodes a turn of talk has.
const aTurn = 5

const crashEnv = "DORMOUSE_TEST_CRASH"

// TestMain lets the test program be the process that is killed.
func TestMain(m *testing.M) {
	fewNodes = aTurn + 1 // so that short histories have all files, and those of one turn do not
	if dir := os.Getenv(crashEnv); dir != "" {
		tell := talk
		if os.Getenv(crashEnv+"_TANGLED") != "" {
			tell = tangle
		}
		if err := appendForEver(dir, os.Getenv(crashEnv+"_BULK") != "", tell); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// appendForEver appends turns to one session and says after each Close how many nodes are durable.
func appendForEver(dir string, bulk bool, tell func(from, to int) []memory.Node) error {
	x, err := New(Options{Dir: dir}).Ensure(memory.Session{Agent: "test", AgentSessionID: "crash"}, "tt")
	if err != nil {
		return err
	}
	for turn := x.Len()/5 + 1; ; turn++ {
		b := x.Begin(bulk)
		for _, n := range tell(turn, turn+1+turn%3) {
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
func killedAfter(t *testing.T, dir string, bulk, tangled bool, times int, more time.Duration) int {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), crashEnv+"="+dir)
	if bulk {
		c.Env = append(c.Env, crashEnv+"_BULK=1")
	}
	if tangled {
		c.Env = append(c.Env, crashEnv+"_TANGLED=1")
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
	kill := func() { // what it says meanwhile waits in the pipe
		time.Sleep(more)
		_ = c.Process.Kill()
	}
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
	for round := range kills() {
		durable = max(durable, killedAfter(t, dir, round%3 == 2, false, round%5, time.Duration(rand.IntN(30))*time.Millisecond))
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

// tangle is talk in which every third turn's first answer is tried again, every fourth prompt goes on from three turns before,
// and the last node of every fifth turn is a sub-agent's that the turn before called.
func tangle(from, to int) []memory.Node {
	out := talk(from, to)
	id := func(turn, i int) memory.Ref {
		return memory.Ref(memory.NodeID("test", fmt.Sprint(turn), fmt.Sprint(i)))
	}
	for i := range out {
		n, turn, at := &out[i], from+i/5, i%5
		switch {
		case at == 0 && turn%4 == 0 && turn > 3:
			n.ParentID = id(turn-3, 3)
		case at == 4 && turn%3 == 0:
			n.ParentID = id(turn, 0)
		case at == 4 && turn%5 == 0:
			n.ParentID, n.CalledBy, n.Metadata.AgentID = "", id(turn-1, 2), "sub"
		}
	}
	return out
}

func TestKilledAtAnyMomentBranchesAreThoseOfAnUndisturbedSession(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sessions")
	open := func(id string) *Session {
		x, err := New(Options{Dir: dir}).Ensure(memory.Session{Agent: "test", AgentSessionID: id}, "tt")
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for round := range 12 {
		durable := killedAfter(t, dir, round%3 == 2, true, 1+rand.IntN(4), time.Duration(rand.IntN(30))*time.Millisecond)
		x := open("crash")
		if x.Len() < durable {
			t.Fatalf("round %d: %d nodes, but %d were durable", round, x.Len(), durable)
		}
		if out := stock(t, x.Dir(), "fsck", "--strict", "--full", "--no-dangling"); out != "" {
			t.Errorf("round %d: git fsck says: %s", round, out)
		}
	}
	x, calm := open("crash"), open("calm")
	turns := x.Len()/5 + 2
	add(t, x, false, true, tangle(x.Len()/5, turns)...)
	add(t, calm, true, true, tangle(1, turns)...)
	if a, b := refsOf(t, x), refsOf(t, calm); a != b || strings.Count(a, "\n") < 5 {
		t.Errorf("after crashes there are\n%s\nand without\n%s", a, b)
	}
	wellBranched(t, x)
	clean(t, x)
}

// kills is how often a process is killed: more under `make stress`.
func kills() int {
	if os.Getenv("DORMOUSE_STRESS") != "" {
		return 200
	}
	return 20
}
