package pi_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/pi"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

var (
	agent = parsertest.Agent{New: func(o transcript.Options) transcript.Parser { return pi.New(o) }, Identify: pi.Identify, HeadSize: pi.HeadSize}
	omp   = parsertest.Agent{New: func(o transcript.Options) transcript.Parser { return pi.NewOmp(o) }, Identify: pi.Identify, HeadSize: pi.HeadSize}
)

func samples(t testing.TB) []string {
	files := parsertest.Samples(t, "pi", pi.Match)
	return append(files, parsertest.Samples(t, "omp", func(p string) bool { return pi.Match(p) && strings.Contains(p, "samples") })...)
}

type raw = map[string]any

func str(m raw, k string) string { s, _ := m[k].(string); return s }

// count is the oracle: it counts straight from the raw entries and shares no code with the parser.
func count(t *testing.T, path string) parsertest.Counts {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c parsertest.Counts
	num := func(m raw, k string) int64 { f, _ := m[k].(float64); return int64(f) }
	for _, line := range bytes.Split(data, []byte("\n")) {
		var r raw
		if json.Unmarshal(line, &r) != nil || str(r, "type") != "message" {
			continue
		}
		m, _ := r["message"].(raw)
		list, _ := m["content"].([]any)
		says, thinks, calls := str(m, "content") != "", false, 0
		for _, b := range list {
			b := b.(raw)
			says = says || strings.TrimSpace(str(b, "text")) != ""
			thinks = thinks || str(b, "thinking") != ""
			if str(b, "type") == "toolCall" {
				calls++
			}
		}
		switch str(m, "role") {
		case "user":
			if says && str(m, "attribution") != "agent" {
				c.Prompts++
			}
		case "assistant":
			c.Calls += calls
			u, _ := m["usage"].(raw)
			c.Tokens.Input += num(u, "input")
			c.Tokens.Output += num(u, "output")
			c.Tokens.CacheRead += num(u, "cacheRead")
			c.Tokens.CacheWrite += num(u, "cacheWrite")
			ended := str(m, "stopReason") == "aborted" || str(m, "stopReason") == "error"
			if says || calls == 0 && (thinks || ended || num(u, "input")+num(u, "output")+num(u, "cacheRead")+num(u, "cacheWrite") > 0) {
				c.Messages++
			}
		}
	}
	return c
}

func TestCountsEqualThoseOfTheOracle(t *testing.T) {
	// In one fixture, two entries hang on another one than that before them.
	forks := map[string]int{"ignorable.jsonl": 1, "pi-session-ignorable.jsonl": 1}
	for _, f := range samples(t) {
		t.Run(filepath.Base(f), func(t *testing.T) {
			want := count(t, f)
			want.Forks = forks[filepath.Base(f)]
			c := agent.Parse(t, agent.Load(t, f)...)
			if got := parsertest.Counted(c.Nodes); got != want {
				t.Errorf("captured %+v, the entries hold %+v", got, want)
			}
		})
	}
}

func TestDAGsAreTheGoldenOnes(t *testing.T) {
	parsertest.Golden(t, "pi", parsertest.DAG(agent.Parse(t, agent.Load(t, "testdata/pi/session.jsonl")...).Nodes))
	parsertest.Golden(t, "omp", parsertest.DAG(omp.Parse(t, omp.Load(t, "testdata/omp/small.jsonl")...).Nodes))
}

func TestAFileThatGrowsGivesTheNodesOfTheWholeFile(t *testing.T) {
	for _, path := range samples(t) {
		agent.Grows(t, agent.Load(t, path)[0])
	}
	agent.Grows(t, parsertest.Lines(transcript.File{}, tree...))
}

func FuzzParser(f *testing.F) {
	var seeds [][]byte
	for _, name := range []string{"pi/session", "pi/ignorable", "pi/tool"} {
		text, err := os.ReadFile("testdata/" + name + ".jsonl")
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, text)
	}
	agent.Fuzz(f, "x.jsonl", transcript.File{Session: "S"}, append(seeds, []byte(strings.Join(tree, "\n")))...)
}

