package objects

import (
	"encoding/json"
	"testing"

	"dormouse/service/pager"
)

func TestWhatACallIs(t *testing.T) {
	for _, c := range []struct {
		tool, input, result string
		failed, exit        bool
		want                Type
	}{
		{tool: "Read", input: `{"file_path":"/w/a.go"}`, result: "1→package a", want: FileContext},
		{tool: "Bash", input: `{"command":"cat a.go"}`, result: "Error: this is what the file says", want: FileContext},
		{tool: "Write", input: `{"file_path":"/w/a.go","content":"package a"}`, result: "ok", want: FileContext},
		{tool: "Edit", input: `{"file_path":"/w/a.go","old_string":"a","new_string":"b"}`, result: "ok", want: ToolResult},
		{tool: "Grep", input: `{"pattern":"x"}`, result: "panic: found in a.go", want: ToolResult},
		{tool: "Read", input: `{"file_path":"/w/a.go"}`, result: "no such file", failed: true, want: ErrorContext},
		{tool: "Bash", input: `{"command":"go test ./..."}`, result: "ok  \ta\t0.1s", want: ToolResult},
		{tool: "Bash", input: `{"command":"go test ./..."}`, result: "--- FAIL: TestA (0.00s)\nFAIL", want: ErrorContext},
		{tool: "Bash", input: `{"command":"npm test"}`, result: "Tests: 2 failed, 14 passed", want: ErrorContext},
		{tool: "Bash", input: `{"command":"npm test"}`, result: "Tests: 0 failed, 14 passed", want: ToolResult},
		{tool: "Bash", input: `{"command":"python x.py"}`, result: "Traceback (most recent call last):\n  File", want: ErrorContext},
		{tool: "Bash", input: `{"command":"cargo build"}`, result: "error[E0382]: use of moved value", want: ErrorContext},
		{tool: "Bash", input: `{"command":"git log"}`, result: "fix: error: was told twice\nfatal: no", want: ToolResult},
		{tool: "exec_command", input: `{"cmd":"make"}`, result: "Process exited with code 2\nOutput:\n", want: ErrorContext},
		{tool: "exec_command", input: `{"cmd":"make"}`, result: "Process exited with code 0\nOutput:\nerror: of another time", want: ToolResult},
		{tool: "exec_command", input: `{"cmd":"rg nothing"}`, result: "Process exited with code 1\nOutput:\n", want: ToolResult},
		{tool: "shell", input: `{"command":["bash","-lc","make"]}`, exit: true, want: ErrorContext},
		{tool: "shell", input: `{"command":["bash","-lc","grep x y"]}`, exit: true, want: ToolResult},
		{tool: "TodoWrite", input: `{"todos":[]}`, result: "ok", want: Plan},
		{tool: "update_plan", input: `{"plan":[]}`, result: "ok", want: Plan},
		{tool: "WebFetch", input: `{"url":"https://example.org"}`, result: "a page", want: ExternalReference},
		{tool: "mcp__context7__query-docs", input: `{"q":"x"}`, result: "docs", want: ExternalReference},
		{tool: "mcp__any__fetch", input: `{"q":"x"}`, result: "docs", want: ExternalReference},
		{tool: "Bash", input: `{"command":"curl -s https://example.org/a"}`, result: "a page", want: ExternalReference},
		{tool: "Bash", input: `{"command":"curl -s http://localhost:8080/a"}`, result: "ours", want: ToolResult},
		{tool: "Bash", input: `{"command":"gh pr view 12"}`, result: "a page", want: ExternalReference},
		{tool: "open_thing", input: `{"url":"https://example.org"}`, result: "x", want: ExternalReference},
		{tool: "odd", input: `no json`, result: "x", want: ToolResult},
	} {
		b := pager.Block{Kind: pager.Call, Tool: c.tool, Input: json.RawMessage(c.input)}
		if got := typeOfCall(b, outcome{c.result, true, c.failed, c.exit}, pager.Key(b.Tool, b.Input)); got != c.want {
			t.Errorf("%s %s => %q: %s, want %s", c.tool, c.input, c.result, got, c.want)
		}
	}
}

