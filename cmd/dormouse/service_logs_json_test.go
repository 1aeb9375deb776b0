package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/home"
)

func TestTheServicesLogIsJSONLinesForPrograms(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	s := hostedIn(t, dir)
	s.a.json = true
	path := home.At(dir).Log()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	var written output
	log := slog.New(slog.NewTextHandler(&written, nil))
	log.Info("the service starts", "home", "/h o/\"x\"", "process", 7, "empty", "", "msg", "twice")
	log.Error("it ended", "error", "line one\nline two = \x1b[31m", "a key", "v=1")
	appendTo(t, path, written.String()+"panic: not of that form\n\n")
	if err := s.logs(t.Context(), 10, false); err != nil {
		t.Fatal(err)
	}
	out := s.a.Stdout.(*output)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	want := []map[string]string{
		{"level": "INFO", "msg": "twice", "home": `/h o/"x"`, "process": "7", "empty": ""},
		{"level": "ERROR", "msg": "it ended", "error": "line one\nline two = \x1b[31m", "a key": "v=1"},
		{"msg": "panic: not of that form"},
	}
	if len(lines) != len(want) {
		t.Fatalf("%q", lines)
	}
	for i, line := range lines {
		got := map[string]string{}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		if at := got["time"]; (at == "") != (i == 2) {
			t.Errorf("the time of %s", line)
		}
		delete(got, "time")
		if len(got) != len(want[i]) {
			t.Errorf("%v, not %v", got, want[i])
		}
		for k, v := range want[i] {
			if got[k] != v {
				t.Errorf("%s is %q, not %q", k, got[k], v)
			}
		}
	}
	before := len(out.String())
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.follow(ctx, path, info.Size()) }()
	appendTo(t, path, "time=2026-05-04T09:12:00Z level=WARN msg=later\n")
	await(t, func() bool { return len(out.String()) > before })
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := out.String()[before:]; got != `{"time":"2026-05-04T09:12:00Z","level":"WARN","msg":"later"}`+"\n" {
		t.Errorf("followed: %q", got)
	}
}
