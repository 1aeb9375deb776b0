package amp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/amp"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

var library = parsertest.OpenLibrary(amp.Open)

type raw = map[string]any

func num(m raw, k string) int64 { f, _ := m[k].(float64); return int64(f) }

func load(t *testing.T, path string) raw {
	t.Helper()
	data, err := os.ReadFile(path)
	var doc raw
	if err == nil {
		err = json.Unmarshal(data, &doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// count is the oracle: it counts straight from the document and shares no code with the adapter.
func count(t *testing.T, path string) parsertest.Counts {
	var c parsertest.Counts
	for _, m := range load(t, path)["messages"].([]any) {
		m := m.(raw)
		texts, calls := 0, 0
		for _, b := range m["content"].([]any) {
			switch b := b.(raw); b["type"] {
			case "text":
				texts++
			case "tool_use":
				calls++
			}
		}
		c.Calls += calls
		if m["role"] == "user" && texts > 0 {
			c.Prompts++
		}
		if m["role"] == "assistant" && texts > 0 {
			c.Messages++
		}
		if u, ok := m["usage"].(raw); ok {
			c.Tokens.Input += num(u, "inputTokens")
			c.Tokens.Output += num(u, "outputTokens")
			c.Tokens.CacheRead += num(u, "cacheReadInputTokens")
			c.Tokens.CacheWrite += num(u, "cacheCreationInputTokens")
		}
	}
	return c
}

func TestCountsEqualThoseOfTheOracle(t *testing.T) {
	for _, f := range parsertest.Samples(t, "amp", amp.Match) {
		t.Run(filepath.Base(f), func(t *testing.T) {
			c := library.One(t, f)
			if want, got := count(t, f), parsertest.Counted(c.Nodes); got != want {
				t.Errorf("captured %+v, the document holds %+v", got, want)
			}
			if n := len(c.Skips.Counts()); n > 0 {
				t.Errorf("skips: %+v", c.Skips.Counts())
			}
		})
	}
}

const sample = "testdata/threads/T-019ca1f6-7f21-77b5-a308-65416ebbdf48.json"

func TestDAGIsTheGoldenOne(t *testing.T) {
	c := library.One(t, sample)
	parsertest.Golden(t, "thread", parsertest.DAG(c.Nodes))
	if f := c.Facts; f.GitBranch != "master" || !strings.HasSuffix(f.Cwd, "testing-git-amp") || f.Title == "" || f.RepositoryURL == "" || f.Created != 1772243812 {
		t.Errorf("facts %+v", f)
	}
	if m := c.Nodes[0].Metadata; len(m.GitCommit) != 40 || m.Cwd == "" {
		t.Errorf("first node %+v", m)
	}
	if m := c.Nodes[1].Metadata; m.DurationMS != 5 {
		t.Errorf("call %+v", m)
	}
}

func TestAThreadThatIsRewrittenGivesTheNodesOfTheLastOne(t *testing.T) {
	for _, path := range parsertest.Samples(t, "amp", amp.Match) {
		doc := load(t, path)
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
		library.Grows(t, filepath.Base(path), steps...)
	}
}

func read(t *testing.T, how transcript.Settle, messages string) *parsertest.Captured {
	t.Helper()
	path := filepath.Join(t.TempDir(), "T-1.json")
	if err := os.WriteFile(path, []byte(`{"id":"T-1","created":1000,"messages":[`+messages+`]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return library.Read(t, path, how)["T-1"]
}

const (
	asks  = `{"role":"user","messageId":0,"content":[{"type":"text","text":"go"},{"type":"image","source":{"type":"base64","data":"cGl4ZWxz","mediaType":"image/png"}}],"meta":{"sentAt":5000},"fileMentions":{"files":[{"uri":"file:///w/a","content":"text of a"}]}}`
	calls = `{"role":"assistant","messageId":1,"content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"c1","name":"Bash","input":{"cmd":"ls"}},{"type":"tool_use","id":"c2","name":"Bash","input":{"cmd":"pwd"}}],"state":{"type":"complete"}}`
	done  = `{"role":"user","messageId":2,"content":[{"type":"tool_result","toolUseID":"c1","run":{"status":"done","result":{"output":"no","exitCode":3}}},{"type":"tool_result","toolUseID":"c2","run":{"status":"STATUS","result":"","reason":"not allowed"}}]}`
	says  = `{"role":"assistant","messageId":3,"content":[{"type":"text","text":"half"}],"state":{"type":"STATE"}}`
)

func TestWhatIsNotReadyWaits(t *testing.T) {
	waiting := read(t, transcript.Quiet, asks+","+calls+","+strings.Replace(done, "STATUS", "in-progress", 1)+","+strings.Replace(says, "STATE", "streaming", 1))
	if got, want := parsertest.Shape(waiting.Nodes), "u:file:///w/a\ntext of a<- u:go<file:///w/a\ntext of a t:no<go"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	over := read(t, transcript.Quiet, asks+","+calls+","+strings.Replace(done, "STATUS", "rejected-by-user", 1)+","+strings.Replace(says, "STATE", "complete", 1))
	if got, want := parsertest.Shape(over.Nodes), "u:file:///w/a\ntext of a<- u:go<file:///w/a\ntext of a t:no<go t:not allowed<no a:half<not allowed"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	shell, refused := over.Nodes[2].Metadata, over.Nodes[3].Metadata
	if *shell.ExitCode != 3 || shell.Status != memory.StatusError || shell.Commands[0] != "ls" || shell.Thinking != "hm" || refused.Status != memory.StatusInterrupted {
		t.Errorf("%+v\n%+v", shell, refused)
	}
	if n := over.Nodes[1]; n.CreatedAt != 5 || n.Metadata.Images[0].Bytes != 6 || over.Nodes[0].Metadata.Kind != memory.KindHarness {
		t.Errorf("prompt %+v", n)
	}
	for _, n := range waiting.Nodes {
		if n.ID == over.Nodes[3].ID {
			t.Error("a call that runs was handed over")
		}
	}
}

func TestAnEditedMessageStandsBesideTheFirst(t *testing.T) {
	one := read(t, transcript.Over, asks)
	two := read(t, transcript.Over, strings.Replace(asks, `"go"`, `"go there"`, 1))
	if one.Nodes[1].ID == two.Nodes[1].ID || one.Nodes[0].ID != two.Nodes[0].ID || two.Nodes[1].ParentID != one.Nodes[1].ParentID {
		t.Errorf("%s%s", parsertest.DAG(one.Nodes), parsertest.DAG(two.Nodes))
	}
}

func TestSummariesAndCommandsOfThePersonAreTold(t *testing.T) {
	c := read(t, transcript.Over, asks+`,{"role":"info","messageId":1,"content":[{"type":"manual_bash_invocation","args":{"cmd":"ls"},"toolRun":{"status":"done","result":{"output":"files","exitCode":0}}}]},`+
		`{"role":"info","messageId":2,"content":[{"type":"summary","summary":{"type":"message","summary":"sum"}}]},{"role":"robot","messageId":3,"content":[]}`)
	if got, want := parsertest.Shape(c.Nodes[1:]), "u:go< t:files<go u:sum<files"; got != want || c.Nodes[3].Metadata.Kind != memory.KindCompaction || len(c.Skips.Counts()) > 1 {
		t.Errorf("got  %s", got)
	}
}

func FuzzThread(f *testing.F) {
	text, err := os.ReadFile(sample)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"id":"T-1","messages":[` + asks + `,` + calls + `,` + done + `,` + says + `]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "T-1.json")
		if err := os.WriteFile(path, text, 0o600); err != nil || len(text) > 1<<16 {
			return
		}
		for _, how := range []transcript.Settle{transcript.Growing, transcript.Over} {
			lib, _ := amp.Open(path, transcript.Options{})
			var nodes []memory.Node
			_, _ = lib.Read(t.Context(), "T-1", how, func(n memory.Node) error { // damaged documents are errors
				nodes = append(nodes, n)
				return nil
			})
			parsertest.Sound(t, nodes)
		}
	})
}
