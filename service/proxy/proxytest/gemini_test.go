package proxytest

import (
	"strings"
	"testing"
)

// wholeGemini is a request that uses much of what there is, and that is taken.
var wholeGemini = `{"systemInstruction":{"parts":[{"text":"be kind"}]},"generationConfig":{"temperature":1,"thinkingConfig":{"includeThoughts":true}},
"tools":[{"functionDeclarations":[{"name":"read_file","description":"reads","parameters":{"type":"OBJECT","properties":{"path":{"type":"STRING"}}}},{"name":"ls"}]}],
"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},
"contents":[{"role":"user","parts":[{"text":"go"}]},
{"role":"model","parts":[{"text":"hm","thought":true},{"text":"I look"},{"functionCall":{"name":"read_file","args":{"path":"a","n":[1,null]}},"thoughtSignature":"` + SignCall("read_file", map[string]any{"path": "a", "n": []any{1, nil}}) + `"},{"functionCall":{"id":"7","name":"ls"}}]},
{"role":"user","parts":[{"functionResponse":{"name":"read_file","response":{"output":"text"}}},{"functionResponse":{"id":"7","name":"ls","response":{"error":"none"}}}]},
{"role":"model","parts":[{"text":"done","thoughtSignature":"` + Sign("done") + `"}]},{"role":"user","parts":[{"text":"thanks"},{"inlineData":{"mimeType":"image/png","data":"aGk="}}]}]}`

func TestAWholeRequestOfGeminisIsTaken(t *testing.T) {
	if err := Generate([]byte(wholeGemini)); err != nil {
		t.Error(err)
	}
}

// Each change breaks one rule alone.
func TestEachRuleOfGeminisRefusesWhatBreaksIt(t *testing.T) {
	const readResult = `{"functionResponse":{"name":"read_file","response":{"output":"text"}}},`
	for _, c := range []struct{ name, from, to, want string }{
		{"no UTF-8", "be kind", "be \xff", "UTF-8"},
		{"no JSON", `"toolConfig":{`, `"toolConfig":,{`, "JSON"},
		{"an unknown field", `"generationConfig"`, `"generation_conf"`, `"generation_conf"`},
		{"an unknown field of a content", `"parts":[{"text":"go"}]`, `"parts":[{"text":"go"}],"id":1`, `"id"`},
		{"an unknown field of a part", `{"text":"I look"}`, `{"text":"I look","paged":1}`, `"paged"`},
		{"an unknown field of a call", `"args":{"path"`, `"input":1,"args":{"path"`, `"input"`},
		{"an unknown field of a result", `"response":{"output":"text"}`, `"response":{"output":"text"},"paged":1`, `"paged"`},
		{"an unknown field of a tool", `[{"functionDeclarations"`, `[{"memory":1,"functionDeclarations"`, `"memory"`},
		{"an unknown field of a function", `{"name":"ls"}`, `{"name":"ls","input_schema":{}}`, `"input_schema"`},
		{"an unknown field of the choice", `"mode":"AUTO"`, `"mode":"AUTO","type":"auto"`, `"type"`},
		{"another mode", `"AUTO"`, `"auto"`, "mode"},
		{"a function twice", `{"name":"ls"}`, `{"name":"ls"},{"name":"ls"}`, "duplicate"},
		{"two lists of functions", `{"name":"ls"}]}`, `{"name":"ls"}]},{"functionDeclarations":[{"name":"more"}]}`, "multiple tools"},
		{"a name that is none", `{"name":"ls"}`, `{"name":"ls"},{"name":"l s"}`, "function name"},
		{"a type in small letters", `"STRING"`, `"string"`, "type"},
		{"no contents", wholeGemini[strings.Index(wholeGemini, `"contents":[`):], `"contents":[]}`, "not specified"},
		{"another role", `"role":"user","parts":[{"text":"go"}]`, `"role":"system","parts":[{"text":"go"}]`, "valid role"},
		{"the model begins", `{"role":"user","parts":[{"text":"go"}]},`, ``, "user begins"},
		{"the user twice", `"parts":[{"text":"go"}]},`, `"parts":[{"text":"go"}]},{"role":"user","parts":[{"text":"on"}]},`, "alternate"},
		{"the model is last", `,{"role":"user","parts":[{"text":"thanks"},{"inlineData":{"mimeType":"image/png","data":"aGk="}}]}`, ``, "last content"},
		{"no parts", `[{"text":"go"}]`, `[]`, "at least one"},
		{"a part of nothing", `{"text":"I look"}`, `{"thought":true}`, "one initialized"},
		{"a part of two", `{"text":"I look"}`, `{"text":"I look","fileData":{}}`, "already set"},
		{"a call that is not answered", readResult, ``, "number of function response parts"},
		{"a result without a call", `{"text":"go"}`, readResult + `{"text":"go"}`, "number of function response parts"},
		{"a result of another call", readResult, strings.Replace(readResult, "read_file", "ls", 1), "answers no call"},
		{"a result with another id", `"id":"7","name":"ls","response"`, `"id":"8","name":"ls","response"`, "answers no call"},
		{"a result that is no object", `"response":{"output":"text"}`, `"response":"text"`, "is an object"},
		{"arguments that are no object", `"name":"ls"}}]},`, `"name":"ls","args":[]}}]},`, "args"},
		{"a call of what is not declared", `"id":"7","name":"ls"}`, `"id":"7","name":"lsx"}`, "not declared"},
		{"a changed call", `"path":"a"`, `"path":"b"`, "signature is not valid"},
		{"a call without its signature", `,"thoughtSignature":"` + SignCall("read_file", map[string]any{"path": "a", "n": []any{1, nil}}) + `"`, ``, "missing a thought_signature"},
		{"a changed text", `"text":"done"`, `"text":"Done"`, "signature is not valid"},
		{"a text that is none", `"text":"I look"`, `"text":1`, "text"},
	} {
		if n := strings.Count(wholeGemini, c.from); n != 1 {
			t.Fatalf("%s: what is changed is there %d times", c.name, n)
		}
		err := Generate([]byte(strings.Replace(wholeGemini, c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
