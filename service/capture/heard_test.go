package capture

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestCaseC3TenIdenticalHooksAtOnceHaveASessionReadOnceWithoutAScan(t *testing.T) {
	w := newWorld(t)
	w.now = time.Now()
	w.engine = New(w.options())
	path := w.claude(aUUID + ".jsonl")
	w.write(path, turn(0, w.now, "one", "1"))
	w.engine.Hear(t.Context(), Heard{Agent: "claude-code", Path: path, Session: aUUID})
	if n := w.count(); n != 1 {
		t.Errorf("%d nodes while the last message may go on, want the prompt alone", n)
	}
	w.append(path, turn(1, w.now, "two", "2"))
	hooks := func(h Heard) {
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { w.engine.Hear(t.Context(), h) })
		}
		all.Wait()
	}
	hooks(Heard{Session: aUUID, Over: true})
	before, err := w.store.Open(w.only().ID)
	if err != nil {
		t.Fatal(err)
	}
	commits, err := before.Commits()
	if err != nil || len(commits) != 2 {
		t.Errorf("%d commits, %v", len(commits), err)
	}
	hooks(Heard{Agent: "claude-code", Path: path, Session: aUUID})
	if n := w.count(); n != 4 {
		t.Errorf("%d nodes after the end of the session, want 4", n)
	}
	w.problems(0)
}

func TestAHookThatTellsOfAFolderThatIsNotWatchedIsAProblemWithItsRemedy(t *testing.T) {
	w := newWorld(t)
	other := filepath.Join(t.TempDir(), "projects", "-p", aUUID+".jsonl")
	w.write(other, turn(0, w.now, "one", "1"))
	w.engine.Hear(t.Context(), Heard{Agent: "claude-code", Path: other, Session: aUUID})
	if len(w.sessions()) != 0 {
		t.Error("a file outside the agents' folders was read")
	}
	if p := w.problems(1)[0]; !strings.Contains(p.What, "capture.roots") || !strings.Contains(p.What, other) {
		t.Errorf("problem %+v", p)
	}
}

func TestAHookThatTellsOfNothingThatIsThereIsPassedOver(t *testing.T) {
	w := newWorld(t)
	for _, h := range []Heard{{}, {Session: "unknown"}, {Path: filepath.Join(t.TempDir(), "gone.jsonl")}, {Path: "\x00"}} {
		w.engine.Hear(t.Context(), h)
	}
	w.problems(0)
}

func TestAHookHasASessionInADatabaseReadWithoutAScan(t *testing.T) {
	w := newWorld(t)
	db := owner(t, w.opencode(), "PRAGMA journal_mode=WAL", ocTables, ocSession("a", w.now), ocTurn("a", 1, "one", "1"))
	w.scan()
	run(t, db, ocTurn("a", 2, "two", "2"))
	for range 10 {
		w.engine.Hear(t.Context(), Heard{Agent: "opencode", Session: "a"})
	}
	if n := w.count(); n != 4 {
		t.Errorf("%d nodes after the hook, want 4", n)
	}
	run(t, db, ocTurn("a", 3, "three", "3"))
	w.engine.Hear(t.Context(), Heard{Agent: "claude-code", Session: "a"})
	if n := w.count(); n != 4 {
		t.Errorf("%d nodes after another agent's hook, want 4", n)
	}
	w.problems(0)
}
