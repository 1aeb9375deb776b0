package codex_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/codex"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// samples are the rollouts of testdata, and the many beside the repository where they are.
func samples(t *testing.T) []string {
	t.Helper()
	var out []string
	shared := filepath.Join("..", "..", "..", "..", "shared", "samples", "codex")
	for _, root := range []string{"testdata", shared} {
		if _, err := os.Stat(root); err != nil {
			t.Logf("the wide set of samples is not at %s: only testdata is checked", root)
			continue
		}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".jsonl") {
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

type captured struct {
	nodes []memory.Node
	facts transcript.Facts
	skips transcript.Tally
}

func identify(t testing.TB, path string, text []byte) transcript.File {
	t.Helper()
	f, ok := codex.Identify(path, text[:min(len(text), codex.HeadSize)], nil)
	if !ok {
		t.Fatalf("%s is not recognised", path)
	}
	return f
}

func capture(t testing.TB, path string) *captured {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return captureText(t, path, text)
}

func captureText(t testing.TB, path string, text []byte) *captured {
	c := &captured{}
	p := codex.New(transcript.Options{Skip: c.skips.Add})
	p.Open(identify(t, path, text))
	feed(t, p, path, text, transcript.Place{})
	c.nodes = append(p.Drain(transcript.Growing), p.Drain(transcript.Over)...)
	c.facts = p.Facts()
	return c
}

func feed(t testing.TB, p *codex.Parser, name string, text []byte, at transcript.Place) transcript.Place {
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

func counted(nodes []memory.Node) counts {
	var c counts
	for _, n := range nodes {
		switch n.Role {
		case memory.RoleAssistant:
			c.Messages++
		case memory.RoleTool:
			c.Calls++
		}
		if n.StartsTurn() {
			c.Prompts++
		}
	}
	return c
}

func TestCountsEqualACountMadeStraightFromTheRecords(t *testing.T) {
	files := samples(t)
	if len(files) < 5 {
		t.Errorf("only %d files", len(files))
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			c := capture(t, f)
			if want, got := count(t, f), counted(c.nodes); got != want {
				t.Errorf("captured %+v, the records hold %+v", got, want)
			}
			if len(c.skips.Counts()) > 0 {
				t.Logf("skips: %+v", c.skips.Counts())
			}
		})
	}
}
