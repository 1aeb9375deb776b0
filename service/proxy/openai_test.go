package proxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"dormouse/service/proxy/proxytest"
)

// asChat is the next request of an agent as Chat Completions have it.
func (a *agent) asChat() []byte {
	list := []any{map[string]any{"role": "system", "content": "be kind"}}
	for _, m := range a.said {
		for _, b := range blocksOf(plainly(m)) {
			switch b["type"] {
			case "text":
				list = append(list, map[string]any{"role": m["role"], "content": b["text"]})
			case "tool_use":
				args, _ := json.Marshal(b["input"])
				list = append(list, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": b["id"], "type": "function",
					"function": map[string]any{"name": b["name"], "arguments": string(args)}}}})
			case "tool_result":
				list = append(list, map[string]any{"role": "tool", "tool_call_id": b["tool_use_id"], "content": b["content"]})
			}
		}
	}
	return encoded(map[string]any{"model": "gpt-x-1", "messages": list, "stream": true})
}

// asResponses is the same as Responses have it.
func (a *agent) asResponses() []byte {
	var list []any
	for _, m := range a.said {
		for i, b := range blocksOf(plainly(m)) {
			switch b["type"] {
			case "text":
				list = append(list, map[string]any{"type": "message", "role": m["role"], "content": b["text"]})
			case "thinking":
				list = append(list, map[string]any{"type": "reasoning", "id": fmt.Sprint("rs_", len(list), i), "summary": []any{}, "encrypted_content": b["signature"]})
			case "tool_use":
				args, _ := json.Marshal(b["input"])
				list = append(list, map[string]any{"type": "function_call", "call_id": b["id"], "name": b["name"], "arguments": string(args)})
			case "tool_result":
				out := b["content"]
				if parts, ok := out.([]any); ok {
					out = parts[0].(map[string]any)["text"]
				}
				list = append(list, map[string]any{"type": "function_call_output", "call_id": b["tool_use_id"], "output": out})
			}
		}
	}
	return encoded(map[string]any{"model": "gpt-x-1", "input": list, "stream": true, "store": false})
}

