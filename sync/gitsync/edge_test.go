package gitsync

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dormouse/store/gitrepo"
)

func TestPauseWaitsOrEndsWithTheCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := pause(t.Context(), time.Second); err != nil || time.Since(began) != time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := pause(ctx, time.Hour); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}

func TestOneExchangeRunsAtATimeAndAnotherGivesUpWithItsCaller(t *testing.T) {
	t.Parallel()
	remote, a, _ := pair(t)
	if err := a.sync.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := a.sync.Sync(ctx)
	_, setupErr := a.sync.Setup(ctx, remote, false)
	if !errors.Is(err, context.Canceled) || !errors.Is(setupErr, context.Canceled) || !errors.Is(a.sync.Off(ctx), context.Canceled) {
		t.Errorf("%v %v", err, setupErr)
	}
	a.sync.end()
	a.exchange()
}

func TestTwoEmptyMachinesHaveNothingToExchange(t *testing.T) {
	t.Parallel()
	remote, a := bare(t), newMachine(t, "aa")
	if res := a.setup(remote); res != (Result{}) {
		t.Errorf("%+v", res)
	}
	if out, err := tryGit(remote, "rev-parse", "-q", "--verify", "main"); err == nil {
		t.Errorf("something was sent: %s", out)
	}
}

func TestWhatWasSetAsideStaysInForceWhenTheRemoteDropsTheLog(t *testing.T) {
	t.Parallel()
	remote, a, _ := pair(t)
	tamper(t, remote, func(dir string) {
		edit(t, filepath.Join(dir, "log", "bb", "2026-06-18.jsonl"), func(s string) string { return strings.ReplaceAll(s, "b1", "b9") })
	})
	a.exchange()
	known := files(t, a.dir, "log/bb")
	tamper(t, remote, func(dir string) { _ = os.RemoveAll(filepath.Join(dir, "log", "bb")) })
	a.exchange()
	a.open()
	if files(t, a.dir, "log/bb") != known || a.knows() != "a1,a2,b1,b2" {
		t.Errorf("a knows %s", a.knows())
	}
	x := a.repo.Reader()
	defer x.Close() //nolint:errcheck // test
	have, err := logsIn(x, a.head())
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"log/aa/2026-06-18.jsonl": true, "log/bb/2026-06-18.jsonl": false} {
		if got := InForce(a.dir, path, have[path]); got != want {
			t.Errorf("%s in force: %v", path, got)
		}
	}
	if InForce(a.dir, "../x", have["log/aa/2026-06-18.jsonl"]) || InForce(a.dir, "log/aa/2026-06-18.jsonl", gitrepo.TreeEntry{Mode: 0o120000}) {
		t.Error("what is no log counts as in force")
	}
	// Deleting what was set aside is how a person takes the remote's version.
	if err := os.RemoveAll(filepath.Join(a.dir, asideDir)); err != nil {
		t.Fatal(err)
	}
	a.exchange()
	a.open()
	if a.knows() != "a1,a2,b2,b9" {
		t.Errorf("a knows %s", a.knows())
	}
}

func TestDamagedNoteOfWhatWasSetAsideIsSaid(t *testing.T) {
	t.Parallel()
	_, a, _ := pair(t)
	note := filepath.Join(a.dir, asideDir, "bb", "2026-06-18.jsonl"+reasonExt)
	edit(t, note, func(string) string { return "{" })
	if _, err := a.sync.Sync(t.Context()); err == nil || !strings.Contains(err.Error(), note) {
		t.Errorf("%v", err)
	}
}

func TestFailuresOfTheCallerAreErrorsOfTheExchange(t *testing.T) {
	t.Parallel()
	remote, a, b := pair(t)
	b.learn("b3")
	b.exchange()
	full := errors.New("disk full")
	a.sync.o.Joined = func(context.Context) (int, error) { return 0, full }
	if _, err := a.sync.Sync(t.Context()); !errors.Is(err, full) || !strings.Contains(err.Error(), "from other machines") {
		t.Errorf("%v", err)
	}
	a.sync.o.Commit = func() error { return full }
	if _, err := a.sync.Sync(t.Context()); !errors.Is(err, full) || !strings.Contains(err.Error(), "own log") {
		t.Errorf("%v", err)
	}
	_ = remote
}

func TestLogThatCannotBeWrittenStopsTheExchangeBeforeTheBranchMoves(t *testing.T) {
	t.Parallel()
	remote, a := bare(t), newMachine(t, "aa")
	b := newMachine(t, "bb")
	b.learn("b1")
	b.setup(remote)
	a.learn("a1")
	edit(t, filepath.Join(a.dir, "log", "bb"), func(string) string { return "a file in the way" })
	before := a.head()
	if _, err := a.sync.Setup(t.Context(), remote, false); err == nil || !strings.Contains(err.Error(), "log/bb") {
		t.Errorf("%v", err)
	}
	if a.head() != before {
		t.Error("the branch moved")
	}
	if err := os.Remove(filepath.Join(a.dir, "log", "bb")); err != nil {
		t.Fatal(err)
	}
	a.setup(remote)
	if a.knows() != "a1,b1" {
		t.Errorf("a knows %s", a.knows())
	}
}

func TestJoinOfManyMachinesCountsThem(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	ms := []*machine{newMachine(t, "aa")}
	ms[0].learn("x0")
	ms[0].setup(remote)
	for i := range 5 {
		m := newMachine(t, fmt.Sprintf("b%d", i))
		m.learn(fmt.Sprint("y", i))
		m.setup(remote)
		ms = append(ms, m)
	}
	if got := git(t, remote, "log", "-1", "--format=%s", "main"); got != "Join the logs of 6 machines" {
		t.Errorf("%q", got)
	}
	ms[0].exchange()
	if got := len(strings.Split(ms[0].knows(), ",")); got != 6 {
		t.Errorf("%d events", got)
	}
	ms[0].sound()
}
