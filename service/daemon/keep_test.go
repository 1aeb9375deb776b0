package daemon

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/store/home"
)

func TestAThawedSessionIsThereToBeReadForADay(t *testing.T) {
	p := learned(t)
	var later atomic.Int64
	p.Now = func() time.Time { return clock().Add(time.Duration(later.Load())) }
	s := start(t, p)
	id, _ := largest(t, s)
	round := func() {
		t.Helper()
		if err := s.daemon.keeper.round(t.Context(), func(string) {}); err != nil {
			t.Fatal(err)
		}
	}
	round()
	got, err := s.Thaw(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	files := func() int { list, _ := os.ReadDir(filepath.Join(got.Dir, "history")); return len(list) }
	if files() != got.Session.Nodes {
		t.Errorf("%d files of %d nodes", files(), got.Session.Nodes)
	}
	if round(); files() != got.Session.Nodes {
		t.Error("it is packed at once")
	}
	if out := git(t, got.Dir, "status", "--porcelain"); out != "" {
		t.Errorf("git status: %s", out)
	}
	later.Store(int64(25 * time.Hour))
	if round(); files() != 0 {
		t.Errorf("%d files are left after a day", files())
	}
	if out := git(t, got.Dir, "status", "--porcelain"); out != "" {
		t.Errorf("git status: %s", out)
	}
}

// TestColdSessionsTakeFewFilesAndHalfOfTheirTranscripts checks what an idle session takes on the disk against what its agent wrote.
func TestColdSessionsTakeFewFilesAndHalfOfTheirTranscripts(t *testing.T) {
	roots := samples(t)
	raw := map[string]int64{} // bytes of transcripts by what names them
	err := filepath.WalkDir(roots, func(path string, d fs.DirEntry, err error) error {
		if info, ierr := d.Info(); ierr == nil && !d.IsDir() {
			raw[path] = info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, params(t.TempDir(), roots))
	if err := s.daemon.keeper.round(t.Context(), func(string) {}); err != nil {
		t.Fatal(err)
	}
	list, err := s.Sessions(t.Context(), api.SessionQuery{})
	if err != nil || len(list) < 9 {
		t.Fatalf("%d sessions, %v", len(list), err)
	}
	for _, m := range list {
		x, err := s.daemon.sessions.Open(m.ID)
		if err != nil {
			t.Fatal(err)
		}
		w, err := x.Weigh()
		if err != nil {
			t.Fatal(err)
		}
		transcript := int64(0)
		for path, size := range raw {
			if strings.Contains(path, m.AgentSessionID) {
				transcript += size
			}
		}
		t.Logf("%s %5d nodes %9d bytes of transcript %8d bytes (%.2f) %2d files", m.ID, m.Nodes, transcript, w.Bytes, float64(w.Bytes)/float64(transcript), w.Files)
		if !w.Cold() || w.Files > 15 || w.Bytes*2 > transcript {
			t.Errorf("%s: %+v of %d bytes of transcript", m.ID, w, transcript)
		}
	}
}

func TestASessionWhoseRepositoryWasMovedAwayIsCapturedAgainThoughNobodyOpensIt(t *testing.T) {
	p := learned(t)
	dir := p.Home.Dir()
	folder := filepath.Join(home.At(dir).Sessions(), "cc_0e37e357")
	want := strings.TrimSpace(git(t, folder, "rev-parse", "main"))
	if err := os.Rename(filepath.Join(folder, ".git"), filepath.Join(t.TempDir(), "aside")); err != nil {
		t.Fatal(err)
	}
	s := start(t, p)
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) { // the service's own round may have begun
		if err := errors.Join(s.daemon.keeper.round(t.Context(), func(string) {}), s.daemon.engine.Scan(t.Context())); err != nil {
			t.Fatal(err)
		}
		x, err := s.daemon.sessions.Open("cc_0e37e357")
		if err != nil {
			t.Fatal(err)
		}
		commits, err := x.Commits()
		if err == nil && len(commits) > 0 && commits[0].SHA == want {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%v, commits %v, and the newest was %s; capture: %+v", err, commits, want, s.daemon.engine.Status().Problems)
		}
	}
}
