package proxytest

import (
	"strings"
	"testing"
)

const wholeChat = `{"model":"gpt-x-1","stream":true,"stream_options":{"include_usage":true},"tools":[{"type":"function","function":{"name":"read","parameters":{"type":"object","x":1}}}],
"messages":[{"role":"system","content":"be kind"},{"role":"user","content":[{"type":"text","text":"go"}]},
{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"read","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"read","arguments":"{\"x\":1}"}}]},
{"role":"tool","tool_call_id":"a","content":"text"},{"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"more"}]},{"role":"assistant","content":"done"}]}`

const wholeResponses = `{"model":"gpt-x-1","stream":true,"store":false,"include":["reasoning.encrypted_content"],"instructions":"be kind",
"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"xx"},
{"type":"function_call","call_id":"a","name":"read","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"text"},{"role":"assistant","content":"done"}]}`

func TestWholeRequestsOfOpenAIAreTaken(t *testing.T) {
	if err := Chat([]byte(wholeChat)); err != nil {
		t.Error(err)
	}
	if err := Responses([]byte(wholeResponses)); err != nil {
		t.Error(err)
	}
}

func TestEachRuleOfOpenAIRefusesWhatBreaksIt(t *testing.T) {
	for _, c := range []struct {
		name, whole string
		check       func([]byte) error
		from, to    string
		want        string
	}{
		{"an unknown field", wholeChat, Chat, `"stream_options"`, `"stream_option"`, "Extra"},
		{"an unknown field of a message", wholeChat, Chat, `"tool_call_id":"a"`, `"paged":1,"tool_call_id":"a"`, "no variant"},
		{"arguments that are no text", wholeChat, Chat, `"arguments":"{}"`, `"arguments":{}`, "no variant"},
		{"arguments that are no JSON", wholeChat, Chat, `"arguments":"{}"`, `"arguments":"{"`, "JSON"},
		{"a call without a result", wholeChat, Chat, `{"role":"tool","tool_call_id":"a","content":"text"},`, ``, "followed"},
		{"a result without a call", wholeChat, Chat, `{"role":"assistant","content":"done"}`, `{"role":"tool","tool_call_id":"z","content":"text"}`, "before it"},
		{"an id twice", wholeChat, Chat, `"id":"b"`, `"id":"a"`, "unique"},
		{"nothing said", wholeChat, Chat, `{"role":"assistant","content":"done"}`, `{"role":"assistant","content":null}`, "content"},
		{"no messages", `{"model":"m","messages":[1]}`, Chat, `[1]`, `[]`, "at least one"},
		{"an unknown field", wholeResponses, Responses, `"store"`, `"stored"`, "Extra"},
		{"an unknown item", wholeResponses, Responses, `"type":"reasoning"`, `"type":"reason"`, "no variant"},
		{"a field of a result", wholeResponses, Responses, `"output":"text"`, `"output":"text","paged":1`, "no variant"},
		{"a call without a result", wholeResponses, Responses, `,{"type":"function_call_output","call_id":"a","output":"text"}`, ``, "followed"},
		{"a result without a call", wholeResponses, Responses, `{"type":"function_call","call_id":"a","name":"read","arguments":"{}"},`, ``, "before it"},
	} {
		if n := strings.Count(c.whole, c.from); n != 1 {
			t.Fatalf("%s: what is changed is there %d times", c.name, n)
		}
		err := c.check([]byte(strings.Replace(c.whole, c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
