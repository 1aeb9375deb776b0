package proxy

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"dormouse/service/pager"
	"dormouse/service/proxy/proxytest"
)

// agent is a coding agent as its provider sees it: each request carries all that was said, the marks of the cache move to its end, and
// what bears one is written as a list of blocks.
type agent struct {
	said []map[string]any
	n    int
}

func newAgent(prompt string) *agent {
	a := &agent{}
	a.add("user", prompt)
	return a
}

func (a *agent) add(role string, content any) {
	a.said = append(a.said, map[string]any{"role": role, "content": content})
}

func text(s string) map[string]any { return map[string]any{"type": "text", "text": s} }

// call has the model call a tool and get its result.
func (a *agent) call(tool string, input any, result any, more ...map[string]any) {
	a.n++
	id := fmt.Sprintf("toolu_%d", a.n)
	var blocks []any
	for _, m := range more {
		blocks = append(blocks, m)
	}
	a.add("assistant", append(blocks, text("I do this."), map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input}))
	a.add("user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": result}})
}

// work lets the agent do what agents do: read files, search, run checks, edit.
func (a *agent) work(i int) {
	file := map[string]any{"file_path": fmt.Sprintf("/src/%d.go", i%7)}
	switch i % 4 {
	case 0:
		a.call("Read", file, long(400, fmt.Sprintf("func Name%d", i)))
	case 1:
		a.call("Grep", map[string]any{"pattern": fmt.Sprintf("needle %d", i)}, []any{text(long(60, "found")), text(long(20, "more"))})
	case 2:
		a.call("Bash", map[string]any{"command": "go test ./..."}, long(50, "ok"), map[string]any{"type": "thinking", "thinking": fmt.Sprint("hm ", i), "signature": proxytest.Sign(fmt.Sprint("hm ", i))})
	case 3:
		a.call("Edit", map[string]any{"file_path": file["file_path"], "old_string": long(30, "old"), "new_string": "new <&> \u2028"}, "done")
	}
}

func long(lines int, word string) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "%s line number %d says \"something\"\n", word, i)
	}
	return b.String()
}

// request is the next request, with the marks where an agent puts them.
func (a *agent) request() []byte {
	list := make([]map[string]any, len(a.said))
	for i, m := range a.said {
		list[i] = m
		if i < len(a.said)-3 {
			continue
		}
		var blocks []any
		switch c := m["content"].(type) {
		case string:
			blocks = []any{text(c)}
		case []any:
			blocks = append(blocks, c...)
		}
		marked := map[string]any{"cache_control": map[string]any{"type": "ephemeral"}}
		for k, v := range blocks[len(blocks)-1].(map[string]any) {
			marked[k] = v
		}
		blocks[len(blocks)-1] = marked
		list[i] = map[string]any{"role": m["role"], "content": blocks}
	}
	b, err := json.Marshal(map[string]any{"model": "claude-x-1", "max_tokens": 1000, "messages": list, "stream": false,
		"system": []any{map[string]any{"type": "text", "text": "be kind", "cache_control": map[string]any{"type": "ephemeral"}}}})
	if err != nil {
		panic(err)
	}
	return b
}

// strict answers as a provider that refuses what the real one would refuse.
func (b *bed) strict(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if err := proxytest.Messages(b.last().body); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(errorBody(messages, http.StatusBadRequest, err.Error()))
		return
	}
	_, _ = fmt.Fprint(w, `{"id":"msg_1","model":"claude-x-1","content":[],"usage":{"input_tokens":1,"output_tokens":1}}`)
}

// sameBut fails when two requests differ in more than the contents of results and the arguments of calls.
func sameBut(t *testing.T, was, is []byte) (changed int) {
	t.Helper()
	a, b := unmarked(t, was), unmarked(t, is)
	if len(a) != len(b) {
		t.Fatalf("%d messages became %d", len(a), len(b))
	}
	for i := range a {
		x, y := a[i].(map[string]any), b[i].(map[string]any)
		bx, by := blocksOf(x), blocksOf(y)
		if len(bx) != len(by) || x["role"] != y["role"] {
			t.Fatalf("message %d: %d blocks became %d", i, len(bx), len(by))
		}
		for j := range bx {
			p, q := fmt.Sprint(bx[j]), fmt.Sprint(by[j])
			if p == q {
				continue
			}
			changed++
			kind := bx[j]["type"]
			if kind == "tool_result" {
				delete(bx[j], "content")
				delete(by[j], "content")
			} else if kind == "tool_use" {
				delete(bx[j]["input"].(map[string]any), "old_string")
				delete(by[j]["input"].(map[string]any), "old_string")
			}
			if fmt.Sprint(bx[j]) != fmt.Sprint(by[j]) {
				t.Fatalf("message %d, block %d: %.300v became %.300v", i, j, p, q)
			}
		}
	}
	return changed
}

func unmarked(t *testing.T, body []byte) []any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(body, &m); err != nil {
		t.Fatal(err)
	}
	return m["messages"].([]any)
}

func blocksOf(m map[string]any) (out []map[string]any) {
	if s, ok := m["content"].(string); ok {
		return []map[string]any{text(s)}
	}
	for _, b := range m["content"].([]any) {
		out = append(out, b.(map[string]any))
	}
	return out
}

// pagerSmall are settings under which much is shortened early.
func pagerSmall() pager.Options {
	o := pager.Default()
	o.Budget, o.Floor, o.Caution = 20_000, 0, 0
	return o
}