func entry(id, up, typ, rest string) string {
	if up = `"` + up + `"`; up == `""` {
		up = "null"
	}
	return `{"type":"` + typ + `","id":"` + id + `","parentId":` + up + `,"timestamp":"2026-01-01T00:00:00Z",` + rest + `}`
}

func said(role, stamp, content, rest string) string {
	return `"message":{"role":"` + role + `","timestamp":` + stamp + `,"content":` + content + rest + `}`
}

const header = `{"type":"session","version":3,"id":"S","timestamp":"2026-01-01T00:00:00Z","cwd":"/w","parentSession":"/h/.pi/agent/sessions/--w--/2025-01-01_PARENT.jsonl"}`

// tree is a session with a branch, a compaction, a command of the person and a call that failed.
var tree = []string{header,
	entry("a", "", "model_change", `"modelId":"m1"`),
	entry("b", "a", "message", said("user", "1767225601000", `"one"`, "")),
	entry("c", "b", "message", said("assistant", "1767225602000", `[{"type":"text","text":"1"},{"type":"toolCall","id":"t1","name":"bash","arguments":{"command":"ls"}}]`, `,"usage":{"input":5,"output":2,"cacheRead":1,"cacheWrite":4}`)),
	entry("d", "c", "message", said("toolResult", "1767225603000", `[{"type":"text","text":"no\n\nCommand exited with code 3"}]`, `,"toolCallId":"t1","isError":true`)),
	entry("e", "d", "message", said("user", "1767225604000", `[{"type":"text","text":"two"},{"type":"image","data":"cGl4ZWxz","mimeType":"image/png"}]`, "")),
	entry("f", "e", "message", said("assistant", "1767225605000", `[{"type":"text","text":"2"}]`, `,"stopReason":"error","errorMessage":"overloaded"`)),
	entry("g", "d", "branch_summary", `"fromId":"f","summary":"what was tried"`),
	entry("h", "g", "message", said("user", "1767225606000", `"three"`, "")),
	entry("i", "h", "compaction", `"summary":"sum","tokensBefore":900,"firstKeptEntryId":"h"`),
	entry("j", "i", "message", `"message":{"role":"bashExecution","timestamp":1767225607000,"command":"pwd","output":"/w","exitCode":0}`),
	entry("k", "j", "message", said("assistant", "1767225608000", `[{"type":"text","text":"3"}]`, "")),
	entry("l", "k", "session_info", `"name":"my session"`),
}

func TestTheTreeOfTheEntriesIsThatOfTheNodes(t *testing.T) {
	c := agent.Parse(t, parsertest.Lines(transcript.File{}, tree...))
	want := "u:one<- a:1<one t:no\n\nCommand exited with code 3<1 u:two<no\n\nCommand exited with code 3 a:2<two u:overloaded<2" +
		" u:what was tried<no\n\nCommand exited with code 3 u:three<what was tried u:sum<three t:/w<sum a:3</w"
	if got := parsertest.Shape(c.Nodes); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if m := c.Nodes[2].Metadata; m.Status != memory.StatusError || *m.ExitCode != 3 || m.Commands[0] != "ls" {
		t.Errorf("call %+v", m)
	}
	if u := c.Nodes[1].Metadata.Usage; u == nil || *u != (memory.Usage{Input: 5, CacheRead: 1, CacheWrite: 4, Output: 2}) {
		t.Errorf("usage %+v", u)
	}
	if n := c.Nodes[3]; n.Metadata.Images[0].Bytes != 6 || n.CreatedAt != 1767225604 {
		t.Errorf("prompt %+v", n)
	}
	if c.Nodes[4].Metadata.Status != memory.StatusError || c.Nodes[8].Metadata.Compaction.PreTokens != 900 || *c.Nodes[9].Metadata.ExitCode != 0 || c.Nodes[9].CalledBy != "" {
		t.Errorf("%+v", c.Nodes[4:10])
	}
	if f := c.Facts; f.Cwd != "/w" || f.ForkOf != "PARENT" || f.Title != "my session" || f.TitleBy != "user" || f.Model != "m1" || f.Head != c.Nodes[10].ID {
		t.Errorf("facts %+v", f)
	}
}

