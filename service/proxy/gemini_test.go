package proxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"dormouse/service/proxy/proxytest"
)

// asGemini is the next request of an agent as generateContent has it. Every second result is more than a text.
func (a *agent) asGemini() []byte {
	var list []any
	for i, m := range a.said {
		role := map[string]string{"user": "user", "assistant": "model"}[m["role"].(string)]
		var parts []any
		for _, b := range blocksOf(plainly(m)) {
			switch b["type"] {
			case "text":
				parts = append(parts, geminiText(b["text"].(string)))
			case "thinking":
				parts = append(parts, map[string]any{"text": b["thinking"], "thought": true})
			case "tool_use":
				parts = append(parts, map[string]any{"functionCall": map[string]any{"name": b["name"], "args": b["input"]}, "thoughtSignature": proxytest.SignCall(b["name"].(string), b["input"])})
			case "tool_result":
				response := map[string]any{"output": b["content"]}
				if list, ok := b["content"].([]any); ok {
					response = map[string]any{"name": a.toolOf(i), "content": list[0].(map[string]any)["text"], "lines": 60}
				} else if i%4 == 0 {
					response = map[string]any{"lines": strings.Split(b["content"].(string), "\n")}
				}
				parts = append(parts, map[string]any{"functionResponse": map[string]any{"name": a.toolOf(i), "response": response}})
			}
		}
		list = append(list, map[string]any{"role": role, "parts": parts})
	}
	return encoded(map[string]any{"contents": list})
}

// toolOf is the tool whose result is in a message.
func (a *agent) toolOf(i int) string {
	before := blocksOf(plainly(a.said[i-1]))
	name, _ := before[len(before)-1]["name"].(string)
	return name
}

// withoutResponses takes what results say out of a content of Gemini's.
func withoutResponses(m map[string]any) {
	for _, p := range m["parts"].([]any) {
		if r, ok := p.(map[string]any)["functionResponse"].(map[string]any); ok {
			delete(r, "response")
		}
	}
}

func TestWhenInDoubtBytesOfGeminiPass(t *testing.T) {
	a := newAgent("go")
	for i := range 12 {
		a.work(i)
	}
	g := string(a.asGemini())
	for _, x := range []struct {
		name, body string
		want       doubt
	}{
		{"a context that lies with the provider", strings.Replace(g, `{"contents"`, `{"cachedContent":"c","contents"`, 1), doubtManaged},
		{"no contents", `{"contents":[]}`, doubtShape},
		{"the shape of another door", `{"model":"m","request":` + g + `}`, doubtShape},
		{"names in another spelling", strings.Replace(g, `"functionCall"`, `"function_call"`, 1), doubtBlock},
		{"two things in a part", strings.Replace(g, `{"text":"go"}`, `{"text":"go","inlineData":{}}`, 1), doubtBlock},
		{"a part that is not known", strings.Replace(g, `{"text":"go"}`, `{"toolCall":{}}`, 1), doubtBlock},
		{"a field of a call that is not known", strings.Replace(g, `"functionCall":{`, `"functionCall":{"willContinue":true,`, 1), doubtBlock},
		{"another role", strings.Replace(g, `"role":"user"`, `"role":"system"`, 1), doubtShape},
		{"a field of a content", strings.Replace(g, `"role":"user"`, `"name":"x","role":"user"`, 1), doubtShape},
		{"a result of another call", strings.Replace(g, `"functionResponse":{"name":"Read"`, `"functionResponse":{"name":"Write"`, 1), doubtResult},
		{"a result with another id", strings.Replace(strings.Replace(g, `"functionResponse":{`, `"functionResponse":{"id":"1",`, 1), `"name":"Read"},"th`, `"name":"Read","id":"2"},"th`, 1), doubtResult},
		{"a call without a result", `{"contents":[{"parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"name":"x"}},{"functionCall":{"name":"y"}}]},{"role":"user","parts":[{"functionResponse":{"name":"x","response":{}}}]}]}`, doubtResult},
		{"a call of the user's", `{"contents":[{"role":"user","parts":[{"functionCall":{"name":"x"}}]}]}`, doubtBlock},
		{"no JSON", g[1:], doubtJSON},
		{"under way", g, doubtJoined},
	} {
		p := newPaging(Options{Pager: pagerSmall(), Now: func() time.Time { return start }})
		if x.body == g && x.want != doubtJoined {
			t.Fatalf("%s: nothing is changed", x.name)
		}
		if out := p.page(generate, "x", []byte(x.body)); string(out.body) != x.body || out.doubt != x.want {
			t.Errorf("%s: %q, want %q; changed: %v", x.name, out.doubt, x.want, string(out.body) != x.body)
		}
	}
}

