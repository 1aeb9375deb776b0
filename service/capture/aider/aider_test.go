package aider_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"dormouse/service/capture/aider"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

var library = parsertest.OpenLibrary(aider.Open)

func isHistory(path string) bool { return strings.HasSuffix(path, ".aider.chat.history.md") }

var (
	runs    = regexp.MustCompile(`(?m)^# aider chat started at .*$`)
	asked   = regexp.MustCompile(`^#### .*  $`)
	told    = regexp.MustCompile(`^>( .*)?  $`)
	applied = regexp.MustCompile(`(?m)^> Applied edit to `)
)

// count is the oracle: it counts the blocks of lines in the histories that Aider itself wrote, which end with two spaces. It shares no
// code with the adapter.
func count(t *testing.T, path string) (c parsertest.Counts, sessions int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	at := runs.FindAllStringIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		body := text[m[1]:end]
		prompts, messages, last := 0, 0, ""
		for _, line := range strings.Split(body, "\n") {
			kind := "model"
			switch {
			case strings.TrimSpace(line) == "":
				if last == "person" {
					last = ""
				}
				continue
			case asked.MatchString(line):
				kind = "person"
			case told.MatchString(line):
				kind = "client"
			}
			if kind != last && kind == "person" {
				prompts++
			}
			if kind != last && kind == "model" {
				messages++
			}
			last = kind
		}
		if prompts == 0 {
			continue
		}
		sessions++
		c.Prompts += prompts
		c.Messages += messages
		c.Calls += len(applied.FindAllString(body, -1))
	}
	return c, sessions
}

func TestCountsEqualThoseOfTheOracle(t *testing.T) {
	for _, f := range parsertest.Samples(t, "aider", isHistory) {
		t.Run(filepath.Base(filepath.Dir(f))+"/"+filepath.Base(f), func(t *testing.T) {
			want, sessions := count(t, f)
			if strings.Contains(f, "myrepo") { // its lines lost their ends
				want, sessions = parsertest.Counts{Prompts: 2, Messages: 2, Calls: 3}, 2
			}
			all := library.Read(t, f, transcript.Over)
			delete(all, "")
			var got parsertest.Counts
			for _, c := range all {
				n := parsertest.Counted(c.Nodes)
				got.Prompts, got.Messages, got.Calls = got.Prompts+n.Prompts, got.Messages+n.Messages, got.Calls+n.Calls
			}
			if got != want || len(all) != sessions {
				t.Errorf("captured %+v in %d sessions, the history holds %+v in %d", got, len(all), want, sessions)
			}
		})
	}
}

func TestDAGIsTheGoldenOne(t *testing.T) {
	all := library.Read(t, "testdata/myrepo/.aider.chat.history.md", transcript.Over)
	parsertest.Golden(t, "run", parsertest.DAG(all["myrepo/2026-06-09T14:01:00"].Nodes))
}

func TestAHistoryThatGrowsGivesTheNodesOfTheWhole(t *testing.T) {
	for _, path := range parsertest.Samples(t, "aider", isHistory) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var steps [][]byte // Aider appends whole blocks
		for i := range text {
			if i > 0 && text[i-1] == '\n' && text[i] == '\n' && len(steps) < 60 {
				steps = append(steps, text[:i])
			}
		}
		library.Grows(t, aider.FileName, append(steps, text)...)
	}
}

// history writes a history into a folder of a name and reads it.
func history(t *testing.T, folder string, lines ...string) map[string]*parsertest.Captured {
	t.Helper()
	path := filepath.Join(t.TempDir(), folder, aider.FileName)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return library.Read(t, path, transcript.Over)
}

var run = []string{"", "# aider chat started at 2026-01-02 03:04:05", "", "> Aider v0.86.2  ", "> Main model: gpt-4o with diff edit format  ", "",
	"#### change it  ", "#### and that  ", "", "I will.", "", "#### Plan", "> a quotation", "", "a.go", "```go", "<<<<<<< SEARCH", "old", "=======", "new", "newer", ">>>>>>> REPLACE", "```", "",
	"> Tokens: 1.2k sent, 200 cache hit, 34 received. Cost: $0.01 message, $0.02 session.  ", "> Applied edit to a.go  ", "> Commit abcdef1 feat: change it  ", "", "#### /undo  ", "> Removed: abcdef1 feat  "}

