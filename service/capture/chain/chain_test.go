package chain_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

func call(id string, r *chain.Result) chain.Message {
	return chain.Message{Calls: []chain.Call{{ID: id, Name: "bash", Input: json.RawMessage(`{"command":"ls"}`), Result: r}}}
}

func TestACallWaitsForItsResultAndAMessageForItsEnd(t *testing.T) {
	b := chain.New("x", transcript.Options{})
	s := b.Main()
	s.Prompt(chain.At{}, "go", nil, "1")
	s.Say(chain.At{}, chain.Message{Text: "ok"}, "2")
	if got := parsertest.Shape(b.Drain(transcript.Growing)); got != "u:go<-" {
		t.Errorf("growing: %s", got)
	}
	s.Say(chain.At{}, call("c", nil), "3")
	if got := parsertest.Shape(b.Drain(transcript.Quiet)); got != "a:ok<" {
		t.Errorf("quiet: %s", got)
	}
	b.Answer(s, chain.At{}, "c", chain.Result{Text: "files"})
	b.Answer(s, chain.At{}, "c", chain.Result{Text: "files again"})
	nodes := b.Drain(transcript.Growing)
	if len(nodes) != 1 || nodes[0].Output != "files" || nodes[0].Metadata.Status != memory.StatusOK || nodes[0].Metadata.Commands[0] != "ls" {
		t.Errorf("%+v", nodes)
	}
	if b.Facts.Head != nodes[0].ID || b.Facts.FirstPrompt != "go" {
		t.Errorf("facts %+v", b.Facts)
	}
}

func TestAResultThatComesTooLateIsANodeOfItsOwn(t *testing.T) {
	b := chain.New("x", transcript.Options{})
	s := b.Main()
	s.Say(chain.At{}, call("c", nil), "1")
	gone := b.Drain(transcript.Over)
	b.Answer(s, chain.At{}, "c", chain.Result{Text: "late"})
	late := b.Drain(transcript.Over)
	if len(gone) != 1 || gone[0].Metadata.Status != memory.StatusPending || len(late) != 1 || late[0].Reads[0] != "node:"+gone[0].ID || late[0].Metadata.Kind != memory.KindHarness {
		t.Errorf("%+v\n%+v", gone, late)
	}
	stored := map[string]memory.Node{gone[0].ID: gone[0]}
	again := chain.New("x", transcript.Options{Known: func(id string) (memory.Node, bool) { n, ok := stored[id]; return n, ok }})
	again.Main().Say(chain.At{}, call("c", &chain.Result{Text: "late"}), "1")
	nodes := again.Drain(transcript.Over)
	if len(nodes) != 2 || nodes[1].ID != late[0].ID {
		t.Errorf("a second reading gives %s", parsertest.DAG(nodes))
	}
	b.Answer(s, chain.At{}, "nobody", chain.Result{Text: "orphan"})
	if nodes := b.Drain(transcript.Over); len(nodes) != 1 || nodes[0].Output != "orphan" {
		t.Errorf("%+v", nodes)
	}
}

func TestASubAgentWaitsForTheCallThatStartedItAndNoLonger(t *testing.T) {
	b := chain.New("x", transcript.Options{})
	sub := b.Stream("s")
	sub.Await = true
	sub.Prompt(chain.At{}, "look", nil, "s1")
	if nodes := b.Drain(transcript.Quiet); len(nodes) != 0 {
		t.Errorf("%+v", nodes)
	}
	b.Main().Say(chain.At{}, call("c", &chain.Result{Text: "found"}), "1")
	b.Main().Close()
	sub.Started("c", "scout")
	nodes := b.Drain(transcript.Growing)
	if len(nodes) != 2 || nodes[1].CalledBy != memory.Ref(nodes[0].ID) || nodes[1].Metadata.AgentType != "scout" || nodes[1].Metadata.Kind != memory.KindTask {
		t.Errorf("%s", parsertest.DAG(nodes))
	}
	lost := b.Stream("lost")
	lost.Await = true
	lost.Prompt(chain.At{}, "alone", nil, "l1")
	if nodes := b.Drain(transcript.Over); len(nodes) != 1 || nodes[0].CalledBy != "" {
		t.Errorf("%+v", nodes)
	}
}