// What is in a request of Gemini's is told apart as the other forms do it.
func TestBlocksOfGemini(t *testing.T) {
	doc := []byte(`{"contents":[{"parts":[{"text":"go"},{"inlineData":{}}]},
{"role":"model","parts":[{"text":"hm","thought":true}]},{"role":"model","parts":[{"text":"I look"},{"functionCall":{"name":"read_file","args":{"absolute_path":"/a"}}},{"functionCall":{"name":"ls"}},{"functionCall":{"name":"read_file","args":{"absolute_path":"/a"}}}]},
{"role":"function","parts":[{"functionResponse":{"name":"ls","response":{"error":"none"}}},{"functionResponse":{"name":"read_file","response":{"output":"one\ntwo"}}},{"functionResponse":{"name":"read_file","response":{"output":"one\ntwo"}}},{"text":"and?"}]}]}`)
	talk, err := talkOf(generate, doc)
	if err != nil || len(talk.said) != 3 || talk.said[1].from != 1 || talk.said[1].to != 3 {
		t.Fatalf("%v %+v", err, talk)
	}
	var list []string
	ids := map[string]string{}
	for i := range talk.said {
		for _, b := range talk.message(i).Blocks {
			if b.ID != "" && ids[b.ID] == "" {
				ids[b.ID] = fmt.Sprint("id", len(ids))
			}
			list = append(list, fmt.Sprintf("%d %s %s %s %v %v", b.Kind, ids[b.ID], b.Tool, b.Text, b.Failed, b.Fixed))
		}
	}
	want := []string{"1   go false false", `0   {"inlineData":{}} false false`, `0   {"text":"hm","thought":true} false true`, "1   I look false true", "2 id0 read_file  false true",
		"2 id1 ls  false true", "2 id2 read_file  false true", "3 id1  none true false", "3 id0  one\ntwo false false", "3 id2  one\ntwo false false", "1   and? false false"}
	if !slices.Equal(list, want) || len(ids) != 3 {
		t.Errorf("%q", list)
	}
}

// What has very many messages passes in each form.
func TestVeryManyMessagesPassInEachForm(t *testing.T) {
	for _, c := range []struct {
		form      form
		list, one string
	}{{messages, "messages", `{"role":"user","content":"a"}`}, {chat, "messages", `{"role":"user","content":"a"}`}, {responses, "input", `{"role":"user","content":"a"}`}, {generate, "contents", `{"parts":[{"text":"a"}]}`}} {
		for n, want := range map[int]error{maxMessages: nil, maxMessages + 1: doubtMany} {
			doc := fmt.Sprintf(`{%q:[%s%s]}`, c.list, strings.Repeat(c.one+",", n-1), c.one)
			if _, err := talkOf(c.form, []byte(doc)); !errors.Is(err, want) {
				t.Errorf("%d, %s: %v", c.form, c.list, err)
			}
		}
	}
}

// A signature that clients add and take away is no other conversation.
func TestASignatureThatComesAndGoesIsNoChange(t *testing.T) {
	p := newPaging(Options{Pager: pagerSmall(), Now: func() time.Time { return start }})
	a := newAgent("go")
	p.page(generate, "x", a.asGemini())
	for i := range 9 {
		a.work(i)
		req := a.asGemini()
		if i%2 == 0 {
			req = bytes.Replace(req, []byte(proxytest.SignCall("Read", map[string]any{"file_path": "/src/0.go"})), []byte("skip_thought_signature_validator"), 1)
		}
		if out := p.page(generate, "x", req); out.doubt != "" {
			t.Fatal(out.doubt)
		}
	}
	if len(p.live) != 1 {
		t.Errorf("%d conversations", len(p.live))
	}
}

