package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/store/memory"
	"dormouse/store/session"
)

// BenchmarkRescan scans 10,000 transcripts that did not change since the scan before.
func BenchmarkRescan(b *testing.B) {
	const files = 10_000
	home, when := b.TempDir(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range files {
		path := filepath.Join(home, ".claude", "projects", fmt.Sprint("-p", i%200), fmt.Sprintf("%08d-2222-4333-8444-555555555555.jsonl", i))
		text := strings.ReplaceAll(turn(0, when, fmt.Sprint("question ", i), "answer"), "aaaa", fmt.Sprint("r", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	cursors := &cursorMap{values: map[string][]byte{}}
	e := New(Options{Home: home, Env: func(string) string { return "" }, OwnDir: filepath.Join(home, ".dormouse"), Now: time.Now,
		Sessions: session.New(session.Options{Dir: filepath.Join(b.TempDir(), "sessions"), Machine: "00000000"}),
		Redact:   func(*memory.Node) (int, error) { return 0, nil }, Cursors: Cursors{Get: cursors.get, Put: cursors.put}})
	scan := func() {
		b.Helper()
		if err := e.Scan(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	scan()
	captured := 0
	for _, a := range e.Status().Agents {
		captured += a.Sessions
	}
	if captured != files {
		b.Fatalf("%d sessions were captured", captured)
	}
	for b.Loop() {
		scan()
	}
}
