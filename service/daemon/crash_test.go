package daemon

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/assets"
	"dormouse/service/api"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(actClaude); dir != "" {
		playClaude(dir)
		os.Exit(0)
	}
	code := m.Run()
	dropGrown()
	os.Exit(code)
}

// histories lists the commits of all sessions: equal nodes give equal commits.
func histories(t *testing.T, homeDir string) string {
	t.Helper()
	var out []string
	for _, dir := range repositories(t, homeDir)[1:] {
		out = append(out, filepath.Base(dir)+" "+strings.Join(strings.Fields(git(t, dir, "log", "--format=%H")), " "))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func TestLiveSessionIsFollowedAndLearnedFromWhenToldTo(t *testing.T) {
	all, roots := samples(t), t.TempDir()
	var file string
	_ = filepath.WalkDir(filepath.Join(all, filepath.FromSlash(assets.SampleClaude)), func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(p, "agents-md-evaluator") && d.Type().IsRegular() {
			file = p
		}
		return err
	})
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rel, _ := filepath.Rel(all, file)
	path := filepath.Join(roots, rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	s := start(t, params(t.TempDir(), roots))
	changes := make(chan api.Change, 1000)
	go func() {
		for c, err := range s.Events(t.Context()) {
			if err != nil {
				return
			}
			changes <- c
		}
	}()
	half := len(whole) / 2
	if err := os.WriteFile(path, whole[:half], 0o600); err != nil { // ends in the middle of a line
		t.Fatal(err)
	}
	awaitChange(t, changes, "session_updated")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(whole[half:]); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	awaitChange(t, changes, "session_updated")
	slept, err := s.Sleep(t.Context())
	if err != nil || slept.Run.Counts.Events == 0 {
		t.Fatalf("%+v %v", slept, err)
	}
	line, err := s.Timeline(t.Context(), api.TimelineQuery{})
	if err != nil || line.Total != slept.Run.Counts.Events {
		t.Errorf("%d events in the timeline, %+v, %v", line.Total, slept.Run.Counts, err)
	}
}

func awaitChange(t *testing.T, changes <-chan api.Change, kind string) {
	t.Helper()
	for {
		select {
		case c := <-changes:
			if c.Type == kind {
				return
			}
		case <-t.Context().Done():
			t.Fatalf("no %s", kind)
		}
	}
}
