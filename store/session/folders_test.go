package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dormouse/store/memory"
)

func TestFoldersListsTheSessionsInProjectsTooAndOnlyReads(t *testing.T) {
	dir, project := t.TempDir(), t.TempDir()
	write := func(path string, v any) {
		t.Helper()
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	meta := func(id string) memory.Session {
		return memory.Session{ID: id, Agent: "claude-code", AgentSessionID: "a-" + id}
	}
	own, there := filepath.Join(dir, "cc_1"), filepath.Join(inside(project), "cc_2")
	write(filepath.Join(own, metaFile), meta("cc_1"))
	write(filepath.Join(there, metaFile), meta("cc_2"))
	write(filepath.Join(dir, "no session", "x"), 1)
	write(filepath.Join(dir, locationsFile), map[string]Location{"cc_2": {Path: project}, "cc_3": {Path: filepath.Join(project, "gone")}})
	want := []string{own, there}
	slices.Sort(want)
	if got, err := Folders(dir); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if err := os.WriteFile(filepath.Join(dir, locationsFile), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Folders(dir); err == nil {
		t.Error("a broken index of places is no error")
	}
	if b, err := os.ReadFile(filepath.Join(dir, locationsFile)); err != nil || string(b) != "{" {
		t.Errorf("it was changed to %q, %v", b, err)
	}
	if got, err := Folders(filepath.Join(dir, "gone")); err != nil || len(got) != 0 {
		t.Errorf("no store: %v, %v", got, err)
	}
}
