package antigravity_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/antigravity"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

var agent = parsertest.Agent{New: func(o transcript.Options) transcript.Parser { return antigravity.New(o) }, Identify: antigravity.Identify, HeadSize: antigravity.HeadSize}

func isTranscript(path string) bool { return strings.HasSuffix(path, ".jsonl") }

// count is the oracle: it counts straight from the raw steps and shares no code with the parser.
func count(t *testing.T, path string) parsertest.Counts {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c parsertest.Counts
	for _, line := range bytes.Split(data, []byte("\n")) {
		var r struct {
			Type, Content, Thinking string
			Calls                   []any `json:"tool_calls"`
		}
		if json.Unmarshal(line, &r) != nil {
			continue
		}
		switch r.Type {
		case "USER_INPUT":
			c.Prompts++
		case "PLANNER_RESPONSE":
			c.Calls += len(r.Calls)
			if r.Content != "" || len(r.Calls) == 0 && r.Thinking != "" {
				c.Messages++
			}
		}
	}
	return c
}

func TestCountsEqualThoseOfTheOracle(t *testing.T) {
	for _, f := range parsertest.Samples(t, "antigravity-cli", isTranscript) {
		c := agent.Parse(t, agent.Load(t, f)...)
		if want, got := count(t, f), parsertest.Counted(c.Nodes); got != want {
			t.Errorf("%s: captured %+v, the steps hold %+v", f, got, want)
		}
		if n := len(c.Skips.Counts()); n > 0 {
			t.Errorf("skips: %+v", c.Skips.Counts())
		}
	}
}

func TestDAGIsTheGoldenOne(t *testing.T) {
	parsertest.Golden(t, "run", parsertest.DAG(agent.Parse(t, agent.Load(t, "testdata/real-session.jsonl")...).Nodes))
}

func TestAFileThatGrowsGivesTheNodesOfTheWholeFile(t *testing.T) {
	for _, path := range parsertest.Samples(t, "antigravity-cli", isTranscript) {
		agent.Grows(t, agent.Load(t, path)[0])
	}
	agent.Grows(t, parsertest.Lines(transcript.File{}, steps...))
}

