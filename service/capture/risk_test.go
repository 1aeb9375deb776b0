package capture

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

const line = `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"11111111-1111-1111-1111-111111111111","timestamp":"2026-01-01T00:00:00Z","cwd":"/w","message":{"role":"user","content":"hello"}}` + "\n"

func TestCaseC1WhatTheAgentIsAboutToDeleteUncapturedIsAtRisk(t *testing.T) {
	const day = 24 * time.Hour
	w := newWorld(t)
	dir, now := filepath.Join(w.home, ".claude"), time.Now()
	put := func(id string, age time.Duration) {
		path := filepath.Join(dir, "projects", "-w", id+".jsonl")
		w.write(path, line)
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	put("11111111-1111-1111-1111-111111111111", 25*day)
	put("22222222-2222-2222-2222-222222222222", 2*day)
	gemini := filepath.Join(w.home, ".gemini", "tmp", "x", "chats", "session-1.json")
	w.write(gemini, `{"sessionId":"g","messages":[{"id":"1","type":"user","content":"hi"}]}`)
	if err := os.Chtimes(gemini, now.Add(-29*day), now.Add(-29*day)); err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	o := w.options()
	o.Home, o.Roots = w.home, nil
	o.Env = func(string) string { return "" }
	o.Now = func() time.Time { return now }
	o.Room = func() error { return full }
	w.engine = New(o)
	check := func(what, agent string, want Risk) {
		t.Helper()
		if err := w.engine.Scan(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := w.status(agent).AtRisk
		if next := got.Next.Sub(now).Round(time.Hour); !got.Next.IsZero() {
			got.Next = time.Time{}.Add(next)
		}
		if got != want {
			t.Errorf("%s: %s: %+v, want %+v", what, agent, got, want)
		}
	}
	n := int64(len(line))
	check("usual", "claude-code", Risk{30 * day, 1, n, time.Time{}.Add(5 * day)})
	check("usual", "gemini-cli", Risk{30 * day, 1, 70, time.Time{}.Add(day)})
	check("never", "codex", Risk{})
	w.write(filepath.Join(dir, "settings.json"), `{"cleanupPeriodDays": 9}`)
	w.write(filepath.Join(w.home, ".gemini", "settings.json"), `{"general":{"sessionRetention":{"enabled":false}}}`)
	check("set", "claude-code", Risk{9 * day, 2, 2 * n, time.Time{}.Add(-16 * day)})
	check("set", "gemini-cli", Risk{})
	full = nil
	w.write(filepath.Join(w.home, ".gemini", "settings.json"), `{"general":{"sessionRetention":{"enabled":true,"maxAge":"7d"}}}`)
	check("captured", "claude-code", Risk{Kept: 9 * day})
	check("captured", "gemini-cli", Risk{Kept: 7 * day})
}
