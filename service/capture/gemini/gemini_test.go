package gemini_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/gemini"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

var agent = parsertest.Agent{New: func(o transcript.Options) transcript.Parser { return gemini.New(o) }, Identify: gemini.Identify, HeadSize: gemini.HeadSize}

func isLines(path string) bool    { return strings.HasSuffix(path, ".jsonl") }
func isDocument(path string) bool { return strings.HasSuffix(path, ".json") }

func capture(t *testing.T, path string) *parsertest.Captured {
	if isLines(path) {
		return agent.Parse(t, agent.Load(t, path)...)
	}
	return parsertest.OpenLibrary(gemini.Open).One(t, path)
}

func TestCountsEqualThoseOfTheOracle(t *testing.T) {
	files := parsertest.Samples(t, "gemini-cli", func(p string) bool { return isLines(p) || isDocument(p) })
	if len(files) < 5 {
		t.Errorf("only %d files", len(files))
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			c := capture(t, f)
			if want, got := count(t, f), parsertest.Counted(c.Nodes); got != want {
				t.Errorf("captured %+v, the records hold %+v", got, want)
			}
			if n := len(c.Skips.Counts()); n > 0 {
				t.Errorf("skips: %+v", c.Skips.Counts())
			}
		})
	}
}

func TestDAGsAreTheGoldenOnes(t *testing.T) {
	parsertest.Golden(t, "lines", parsertest.DAG(capture(t, "testdata/chats/session-lines.jsonl").Nodes))
	parsertest.Golden(t, "document", parsertest.DAG(capture(t, "testdata/chats/session-10k.json").Nodes))
}

func TestAFileThatGrowsGivesTheNodesOfTheWholeFile(t *testing.T) {
	for _, path := range parsertest.Samples(t, "gemini-cli", isLines) {
		agent.Grows(t, agent.Load(t, path)[0])
	}
	agent.Grows(t, parsertest.Lines(transcript.File{}, changing...))
}

func TestADocumentThatIsRewrittenGivesTheNodesOfTheLastOne(t *testing.T) {
	for _, path := range parsertest.Samples(t, "gemini-cli", isDocument) {
		var doc map[string]any
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, &doc)
		}
		if err != nil {
			t.Fatal(err)
		}
		all := doc["messages"].([]any)
		var steps [][]byte
		for i := range len(all) + 1 {
			doc["messages"] = all[:i]
			step, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			steps = append(steps, step)
		}
		parsertest.OpenLibrary(gemini.Open).Grows(t, filepath.Base(path), steps...)
	}
}

func FuzzParser(f *testing.F) {
	seeds := [][]byte{[]byte(strings.Join(changing, "\n"))}
	for _, name := range []string{"lines", "set-snapshot"} {
		text, err := os.ReadFile("testdata/chats/session-" + name + ".jsonl")
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, text)
	}
	agent.Fuzz(f, "f.jsonl", transcript.File{Session: "S"}, seeds...)
}

const meta = `{"sessionId":"S","projectHash":"h","startTime":"2026-01-01T00:00:00Z","kind":"main"}`

func msg(id, typ, text, rest string) string {
	b, _ := memory.Encode(text)
	return `{"id":"` + id + `","timestamp":"2026-01-01T00:00:01Z","type":"` + typ + `","content":` + string(b) + rest + `}`
}

func tool(id, status, result string) string {
	return `,"toolCalls":[{"id":"` + id + `","name":"run_shell_command","args":{"command":"ls"},"status":"` + status + `"` + result + `}]`
}

func answer(out string) string {
	return `,"result":[{"functionResponse":{"id":"c","name":"run_shell_command","response":{"output":"` + out + `"}}}]`
}

// changing is a chat with messages that are replaced and taken back.
var changing = []string{meta, msg("1", "user", "one", ""), msg("2", "gemini", "", tool("c", "executing", "")),
	msg("2", "gemini", "looking", tool("c", "success", answer("files"))), msg("3", "gemini", "done", ""), msg("4", "user", "two", ""),
	msg("5", "gemini", "wrong", ""), `{"$rewindTo":"4"}`, msg("6", "user", "better", ""), msg("7", "gemini", "right", ""),
	msg("3", "gemini", "done, truly", ""), msg("8", "user", "last", "")}

func script(t *testing.T, lines ...string) *parsertest.Captured {
	return agent.Parse(t, parsertest.Lines(transcript.File{}, lines...))
}

func TestAMessageIsWhatItsNewestLineSays(t *testing.T) {
	c := script(t, changing[:5]...)
	if got, want := parsertest.Shape(c.Nodes), "u:one<- a:looking<one t:files<looking a:done<files"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if m := c.Nodes[2].Metadata; m.Status != memory.StatusOK || m.Commands[0] != "ls" || c.Nodes[2].CalledBy != memory.Ref(c.Nodes[1].ID) {
		t.Errorf("call %+v", c.Nodes[2])
	}
}

