package parsertest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// Samples are the files of testdata that match, and those of the named folder of the wide set, where it is.
func Samples(t testing.TB, folder string, match func(path string) bool) []string {
	t.Helper()
	roots := []string{"testdata"}
	wide := filepath.Join("..", "..", "..", "..", "shared", "samples", folder)
	if _, err := os.Stat(wide); err == nil {
		roots = append(roots, wide)
	} else {
		t.Logf("the wide set of samples is not at %s: only testdata is checked", wide)
	}
	var out []string
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && match(path) && !strings.HasSuffix(path, ".golden") && filepath.Base(path) != "SOURCES.md" {
				out = append(out, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// Counts is what an oracle counts in the records of a session.
type Counts struct {
	Prompts, Messages, Calls int
	SubAgents                int
	Forks                    int // nodes with more than one child
	Tokens                   memory.Usage
}

// Counted counts the same in nodes.
func Counted(nodes []memory.Node) Counts {
	var c Counts
	agents, children := map[string]bool{}, map[string]int{}
	for i := range nodes {
		n := &nodes[i]
		switch n.Role {
		case memory.RoleAssistant:
			c.Messages++
		case memory.RoleTool:
			c.Calls++
		}
		if n.StartsTurn() {
			c.Prompts++
		}
		if a := n.Metadata.AgentID; a != "" {
			agents[a] = true
		}
		if n.Metadata.AgentID == "" || n.ParentID != "" {
			children[string(n.ParentID)]++
		}
		if u := n.Metadata.Usage; u != nil {
			c.Tokens.Input += u.Input
			c.Tokens.CacheRead += u.CacheRead
			c.Tokens.CacheWrite += u.CacheWrite
			c.Tokens.Output += u.Output
		}
	}
	c.SubAgents = len(agents)
	for _, n := range children {
		if n > 1 {
			c.Forks++
		}
	}
	return c
}
