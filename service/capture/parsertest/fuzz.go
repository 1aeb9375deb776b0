package parsertest

import (
	"bytes"
	"testing"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// Fuzz fuzzes a parser: no text may make it fall, give a node twice, let a node hang on itself, or give other nodes when it is
// read in two.
func (a Agent) Fuzz(f *testing.F, name string, about transcript.File, seeds ...[]byte) {
	for _, s := range seeds {
		f.Add(s, len(s)/2)
	}
	about.Path = name
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		if len(text) > 1<<16 {
			return
		}
		file := File{about, append(bytes.Clone(text), '\n')} // damage in a line without an end waits for its end
		whole := a.InTwo(t, file, 0, transcript.Growing)
		Sound(t, whole)
		a.Identify(name, text, func(string) []byte { return text })
		if cut < 0 || cut > len(file.Text) {
			return
		}
		if parts := a.InTwo(t, file, cut, transcript.Growing); len(parts) != len(whole) {
			t.Fatalf("cut at %d: %d nodes, whole %d", cut, len(parts), len(whole))
		}
		Sound(t, a.InTwo(t, file, cut, transcript.Quiet))
		Sound(t, a.InTwo(t, file, cut, transcript.Over))
	})
}

// Sound checks what must hold of any nodes: no id twice, none that hangs on itself, all of them can be written.
func Sound(t testing.TB, nodes []memory.Node) {
	t.Helper()
	seen := map[string]bool{}
	for i := range nodes {
		n := &nodes[i]
		if seen[n.ID] || string(n.ParentID) == n.ID || string(n.CalledBy) == n.ID {
			t.Fatalf("node %+v", n)
		}
		seen[n.ID] = true
		if _, err := memory.Encode(*n); err != nil {
			t.Fatal(err)
		}
	}
}