func TestWhatIsTakenBackOrReplacedLaterStaysOnABranch(t *testing.T) {
	c := script(t, changing...)
	want := "u:one<- a:looking<one t:files<looking a:done<files u:two<done a:wrong<two u:undo1<done u:better<undo1 a:right<better" +
		" a:done, truly<files u:last<done, truly"
	if got := parsertest.Shape(c.Nodes); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	cleared := script(t, append(changing[:7:7], `{"$rewindTo":"nobody"}`, msg("9", "user", "anew", ""))...)
	if got := parsertest.Shape(cleared.Nodes); !strings.HasSuffix(got, "u:undo2<- u:anew<undo2") {
		t.Errorf("cleared: %s", got)
	}
}

func TestASnapshotOfTheChatAddsOnlyWhatIsNew(t *testing.T) {
	c := script(t, meta, msg("1", "user", "one", ""), msg("2", "gemini", "two", ""),
		`{"$set":{"messages":[`+msg("1", "user", "one", "")+`,`+msg("2", "gemini", "two!", "")+`,`+msg("3", "user", "three", "")+`]}}`)
	if got, want := parsertest.Shape(c.Nodes), "u:one<- a:two<one a:two!<one u:three<two!"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestASnapshotMayNameMessagesAnewAndTellOfACompaction(t *testing.T) {
	old := []string{meta, msg("1", "user", "one", ""), msg("2", "gemini", "two", ""), msg("3", "user", "one", "")}
	c := script(t, append(old, `{"$set":{"messages":[`+msg("a", "user", "one", "")+`,`+msg("b", "gemini", "two", "")+`,`+msg("c", "user", "one", "")+`,`+msg("d", "gemini", "three", "")+`]}}`)...)
	if got, want := parsertest.Shape(c.Nodes), "u:one<- a:two<one u:one<two a:three<one"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	c = script(t, append(old, `{"$set":{"messages":[`+msg("a", "user", "<state_snapshot>sum</state_snapshot>", "")+`,`+msg("3", "user", "one", "")+`]}}`, msg("e", "gemini", "three", ""))...)
	n := c.Nodes[3]
	if got, want := parsertest.Shape(c.Nodes[3:]), "u:<state_snapshot>sum</state_snapshot>< a:three<"; got != want || n.Metadata.Kind != memory.KindCompaction || n.Metadata.Compaction.Last != c.Nodes[2].ID {
		t.Errorf("got  %s\nwant %s, %+v", got, want, n.Metadata)
	}
}

func TestASubAgentHangsOnTheCallThatNamesIt(t *testing.T) {
	sub := transcript.File{Path: "chats/S/sub1.jsonl", Session: "S", AgentID: "sub1"}
	main := parsertest.Lines(transcript.File{}, meta, msg("1", "user", "go", ""),
		msg("2", "gemini", "split", `,"toolCalls":[{"id":"c","name":"codebase_investigator","args":{},"status":"success","agentId":"sub1"`+answer("found")+`}]`), msg("3", "gemini", "done", ""))
	for _, files := range [][]parsertest.File{{main, parsertest.Lines(sub, meta, msg("a", "user", "look", ""), msg("b", "gemini", "seen", ""))},
		{parsertest.Lines(sub, meta, msg("a", "user", "look", ""), msg("b", "gemini", "seen", "")), main}} {
		c := agent.Parse(t, files...)
		byText := map[string]memory.Node{}
		for _, n := range c.Nodes {
			byText[n.Output] = n
		}
		n := byText["look"]
		if n.Metadata.Kind != memory.KindTask || n.ParentID != "" || string(n.CalledBy) != byText["found"].ID || n.Metadata.AgentID != "sub1" || n.Metadata.AgentType != "codebase_investigator" {
			t.Errorf("first node of the sub-agent %+v", n)
		}
		if byText["seen"].ParentID != memory.Ref(n.ID) || c.Facts.Head != byText["done"].ID {
			t.Errorf("head %s, %+v", c.Facts.Head, byText["seen"])
		}
	}
}

func TestAChatThatWasMovedFromADocumentIntoLinesGivesNothingTwice(t *testing.T) {
	document := capture(t, "testdata/chats/session-10k.json")
	var lines []string
	for _, m := range rawMessages(t, "testdata/chats/session-10k.json") {
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(b))
	}
	moved := script(t, append([]string{meta}, lines...)...)
	if len(moved.Nodes) != len(document.Nodes) {
		t.Fatalf("%d nodes, %d before", len(moved.Nodes), len(document.Nodes))
	}
	for i, n := range moved.Nodes {
		if n.ID != document.Nodes[i].ID {
			t.Errorf("node %d has another id", i)
		}
	}
}

