package daemon

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// Promises that no other test states.

func TestFoldersThatAreNoSessionsAreSkippedInListsAndCountedInTheStatus(t *testing.T) {
	p := learned(t)
	s := start(t, p)
	before, err := s.Sessions(t.Context(), api.SessionQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for name, meta := range map[string]string{"without": "-", "broken": `{"id": `, "list": "[]", "empty": ""} {
		dir := filepath.Join(p.Home.Sessions(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if meta == "-" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, "meta.json"), []byte(meta), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	after, err := s.Sessions(t.Context(), api.SessionQuery{})
	if err != nil || len(after) != len(before) {
		t.Errorf("%d sessions, before %d, %v", len(after), len(before), err)
	}
	if st, err := s.Status(t.Context()); err != nil || st.Counts.Invalid != 4 || st.Counts.Sessions != len(before) {
		t.Errorf("%+v, %v", st.Counts, err)
	}
}

func TestNoSessionExpiresInAServiceThatRunsForYears(t *testing.T) {
	p := learned(t)
	before := histories(t, p.Home.Dir())
	p.Now = func() time.Time { return clock().AddDate(100, 0, 0) }
	s := start(t, p)
	for range 2 {
		if err := s.daemon.keeper.round(t.Context(), func(string) {}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Sleep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if after := histories(t, p.Home.Dir()); after != before {
		t.Errorf("sessions were\n%s\nand are\n%s", before, after)
	}
}

func TestReadsAreNeverEmptyWhereACallNamesTheFileThatItRead(t *testing.T) {
	s := start(t, learned(t))
	list, err := s.Sessions(t.Context(), api.SessionQuery{})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, m := range list {
		x, err := s.daemon.sessions.Open(m.ID)
		if err != nil {
			t.Fatal(err)
		}
		for n, err := range x.Nodes(1) {
			if err != nil {
				t.Fatal(err)
			}
			path := readBy(&n)
			if path == "" {
				continue
			}
			calls++
			if !slices.ContainsFunc(n.Reads, func(r string) bool { return strings.HasPrefix(r, "file:") && strings.Contains(r, filepath.Base(path)) }) {
				t.Errorf("node %s of %s read %s; its reads are %+v", n.ID, m.ID, path, n.Reads)
			}
		}
	}
	if calls < 20 {
		t.Errorf("only %d calls read a file", calls)
	}
}

// readBy is the file that a call of the tool Read read.
func readBy(n *memory.Node) string {
	var in struct {
		Path string `json:"file_path"`
	}
	if n.Role != memory.RoleTool || n.Name != "Read" || n.Metadata.Status == memory.StatusError || json.Unmarshal(n.Input, &in) != nil {
		return ""
	}
	return in.Path
}

func TestTheCacheIsOf256SessionsUnlessTheEnvironmentSaysOtherwise(t *testing.T) {
	for text, want := range map[string]int{"": 256, "7": 7, "0": 256, "x": 256} {
		d := New(Params{Env: func(name string) string { return map[string]string{"DORMOUSE_SESSION_CACHE_CAP": text}[name] }})
		if got := d.cacheCap(); got != want || session.CacheSize != 256 {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