func encoded(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// plainly is a message in the types that JSON gives.
func plainly(m map[string]any) (out map[string]any) {
	_ = json.Unmarshal(encoded(m), &out)
	return out
}

var otherForms = []struct {
	name    string
	form    form
	path    string
	request func(*agent) []byte
	check   func([]byte) error
	list    string // the field of what was said
	result  string // the field of a result
	calls   bool   // the arguments of calls may change
}{
	{"Chat Completions", chat, "openai/v1/chat/completions", (*agent).asChat, proxytest.Chat, "messages", "content", true},
	{"Responses", responses, "openai/v1/responses", (*agent).asResponses, proxytest.Responses, "input", "output", false},
	{"generateContent", generate, "gemini/v1beta/models/gemini-x-1:streamGenerateContent?alt=sse", (*agent).asGemini, proxytest.Generate, "contents", "response", false},
}

func TestSessionsOfOtherFormsGoOutShorterAndAreNeverRefused(t *testing.T) {
	for _, f := range otherForms {
		now := start
		p := newPaging(Options{Pager: pagerSmall(), Now: func() time.Time { now = now.Add(time.Minute); return now }})
		a := newAgent("please look into it")
		came, went, changed := 0, 0, 0
		for i := range 50 {
			req := f.request(a)
			if err := f.check(req); err != nil {
				t.Fatalf("%s: the test's own request: %v", f.name, err)
			}
			out := p.page(f.form, "x", req)
			if err := f.check(out.body); err != nil || out.doubt != "" {
				t.Fatalf("%s, request %d: %v %q", f.name, i, err, out.doubt)
			}
			if again := p.page(f.form, "x", req); !bytes.Equal(again.body, out.body) {
				t.Fatalf("%s: a retry goes out in another form", f.name)
			}
			came, went = came+len(req), went+len(out.body)
			changed = sameItems(t, req, out.body, f.list, f.result, f.calls)
			a.work(i)
		}
		if changed < 20 || went > came*7/10 {
			t.Errorf("%s: %d changed; of %d bytes %d went out", f.name, changed, came, went)
		}
	}
}

// sameItems fails when two requests differ in more than a field of results, and in the text that a call replaced.
func sameItems(t *testing.T, was, is []byte, list, result string, calls bool) (changed int) {
	t.Helper()
	var a, b map[string]any
	if json.Unmarshal(was, &a) != nil || json.Unmarshal(is, &b) != nil {
		t.Fatal("no JSON")
	}
	x, y := a[list].([]any), b[list].([]any)
	delete(a, list)
	delete(b, list)
	if len(x) != len(y) || !reflect.DeepEqual(a, b) {
		t.Fatalf("%d entries became %d, or something beside them changed", len(x), len(y))
	}
	for i := range x {
		p, q := x[i].(map[string]any), y[i].(map[string]any)
		if reflect.DeepEqual(p, q) {
			continue
		}
		changed++
		switch {
		case p["parts"] != nil:
			withoutResponses(p)
			withoutResponses(q)
		case p["role"] == "tool" || p["type"] == "function_call_output":
			delete(p, result)
			delete(q, result)
		case calls:
			blank(p)
			blank(q)
		}
		if !reflect.DeepEqual(p, q) {
			t.Fatalf("entry %d: %.300v became %.300v", i, p, q)
		}
	}
	return changed
}

// blank takes the text that an edit replaced out of a call.
func blank(m map[string]any) {
	list, _ := m["tool_calls"].([]any)
	for _, c := range list {
		f := c.(map[string]any)["function"].(map[string]any)
		var args map[string]any
		_ = json.Unmarshal([]byte(f["arguments"].(string)), &args)
		delete(args, "old_string")
		f["arguments"] = args
	}
}

func TestWhenInDoubtBytesOfOpenAIPass(t *testing.T) {
	a := newAgent("go")
	for i := range 12 {
		a.work(i)
	}
	c, r := string(a.asChat()), string(a.asResponses())
	for _, x := range []struct {
		name string
		form form
		body string
		want doubt
	}{
		{"a result without a call", chat, strings.Replace(c, `"tool_call_id":"toolu_3"`, `"tool_call_id":"toolu_99"`, 1), doubtResult},
		{"two results", chat, strings.Replace(c, `"tool_call_id":"toolu_3"`, `"tool_call_id":"toolu_2"`, 1), doubtResult},
		{"an id twice", chat, strings.Replace(c, `"id":"toolu_3"`, `"id":"toolu_2"`, 1), doubtResult},
		{"an unknown field", chat, strings.Replace(c, `"role":"tool"`, `"mark":1,"role":"tool"`, 1), doubtShape},
		{"a call of another kind", chat, strings.Replace(c, `"type":"function"`, `"type":"custom"`, 1), doubtBlock},
		{"another role", chat, strings.Replace(c, `"role":"system"`, `"role":"observer"`, 1), doubtShape},
		{"no messages", chat, `{"messages":{}}`, doubtShape},
		{"no JSON", chat, c[:len(c)-1], doubtJSON},
		{"under way", chat, c, doubtJoined},
		{"an unknown item", responses, strings.Replace(r, `"type":"reasoning"`, `"type":"dream"`, 1), doubtBlock},
		{"a context that lies with the provider", responses, strings.Replace(r, `"store":false`, `"previous_response_id":"r"`, 1), doubtManaged},
		{"a result without a call", responses, strings.Replace(r, `"call_id":"toolu_3"`, `"call_id":"toolu_98"`, 1), doubtResult},
		{"another role", responses, strings.Replace(r, `"role":"user"`, `"role":"tool"`, 1), doubtShape},
		{"no input", responses, `{"input":null}`, doubtShape},
		{"under way", responses, r, doubtJoined},
	} {
		p := newPaging(Options{Pager: pagerSmall(), Now: func() time.Time { return start }})
		if out := p.page(x.form, "x", []byte(x.body)); string(out.body) != x.body || out.doubt != x.want {
			t.Errorf("%s: %q, want %q; changed: %v", x.name, out.doubt, x.want, string(out.body) != x.body)
		}
	}
}

func TestFailuresAreSeenInTheirText(t *testing.T) {
	for text, want := range map[string]bool{
		"Error: no such file": true, "  error reading": true, "Exit code: 1\nWall time: 2 s\nOutput:\nx": true, `{"output":"x","metadata":{"exit_code":127,"duration":1}}`: true,
		"x\nexit status 2": true, "Process exited with code 1": true, "Exit code: 0\nfine": false, `{"output":"x","metadata":{"exit_code":0}}`: false, "no errors": false, "": false,
		long(40, "x") + "Exit code 3" + long(40, "y"): false, "Exit code: 10": true, long(40, "x") + "exit code: 2": true,
	} {
		if got := failed(text); got != want {
			t.Errorf("%.60q: %v", text, got)
		}
	}
}

func TestATextAloneIsAnInput(t *testing.T) {
	p := newPaging(Options{Pager: pagerSmall(), Now: func() time.Time { return start }})
	body := []byte(`{"model":"m","input":"hello"}`)
	if out := p.page(responses, "x", body); out.doubt != "" || !bytes.Equal(out.body, body) || len(p.live) != 1 {
		t.Errorf("%+v", out)
	}
}

// FuzzOtherForms holds what a strict provider takes to be taken shortened, in the other formats than Messages.
func FuzzOtherForms(f *testing.F) {
	a := newAgent("go")
	for i := range 6 {
		a.work(i)
	}
	f.Add(string(a.asChat()))
	f.Add(string(a.asResponses()))
	f.Add(string(a.asGemini()))
	f.Fuzz(func(t *testing.T, body string) {
		for _, x := range otherForms {
			p := newPaging(Options{Pager: pagerSmall(), Now: func() time.Time { return start }})
			for range 2 {
				out := p.page(x.form, "x", []byte(body))
				if !out.short && string(out.body) != body {
					t.Fatal("changed though nothing is short")
				}
				if x.check([]byte(body)) == nil {
					if err := x.check(out.body); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	})
}

// A result that failed is told from one that did not, and a call whose arguments are no JSON is never shortened.
func TestFailedResultsAndBrokenCallsOfChatAreSeen(t *testing.T) {
	talk, err := talkOf(chat, []byte(`{"messages":[{"role":"user","content":"go"},{"role":"assistant","tool_calls":[
{"id":"a","type":"function","function":{"name":"x","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"x","arguments":"{"}},{"id":"c","type":"function","function":{"name":"x","arguments":"{}"}}]},
{"role":"tool","tool_call_id":"a","content":"Error: none"},{"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"Error: none"},{"type":"text","text":"more"}]},{"role":"tool","tool_call_id":"c","content":"fine"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range talk.said {
		for _, b := range talk.message(i).Blocks {
			got = append(got, fmt.Sprintf("%s %v %v", b.ID, b.Failed, b.Fixed))
		}
	}
	if want := []string{" false false", "a false false", "b false true", "c false false", "a true false", "b true false", "c false false"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}
