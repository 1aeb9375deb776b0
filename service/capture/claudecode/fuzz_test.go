package claudecode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"dormouse/service/capture/claudecode"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// FuzzParser feeds anything. No node may come twice or hang on itself, and all cuts must give the same nodes.
func FuzzParser(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.jsonl")
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil && len(text) < 12_000 {
			f.Add(text, 100)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		if len(text) > 1<<16 {
			return
		}
		text = append(bytes.Clone(text), '\n') // damage in a line without an end waits for its end
		whole := inTwo(t, "f", text, 0, transcript.Growing)
		seen := map[string]bool{}
		for _, n := range whole {
			if seen[n.ID] || string(n.ParentID) == n.ID || string(n.CalledBy) == n.ID {
				t.Fatalf("node %+v", n)
			}
			seen[n.ID] = true
			if _, err := memory.Encode(n); err != nil {
				t.Fatal(err)
			}
		}
		if cut < 0 || cut > len(text) {
			return
		}
		if parts := inTwo(t, "f", text, cut, transcript.Growing); len(parts) != len(whole) {
			t.Fatalf("cut at %d: %d nodes, whole %d", cut, len(parts), len(whole))
		}
		inTwo(t, "f", text, cut, transcript.Quiet)
		claudecode.Identify("agent-x.jsonl", text, func(string) []byte { return text })
	})
}
