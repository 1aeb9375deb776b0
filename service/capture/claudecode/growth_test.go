package claudecode_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"dormouse/service/capture/claudecode"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// feedText feeds what is complete of a text that stands for a file, from a place on.
func feedText(t testing.TB, p *claudecode.Parser, name string, text []byte, at transcript.Place) transcript.Place {
	t.Helper()
	r := transcript.NewReader(bytes.NewReader(text[at.Offset:]), name, at, 0, nil)
	for {
		l, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r.Place()
		}
		if err != nil {
			t.Fatal(err)
		}
		p.Feed(l)
	}
}

func inTwo(t testing.TB, name string, text []byte, cut int, between transcript.Settle) []memory.Node {
	p := claudecode.New(transcript.Options{})
	p.Open(transcript.File{Path: name, Session: "s"})
	at := feedText(t, p, name, text[:cut], transcript.Place{})
	nodes := p.Drain(between)
	feedText(t, p, name, text, at)
	nodes = append(nodes, p.Drain(transcript.Growing)...)
	return append(nodes, p.Drain(transcript.Over)...)
}

// cuts are places to cut a text: at line ends and in the middle of lines, not more than some hundred.
func cuts(text []byte) []int {
	var out []int
	for i, b := range text {
		if b == '\n' {
			out = append(out, i, i+1, i-1, max(0, i-200), min(len(text), i+60))
		}
	}
	if step := len(out)/60 + 1; step > 1 {
		var few []int
		for i := 0; i < len(out); i += step {
			few = append(few, out[i])
		}
		return few
	}
	return out
}

func TestAFileThatGrowsGivesTheNodesOfTheWholeFile(t *testing.T) {
	for _, root := range sampleRoots(t) {
		for main := range fileSets(t, root) {
			text, err := os.ReadFile(main)
			if err != nil || len(text) > 1<<20 && testing.Short() {
				continue
			}
			t.Run(filepath.Base(main), func(t *testing.T) {
				whole := inTwo(t, main, text, 0, transcript.Growing)
				places := cuts(text)
				if len(text) > 300_000 {
					places = places[:min(len(places), 4)]
				}
				for _, cut := range places {
					if got := inTwo(t, main, text, max(cut, 0), transcript.Growing); !reflect.DeepEqual(got, whole) {
						t.Fatalf("cut at byte %d: %s", cut, firstDifference(got, whole))
					}
				}
			})
		}
	}
}

func firstDifference(got, want []memory.Node) string {
	for i := range min(len(got), len(want)) {
		if !reflect.DeepEqual(got[i], want[i]) {
			return fmt.Sprintf("node %d is\n%+v\nwant\n%+v", i, got[i], want[i])
		}
	}
	return fmt.Sprintf("%d nodes, want %d", len(got), len(want))
}

// TestWhatWasHandedOverTooEarlyIsNeitherLostNorDoubled cuts files and says at the cut that all is quiet, or over. The texts
// must be those of the whole file; a later reader that finds the stored nodes must add nothing.
func TestWhatWasHandedOverTooEarlyIsNeitherLostNorDoubled(t *testing.T) {
	for main := range fileSets(t, "testdata") {
		text, err := os.ReadFile(main)
		if err != nil {
			continue
		}
		for _, how := range []transcript.Settle{transcript.Quiet, transcript.Over} {
			t.Run(fmt.Sprint(filepath.Base(main), how), func(t *testing.T) {
				want := words(inTwo(t, main, text, 0, transcript.Growing))
				for _, cut := range cuts(text) {
					nodes := inTwo(t, main, text, max(cut, 0), how)
					if got := words(nodes); !slices.Equal(got, want) {
						t.Fatalf("cut at %d: texts differ:\n%q\n%q", cut, got, want)
					}
					again := readAgain(t, main, text, nodes)
					if len(again) > 0 {
						t.Fatalf("cut at %d: a second reading adds %+v", cut, again)
					}
				}
			})
		}
	}
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
	p := claudecode.New(transcript.Options{Known: func(id string) (memory.Node, bool) { n, ok := byID[id]; return n, ok }})
	p.Open(transcript.File{Path: name, Session: "s"})
	feedText(t, p, name, text, transcript.Place{})
	return slices.DeleteFunc(p.Drain(transcript.Over), func(n memory.Node) bool { _, ok := byID[n.ID]; return ok })
}