func TestWhatTellsOfTheSessionIsTaken(t *testing.T) {
	var skips transcript.Tally
	b := chain.New("x", transcript.Options{Skip: skips.Add})
	s := b.Main()
	s.Cwd, s.Branch, s.Commit = "/w", "main", "abc"
	s.Prompt(chain.At{Time: 5}, "<system-reminder>be kind</system-reminder>\n"+transcript.OwnMark, nil, "1")
	s.Failed(chain.At{Time: 9}, "quota", "2")
	s.Client(chain.At{}, memory.KindHarness, " ", "3")
	b.Unknown(chain.At{}, "", 7)
	nodes := b.Drain(transcript.Over)
	if m := nodes[0].Metadata; m.Cwd != "/w" || m.GitBranch != "main" || m.GitCommit != "abc" || m.Kind != memory.KindHarness || nodes[1].Metadata.Cwd != "" {
		t.Errorf("%+v", nodes)
	}
	if f := b.Facts; !f.Own || f.Created != 5 || f.Updated != 9 || len(nodes) != 3 || nodes[2].Metadata.Status != memory.StatusError || len(skips.Counts()) != 1 {
		t.Errorf("facts %+v of %d nodes", f, len(nodes))
	}
}

func TestTheArgumentsOfACallShowWhatItDoes(t *testing.T) {
	tests := []struct {
		name, input string
		commands    []string
		edits       []memory.Edit
	}{
		{"run_shell_command", `{"command":"ls"}`, []string{"ls"}, nil},
		{"shell", `{"command":["git","status"]}`, []string{"git status"}, nil},
		{"run_commands", `{"commands":["a","b"]}`, []string{"a", "b"}, nil},
		{"Bash", `{"cmd":"pwd"}`, []string{"pwd"}, nil},
		{"read_file", `{"path":"a","content":"no"}`, nil, nil},
		{"write_file", `{"file_path":"a","content":"1\n2\n"}`, nil, []memory.Edit{{Path: "a", Op: "create", Added: 2}}},
		{"edit", `{"path":"a","edits":[{"oldText":"x","newText":"y"},{"oldText":"z","newText":""}]}`, nil, []memory.Edit{{Path: "a", Op: "update", Diff: "-x\n+y\n-z\n", Added: 1, Removed: 2}}},
		{"replace_in_file", `{"path":"a","diff":"------- SEARCH\nx\n=======\ny\n+++++++ REPLACE"}`, nil, []memory.Edit{{Path: "a", Op: "update", Diff: "-x\n+y\n", Added: 1, Removed: 1}}},
		{"insert_content", `{"path":"a","line":"3","content":"x"}`, nil, []memory.Edit{{Path: "a", Op: "update", Diff: "+x\n", Added: 1}}},
		{"apply_patch", `"*** Begin Patch\n*** Add File: n\n+1\n*** Update File: o\n*** Move to: p\n@@\n-a\n+b\n*** Delete File: q\n*** End Patch"`, nil,
			[]memory.Edit{{Path: "n", Op: "create", Diff: "+1\n", Added: 1}, {Path: "o", Op: "delete"}, {Path: "p", Op: "update", Diff: "@@\n-a\n+b\n", Added: 1, Removed: 1}, {Path: "q", Op: "delete"}}},
		{"apply_diff", `{"path":"a","diff":"--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n"}`, nil, []memory.Edit{{Path: "a", Op: "update", Diff: "@@ -1 +1 @@\n-x\n+y\n", Added: 1, Removed: 1}}},
		{"delete_file", `{"path":"a"}`, nil, []memory.Edit{{Path: "a", Op: "delete"}}},
		{"str_replace_editor", `{"command":"view","path":"a"}`, nil, nil},
		{"edit", `{"no":"path"}`, nil, nil},
		{"bash", ``, nil, nil},
	}
	for _, tt := range tests {
		commands, edits := chain.Work(tt.name, json.RawMessage(tt.input))
		if !reflect.DeepEqual(commands, tt.commands) || !reflect.DeepEqual(edits, tt.edits) {
			t.Errorf("%s %s:\ncommands %q, edits %+v", tt.name, tt.input, commands, edits)
		}
	}
}

func TestAVeryLongTextIsClippedAndCounted(t *testing.T) {
	var skips transcript.Tally
	b := chain.New("x", transcript.Options{Skip: skips.Add})
	b.Main().Prompt(chain.At{}, strings.Repeat("a", transcript.MaxText+1), nil, "1")
	if n := b.Drain(transcript.Growing)[0]; n.Metadata.Clipped == nil || skips.Counts()[transcript.ClippedText].Times != 1 {
		t.Errorf("%d bytes", len(n.Output))
	}
}