func FuzzParser(f *testing.F) {
	text, err := os.ReadFile("testdata/real-session.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	agent.Fuzz(f, "transcript_full.jsonl", transcript.File{Session: "S"}, text, []byte(strings.Join(steps, "\n")))
}

func at(index, source, typ, status, rest string) string {
	return `{"step_index":` + index + `,"source":"` + source + `","type":"` + typ + `","status":"` + status + `","created_at":"2026-01-01T00:00:00Z",` + rest + `}`
}

// steps are a conversation with parallel calls, a running step, an error, a checkpoint.
var steps = []string{
	at("0", "USER_EXPLICIT", "USER_INPUT", "DONE", `"content":"<USER_REQUEST>\ngo\n</USER_REQUEST>\n<ADDITIONAL_METADATA>now</ADDITIONAL_METADATA>"`),
	at("1", "MODEL", "PLANNER_RESPONSE", "DONE", `"thinking":"hm","tool_calls":[{"name":"view_file","args":{"AbsolutePath":"/w/a"}},{"name":"run_command","args":{"CommandLine":"ls","Cwd":"/w"}}]`),
	at("2", "MODEL", "RUN_COMMAND", "RUNNING", `"content":""`),
	at("2", "MODEL", "RUN_COMMAND", "DONE", `"content":"Created At: 2026-01-01T00:00:01Z\nCompleted At: 2026-01-01T00:00:04Z\n\n\t\tThe command failed with exit code: 2\n\t\tOutput:\n\t\tno\n"`),
	at("3", "MODEL", "VIEW_FILE", "DONE", `"content":"text"`),
	at("4", "MODEL", "PLANNER_RESPONSE", "DONE", `"content":"next","tool_calls":[{"name":"replace_file_content","args":{"TargetFile":"/w/b","TargetContent":"x","ReplacementContent":"y"}}]`),
	at("5", "MODEL", "CODE_ACTION", "DONE", `"content":"changed\n[diff_block_start]\n@@ -1 +1 @@\n-x\n+y\n[diff_block_end]\n"`),
	at("6", "MODEL", "PLANNER_RESPONSE", "DONE", `"tool_calls":[{"name":"nothing","args":{}}]`),
	at("7", "SYSTEM", "ERROR_MESSAGE", "DONE", `"error":"no such tool"`),
	at("8", "SYSTEM", "CHECKPOINT", "DONE", `"content":"sum"`),
	at("9", "SYSTEM", "ERROR_MESSAGE", "DONE", `"content":"quota"`),
	at("10", "SYSTEM", "SYSTEM_MESSAGE", "DONE", `"content":"reminder"`),
	at("11", "MODEL", "PLANNER_RESPONSE", "DONE", `"content":"done"`),
}

func TestAStepAnswersTheCallThatItFits(t *testing.T) {
	c := agent.Parse(t, parsertest.Lines(transcript.File{}, steps...))
	var shape []string
	by := map[string]memory.Node{}
	for _, n := range c.Nodes {
		by[n.Name] = n
		shape = append(shape, string(n.Role)+"/"+n.Name+string(n.Metadata.Kind)+"/"+string(n.Metadata.Status))
	}
	want := "user/harness/ user/prompt/ tool/run_command/error tool/view_file/ok assistant// tool/replace_file_content/ok tool/nothing/error user/compaction/ user/harness/error user/harness/ assistant//"
	if got := strings.Join(shape, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	run := by["run_command"]
	if m := run.Metadata; *m.ExitCode != 2 || m.DurationMS != 3000 || m.Commands[0] != "ls" || !strings.Contains(run.Output, "Output:") || strings.Contains(run.Output, "Created At") {
		t.Errorf("command %+v", run)
	}
	if by["view_file"].Output != "text" || by["view_file"].Metadata.Thinking != "hm" || by["nothing"].Output != "no such tool" {
		t.Errorf("%+v\n%+v", by["view_file"], by["nothing"])
	}
	if e := by["replace_file_content"].Metadata.Edits; len(e) != 1 || e[0] != (memory.Edit{Path: "/w/b", Op: "update", Diff: "@@ -1 +1 @@\n-x\n+y\n", Added: 1, Removed: 1}) {
		t.Errorf("edit %+v", e)
	}
	if f := c.Facts; f.Cwd != "/w" || f.FirstPrompt != "go" || f.Head != c.Nodes[len(c.Nodes)-1].ID {
		t.Errorf("facts %+v", f)
	}
}

func TestARunningStepWaitsForItsEnd(t *testing.T) {
	f := parsertest.Lines(transcript.File{}, steps[:4]...)
	cut := len(strings.Join(steps[:3], "\n")) + 1
	nodes := agent.InTwo(t, f, cut, transcript.Quiet)
	if n := nodes[len(nodes)-2]; n.Name != "run_command" && nodes[len(nodes)-1].Name != "run_command" {
		t.Errorf("%+v", n)
	}
	for _, n := range nodes {
		if n.Name == "run_command" && n.Metadata.ExitCode == nil {
			t.Errorf("the running step answered the call: %+v", n)
		}
	}
}

func TestTheConversationIsInThePathAndItsFolderInTheListOfPrompts(t *testing.T) {
	path := filepath.Join("h", "antigravity-cli", "brain", "abc", ".system_generated", "logs", "transcript_full.jsonl")
	history := filepath.Join("h", "antigravity-cli", "history.jsonl")
	f, ok := antigravity.Identify(path, []byte("{"), func(p string) []byte {
		if p != history {
			return nil
		}
		return []byte(`{"display":"x","workspace":"/other","conversationId":"zzz"}` + "\n" + `{"display":"x","workspace":"/w","conversationId":"abc"}`)
	})
	if !ok || f.Session != "abc" || f.Cwd != "/w" || !antigravity.Match(path) || antigravity.Match(filepath.Join(filepath.Dir(path), "transcript.jsonl")) {
		t.Errorf("%+v, %v", f, ok)
	}
}
