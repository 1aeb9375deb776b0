package qwen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/qwen"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

var agent = parsertest.Agent{New: func(o transcript.Options) transcript.Parser { return qwen.New(o) }, Identify: qwen.Identify, HeadSize: qwen.HeadSize}

func isChat(path string) bool { return strings.HasSuffix(path, ".jsonl") }

func capture(t *testing.T, path string) *parsertest.Captured {
	return agent.Parse(t, agent.Load(t, path)...)
}

func TestCountsEqualThoseOfTheOracle(t *testing.T) {
	for _, f := range parsertest.Samples(t, "qwen", isChat) {
		t.Run(filepath.Base(f), func(t *testing.T) {
			want := count(t, f)
			want.Forks = forks[filepath.Base(f)]
			c := capture(t, f)
			if got := parsertest.Counted(c.Nodes); got != want {
				t.Errorf("captured %+v, the records hold %+v", got, want)
			}
			for reason := range c.Skips.Counts() {
				if reason != transcript.NotJSON || !strings.Contains(f, "malformed") {
					t.Errorf("skips: %+v", c.Skips.Counts())
				}
			}
		})
	}
}

func TestDAGsAreTheGoldenOnes(t *testing.T) {
	parsertest.Golden(t, "run", parsertest.DAG(capture(t, "testdata/chats/27d495d1-de2d-449d-af11-d42d4d6ef80d.jsonl").Nodes))
	parsertest.Golden(t, "rewind", parsertest.DAG(capture(t, "testdata/chats/019f0000-0000-7000-8000-000000000004.jsonl").Nodes))
}

func TestAFileThatGrowsGivesTheNodesOfTheWholeFile(t *testing.T) {
	for _, path := range parsertest.Samples(t, "qwen", isChat) {
		agent.Grows(t, agent.Load(t, path)[0])
	}
}

func FuzzParser(f *testing.F) {
	var seeds [][]byte
	for _, name := range []string{"019f0000-0000-7000-8000-000000000004", "compression", "malformed", "tools"} {
		text, err := os.ReadFile("testdata/chats/" + name + ".jsonl")
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, text)
	}
	agent.Fuzz(f, "chats/x.jsonl", transcript.File{Session: "S"}, seeds...)
}

func rec(id, up, typ, rest string) string {
	if up = `"` + up + `"`; up == `""` {
		up = "null"
	}
	return `{"uuid":"` + id + `","parentUuid":` + up + `,"sessionId":"S","timestamp":"2026-01-01T00:00:00Z","cwd":"/w","gitBranch":"b","type":"` + typ + `",` + rest + `}`
}

func parts(list string) string { return `"message":{"parts":[` + list + `]}` }

func script(t *testing.T, lines ...string) *parsertest.Captured {
	return agent.Parse(t, parsertest.Lines(transcript.File{}, lines...))
}

func TestARewindIsAForkAndKeepsBothBranches(t *testing.T) {
	c := script(t, rec("1", "", "user", parts(`{"text":"one"}`)), rec("2", "1", "assistant", parts(`{"text":"1"}`)),
		rec("3", "2", "user", parts(`{"text":"two"}`)), rec("4", "3", "assistant", parts(`{"text":"2"}`)),
		rec("5", "2", "system", `"subtype":"rewind","systemPayload":{"targetUuid":"2"}`), rec("6", "5", "user", parts(`{"text":"three"}`)),
		rec("7", "1", "assistant", parts(`{"text":"again"}`)))
	if got, want := parsertest.Shape(c.Nodes), "u:one<- a:1<one u:two<1 a:2<two u:undo1<1 u:three<undo1 a:again<one"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if m := c.Nodes[0].Metadata; m.Cwd != "/w" || m.GitBranch != "b" || c.Nodes[1].Metadata.Cwd != "" || c.Facts.Cwd != "/w" {
		t.Errorf("first node %+v, facts %+v", m, c.Facts)
	}
}

