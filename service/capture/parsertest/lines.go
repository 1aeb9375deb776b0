package parsertest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// Agent is what these tests have to know of an adapter whose transcripts grow by lines.
type Agent struct {
	New      func(transcript.Options) transcript.Parser
	Identify func(path string, head []byte, sidecar func(string) []byte) (transcript.File, bool)
	HeadSize int
}

// Captured is what a parser made of files.
type Captured struct {
	Nodes []memory.Node
	Facts transcript.Facts
	Skips transcript.Tally
}

// File is a file of a session, or a text that stands for one.
type File struct {
	transcript.File
	Text []byte
}

// Load reads files and asks the adapter what they are.
func (a Agent) Load(t testing.TB, paths ...string) []File {
	t.Helper()
	var out []File
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		f, ok := a.Identify(p, text[:min(len(text), a.HeadSize)], sidecar)
		if !ok {
			t.Fatalf("%s is not recognised", p)
		}
		out = append(out, File{f, text})
	}
	return out
}

func sidecar(path string) []byte {
	b, _ := os.ReadFile(path) // one that is not there is none
	return b
}

// Parse reads whole files with a new parser.
func (a Agent) Parse(t testing.TB, files ...File) *Captured {
	t.Helper()
	c := &Captured{}
	p := a.New(transcript.Options{Skip: c.Skips.Add})
	for _, f := range files {
		p.Open(f.File)
		feed(t, p, f, len(f.Text), transcript.Place{})
		c.Nodes = append(c.Nodes, p.Drain(transcript.Growing)...)
	}
	c.Nodes = append(c.Nodes, p.Drain(transcript.Over)...)
	c.Facts = p.Facts()
	return c
}

// Lines makes a file of lines.
func Lines(about transcript.File, lines ...string) File {
	if about.Path == "" {
		about.Path = "file" + about.AgentID + about.Part
	}
	if about.Session == "" {
		about.Session = "S"
	}
	return File{about, []byte(strings.Join(lines, "\n") + "\n")}
}

func feed(t testing.TB, p transcript.Parser, f File, end int, at transcript.Place) transcript.Place {
	t.Helper()
	r := transcript.NewReader(bytes.NewReader(f.Text[at.Offset:end]), f.Path, at, 0, nil)
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

// InTwo reads a file up to a cut, lets the parser settle, and reads on.
func (a Agent) InTwo(t testing.TB, f File, cut int, between transcript.Settle) []memory.Node {
	p := a.New(transcript.Options{})
	p.Open(f.File)
	at := feed(t, p, f, cut, transcript.Place{})
	nodes := p.Drain(between)
	feed(t, p, f, len(f.Text), at)
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

// Grows checks that a file which is read in two gives the nodes of the whole file, and that what was handed over too early is
// neither lost nor doubled, also by a second reading that finds it stored.
func (a Agent) Grows(t *testing.T, f File) {
	t.Helper()
	most := 20
	if len(f.Text) > 300_000 {
		most = 2
	}
	whole := a.InTwo(t, f, 0, transcript.Growing)
	want := words(whole)
	for _, cut := range cuts(f.Text, most) {
		if got := a.InTwo(t, f, cut, transcript.Growing); !reflect.DeepEqual(got, whole) {
			t.Fatalf("cut at byte %d: %d nodes, want %d: %s", cut, len(got), len(whole), firstDifference(got, whole))
		}
		for _, how := range []transcript.Settle{transcript.Quiet, transcript.Over} {
			nodes := a.InTwo(t, f, cut, how)
			if got := words(nodes); !slices.Equal(got, want) {
				t.Fatalf("cut at %d, settled %d: %d words, want %d", cut, how, len(got), len(want))
			}
			if again := a.readAgain(t, f, nodes); len(again) > 0 {
				t.Fatalf("cut at %d, settled %d: a second reading adds %+v", cut, how, again)
			}
		}
	}
}

func firstDifference(got, want []memory.Node) string {
	for i := range min(len(got), len(want)) {
		if !reflect.DeepEqual(got[i], want[i]) {
			return DAG(got[i:i+1]) + DAG(want[i:i+1])
		}
	}
	return "one ends earlier"
}

// words are all words of all texts, sorted, so that it does not matter which node holds them.
func words(nodes []memory.Node) []string {
	var out []string
	seen := map[string]bool{}
	for i := range nodes {
		n := &nodes[i]
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
func (a Agent) readAgain(t testing.TB, f File, stored []memory.Node) []memory.Node {
	byID := map[string]memory.Node{}
	for _, n := range stored {
		byID[n.ID] = n
	}
	p := a.New(transcript.Options{Known: func(id string) (memory.Node, bool) { n, ok := byID[id]; return n, ok }})
	p.Open(f.File)
	feed(t, p, f, len(f.Text), transcript.Place{})
	return slices.DeleteFunc(p.Drain(transcript.Over), func(n memory.Node) bool { _, ok := byID[n.ID]; return ok })
}
