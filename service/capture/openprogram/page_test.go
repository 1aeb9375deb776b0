package openprogram_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"dormouse/service/capture/openprogram"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// said is what a page states, with the day of each statement.
func said(c *parsertest.Captured) (out []string) {
	for _, n := range c.Nodes {
		if n.Metadata.Kind == memory.KindPage {
			day := "-"
			if n.CreatedAt > 0 {
				day = time.Unix(n.CreatedAt, 0).UTC().Format(time.DateOnly)
			}
			out = append(out, day+" "+n.Output)
		}
	}
	return out
}

func TestPagesOfTheMemoryArePartedIntoWhatTheyState(t *testing.T) {
	all := library.Read(t, "testdata/state", transcript.Over)
	for id, want := range map[string][]string{
		"memory/short-term/2026-06-15.md":  {"2026-06-15 - The user prefers short commit messages", "2026-06-15 - Refactored the Programs page into a three-tab layout\n  with lazy loading"},
		"memory/wiki/projects/reader.md":   {"- Reads files as UTF-8 since the cp1252 bug.", "- 1. **Tests** run with pytest"},
		"memory/topics/budget.md":          {"2024-03-15 Craig builds a budget tracker in Flask.[^e-11] ^f888f60e"},
		"memory/topics/does-not-exist.md.": nil,
	} {
		c := all[id]
		if c == nil {
			c = &parsertest.Captured{}
		}
		parsertest.Sound(t, c.Nodes)
		got := said(c)
		if len(got) != len(want) {
			t.Fatalf("%s: %q", id, got)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: %q, want %q", id, got[i], want[i])
			}
		}
		if want != nil && (c.Facts.Title != id || c.Facts.FirstPrompt != "" || c.Facts.Created == 0) {
			t.Errorf("%s: facts %+v", id, c.Facts)
		}
	}
	if n := all["memory/wiki/projects/reader.md"].Nodes; len(n) != 5 || n[0].Output != "---\nkind: project\n---" || n[3].Output != "```sh\npytest -q\n```" || n[1].Metadata.SourceIDs[0] != "memory/wiki/projects/reader.md:4" {
		t.Errorf("%s", parsertest.DAG(n))
	}
	if len(all) != 6 || len(all[""].Skips.Counts()) > 0 {
		t.Errorf("%d sessions, skips %+v", len(all)-1, all[""].Skips.Counts())
	}
}

func TestAChangedPageKeepsWhatStayed(t *testing.T) {
	dir := put(t, t.TempDir(), map[string]string{"memory/wiki/a.md": "one\n\none\n\ntwo\n", "memory/core.md": "derived", "memory/wiki/notes.txt": "x"})
	if !openprogram.Imports(dir, nil) {
		t.Error("a folder with pages alone is not taken")
	}
	ids := func() map[string]bool {
		out := map[string]bool{}
		all := library.Read(t, dir, transcript.Over)
		for _, n := range all["memory/wiki/a.md"].Nodes {
			out[n.ID] = true
		}
		if len(all) != 2 {
			t.Errorf("%d sessions", len(all)-1)
		}
		return out
	}
	before := ids()
	put(t, dir, map[string]string{"memory/wiki/a.md": "zero\n\none\n\none\n\nthree \xff\n"})
	after, same := ids(), 0
	for id := range before {
		if after[id] {
			same++
		}
	}
	if len(before) != 3 || len(after) != 4 || same != 2 {
		t.Errorf("%d, then %d of which %d stayed", len(before), len(after), same)
	}
}

func FuzzPage(f *testing.F) {
	for _, name := range []string{"short-term/2026-06-15.md", "wiki/projects/reader.md", "topics/budget.md"} {
		text, err := os.ReadFile(filepath.Join("testdata/state/memory", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("---\nno end\n- a\n```\n- b\n[^x]: Time: 2020-13-45\n\x00\n[^x]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<16 {
			return
		}
		dir := put(t, t.TempDir(), map[string]string{"memory/topics/x.md": string(text)})
		for _, c := range library.Read(t, dir, transcript.Over) {
			parsertest.Sound(t, c.Nodes)
		}
	})
}
