package copilot_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/copilot"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

var agent = parsertest.Agent{New: func(o transcript.Options) transcript.Parser { return copilot.New(o) }, Identify: copilot.Identify, HeadSize: copilot.HeadSize}

func isLog(path string) bool { return strings.HasSuffix(path, ".jsonl") }

func capture(t *testing.T, path string) *parsertest.Captured {
	return agent.Parse(t, agent.Load(t, path)...)
}

func TestCountsEqualThoseOfTheOracle(t *testing.T) {
	for _, f := range parsertest.Samples(t, "copilot-cli", isLog) {
		t.Run(filepath.Base(filepath.Dir(f))+"/"+filepath.Base(f), func(t *testing.T) {
			c := capture(t, f)
			if want, got := count(t, f), parsertest.Counted(c.Nodes); got != want {
				t.Errorf("captured %+v, the events hold %+v", got, want)
			}
			if n := len(c.Skips.Counts()); n > 0 {
				t.Errorf("skips: %+v", c.Skips.Counts())
			}
		})
	}
}

func TestDAGIsTheGoldenOne(t *testing.T) {
	parsertest.Golden(t, "run", parsertest.DAG(capture(t, "testdata/session-state/049410b4-c1df-44ee-87a5-caa1c349091e/events.jsonl").Nodes))
}

func TestAFileThatGrowsGivesTheNodesOfTheWholeFile(t *testing.T) {
	for _, path := range parsertest.Samples(t, "copilot-cli", isLog) {
		agent.Grows(t, agent.Load(t, path)[0])
	}
	agent.Grows(t, parsertest.Lines(transcript.File{}, full...))
}

