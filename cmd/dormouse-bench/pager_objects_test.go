package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/pager"
	"dormouse/service/pager/objects"
)

// saidBlock is a message of one block.
func saidBlock(user bool, b pager.Block) pager.Message {
	return pager.Message{User: user, Blocks: []pager.Block{b}}
}

func TestFaultsAfterARefusalAreCounted(t *testing.T) {
	text := "a line of the status that is long enough\nanother line of the status that is long\n"
	call := func(id, tool, input string) pager.Message {
		return saidBlock(false, pager.Block{Kind: pager.Call, ID: id, Tool: tool, Input: json.RawMessage(input)})
	}
	result := func(id, text string) pager.Message {
		return saidBlock(true, pager.Block{Kind: pager.Result, ID: id, Text: text})
	}
	status, edit := `{"command":"git status"}`, `{"file_path":"/a","old_string":"another line of the status that is long","new_string":"x"}`
	for name, c := range map[string]struct {
		msgs   []pager.Message
		f2, f3 int
	}{
		"asked again, unchanged": {[]pager.Message{call("1", "Bash", status), result("1", text), call("2", "Bash", status), result("2", text)}, 1, 0},
		"asked again, changed":   {[]pager.Message{call("1", "Bash", status), result("1", text), call("2", "Bash", status), result("2", strings.ReplaceAll(text, "status", "other"))}, 0, 0},
		"quoted by an edit":      {[]pager.Message{call("1", "Bash", status), result("1", text), call("2", "Edit", edit), result("2", "ok")}, 0, 1},
		"stored elsewhere":       {[]pager.Message{call("0", "Read", `{"file_path":"/a"}`), result("0", text), call("1", "Bash", status), result("1", text), call("2", "Edit", edit), result("2", "ok")}, 0, 0},
	} {
		th := objects.FromMessages([][]pager.Message{c.msgs})
		v := &objects.View{Refused: []objects.Refusal{{Key: "cmd:git status"}}}
		for i, m := range c.msgs {
			if m.Blocks[0].ID == "1" {
				v.Refused[0].Parts = append(v.Refused[0].Parts, objects.Part{Block: i})
			}
		}
		var got refusals
		needAfterRefusal(th, v, func(_ *objects.Refusal, count func(*refusals)) { count(&got) })
		if got.F2 != c.f2 || got.F3 != c.f3 || got.Calls != len(v.Refused) {
			t.Errorf("%s: %+v, want %d and %d", name, got, c.f2, c.f3)
		}
	}
}

func TestTheObjectsOfRecordedSessionsAreCounted(t *testing.T) {
	dir := t.TempDir()
	trace := `{"trace":"v1","id":"x","agent":"a"}
{"role":"user","blocks":[{"type":"text","text":"look at the file please"}]}
{"role":"assistant","blocks":[{"type":"tool_use","id":"1","name":"Read","input":{"file_path":"/a"}}]}
{"role":"user","blocks":[{"type":"tool_result","id":"1","text":"one"}]}
{"role":"assistant","blocks":[{"type":"tool_use","id":"2","name":"Read","input":{"file_path":"/a"}}]}
{"role":"user","blocks":[{"type":"tool_result","id":"2","text":"two"}]}
`
	if err := os.WriteFile(filepath.Join(dir, "x.jsonl"), []byte(trace), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := pagerBench([]string{"--data", dir, "--objects", "--json"}, &out); err != nil {
		t.Fatal(err)
	}
	var got struct{ Rows []objectFigures }
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || len(got.Rows) != 2 {
		t.Fatalf("%v %s", err, out.String())
	}
	r := got.Rows[0]
	if r.Objects != 3 || r.Superseded != 50 || r.Calls != 2 || r.Share[objects.FileContext] < 66 || r.Admission || !got.Rows[1].Admission {
		t.Errorf("%+v", r)
	}
}

func TestSeamsOfJoinedSessionsAreCounted(t *testing.T) {
	said := func(user bool, text string) pager.Message {
		return saidBlock(user, pager.Block{Kind: pager.Text, Text: text})
	}
	session := func(of string) []pager.Message {
		return []pager.Message{said(true, "the "+of), said(false, "a "+of), said(true, "more of the "+of), said(false, "done")}
	}
	var f goalFigures
	o := pager.Default()
	o.Goals = &pager.Goals{Shift: func(before, prompt string) bool {
		return strings.Contains(before, "parser") != strings.Contains(prompt, "parser") || prompt == "the printer"
	}}
	f.join(session("parser"), session("printer"), o)
	f.finish()
	if f.Seams != 3 || f.found != 3 || f.Others != 0 || f.Found != 100 || f.Accuracy != 100 {
		t.Errorf("%+v", f)
	}
	f = goalFigures{}
	o.Goals.Shift = func(string, string) bool { return false }
	long := append(session("parser"), session("parser")...)
	f.join(long, session("printer"), o)
	f.finish()
	if f.Seams != 3 || f.found != 0 || f.Others != 2 || f.alarms != 0 || f.Accuracy != 50 {
		t.Errorf("%+v", f)
	}
}

func TestTypesAreHeldAgainstLabels(t *testing.T) {
	v := &objects.View{Objects: []objects.Object{{Type: objects.Plan, Parts: []objects.Part{{Block: 0}, {Block: 1}}}, {Type: objects.ToolResult, Parts: []objects.Part{{Block: 2}}}}}
	f := &typeFigures{Types: map[objects.Type]*typeScore{}, Wrong: map[string]int{}}
	f.add([]typeLabel{{Block: 1, Type: objects.Plan}, {Block: 2, Type: objects.ErrorContext}, {Block: 9, Type: objects.Plan}}, v)
	if *f.of(objects.Plan) != (typeScore{2, 1, 1}) || *f.of(objects.ErrorContext) != (typeScore{1, 0, 0}) || *f.of(objects.ToolResult) != (typeScore{0, 1, 0}) || f.Missing != 1 ||
		f.Wrong["error_context as tool_result"] != 1 {
		t.Errorf("%+v %+v", f, f.Types[objects.Plan])
	}
}