func TestWhereToolsAreNotOfferedByGemini(t *testing.T) {
	const stream, whole = ":streamGenerateContent?alt=sse", ":generateContent"
	request := func(more string) string { return `{"contents":[{"parts":[{"text":"go"}]}]` + more + `}` }
	const read = `{"functionDeclarations":[{"name":"read"}]}`
	for _, c := range []struct {
		name, method, body string
		want               unfit
	}{
		{"plain", stream, request(`,"tools":[` + read + `]`), ""},
		{"whole", whole, request(`,"tools":[` + read + `],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}`), ""},
		{"no tools", whole, request(``), unfitNone},
		{"no functions", whole, request(`,"tools":[{"functionDeclarations":[]}]`), unfitNone},
		{"a search", whole, request(`,"tools":[` + read + `,{"googleSearch":{}}]`), unfitServer},
		{"a name that is taken", whole, request(`,"tools":[{"functionDeclarations":[{"name":"memory_release"}]}]`), unfitName},
		{"any", whole, request(`,"tools":[` + read + `],"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}`), unfitChoice},
		{"some", whole, request(`,"tools":[` + read + `],"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED","allowedFunctionNames":["read"]}}`), unfitChoice},
		{"two answers", whole, request(`,"tools":[` + read + `],"generationConfig":{"candidateCount":2}`), unfitMany},
		{"calls in pieces", stream, request(`,"tools":[` + read + `],"toolConfig":{"functionCallingConfig":{"streamFunctionCallArguments":true}}`), unfitManaged},
		{"a stream as an array", ":streamGenerateContent", request(`,"tools":[` + read + `]`), unfitManaged},
	} {
		b := newBed(t, answer("{}"), func(o *Options) { o.Tools = func() bool { return true } })
		b.post("gemini/v1beta/models/gemini-x-1"+c.method, c.body)
		got, st := b.last().body, b.proxy.Stats()
		if c.want != "" {
			if string(got) != c.body || st.Offered != 0 || st.Unoffered[string(c.want)] != 1 {
				t.Errorf("%s: %s %+v", c.name, got, st)
			}
			continue
		}
		if err := proxytest.Generate(bytes.Replace(got, []byte(`{"parts"`), []byte(`{"role":"user","parts"`), 1)); err != nil || st.Offered != 1 ||
			gjson.GetBytes(got, "tools.0.functionDeclarations.#").Int() != 4 {
			t.Errorf("%s: %v %s %+v", c.name, err, got, st)
		}
	}
}

// What counts tokens is no call of a model, and passes as it came; its count is of what the client sent.
func TestCountingTokensPasses(t *testing.T) {
	b := newBed(t, answer(`{"totalTokens":31}`), func(o *Options) { o.Page = func() bool { return true }; o.Tools = o.Page })
	a := newAgent("go")
	a.work(0)
	body := string(a.asGemini())
	if status, got := b.post("gemini/v1beta/models/gemini-x-1:countTokens", body); status != http.StatusOK || got != `{"totalTokens":31}` || string(b.last().body) != body {
		t.Errorf("%d %s", status, got)
	}
}