func TestTheClientsLinesAreToldFromTheModels(t *testing.T) {
	all := history(t, "repo", run...)
	c := all["repo/2026-01-02T03:04:05"]
	want := []string{"harness Aider v0.86.2", "prompt change it\nand that", " I will.", " Applied edit to a.go", "harness Commit abcdef1", "prompt /undo", "harness Removed: abcdef1"}
	for i, n := range c.Nodes {
		if i >= len(want) || !strings.HasPrefix(string(n.Metadata.Kind)+" "+n.Output, want[i]) {
			t.Errorf("node %d: %s %q", i, n.Metadata.Kind, n.Output)
		}
	}
	say, edit := c.Nodes[2], c.Nodes[3]
	if m := say.Metadata; m.Model != "gpt-4o" || m.Usage == nil || *m.Usage != (memory.Usage{Input: 1000, CacheRead: 200, Output: 34}) || !strings.Contains(say.Output, "#### Plan") || !strings.Contains(say.Output, "> a quotation") {
		t.Errorf("message %+v", say)
	}
	if e := edit.Metadata.Edits; len(e) != 1 || e[0] != (memory.Edit{Path: "a.go", Op: "update", Diff: "-old\n+new\n+newer\n", Added: 2, Removed: 1}) || edit.CalledBy != memory.Ref(say.ID) {
		t.Errorf("edit %+v", edit)
	}
	if n := c.Nodes[5]; n.Metadata.GitCommit != "" || c.Nodes[4].Metadata.GitCommit != "abcdef1" || n.CreatedAt != time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local).Unix() {
		t.Errorf("%+v", c.Nodes[4:6])
	}
	if c.Facts.FirstPrompt != "change it\nand that" || filepath.Base(c.Facts.Cwd) != "repo" {
		t.Errorf("facts %+v", c.Facts)
	}
}

func TestRunsAreKnownByTheirFolderAndTime(t *testing.T) {
	twice := append(append([]string(nil), run...), run...)
	all := history(t, "repo", append(twice, "# aider chat started at 2026-01-03 00:00:00", "> Aider v0.86.2  ")...)
	delete(all, "")
	if len(all) != 2 || all["repo/2026-01-02T03:04:05.2"] == nil {
		t.Errorf("%d sessions", len(all))
	}
	other := history(t, "other", run...)["other/2026-01-02T03:04:05"]
	if other.Nodes[0].ID == all["repo/2026-01-02T03:04:05"].Nodes[0].ID {
		t.Error("runs of two folders that started in the same second have the same nodes")
	}
	crlf := history(t, "repo", strings.Split(strings.Join(run, "\r\n"), "\n")...)["repo/2026-01-02T03:04:05"]
	if len(crlf.Nodes) != 7 || crlf.Nodes[1].Output != "change it\nand that" {
		t.Errorf("with the line ends of Windows: %s", parsertest.DAG(crlf.Nodes))
	}
}

func TestARunIsReadAsItWasListed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is open is not replaced there")
	}
	path := filepath.Join(t.TempDir(), "repo", aider.FileName)
	write := func(to string, lines ...string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, []byte(strings.Join(lines, "\n")+"\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write(path, run...)
	h, err := aider.Open(path, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	var listed []string
	list := func() {
		t.Helper()
		listed = nil
		if err := h.List(t.Context(), func(e transcript.Entry) error { listed = append(listed, e.Session); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	read := func(session string) (nodes []memory.Node, err error) {
		_, err = h.Read(t.Context(), session, transcript.Over, func(n memory.Node) error { nodes = append(nodes, n); return nil })
		return nodes, err
	}
	list()
	write(path+".new", "# aider chat started at 2027-01-02 03:04:05", "#### another  ")
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if nodes, err := read(listed[0]); err != nil || len(nodes) != 7 || nodes[1].Output != "change it\nand that" {
		t.Errorf("the run that was listed gives %d nodes, %v", len(nodes), err)
	}
	list()
	if nodes, err := read(listed[0]); err != nil || len(listed) != 1 || len(nodes) != 1 || nodes[0].Output != "another" {
		t.Errorf("listed anew: %q, %d nodes, %v", listed, len(nodes), err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	list()
	if _, err := read("repo/2027-01-02T03:04:05"); err == nil || len(listed) != 0 {
		t.Errorf("of a history that is gone: %q, %v", listed, err)
	}
}

func FuzzHistory(f *testing.F) {
	f.Add([]byte(strings.Join(run, "\n")))
	text, err := os.ReadFile("testdata/myrepo/.aider.chat.history.md")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), aider.FileName)
		if err := os.WriteFile(path, text, 0o600); err != nil || len(text) > 1<<16 {
			return
		}
		for _, c := range library.Read(t, path, transcript.Over) {
			parsertest.Sound(t, c.Nodes)
		}
	})
}
