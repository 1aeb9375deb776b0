package daemon

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"dormouse/service/config"
)

func TestASurveyTellsWhatAgentsHaveAndWhatTheyAreAboutToDelete(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	t.Setenv("USERPROFILE", user)
	now := time.Date(2026, 5, 4, 18, 0, 0, 0, time.UTC)
	put := func(age time.Duration, path ...string) {
		t.Helper()
		file := filepath.Join(append([]string{user}, path...)...)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	const day = 24 * time.Hour
	put(0, ".claude", "settings.json")
	for name, age := range map[string]time.Duration{"new": day, "safe": 22 * day, "soon": 24 * day, "late": 40 * day} {
		put(age, ".claude", "projects", "-home-x", name+".jsonl")
	}
	put(200*day, ".codex", "sessions", "2026", "05", "01", "rollout-2026-05-01T10-00-00-x.jsonl")
	put(0, ".codex", "history.jsonl")
	noEnv := func(string) string { return "" }
	got, err := Survey(config.Default(), noEnv, now)
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v %v", got, err)
	}
	if c := got[0]; c.Agent != "claude-code" || c.Files != 4 || c.Bytes != 12 || c.Kept != 30*day || c.Soon != 2 || !c.Newest.Equal(now.Add(-day)) {
		t.Errorf("%+v", c)
	}
	if c := got[1]; c.Agent != "codex" || c.Files != 1 || c.Kept != 0 || c.Soon != 0 {
		t.Errorf("%+v", c)
	}
	cfg := config.Default()
	cfg.Capture.Roots = map[string][]string{"claude-code": {filepath.Join(user, ".claude", "projects"), filepath.Join(user, ".claude", "projects", "-home-x")}}
	cfg.Capture.Agents = []string{"claude-code"}
	if got, err = Survey(cfg, noEnv, now); err != nil || len(got) != 1 || got[0].Files != 4 {
		t.Errorf("folders that lie in one another: %+v %v", got, err)
	}
}