func TestASessionThatIsWrittenAnewWithIdsHasTheSameNodes(t *testing.T) {
	linear := []string{`{"type":"session","id":"S","cwd":"/w"}`}
	var branch []string
	for i, e := range tree {
		if i == 0 || i > 4 && i < 7 { // without the branch that was left
			branch = append(branch, e)
			continue
		}
		var m map[string]json.RawMessage
		if err := json.Unmarshal([]byte(e), &m); err != nil {
			t.Fatal(err)
		}
		delete(m, "id")
		delete(m, "parentId")
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		linear = append(linear, string(b))
	}
	old := agent.Parse(t, parsertest.Lines(transcript.File{}, linear...))
	have := map[string]bool{}
	for _, n := range agent.Parse(t, parsertest.Lines(transcript.File{}, tree...)).Nodes {
		have[n.ID] = true
	}
	for _, n := range old.Nodes {
		if !have[n.ID] {
			t.Errorf("%s %q has another id", n.Role, n.Output)
		}
	}
	if len(old.Nodes) != 8 || len(branch) != 3 {
		t.Errorf("%d nodes", len(old.Nodes))
	}
}

func TestASubAgentOfOmpHangsOnTheCallThatNamesIt(t *testing.T) {
	main := parsertest.Lines(transcript.File{Path: "p.jsonl"}, header, entry("b", "", "message", said("user", "1", `"go"`, "")),
		entry("c", "b", "message", said("assistant", "2", `[{"type":"toolCall","id":"t1","name":"task","arguments":{"agent":"scout","tasks":[{"id":"Look"}]}}]`, "")),
		entry("d", "c", "message", said("toolResult", "9", `[{"type":"text","text":"found"}]`, `,"toolCallId":"t1"`)))
	subHead := []byte(`{"type":"title","title":""}` + "\n" + `{"type":"session","id":"SUB"}` + "\n" + entry("z", "", "session_init", `"agent":"scout","systemPrompt":"You are"`) + "\n")
	path := filepath.Join("p", "0-Look.jsonl")
	f, ok := pi.Identify(path, subHead, func(p string) []byte {
		if p == "p.jsonl" {
			return []byte(header + "\n")
		}
		return nil
	})
	if want := (transcript.File{Path: path, Session: "S", AgentID: "0-Look", AgentType: "scout"}); !ok || f != want {
		t.Errorf("%+v, %v", f, ok)
	}
	sub := parsertest.File{File: f, Text: append(subHead, []byte(entry("y", "z", "message", said("user", "3", `"look"`, `,"attribution":"agent"`))+"\n")...)}
	for _, files := range [][]parsertest.File{{main, sub}, {sub, main}} {
		c := omp.Parse(t, files...)
		by := map[string]memory.Node{}
		for _, n := range c.Nodes {
			by[n.Output] = n
		}
		if n := by["You are"]; string(n.CalledBy) != by["found"].ID || n.ParentID != "" || n.Metadata.AgentType != "scout" || by["look"].Metadata.Kind != memory.KindTask {
			t.Errorf("%+v\n%+v", n, by["look"])
		}
	}
}

func TestAHeaderThatIsNotWholeSaysNothing(t *testing.T) {
	if _, ok := pi.Identify("x.jsonl", []byte(header[:30]), nil); ok {
		t.Error("a file without a whole header was recognised")
	}
	if got := pi.Roots(func(string) string { return "" }, "/h"); got[0] != filepath.Join("/h", ".pi", "agent", "sessions") {
		t.Errorf("roots %v", got)
	}
}