func FuzzParser(f *testing.F) {
	small, err := os.ReadFile("testdata/small.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	agent.Fuzz(f, "session-state/x/events.jsonl", transcript.File{Session: "S"}, small, []byte(strings.Join(full, "\n")))
}

var stamp int

func event(typ, data string) string { return eventOf("", typ, data) }

func eventOf(agentID, typ, data string) string {
	stamp++
	if agentID != "" {
		agentID = `,"agentId":"` + agentID + `"`
	}
	return fmt.Sprintf(`{"type":%q,"data":%s,"id":"e%d","timestamp":"2026-01-01T00:00:%02d.500Z"%s}`, typ, data, stamp, stamp%60, agentID)
}

func asks(text string) string { return event("user.message", `{"content":"`+text+`"}`) }
func says(id, text, requests string) string {
	return event("assistant.message", `{"messageId":"`+id+`","content":"`+text+`","toolRequests":[`+requests+`],"outputTokens":5}`)
}
func request(id, name, args string) string {
	return `{"toolCallId":"` + id + `","name":"` + name + `","arguments":` + args + `}`
}
func ends(id, rest string) string {
	return event("tool.execution_complete", `{"toolCallId":"`+id+`",`+rest+`}`)
}

// full is a log with everything that is particular.
var full = []string{
	event("session.start", `{"sessionId":"S","context":{"cwd":"/w","branch":"main","headCommit":"abc123","repository":"o/r","repositoryHost":"github.com"}}`),
	event("user.message", `{"content":"go","transformedContent":"<current_datetime>now</current_datetime>\n\ngo\n\n<reminder>be kind</reminder>"}`),
	says("m1", "looking", request("c1", "bash", `"{\"command\":\"ls\"}"`)+","+request("c2", "edit", `{"path":"/w/a","old_str":"x","new_str":"y\nz"}`)),
	event("tool.execution_start", `{"toolCallId":"c1","toolName":"bash","arguments":{"command":"ls"}}`),
	ends("c2", `"success":true,"result":{"content":"done"}`),
	ends("c1", `"success":true,"result":{"content":"files\n<shellId: 1 completed with exit code 2>"}`),
	says("m2", "", request("c3", "task", `{"prompt":"look"}`)),
	event("subagent.started", `{"toolCallId":"c3","agentName":"explore"}`),
	event("assistant.message", `{"messageId":"s1","content":"seen","parentToolCallId":"c3"}`),
	ends("c3", `"success":true,"result":{"content":"found"}`),
	says("m3", "wrong", ""),
}

func TestATurnIsAChainOfPromptMessagesAndCalls(t *testing.T) {
	c := agent.Parse(t, parsertest.Lines(transcript.File{}, full...))
	want := "u:<reminder>be kind</reminder><- u:go<<reminder>be kind</reminder> a:looking<go t:done<files\n<shellId: 1 completed with exit code 2>" +
		" t:files\n<shellId: 1 completed with exit code 2><looking t:found<done a:seen<- a:wrong<found"
	got := parsertest.Shape(c.Nodes)
	if strings.Join(sorted(got), " ") != strings.Join(sorted(want), " ") {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	by := map[string]memory.Node{}
	for _, n := range c.Nodes {
		by[n.Name+n.Output] = n
	}
	shell := by["bashfiles\n<shellId: 1 completed with exit code 2>"]
	if m := shell.Metadata; m.Status != memory.StatusError || *m.ExitCode != 2 || m.DurationMS != 2000 || m.Commands[0] != "ls" || string(shell.CalledBy) != by["looking"].ID {
		t.Errorf("shell %+v", shell)
	}
	if e := by["editdone"].Metadata.Edits; len(e) != 1 || e[0] != (memory.Edit{Path: "/w/a", Op: "update", Diff: "-x\n+y\n+z\n", Added: 2, Removed: 1}) {
		t.Errorf("edit %+v", e)
	}
	if n := by["seen"]; n.Metadata.AgentID != "c3" || n.Metadata.AgentType != "explore" || string(n.CalledBy) != by["taskfound"].ID || n.ParentID != "" {
		t.Errorf("sub-agent %+v", n)
	}
	if f := c.Facts; f.Cwd != "/w" || f.GitBranch != "main" || f.RepositoryURL != "https://github.com/o/r" || f.FirstPrompt != "go" || f.Head != by["wrong"].ID {
		t.Errorf("facts %+v", f)
	}
	if m := c.Nodes[0].Metadata; m.Kind != memory.KindHarness || m.Cwd != "/w" || m.GitBranch != "main" || m.GitCommit != "abc123" {
		t.Errorf("first node %+v", m)
	}
}

func sorted(shape string) []string {
	parts := strings.Fields(shape)
	for i := range parts {
		for j := i + 1; j < len(parts); j++ {
			if parts[j] < parts[i] {
				parts[i], parts[j] = parts[j], parts[i]
			}
		}
	}
	return parts
}

func TestARewindIsAForkAndACompactionSaysWhatItCovers(t *testing.T) {
	stamp = 100
	lines := []string{asks("one"), says("a1", "1", ""), asks("two"), says("a2", "2", ""),
		event("session.snapshot_rewind", `{"upToEventId":"e103","eventsRemoved":2}`), asks("three"), says("a3", "3", ""),
		event("session.compaction_complete", `{"success":true,"preCompactionTokens":900,"summaryContent":"sum"}`), asks("four"),
		event("session.snapshot_rewind", `{"upToEventId":"nobody"}`)}
	c := agent.Parse(t, parsertest.Lines(transcript.File{}, lines...))
	if got, want := parsertest.Shape(c.Nodes), "u:one<- a:1<one u:two<1 a:2<two u:undo1<1 u:three<undo1 a:3<three u:sum<3 u:four<sum"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if k := c.Nodes[7].Metadata; k.Kind != memory.KindCompaction || k.Compaction.PreTokens != 900 || k.Compaction.Last != c.Nodes[6].ID {
		t.Errorf("compaction %+v", k)
	}
	if n := c.Skips.Counts()[transcript.BadShape].Times; n != 1 {
		t.Errorf("a rewind to nowhere was counted %d times", n)
	}
}

func TestWhatIsNotThePersonsIsMarked(t *testing.T) {
	c := agent.Parse(t, parsertest.Lines(transcript.File{}, event("system.message", `{"content":"You are"}`),
		event("user.message", `{"content":"go on by yourself","source":"autopilot"}`), asks("═══ Dormouse memory: project x"), asks("hello"),
		event("user.message", `{"content":"do","parentToolCallId":"c9"}`), event("abort", `{"reason":"user"}`), event("brand.new", `{}`)))
	var kinds []string
	for _, n := range c.Nodes {
		kinds = append(kinds, string(n.Metadata.Kind))
	}
	if got := strings.Join(kinds, " "); got != "harness harness injected prompt task" {
		t.Errorf("kinds %s", got)
	}
	if c.Facts.FirstPrompt != "hello" || len(c.Skips.Counts()) != 1 {
		t.Errorf("first prompt %q, skips %+v", c.Facts.FirstPrompt, c.Skips.Counts())
	}
}

func TestFilesAreRecognised(t *testing.T) {
	base := filepath.Join("h", ".copilot", "session-state")
	for path, want := range map[string]string{filepath.Join(base, "abc", "events.jsonl"): "S", filepath.Join(base, "def.jsonl"): "S"} {
		f, ok := agent.Identify(path, []byte(full[0]+"\n"), nil)
		if !ok || f.Session != want || !copilot.Match(path) {
			t.Errorf("%s: %+v, %v", path, f, ok)
		}
	}
	if f, ok := agent.Identify(filepath.Join(base, "abc", "events.jsonl"), []byte(asks("x")+"\n"), nil); !ok || f.Session != "abc" {
		t.Errorf("without a beginning: %+v", f)
	}
	if copilot.Match(filepath.Join(base, "abc", "workspace.yaml")) || copilot.Match(filepath.Join("h", "events.jsonl")) {
		t.Error("another file matches")
	}
	if _, ok := agent.Identify("session-state/x.jsonl", []byte(`{"type":"session.st`), nil); ok {
		t.Error("a file without a whole line was recognised")
	}
}