func TestWhatTheClientAddedIsToldApartFromThePersonsWords(t *testing.T) {
	c := script(t, meta, msg("0", "user", "<session_context>today</session_context>", ""),
		`{"id":"1","type":"user","content":[{"text":"see @a.go"},{"text":"--- a.go ---\npackage a"},{"inlineData":{"mimeType":"image/png","data":"cGl4ZWxz"}}],"displayContent":"see @a.go"}`,
		msg("2", "info", "Update available", ""), msg("3", "error", "quota", ""), msg("4", "gemini", "ok", ""))
	var kinds []string
	for _, n := range c.Nodes {
		kinds = append(kinds, string(n.Metadata.Kind)+"/"+string(n.Metadata.Status)+"/"+n.Output[:2])
	}
	if got, want := strings.Join(kinds, " "), "harness//<s harness//-- prompt//se harness//Up harness/error/qu //ok"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if n := c.Nodes[2]; n.Output != "see @a.go" || len(n.Metadata.Images) != 1 || n.Metadata.Images[0].Bytes != 6 || c.Facts.FirstPrompt != "see @a.go" {
		t.Errorf("prompt %+v", n)
	}
}

func TestResultsTellOfExitCodesEditsAndRefusals(t *testing.T) {
	call := func(name, args, status, response, shown string) string {
		return `{"id":"` + name + `","name":"` + name + `","args":` + args + `,"status":"` + status + `","result":[{"functionResponse":{"response":` + response + `}}],"resultDisplay":` + shown + `}`
	}
	c := script(t, meta, msg("1", "user", "go", ""), msg("2", "gemini", "", `,"toolCalls":[`+strings.Join([]string{
		call("run_shell_command", `{"command":"x"}`, "success", `{"output":"Output: no\nExit Code: 127\nSignal: 0"}`, `""`),
		call("replace", `{"file_path":"/a/b.go","old_string":"x","new_string":"y\nz"}`, "success", `{"output":"ok"}`, `{"fileName":"b.go","fileDiff":"Index: b.go\n--- b.go\n+++ b.go\n@@ -1 +1,2 @@\n-x\n+y\n+z\n","originalContent":"x"}`),
		call("write_file", `{"file_path":"/a/n","content":"1\n2"}`, "success", `{"output":"ok"}`, `null`),
		call("glob", `{}`, "cancelled", `{"error":"[Operation Cancelled]"}`, `null`)}, ",")+`]`))
	m := func(i int) memory.Metadata { return c.Nodes[i].Metadata }
	if m(1).ExitCode == nil || *m(1).ExitCode != 127 || m(1).Status != memory.StatusError {
		t.Errorf("shell %+v", m(1))
	}
	if e := m(2).Edits; len(e) != 1 || e[0] != (memory.Edit{Path: "/a/b.go", Op: "update", Diff: "@@ -1 +1,2 @@\n-x\n+y\n+z\n", Added: 2, Removed: 1}) {
		t.Errorf("replace %+v", e)
	}
	if e := m(3).Edits; len(e) != 1 || e[0].Op != "create" || e[0].Added != 2 || m(4).Status != memory.StatusInterrupted {
		t.Errorf("write %+v, refused %+v", e, m(4))
	}
}

func TestFilesAreRecognisedByTheirPlace(t *testing.T) {
	tmp := filepath.Join("h", ".gemini", "tmp", "slug")
	tests := []struct {
		path    string
		matches bool
		want    transcript.File
	}{
		{filepath.Join(tmp, "chats", "session-2026-01-01T00-00-abcdef01.jsonl"), true, transcript.File{Session: "S", Cwd: "/w"}},
		{filepath.Join(tmp, "chats", "S", "sub1.jsonl"), true, transcript.File{Session: "S", AgentID: "sub1", Cwd: "/w"}},
		{filepath.Join(tmp, "chats", "session-2026-01-01T00-00-abcdef01.json"), true, transcript.File{}},
		{filepath.Join(tmp, "logs.json"), false, transcript.File{}},
		{filepath.Join(tmp, "chats", "session-x.json.unreadable-1"), false, transcript.File{}},
	}
	root := filepath.Join(tmp, ".project_root")
	for _, tt := range tests {
		if got := gemini.Match(tt.path); got != tt.matches {
			t.Errorf("%s matches: %v", tt.path, got)
		}
		if tt.want.Session == "" {
			continue
		}
		tt.want.Path = tt.path
		got, ok := gemini.Identify(tt.path, []byte(meta+"\n"), func(p string) []byte {
			if p == root {
				return []byte("/w\n")
			}
			return nil
		})
		if !ok || got != tt.want || gemini.Of(tt.path) != "" {
			t.Errorf("%+v, %v\nwant %+v", got, ok, tt.want)
		}
	}
	if _, ok := gemini.Identify("chats/session-x.jsonl", []byte(meta[:40]), nil); ok {
		t.Error("a file without a whole line was recognised")
	}
	if gemini.Of("chats/session-x.json") == "" {
		t.Error("a document is no library")
	}
}
