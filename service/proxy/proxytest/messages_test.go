package proxytest

import (
	"strings"
	"testing"
)

// whole is a request that uses much of what there is, and that is taken.
var whole = `{"model":"claude-x-1","max_tokens":1000,"stream":true,"temperature":1,"metadata":{"user_id":"u"},
"system":[{"type":"text","text":"be kind","cache_control":{"type":"ephemeral"}}],
"tools":[{"name":"Read","description":"reads","input_schema":{"type":"object","properties":{"cache_control":{"type":"string"}},"additionalProperties":false},"cache_control":{"type":"ephemeral","ttl":"1h"}},
 {"type":"web_search_20250305","name":"web_search","max_uses":3}],
"tool_choice":{"type":"auto"},"thinking":{"type":"enabled","budget_tokens":2000},
"messages":[{"role":"user","content":"go"},
{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"` + Sign("hm") + `"},{"type":"text","text":"I look"},{"type":"tool_use","id":"a","name":"Read","input":{"x":[1.5,null]}},{"type":"tool_use","id":"b","name":"Read","input":{}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"text"},{"type":"tool_result","tool_use_id":"b","is_error":true,"content":[{"type":"text","text":"t"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}],"cache_control":{"type":"ephemeral"}},{"type":"text","text":"and?"}]},
{"role":"assistant","content":"done"},{"role":"user","content":[{"type":"text","text":"thanks","cache_control":{"type":"ephemeral"}}]}]}`

func TestAWholeRequestIsTaken(t *testing.T) {
	if err := Messages([]byte(whole)); err != nil {
		t.Error(err)
	}
}

// Each change breaks one rule alone.
func TestEachRuleRefusesWhatBreaksIt(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"no UTF-8", "be kind", "be \xff", "UTF-8"},
		{"no JSON", `"stream":true,`, `"stream":true,,`, "JSON"},
		{"two documents", `"thanks","cache_control":{"type":"ephemeral"}}]}]}`, `"thanks","cache_control":{"type":"ephemeral"}}]}]}{}`, "more than one"},
		{"an unknown field", `"temperature":1,`, `"temperatur":1,`, "request.temperatur: Extra"},
		{"an unknown field in a block", `"text":"I look"`, `"text":"I look","mark":1`, "mark: Extra"},
		{"an unknown field in a result", `"is_error":true`, `"is_error":true,"paged":true`, "paged: Extra"},
		{"an unknown block", `{"type":"text","text":"and?"}`, `{"type":"memo","text":"and?"}`, "no variant"},
		{"no max_tokens", `"max_tokens":1000,`, ``, "max_tokens: Field required"},
		{"max_tokens of another type", `"max_tokens":1000,`, `"max_tokens":"1000",`, "max_tokens"},
		{"max_tokens of nothing", `"max_tokens":1000,`, `"max_tokens":0,`, "at least 1"},
		{"a call without an id", `"id":"a",`, ``, "id: Field required"},
		{"arguments that are no object", `"input":{}`, `"input":"x"`, "object"},
		{"a call that is not answered", `{"type":"tool_result","tool_use_id":"a","content":"text"},`, ``, "without tool_result blocks immediately after: a"},
		{"a call that is answered too late", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"`, `{"role":"assistant","content":"wait"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"`, "without tool_result blocks immediately after: a"},
		{"a result without a call", `"content":"go"`, `"content":[{"type":"tool_result","tool_use_id":"z","content":"text"}]`, "unexpected tool_use_id"},
		{"two results of a call", `{"type":"tool_result","tool_use_id":"a","content":"text"},`, `{"type":"tool_result","tool_use_id":"a","content":"text"},{"type":"tool_result","tool_use_id":"a","content":"text"},`, "single result"},
		{"a result after a text", `{"type":"tool_result","tool_use_id":"a","content":"text"},`, `{"type":"text","text":"x"},{"type":"tool_result","tool_use_id":"a","content":"text"},`, "come first"},
		{"an id twice", `"id":"b"`, `"id":"a"`, "unique: a"},
		{"a changed thought", `"thinking":"hm"`, `"thinking":"hmm"`, "signature"},
		{"a thought without its signature", `"signature":"` + Sign("hm") + `"`, `"signature":""`, "signature"},
		{"five marks of a cache", `"text":"I look"`, `"text":"I look","cache_control":{"type":"ephemeral"}`, "found 5"},
		{"an empty text", `"text":"and?"`, `"text":""`, "non-empty"},
		{"an empty message", `"content":"go"`, `"content":""`, "non-empty"},
		{"an empty text in a result", `{"type":"text","text":"t"}`, `{"type":"text","text":""}`, "non-empty"},
		{"no content", `"content":"go"`, `"content":[]`, "non-empty content"},
		{"another role", `"role":"user","content":"go"`, `"role":"tool","content":"go"`, "role"},
		{"a field of a message", `"content":"go"`, `"content":"go","id":"m"`, "id: Extra"},
		{"an unknown tool", `"web_search_20250305"`, `"web_search_1999"`, "no variant"},
	} {
		if n := strings.Count(whole, c.from); n != 1 {
			t.Fatalf("%s: what is changed is there %d times", c.name, n)
		}
		err := Messages([]byte(strings.Replace(whole, c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
