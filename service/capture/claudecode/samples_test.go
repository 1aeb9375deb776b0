package claudecode_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"dormouse/service/capture/claudecode"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// fileSets are the sessions of a folder: a main file with its sub-agents' files, each list sorted, main file first.
func fileSets(t *testing.T, root string) map[string][]string {
	t.Helper()
	sets := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !claudecode.Match(path) {
			return err
		}
		main := path
		if i := strings.Index(path, "/subagents/"); i >= 0 {
			main = path[:i] + ".jsonl"
			if _, err := os.Stat(main); err != nil {
				main = path[:i]
			}
		}
		sets[main] = append(sets[main], path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for main, files := range sets {
		sort.Slice(files, func(i, j int) bool {
			if a, b := files[i] == main, files[j] == main; a != b {
				return a
			}
			return files[i] < files[j]
		})
	}
	return sets
}

// sampleRoots are the folders of real transcripts: the few in testdata, and the many beside the repository where they are.
func sampleRoots(t *testing.T) []string {
	t.Helper()
	roots := []string{"testdata"}
	shared := filepath.Join("..", "..", "..", "..", "shared", "samples", "claude-code")
	if _, err := os.Stat(shared); err == nil {
		return append(roots, shared)
	}
	t.Logf("the wide set of samples is not at %s: only testdata is checked", shared)
	return roots
}

type captured struct {
	nodes []memory.Node
	facts transcript.Facts
	skips transcript.Tally
}

func sidecar(path string) []byte {
	b, _ := os.ReadFile(path)
	return b
}

func identify(t *testing.T, path string) transcript.File {
	t.Helper()
	head, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, ok := claudecode.Identify(path, head[:min(len(head), claudecode.HeadSize)], sidecar)
	if !ok {
		t.Fatalf("%s is not recognised", path)
	}
	return f
}

// capture reads whole files, one after the other.
func capture(t *testing.T, files []string) *captured {
	t.Helper()
	c := &captured{}
	p := claudecode.New(transcript.Options{Skip: c.skips.Add})
	for _, path := range files {
		p.Open(identify(t, path))
		feed(t, p, path, transcript.Place{})
		c.nodes = append(c.nodes, p.Drain(transcript.Growing)...)
	}
	c.nodes = append(c.nodes, p.Drain(transcript.Over)...)
	c.facts = p.Facts()
	return c
}

func feed(t *testing.T, p *claudecode.Parser, path string, at transcript.Place) transcript.Place {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := in.Seek(at.Offset, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	r := transcript.NewReader(in, path, at, 0, nil)
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

// counted counts nodes in the oracle's terms.
func counted(nodes []memory.Node) counts {
	byID := map[string]memory.Node{}
	var c counts
	for _, n := range nodes {
		byID[n.ID] = n
		switch n.Role {
		case memory.RoleAssistant:
			c.Messages++
		case memory.RoleTool:
			c.Calls++
		}
	}
	followers := map[string]int{}
	for _, n := range nodes {
		if !n.StartsTurn() {
			continue
		}
		c.Prompts++
		up := byID[string(n.ParentID)]
		if len(up.Metadata.SourceIDs) == 1 && up.Metadata.Kind == memory.KindHarness && n.Metadata.SourceIDs != nil && up.Metadata.SourceIDs[0] == n.Metadata.SourceIDs[0] {
			up = byID[string(up.ParentID)] // what the client put around the words
		}
		if up.Role == memory.RoleTool {
			up = byID[string(up.CalledBy)]
		}
		followers[up.ID]++
	}
	for at, n := range followers {
		if at != "" && n > 1 {
			c.Branches++
		}
	}
	return c
}

func TestCountsEqualACountMadeStraightFromTheRecords(t *testing.T) {
	files := 0
	for _, root := range sampleRoots(t) {
		for main, set := range fileSets(t, root) {
			files += len(set)
			t.Run(filepath.Base(main), func(t *testing.T) {
				if want, got := count(t, set), counted(capture(t, set).nodes); got != want {
					t.Errorf("captured %+v, the records hold %+v", got, want)
				}
			})
		}
	}
	if files < 5 {
		t.Errorf("only %d files were checked", files)
	}
}