func TestWhatATextIs(t *testing.T) {
	for text, want := range map[string]Type{
		"Fix the test please.":                                                                  ConversationPhase,
		"Let's use Badger because it needs no C compiler.":                                      DesignDecision,
		"I'll go with a map instead of a list here.":                                            DesignDecision,
		"I'll use the tool. It failed because the file is gone.":                                ConversationPhase,
		"Decision: one file a day":                                                              DesignDecision,
		"Wir nehmen SQLite, weil es überall läuft.":                                             DesignDecision,
		"我们决定采用 Badger，因为它不需要编译器，也更容易安装和维护。":                                                    DesignDecision,
		"Here's the plan:\n1. read the file\n2. change it":                                      Plan,
		"Implement the following plan:\n\n# Plan: x\n- a\n- b":                                  Plan,
		"I'll implement the parser first, then the printer, and finally the tests.":             Plan,
		"I'll run the tests now.":                                                               ConversationPhase,
		"Here is what I found:\n- a\n- b\n- c":                                                  ConversationPhase,
		"The airplane lands at nine and the steps are steep.":                                   ConversationPhase,
		"We should keep the old name since others import it, so I left it as it was everywhere": DesignDecision,
	} {
		if got := typeOfText(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestWhichLinesOfAFile(t *testing.T) {
	for _, c := range []struct {
		tool, input, path string
		want              lines
	}{
		{"Read", `{"file_path":"/a"}`, "/a", lines{}},
		{"Read", `{"file_path":"/a","offset":100,"limit":50}`, "/a", lines{from: 100, to: 149}},
		{"Read", `{"file_path":"/a","offset":100}`, "/a", lines{from: 100, to: 1 << 30}},
		{"view", `{"path":"/a","view_range":[3,9]}`, "/a", lines{from: 3, to: 9}},
		{"read_file", `{"path":"/a","start_line":3,"end_line":9}`, "/a", lines{from: 3, to: 9}},
		{"Bash", `{"command":"sed -n '10,20p' a.go"}`, "a.go", lines{from: 10, to: 20}},
		{"Bash", `{"command":"head -n 5 a.go"}`, "a.go", lines{from: 1, to: 5}},
		{"Bash", `{"command":"tail -n 5 a.go"}`, "a.go", lines{unknown: `"tail -n 5 a.go"`}},
		{"Edit", `{"file_path":"/a","old_string":"x"}`, "/a", lines{}},
		{"apply_patch", `{"input":"*** Begin Patch\n*** Update File: b/c.go\n@@\n"}`, "b/c.go", lines{}},
		{"Read", `[1]`, "", lines{}},
	} {
		b := pager.Block{Kind: pager.Call, Tool: c.tool, Input: json.RawMessage(c.input)}
		if path, span := fileOf(b, pager.Key(b.Tool, b.Input)); path != c.path || span != c.want {
			t.Errorf("%s %s: %q %+v, want %q %+v", c.tool, c.input, path, span, c.path, c.want)
		}
	}
	for _, c := range []struct {
		a, b lines
		want bool
	}{
		{lines{}, lines{from: 3, to: 4}, true}, {lines{from: 3, to: 4}, lines{}, false}, {lines{from: 1, to: 9}, lines{from: 3, to: 4}, true},
		{lines{from: 4, to: 9}, lines{from: 3, to: 4}, false}, {lines{from: 3, to: 5}, lines{from: 3, to: 9}, false}, {lines{unknown: "x"}, lines{unknown: "x"}, true}, {lines{unknown: "x"}, lines{unknown: "y"}, false},
	} {
		if c.a.covers(c.b) != c.want {
			t.Errorf("%+v covers %+v: %v", c.a, c.b, !c.want)
		}
	}
}
