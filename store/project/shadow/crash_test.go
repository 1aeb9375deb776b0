package shadow

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// childEnv makes the test binary record a session until it is killed; it holds the folder to work in.
const childEnv = "DORMOUSE_TEST_SHADOW_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		record(dir)
		return
	}
	os.Exit(m.Run())
}

// storyTurns is how many turns the story has.
const storyTurns = 24

// story is a session with many turns, in a project below dir.
func story(dir string) *script {
	s := newScript()
	for i := range storyTurns {
		s.prompt(fmt.Sprint("turn ", i)).replace(filepath.Join(dir, "a"), long(200, i, "old"), "old", fmt.Sprint("new ", i)).
			create(filepath.Join(dir, "d", fmt.Sprint("f", i%7)), fmt.Sprint(i)).says("")
	}
	return s
}

func plain(dir string) Options {
	return Options{Dir: filepath.Join(dir, "shadow"), Secret: func(string) (bool, error) { return false, nil }}
}

// record records the story step by step, packing now and then.
func record(dir string) {
	s := story(filepath.Join(dir, "p"))
	store := New(plain(dir))
	for n := 3; n <= len(s.nodes); n += 3 {
		x := Session{ID: "c1", Agent: "codex", ProjectID: "proj_1", Cwd: filepath.Join(dir, "p"), History: s.nodes[:n]}
		if _, err := store.Record(context.Background(), x); err != nil {
			fmt.Println(err)
			os.Exit(3)
		}
		if n%15 == 0 {
			if _, err := store.Pack("proj_1", 1); err != nil {
				fmt.Println(err)
				os.Exit(3)
			}
		}
	}
}

// kills is how often the recorder is killed: more under `make stress`.
func kills() int {
	if os.Getenv("DORMOUSE_STRESS") != "" {
		return 200
	}
	return 4
}

func TestARecorderThatIsKilledLeavesAReadableHistoryAndGoesOn(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	began := time.Now()
	record(t.TempDir())
	full := time.Since(began)
	r := rand.New(rand.NewPCG(3, 4))
	w := &world{t: t, dir: filepath.Join(dir, "p"), opts: plain(dir)}
	for range kills() {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), childEnv+"="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.Int64N(int64(full))))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		w.s = New(w.opts)
		if _, err := os.Stat(w.s.Dir("proj_1")); err != nil {
			continue // killed before the first write
		}
		w.fsck()
		turns, err := w.s.Turns("proj_1", "c1")
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range turns {
			if _, list, err := w.s.Changes("proj_1", "c1", turn.N); err != nil || len(list) == 0 {
				t.Fatalf("turn %d: %v", turn.N, err)
			}
		}
		if r.IntN(3) == 0 { // begin anew now and then
			if err := os.RemoveAll(w.opts.Dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.s = New(w.opts)
	if _, err := w.s.Record(context.Background(), Session{ID: "c1", Agent: "codex", ProjectID: "proj_1", Cwd: w.dir, History: story(w.dir).nodes}); err != nil {
		t.Fatal(err)
	}
	w.fsck()
	other := &world{t: t, dir: w.dir, opts: plain(t.TempDir())}
	other.s = New(other.opts)
	if _, err := other.s.Record(context.Background(), Session{ID: "c1", Agent: "codex", ProjectID: "proj_1", Cwd: w.dir, History: story(w.dir).nodes}); err != nil {
		t.Fatal(err)
	}
	if a, b := w.git("rev-parse", "session/c1"), other.git("rev-parse", "session/c1"); a != b {
		t.Errorf("after the kills the branch is at %s, undisturbed at %s", a, b)
	}
}

func TestSeveralAgentsAreRecordedAtOnce(t *testing.T) {
	dir := t.TempDir()
	w := &world{t: t, dir: filepath.Join(dir, "p"), opts: plain(dir)}
	w.s = New(w.opts)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			s := story(w.dir)
			for n := 12; n <= len(s.nodes); n += 12 {
				x := Session{ID: fmt.Sprint("c", i), Agent: "codex", ProjectID: "proj_1", Cwd: w.dir, History: s.nodes[:n]}
				if _, err := w.s.Record(context.Background(), x); err != nil {
					t.Error(err)
				}
				if _, err := w.s.Turns("proj_1", x.ID); err != nil {
					t.Error(err)
				}
			}
			if _, err := w.s.Pack("proj_1", 1); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	w.fsck()
	for i := range 4 {
		if turns, err := w.s.Turns("proj_1", fmt.Sprint("c", i)); err != nil || len(turns) != storyTurns {
			t.Errorf("session %d: %d turns, %v", i, len(turns), err)
		}
	}
}