func TestCallsAreAnsweredByTheirIds(t *testing.T) {
	c := script(t, rec("1", "", "user", parts(`{"text":"go"}`)),
		rec("2", "1", "assistant", parts(`{"text":"hm","thought":true},{"functionCall":{"id":"a","name":"run_shell_command","args":{"command":"ls"}}},{"functionCall":{"id":"b","name":"edit","args":{"file_path":"/w/f"}}}`)+`,"usageMetadata":{"promptTokenCount":10,"cachedContentTokenCount":4,"candidatesTokenCount":3,"thoughtsTokenCount":2,"totalTokenCount":15}`),
		rec("3", "2", "system", `"subtype":"ui_telemetry","systemPayload":{"uiEvent":{"event.name":"qwen-code.tool_call","call_id":"a","duration_ms":70}}`),
		rec("4", "3", "tool_result", parts(`{"functionResponse":{"id":"b","response":{"output":"ok"}}}`)+`,"toolCallResult":{"callId":"b","status":"success","resultDisplay":{"fileName":"f","fileDiff":"@@ -1 +1 @@\n-a\n+b\n"}}`),
		rec("5", "4", "tool_result", parts(`{"functionResponse":{"id":"a","response":{"output":"no"}}}`)+`,"toolCallResult":{"callId":"a","status":"cancelled"}`))
	if got, want := parsertest.Shape(c.Nodes), "u:go<- t:ok<no t:no<go"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	edit, shell := c.Nodes[1].Metadata, c.Nodes[2].Metadata
	if shell.Status != memory.StatusInterrupted || shell.DurationMS != 70 || shell.Thinking != "hm" || *shell.Usage != (memory.Usage{Input: 6, CacheRead: 4, Output: 5}) {
		t.Errorf("shell %+v", shell)
	}
	if len(edit.Edits) != 1 || edit.Edits[0].Added != 1 || edit.Usage != nil {
		t.Errorf("edit %+v", edit)
	}
}

func TestWhatIsNotThePersonsIsMarked(t *testing.T) {
	c := script(t, rec("1", "", "user", `"provenance":"real_user","systemPayload":{"displayText":"go"},`+parts(`{"text":"go"},{"text":"<qwen:user-prompt-submit-context>\n═══ Dormouse memory: x</qwen:user-prompt-submit-context>"}`)),
		rec("2", "1", "user", `"subtype":"notification",`+parts(`{"text":"ended"}`)), rec("3", "2", "system", `"subtype":"slash_command","systemPayload":{"phase":"invocation","rawCommand":"/compress"}`),
		rec("4", "3", "system", `"subtype":"chat_compression","systemPayload":{"info":{"originalTokenCount":9,"triggerReason":"manual"},"compressedHistory":[{"parts":[{"text":"sum"}]}]}`),
		rec("5", "4", "system", `"subtype":"custom_title","systemPayload":{"customTitle":"T","titleSource":"manual"}`), rec("6", "5", "brand_new", `"x":1`))
	var kinds []string
	for _, n := range c.Nodes {
		kinds = append(kinds, string(n.Metadata.Kind))
	}
	if got := strings.Join(kinds, " "); got != "injected prompt harness harness compaction" {
		t.Errorf("kinds %s", got)
	}
	if k := c.Nodes[4].Metadata.Compaction; k.PreTokens != 9 || k.Trigger != "manual" || k.Last != c.Nodes[3].ID || c.Nodes[4].Output != "sum" {
		t.Errorf("compaction %+v", k)
	}
	if c.Facts.Title != "T" || c.Facts.TitleBy != "user" || len(c.Skips.Counts()) != 1 {
		t.Errorf("facts %+v, skips %+v", c.Facts, c.Skips.Counts())
	}
}

func TestFilesAreRecognisedAndOldOnesAreDocuments(t *testing.T) {
	f, ok := qwen.Identify("p/chats/x.jsonl", []byte(rec("1", "", "user", `"a":1`)+"\n"), nil)
	if !ok || f.Session != "S" {
		t.Errorf("%+v, %v", f, ok)
	}
	if _, ok := qwen.Identify("p/chats/x.jsonl", []byte(`{"uuid":`), nil); ok {
		t.Error("a file without a whole line was recognised")
	}
	old := filepath.Join(t.TempDir(), "chats", "session-1.json")
	if !qwen.Match(old) || !qwen.Match(filepath.Join("chats", "x.jsonl")) || qwen.Match(filepath.Join("chats", "x.json")) || qwen.Of(old) != old || qwen.Of("chats/x.jsonl") != "" {
		t.Error("documents and lines are not told apart")
	}
	if err := os.MkdirAll(filepath.Dir(old), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, []byte(`{"sessionId":"O","messages":[{"id":"1","type":"user","content":"hello"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := parsertest.OpenLibrary(qwen.Open).One(t, old)
	if len(c.Nodes) != 1 || c.Nodes[0].ID != memory.NodeID(qwen.Agent, "1", "user", "2cf24dba5fb0a30e") {
		t.Errorf("%+v", c.Nodes)
	}
}