// geminiMessage reads a request of Gemini's with an aside put back, as parts.
func geminiBack(t *testing.T, contents string, a Aside) []string {
	t.Helper()
	talk, err := talkOf(generate, []byte(`{"contents":[`+contents+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	x, _, err := talk.with([]Aside{a})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	gjson.GetBytes(x.doc, "contents").ForEach(func(_, m gjson.Result) bool {
		out = append(out, m.Get("role").String()+m.Get("parts").Raw)
		return true
	})
	return out
}

// Clients of Gemini's keep an answer in many ways: each piece as a content of its own, pieces put together, thoughts or none.
func TestAnAsideIsPutBackHoweverTheClientKeepsTheAnswer(t *testing.T) {
	call := AsideCall{At: 0, After: 4, ID: "i", Tool: toolQuery, Input: json.RawMessage(`{"question":"q"}`), Text: "R", Sign: "S", Lent: true}
	a := Aside{Said: 1, Parts: []string{sumOf("t", "one two"), sumOf("c", "Read\x00"+`{"a":1,"b":2}`)},
		Rounds: []AsideRound{{Calls: []AsideCall{call}, End: 0, Text: 4}, {Calls: []AsideCall{{At: 1, Tool: toolRelease, Input: json.RawMessage(`{}`), Text: "no", Sign: "T", Lent: true}}, End: 2, Open: true}}}
	const asked = `{"functionCall":{"id":"i","name":"memory_query","args":{"question":"q"}},"thoughtSignature":"S"}`
	const result = `user[{"functionResponse":{"id":"i","name":"memory_query","response":{"output":"R"}}}]`
	const second = `{"functionCall":{"name":"memory_release","args":{}},"thoughtSignature":"T"}`
	const last = `user[{"functionResponse":{"name":"memory_release","response":{"output":"no"}}},{"functionResponse":{"name":"Read","response":{}}}]`
	const go1, answer1 = `{"role":"user","parts":[{"text":"go"}]}`, `{"role":"user","parts":[{"functionResponse":{"name":"Read","response":{}}}]}`
	const read = `{"functionCall":{"name":"Read","args":{"b":2,"a":1}},"thoughtSignature":"T"}`
	const bare = `{"functionCall":{"name":"Read","args":{"b":2,"a":1}}}`
	for name, c := range map[string]struct{ model, first, then string }{
		"together":           {`{"role":"model","parts":[{"text":"one two"},` + read + `]}`, `{"text":"one "},` + asked, `{"text":"two"},` + second + "," + bare},
		"in pieces":          {`{"role":"model","parts":[{"text":"on"},{"text":"e "},{"text":"two"},` + read + `]}`, `{"text":"on"},{"text":"e "},` + asked, `{"text":"two"},` + second + "," + bare},
		"in contents":        {`{"role":"model","parts":[{"text":"one t"}]},{"role":"model","parts":[{"text":"wo"}]},{"role":"model","parts":[` + read + `]}`, `{"text":"one "},` + asked, `{"text":"t"},{"text":"wo"},` + second + "," + bare},
		"with thoughts":      {`{"role":"model","parts":[{"text":"a","thought":true},{"text":"one "},{"thought":true,"text":"b"},{"text":"two"},` + read + `]}`, `{"text":"a","thought":true},{"text":"one "},` + asked, `{"thought":true,"text":"b"},{"text":"two"},` + second + "," + bare},
		"with an empty text": {`{"role":"model","parts":[{"text":"one "},{"text":"","thoughtSignature":"x"},{"text":"two"},` + read + `,{"text":""}]}`, `{"text":"one "},{"text":"","thoughtSignature":"x"},` + asked, `{"text":"two"},` + second + "," + bare + `,{"text":""}`},
	} {
		got := geminiBack(t, go1+","+c.model+","+answer1, a)
		if want := []string{`user[{"text":"go"}]`, "model[" + c.first + "]", result, "model[" + c.then + "]", last}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%q\n%q", name, got, want)
		}
	}
	for name, model := range map[string]string{"another text": `{"text":"one too"},` + read, "another call": `{"text":"one two"},{"functionCall":{"name":"Read","args":{}}}`, "more": `{"text":"one two"},` + read + `,{"inlineData":{}}`} {
		model = `{"role":"model","parts":[` + model + `]}`
		after := answer1
		if got := geminiBack(t, go1+","+model+","+after, a); len(got) != 3 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The first call that a client sees is signed, though the model signed the memory's.
func TestTheSignatureOfAHiddenCallIsLent(t *testing.T) {
	var g geminiRound
	take := func(part string) string {
		p, err := spansOf([]byte(part))
		if err != nil {
			t.Fatal(err)
		}
		return string(g.take([]byte(part), p))
	}
	if got := take(`{"functionCall":{"name":"memory_query"},"thoughtSignature":"S"}`); got != "" {
		t.Error(got)
	}
	if got := take(`{"functionCall":{"name":"Read"}}`); got != `{"functionCall":{"name":"Read"},"thoughtSignature":"S"}` {
		t.Error(got)
	}
	if got := take(`{"functionCall":{"name":"Read"}}`); got != `{"functionCall":{"name":"Read"}}` || g.real != 2 || !g.calls[0].Lent {
		t.Error(got)
	}
	g = geminiRound{}
	take(`{"functionCall":{"name":"Read"},"thoughtSignature":"S"}`)
	take(`{"functionCall":{"name":"memory_query"}}`)
	if got := take(`{"functionCall":{"name":"Read"}}`); got != `{"functionCall":{"name":"Read"}}` || g.calls[0].Lent {
		t.Error(got)
	}
}

// An answer that ends without saying so is ended, and what is told after an end is not passed on before another round.
func TestAnswersOfGeminiThatEndStrangely(t *testing.T) {
	for name, c := range map[string]struct{ first, second string }{
		"no reason": {`data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"memory_query","args":{"question":"port"}}}]}}],"responseId":"a"}` + "\n\n",
			`data: {"candidates":[{"content":{"role":"model","parts":[{"text":"8443"}]},"finishReason":"STOP"}],"responseId":"b","usageMetadata":{"promptTokenCount":3}}` + "\n\n"},
		"the tokens after the end": {`data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"memory_query","args":{"question":"port"}}}]},"finishReason":"STOP"}],"responseId":"a"}` + "\n\n" +
			`data: {"usageMetadata":{"promptTokenCount":2},"responseId":"a"}` + "\n\n",
			`data: {"candidates":[{"content":{"role":"model","parts":[{"text":"8443"}]},"finishReason":"STOP"}],"responseId":"b","usageMetadata":{"promptTokenCount":1}}` + "\n\n"},
		"a text beside the question": {`data: {"candidates":[{"content":{"role":"model","parts":[{"text":"I ask."},{"functionCall":{"name":"memory_query","args":{"question":"port"}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":2},"responseId":"a"}` + "\n\n",
			`data: {"candidates":[{"content":{"role":"model","parts":[{"text":"8443"}]},"finishReason":"STOP"}],"responseId":"b","usageMetadata":{"promptTokenCount":1}}` + "\n\n"},
	} {
		n := 0
		b := newBed(t, func(w http.ResponseWriter, r *http.Request) {
			n++
			sse([]string{c.first, c.second}[n-1])(w, r)
		}, func(o *Options) { o.Tools, o.Memory = func() bool { return true }, &known{} })
		_, got := b.post("gemini/v1beta/models/gemini-x-1:streamGenerateContent?alt=sse", `{"contents":[{"parts":[{"text":"go"}]}],"tools":[{"functionDeclarations":[{"name":"Read"}]}]}`)
		want := `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"8443"}]},"finishReason":"STOP"}],"responseId":"a","usageMetadata":{"promptTokenCount":3}}` + "\n\n"
		if strings.Contains(c.first, "I ask") { // what the first round took is told at the end alone
			want = `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"I ask."}]}}],"responseId":"a"}` + "\n\n" + want
		}
		if got != want || n != 2 {
			t.Errorf("%s: %d %s", name, n, got)
		}
	}
}

func TestWhatAPathTellsOfGemini(t *testing.T) {
	for path, want := range map[string]string{
		"/v1beta/models/gemini-x-1:generateContent":               "a\x00g\x00gemini-x-1",
		"/v1beta/models/gemini-x-1:streamGenerateContent?alt=sse": "a\x00g\x00gemini-x-1",
		"/v1beta/models/gemini-x-1:streamGenerateContent":         "a\x00g\x00gemini-x-1\x00" + asArray,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, nil)
		at := route{client: "a", upstream: "g", rest: r.URL.Path, form: generate}
		if got := at.from(r); got != want {
			t.Errorf("%s: %q", path, got)
		}
		var x talk
		x.form = generate
		if x.named(want); x.model != "gemini-x-1" || x.array != slices.Contains(strings.Split(want, "\x00"), asArray) {
			t.Errorf("%s: %+v", path, x)
		}
	}
}
