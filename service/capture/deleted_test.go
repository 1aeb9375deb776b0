package capture

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"dormouse/store/memory"
	"dormouse/store/session"
)

func TestADeletedSessionDoesNotComeBackWithItsTranscript(t *testing.T) {
	for name, restart := range map[string]bool{"in the same life": false, "in the next one": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			path := w.claude(aUUID + ".jsonl")
			w.write(path, turn(0, w.now, "one", "1")+turn(1, w.now, "two", "2"))
			w.scan()
			id := w.only().ID
			if err := w.store.Delete(id); err != nil {
				t.Fatal(err)
			}
			if restart {
				w.restart()
			}
			w.scan()
			w.append(path, turn(2, w.now, "three", "3"))
			w.scan()
			jobs := 0
			w.engine.o.Progress = func(p Progress) { jobs = p.FilesTotal }
			w.scan()
			if jobs != 0 {
				t.Error("its transcript is read again and again")
			}
			if err := w.engine.CommitOpen(context.Background(), 0); err != nil {
				t.Fatal(err)
			}
			w.problems(0)
			if n := len(w.sessions()); n != 0 {
				t.Fatalf("%d sessions", n)
			}
			// Undone, it is captured whole, without a new line.
			g, err := w.store.Undelete(id)
			if err != nil || !w.engine.Recapture(g.Meta.Agent, g.Meta.AgentSessionID) {
				t.Fatalf("%+v %v", g, err)
			}
			w.scan()
			w.problems(0)
			if m := w.only(); m.ID != id || m.Turns != 3 || len(w.nodes(id)) != 6 {
				t.Errorf("%+v", m)
			}
		})
	}
	w := newWorld(t)
	w.write(w.claude(aUUID+".jsonl"), turn(0, w.now, "one", "1"))
	w.scan()
	m := w.only()
	if err := w.store.Delete(m.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.store.Undelete(m.ID); err != nil || !w.engine.Recapture(m.Agent, m.AgentSessionID) {
		t.Fatal(err)
	}
	if w.scan(); len(w.nodes(m.ID)) != 2 {
		t.Error("undone at once, it is not captured again")
	}
	w = newWorld(t)
	if w.engine.Recapture("claude-code", aUUID) {
		t.Error("a session without a transcript can be read")
	}
}

func TestANewSessionIsPutWhereItsProjectWantsItAndFollowsAMovedProject(t *testing.T) {
	w := newWorld(t)
	root := t.TempDir()
	shop, moved := filepath.Join(root, "shop"), filepath.Join(root, "a", "shop")
	for _, dir := range []string{shop, filepath.Dir(moved)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.store = session.New(session.Options{Dir: filepath.Join(t.TempDir(), "sessions"), Machine: "00000000", Temps: []string{},
		Inside: func(m memory.Session) string { return map[string]string{"proj_shop": shop}[m.ProjectID] }})
	options := w.options()
	options.Project = projectFunc(func(Place) (string, error) {
		_, err := w.store.Discover(moved)
		return "proj_shop", err
	})
	w.engine = New(options)
	path := w.claude(aUUID + ".jsonl")
	w.write(path, turn(0, w.now, "one", "1"))
	w.scan()
	x, err := w.store.Open(w.only().ID)
	if err != nil || filepath.Dir(filepath.Dir(filepath.Dir(x.Dir()))) != shop {
		t.Fatalf("it lives in %s, %v", x.Dir(), err)
	}
	if err := os.Rename(shop, moved); err != nil {
		t.Fatal(err)
	}
	w.append(path, turn(1, w.now, "two", "2"))
	w.now = w.now.Add(time.Hour)
	w.scan()
	w.problems(0)
	if m := w.only(); m.Turns != 2 || x.Dir() != filepath.Join(moved, ".dormouse", "sessions", m.ID) {
		t.Errorf("%+v in %s", m, x.Dir())
	}
	if _, err := os.Stat(shop); !errors.Is(err, os.ErrNotExist) {
		t.Error("the old folder was made anew")
	}
}
