package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"dormouse/store/memory"
)

func TestASessionFromTheFutureGrewWhenItWasWrittenDown(t *testing.T) {
	s := New(Options{Dir: t.TempDir(), Machine: "00000000"})
	defer s.Close()
	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	x, err := s.Ensure(memory.Session{Agent: "claude-code", AgentSessionID: "a"}, "cc")
	if err != nil {
		t.Fatal(err)
	}
	b := x.Begin(false)
	if _, err := b.Append(memory.Node{ID: "n1", Role: memory.RoleUser, CreatedAt: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), Metadata: memory.Metadata{Kind: memory.KindPrompt}}); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(false); err != nil {
		t.Fatal(err)
	}
	wrote := now.Add(-time.Hour)
	path := filepath.Join(x.Dir(), metaFile)
	if err := os.Chtimes(path, wrote, wrote); err != nil {
		t.Fatal(err)
	}
	if at := s.GrewAt(x.Meta(), now); !at.Equal(wrote) {
		t.Errorf("it grew at %s, want %s", at, wrote)
	}
	if err := os.Chtimes(path, now.Add(time.Hour), now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if at := s.GrewAt(x.Meta(), now); now.Sub(at) < 24*time.Hour {
		t.Errorf("the clock was set back, and it grew at %s", at)
	}
	past := memory.Session{ID: "none", UpdatedAt: wrote.Unix()}
	if at := s.GrewAt(past, now); !at.Equal(wrote) || !s.GrewAt(memory.Session{ID: "none", UpdatedAt: now.Unix() + 9}, now).IsZero() {
		t.Errorf("a usual one grew at %s", at)
	}
}
