package codex_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"dormouse/service/capture/codex"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

func inTwo(t testing.TB, name string, text []byte, cut int, between transcript.Settle) []memory.Node {
	p := codex.New(transcript.Options{})
	p.Open(transcript.File{Path: name, Session: "s", Part: "s"})
	at := feed(t, p, name, text[:cut], transcript.Place{})
	nodes := p.Drain(between)
	feed(t, p, name, text, at)
	nodes = append(nodes, p.Drain(transcript.Growing)...)
	return append(nodes, p.Drain(transcript.Over)...)
}

// cuts are places to cut a text: at line ends and in the middle of lines, at most so many.
func cuts(text []byte, most int) []int {
	var out []int
	for i, b := range text {
		if b == '\n' {
			out = append(out, i, i+1, max(0, i-200), min(len(text), i+60))
		}
	}
	step := len(out)/most + 1
	var few []int
	for i := 0; i < len(out); i += step {
		few = append(few, out[i])
	}
	return few
}

func TestAFileThatGrowsGivesTheNodesOfTheWholeFile(t *testing.T) {
	for _, path := range samples(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			whole := inTwo(t, path, text, 0, transcript.Growing)
			most := 60
			if len(text) > 300_000 {
				most = 5
			}
			for _, cut := range cuts(text, most) {
				if got := inTwo(t, path, text, cut, transcript.Growing); !reflect.DeepEqual(got, whole) {
					t.Fatalf("cut at byte %d: %d nodes, want %d", cut, len(got), len(whole))
				}
			}
		})
	}
}

func TestWhatWasHandedOverTooEarlyIsNeitherLostNorDoubled(t *testing.T) {
	for _, path := range samples(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 300_000 {
			continue
		}
		for _, how := range []transcript.Settle{transcript.Quiet, transcript.Over} {
			t.Run(fmt.Sprint(filepath.Base(path), how), func(t *testing.T) {
				want := words(inTwo(t, path, text, 0, transcript.Growing))
				for _, cut := range cuts(text, 40) {
					nodes := inTwo(t, path, text, cut, how)
					if got := words(nodes); !slices.Equal(got, want) {
						t.Fatalf("cut at %d: %d words, want %d: %s", cut, len(got), len(want), difference(got, want))
					}
					if again := readAgain(t, path, text, nodes); len(again) > 0 {
						t.Fatalf("cut at %d: a second reading adds %+v", cut, again)
					}
				}
			})
		}
	}
}

func difference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("%q and %q", got[max(0, i-2):i+1], want[max(0, i-2):i+1])
		}
	}
	return "one ends earlier"
}

// words are all words of all texts, sorted, so that it does not matter which node holds them.
func words(nodes []memory.Node) []string {
	var out []string
	seen := map[string]bool{}
	for _, n := range nodes {
		if seen[n.ID] {
			return []string{"doubled id " + n.ID}
		}
		seen[n.ID] = true
		out = append(out, strings.Fields(n.Output+" "+n.Metadata.Thinking)...)
	}
	sort.Strings(out)
	return out
}

// readAgain reads the whole text with a new parser that can ask for what is stored; it returns the nodes that are new.
func readAgain(t testing.TB, name string, text []byte, stored []memory.Node) []memory.Node {
	byID := map[string]memory.Node{}
	for _, n := range stored {
		byID[n.ID] = n
	}
	p := codex.New(transcript.Options{Known: func(id string) (memory.Node, bool) { n, ok := byID[id]; return n, ok }})
	p.Open(transcript.File{Path: name, Session: "s", Part: "s"})
	feed(t, p, name, text, transcript.Place{})
	return slices.DeleteFunc(p.Drain(transcript.Over), func(n memory.Node) bool { _, ok := byID[n.ID]; return ok })
}

func FuzzParser(f *testing.F) {
	for _, path := range []string{"codex_053_rate_limit", "blockquotes_session", "function_calls", "codex-session-updated"} {
		if text, err := os.ReadFile(filepath.Join("testdata", path+".jsonl")); err == nil {
			f.Add(text, 100)
		}
	}
	parent, fork := parentAndFork()
	f.Add([]byte(strings.Join(append(parent, fork...), "\n")), 300)
	f.Add([]byte(strings.Join([]string{meta("T", ""), prompt("a"), says("b"), event(`{"type":"thread_rolled_back","num_turns":1}`), answers("x", "y")}, "\n")), 10)
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
		codex.Identify("rollout-x.jsonl", text, nil)
	})
}
