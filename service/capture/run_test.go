package capture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/fsnotify/fsnotify"
)

// running runs the engine until the test ends.
func (w *world) running() {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.engine.Run(ctx) }()
	w.t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			w.t.Errorf("Run ended with %v", err)
		}
	})
}

// until waits for something to become true; the test fails when it does not.
func (w *world) until(what string, ok func() bool) {
	w.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ok() {
			return
		}
	}
	w.t.Fatalf("it did not happen: %s; status %+v", what, w.engine.Status())
}

func (w *world) count() int {
	n := 0
	for _, m := range w.sessions() {
		n += len(w.nodes(m.ID))
	}
	return n
}

func TestRunFollowsFilesThatGrowAndFoldersThatAppear(t *testing.T) {
	w := newWorld(t)
	w.now = time.Now()
	w.engine = New(w.options())
	w.write(w.claude(aUUID+".jsonl"), turn(0, w.now, "one", "1"))
	w.running()
	w.until("the first session", func() bool { return w.count() == 2 })
	w.append(w.claude(aUUID+".jsonl"), turn(1, w.now, "two", "2"))
	w.until("the second turn", func() bool { return w.count() == 4 })
	other := filepath.Join(w.home, ".claude", "projects", "-new-project", "22222222-2222-3333-4444-555555555555.jsonl")
	w.write(other, strings.ReplaceAll(turn(0, w.now, "other", "3"), "aaaa", "oooo"))
	w.until("a session in a new folder", func() bool { return w.count() == 6 })
}

func TestRunReadsALastMessageOfAFileThatKeptGrowing(t *testing.T) {
	w := newWorld(t)
	w.now = time.Now()
	w.engine = New(w.options())
	path := w.claude(aUUID + ".jsonl")
	w.write(path, turn(0, w.now, "start", "s"))
	w.running()
	w.until("the first turn", func() bool { return w.count() == 2 })
	for i := 1; i < 12; i++ {
		w.append(path, turn(i, w.now, fmt.Sprint("q", i), fmt.Sprint("a", i)))
		time.Sleep(quietAfter / 3)
	}
	w.until("all turns", func() bool { return w.count() == 24 })
	for i, n := range w.nodes(w.only().ID) {
		if i > 0 && n.ParentID == "" {
			t.Errorf("node %d is a root", i)
		}
	}
}

func TestAMessageThatWasHandedOverTooEarlyGoesOnInANodeOfItsOwn(t *testing.T) {
	for _, restart := range []bool{false, true} {
		t.Run(fmt.Sprint("restart ", restart), func(t *testing.T) {
			w := newWorld(t)
			path := w.claude(aUUID + ".jsonl")
			w.write(path, turn(0, w.now, "one", "first half"))
			w.scan()
			rest := strings.ReplaceAll(strings.SplitAfter(turn(0, w.now, "one", "second half"), "\n")[1], "aaaa-2", "aaaa-3")
			w.append(path, rest)
			if restart {
				w.restart()
			}
			w.scan()
			w.restart()
			w.append(path, turn(1, w.now, "two", "2"))
			w.scan()
			nodes := w.nodes(w.only().ID)
			var said []string
			for _, n := range nodes {
				if n.Role == memory.RoleAssistant {
					said = append(said, n.Output)
				}
			}
			if fmt.Sprint(said) != "[first half second half 2]" {
				t.Errorf("said %q", said)
			}
			if nodes[2].ParentID != memory.Ref(nodes[1].ID) {
				t.Errorf("the second half hangs on %q", nodes[2].ParentID)
			}
		})
	}
}

func TestRunGoesOnWhenTheFoldersVanishAndComeBack(t *testing.T) {
	w := newWorld(t)
	w.now = time.Now()
	w.engine = New(w.options())
	path := w.claude(aUUID + ".jsonl")
	w.write(path, turn(0, w.now, "one", "1"))
	w.running()
	w.until("the first turn", func() bool { return w.count() == 2 })
	if err := os.RemoveAll(filepath.Join(w.home, ".claude")); err != nil {
		t.Fatal(err)
	}
	w.write(path, turn(0, w.now, "one", "1")+turn(1, w.now, "two", "2"))
	w.scan() // the slow rescan would do the same a minute later
	w.until("the second turn", func() bool { return w.count() == 4 })
}

func TestWhatWasReadWhileItGrewIsFinishedWhenItIsQuiet(t *testing.T) {
	w := newWorld(t)
	path := w.claude(aUUID + ".jsonl")
	w.write(path, turn(0, w.now, "one", "1"))
	w.scan()
	w.append(path, turn(1, w.now, "two", "2"))
	only := map[string]bool{path: true}
	w.engine.follow(context.Background(), only, transcript.Growing)
	if n := w.count(); n != 3 {
		t.Errorf("%d nodes while the last message may go on, want 3", n)
	}
	w.engine.follow(context.Background(), only, transcript.Quiet)
	if n := w.count(); n != 4 {
		t.Errorf("%d nodes when all is quiet, want 4", n)
	}
}

func TestAFolderThatWasMovedIsWatchedAgain(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Dir(w.claude("x"))
	w.write(w.claude(aUUID+".jsonl"), "")
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Close()
	f := &follower{e: w.engine, w: watcher, since: map[string]times{}, watched: map[string]bool{}}
	f.watchRoots()
	moved := dir + "-moved"
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	told := func(wait time.Duration) bool { // takes one notice, if one comes in time
		select {
		case ev := <-watcher.Events:
			f.notice(ev)
			return true
		case <-time.After(wait):
			return false
		}
	}
	for told(300 * time.Millisecond) { // what the system tells of the move
	}
	clear(f.since)
	file := filepath.Join(moved, aUUID+".jsonl")
	for end := time.Now().Add(2 * time.Minute); ; {
		f.watchRoots() // a minute later, and every minute
		w.write(file, turn(0, w.now, "one", "1"))
		for told(time.Second) {
			if _, ok := f.since[file]; ok {
				return
			}
		}
		if time.Now().After(end) {
			t.Fatalf("nothing was noticed in the moved folder; watched are %q", watcher.WatchList())
		}
	}
}
