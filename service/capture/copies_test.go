package capture

import (
	"os"
	"path/filepath"
	"testing"

	"dormouse/service/capture/codex"
)

// TestCaseC4ARolloutInBothFoldersIsCapturedOnce has each sample of Codex in sessions and in archived_sessions when Dormouse starts.
func TestCaseC4ARolloutInBothFoldersIsCapturedOnce(t *testing.T) {
	samples, err := filepath.Glob(filepath.Join("codex", "testdata", "*.jsonl"))
	if err != nil || len(samples) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	counts := func(folders ...string) map[string]int {
		w := newWorld(t)
		for _, path := range samples {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, ok := codex.Identify(path, text, nil)
			if !ok || f.AgentID != "" {
				continue
			}
			for _, folder := range folders {
				w.write(filepath.Join(w.home, ".codex", folder, "rollout-2026-01-01T00-00-00-"+f.Session+".jsonl"), string(text))
			}
		}
		w.scan()
		w.restart()
		w.scan()
		out := map[string]int{}
		for _, m := range w.sessions() {
			out[m.AgentSessionID] = m.Nodes
		}
		return out
	}
	once, twice := counts("sessions"), counts("sessions", "archived_sessions")
	if len(once) < 5 || len(once) != len(twice) {
		t.Errorf("%d sessions, %d with the copies", len(once), len(twice))
	}
	for id, n := range once {
		if twice[id] != n {
			t.Errorf("session %s has %d nodes, with the copy %d", id, n, twice[id])
		}
	}
}
