package proxy

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"dormouse/service/proxy/proxytest"
)

// says is a part of what a scripted model answers.
type says struct {
	kind string // text, think or call
	text string
	name string
	args string
	id   string
}

func says1(s string) says { return says{kind: "text", text: s} }
func thinks(s string) says {
	return says{kind: "think", text: s}
}
func calls(name, args string) says { return says{kind: "call", name: name, args: args} }
func asks(question string) says {
	return calls(toolQuery, string(encoded(map[string]any{"question": question})))
}

// script is a provider whose model answers what it is told to, one answer a request, and holds each request to what the real one takes and
// to what it saw before: a conversation only grows.
type script struct {
	t     *testing.T
	form  form
	piece int // bytes of a delta
	split bool

	mu      sync.Mutex
	replies [][]says
	n       int
	flat    []string // what the last request said and what was answered
	free    bool     // the next request need not go on with that
	short   bool     // what results hold may change
	trouble []http.HandlerFunc
	tools   string // of the first request
}

func (s *script) will(replies ...[]says) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = append(s.replies, replies...)
}

func (s *script) ServeHTTP(w http.ResponseWriter, b *bed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body := b.last().body
	check := map[form]func([]byte) error{messages: proxytest.Messages, chat: proxytest.Chat, responses: proxytest.Responses, generate: proxytest.Generate}[s.form]
	refuse := func(why string) {
		s.t.Error(why)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(errorBody(s.form, http.StatusBadRequest, why))
	}
	if err := check(body); err != nil {
		refuse(fmt.Sprintf("refused: %v in %.3000s", err, body))
		return
	}
	now := flatten(s.form, body)
	if s.short {
		for i := range now {
			now[i] = resultOnly(now[i])
		}
	}
	for i, x := range s.flat {
		if !s.free && (i >= len(now) || now[i] != x) {
			refuse(fmt.Sprintf("the conversation does not go on: at %d of %d stands %.400q, not %.400q", i, len(s.flat), append(now, "nothing")[min(i, len(now))], x))
			return
		}
	}
	if tools := gjson.GetBytes(body, "tools").Raw; s.tools == "" {
		s.tools = tools
	} else if tools != s.tools {
		refuse("the tools changed from " + s.tools + " to " + tools)
		return
	}
	if len(s.trouble) > 0 {
		h := s.trouble[0]
		s.trouble = s.trouble[1:]
		if h != nil {
			h(w, nil)
			return
		}
	}
	if len(s.replies) == 0 {
		refuse("asked once too often")
		return
	}
	reply := s.replies[0]
	s.replies = s.replies[1:]
	s.n++
	for i := range reply {
		if reply[i].kind == "call" && reply[i].id == "" {
			reply[i].id = fmt.Sprintf("call_%d_%d", s.n, i)
		}
	}
	s.free, s.flat = false, append(now, flatReply(s.form, reply)...)
	if gjson.GetBytes(body, "stream").Bool() || strings.HasSuffix(b.last().path, ":streamGenerateContent") {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte(s.stream(reply)))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(s.whole(reply))
}

// resultOnly is a part of a request; of a result only whose it is.
func resultOnly(part string) string {
	if id := resultID.FindStringSubmatch(part); id != nil {
		return "result of " + id[1]
	}
	return part
}

var resultID = regexp.MustCompile(`^(?:user\{.*"tool_use_id":|\{"call_id":|result )"?([a-z0-9_]+)"?(?:,"type":"tool_result"\}|,"output":.*|".*|\[.*)$`)

// flatten is what a request says, part by part.
func flatten(f form, body []byte) (out []string) {
	if f == generate {
		return geminiFlat(body)
	}
	gjson.GetBytes(body, map[form]string{messages: "messages", chat: "messages", responses: "input"}[f]).ForEach(func(_, m gjson.Result) bool {
		role := m.Get("role").String()
		switch {
		case f == responses && m.Get("type").String() != "message" && m.Get("type").Exists():
			x := plainJSON(m.Raw)
			delete(x, "id")
			delete(x, "status")
			out = append(out, string(encoded(x)))
		case f == chat:
			if c := m.Get("content"); c.String() != "" && role != "tool" {
				out = append(out, role+" says "+c.String())
			}
			m.Get("tool_calls").ForEach(func(_, c gjson.Result) bool {
				out = append(out, "calls "+c.Get("id").String()+c.Get("function.name").String()+c.Get("function.arguments").String())
				return true
			})
			if role == "tool" {
				out = append(out, "result "+m.Get("tool_call_id").String()+m.Get("content").Raw)
			}
		case m.Get("content").Type == gjson.String:
			out = append(out, role+" says "+m.Get("content").String())
		default:
			m.Get("content").ForEach(func(_, b gjson.Result) bool {
				if t := b.Get("text"); t.Exists() {
					out = append(out, role+" says "+t.String())
					return true
				}
				x := plainJSON(b.Raw)
				delete(x, "cache_control")
				out = append(out, role+string(encoded(x)))
				return true
			})
		}
		return true
	})
	return out
}

func plainJSON(raw string) (m map[string]any) {
	_ = json.Unmarshal([]byte(raw), &m)
	return m
}

// flatReply is the same of an answer.
func flatReply(f form, reply []says) (out []string) {
	if f == generate {
		return geminiFlatReply(reply)
	}
	text := ""
	for i, x := range reply {
		switch {
		case x.kind == "text" && f == chat:
			text += x.text
		case x.kind == "text" && strings.TrimSpace(x.text) != "":
			out = append(out, "assistant says "+x.text)
		case x.kind == "think" && f == messages:
			out = append(out, "assistant"+string(encoded(map[string]any{"type": "thinking", "thinking": x.text, "signature": proxytest.Sign(x.text)})))
		case x.kind == "think" && f == responses:
			out = append(out, string(encoded(map[string]any{"type": "reasoning", "summary": []any{}, "encrypted_content": proxytest.Sign(x.text)})))
		case x.kind == "call" && f == messages:
			out = append(out, "assistant"+string(encoded(map[string]any{"type": "tool_use", "id": x.id, "name": x.name, "input": plainJSON(x.args)})))
		case x.kind == "call" && f == responses:
			out = append(out, string(encoded(map[string]any{"type": "function_call", "call_id": x.id, "name": x.name, "arguments": x.args})))
		case x.kind == "call":
			out = append(out, "calls "+x.id+x.name+x.args)
		}
		_ = i
	}
	if text != "" {
		out = append([]string{"assistant says " + text}, out...)
	}
	return out
}

// cutUp cuts a text into pieces of so many bytes, at characters.
func cutUp(s string, n int) (out []string) {
	from := 0
	for i := range s {
		if i-from >= n {
			out = append(out, s[from:i])
			from = i
		}
	}
	return append(out, s[from:])
}

func (s *script) stop(reply []says) string {
	for _, x := range reply {
		if x.kind == "call" {
			return "tool_use"
		}
	}
	return "end_turn"
}

// stream is an answer as the provider streams it.
func (s *script) stream(reply []says) string {
	switch s.form {
	case chat:
		return s.chatStream(reply)
	case responses:
		return s.responsesStream(reply)
	case generate:
		return s.geminiStream(reply)
	}
	var b strings.Builder
	put := func(name string, v map[string]any) {
		v["type"] = name
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", name, encoded(v))
	}
	put("message_start", map[string]any{"message": map[string]any{"id": fmt.Sprint("msg_", s.n), "type": "message", "role": "assistant", "model": "claude-x-1", "content": []any{}, "stop_reason": nil,
		"usage": map[string]any{"input_tokens": 100, "cache_read_input_tokens": 10, "cache_creation_input_tokens": 5, "output_tokens": 1}}})
	for i, x := range reply {
		delta := func(kind, field, text string) {
			for _, p := range cutUp(text, s.piece) {
				put("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": kind, field: p}})
			}
		}
		begin := func(block map[string]any) {
			put("content_block_start", map[string]any{"index": i, "content_block": block})
		}
		switch x.kind {
		case "text":
			begin(map[string]any{"type": "text", "text": ""})
			delta("text_delta", "text", x.text)
		case "think":
			begin(map[string]any{"type": "thinking", "thinking": "", "signature": ""})
			delta("thinking_delta", "thinking", x.text)
			put("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": "signature_delta", "signature": proxytest.Sign(x.text)}})
		case "call":
			begin(map[string]any{"type": "tool_use", "id": x.id, "name": x.name, "input": map[string]any{}})
			delta("input_json_delta", "partial_json", x.args)
		}
		put("content_block_stop", map[string]any{"index": i})
		put("ping", map[string]any{})
	}
	put("message_delta", map[string]any{"delta": map[string]any{"stop_reason": s.stop(reply), "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 7}})
	put("message_stop", map[string]any{})
	return b.String()
}

func (s *script) chatStream(reply []says) string {
	var b strings.Builder
	put := func(delta map[string]any, finish any) {
		fmt.Fprintf(&b, "data: %s\n\n", encoded(map[string]any{"id": fmt.Sprint("chatcmpl-", s.n), "object": "chat.completion.chunk", "created": 1, "model": "gpt-x-1",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}}))
	}
	put(map[string]any{"role": "assistant", "content": ""}, nil)
	n := 0
	for _, x := range reply {
		switch x.kind {
		case "text":
			for _, p := range cutUp(x.text, s.piece) {
				put(map[string]any{"content": p}, nil)
			}
		case "call":
			part := func(v map[string]any, f map[string]any) {
				v["index"], v["function"] = n, f
				put(map[string]any{"tool_calls": []any{v}}, nil)
			}
			if s.split {
				for i, p := range cutUp(x.name, s.piece) {
					if i == 0 {
						part(map[string]any{"id": x.id, "type": "function"}, map[string]any{"name": p, "arguments": ""})
					} else {
						part(map[string]any{}, map[string]any{"name": p})
					}
				}
			} else {
				part(map[string]any{"id": x.id, "type": "function"}, map[string]any{"name": x.name, "arguments": ""})
			}
			for _, p := range cutUp(x.args, s.piece) {
				part(map[string]any{}, map[string]any{"arguments": p})
			}
			n++
		}
	}
	put(map[string]any{}, map[string]string{"tool_use": "tool_calls", "end_turn": "stop"}[s.stop(reply)])
	fmt.Fprintf(&b, "data: %s\n\ndata: [DONE]\n\n", encoded(map[string]any{"id": fmt.Sprint("chatcmpl-", s.n), "object": "chat.completion.chunk", "created": 1, "model": "gpt-x-1", "choices": []any{},
		"usage": map[string]any{"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107, "prompt_tokens_details": map[string]any{"cached_tokens": 10}}}))
	return b.String()
}

func (s *script) responsesItems(reply []says) (items []map[string]any) {
	items = []map[string]any{}
	for i, x := range reply {
		id := fmt.Sprintf("it_%d_%d", s.n, i)
		switch x.kind {
		case "text":
			items = append(items, map[string]any{"id": id, "type": "message", "status": "completed", "role": "assistant", "content": []any{map[string]any{"type": "output_text", "text": x.text, "annotations": []any{}}}})
		case "think":
			items = append(items, map[string]any{"id": id, "type": "reasoning", "summary": []any{}, "encrypted_content": proxytest.Sign(x.text)})
		case "call":
			items = append(items, map[string]any{"id": id, "type": "function_call", "status": "completed", "call_id": x.id, "name": x.name, "arguments": x.args})
		}
	}
	return items
}

func (s *script) response(reply []says, status string) map[string]any {
	out := map[string]any{"id": fmt.Sprint("resp_", s.n), "object": "response", "created_at": 1, "status": status, "model": "gpt-x-1", "output": []any{}, "usage": nil}
	if status == "completed" {
		out["output"] = s.responsesItems(reply)
		out["usage"] = map[string]any{"input_tokens": 100, "input_tokens_details": map[string]any{"cached_tokens": 10}, "output_tokens": 7, "output_tokens_details": map[string]any{"reasoning_tokens": 2}, "total_tokens": 107}
	}
	return out
}

func (s *script) responsesStream(reply []says) string {
	var b strings.Builder
	n := 0
	put := func(name string, v map[string]any) {
		v["type"], v["sequence_number"] = name, n
		n++
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", name, encoded(v))
	}
	put("response.created", map[string]any{"response": s.response(reply, "in_progress")})
	put("response.in_progress", map[string]any{"response": s.response(reply, "in_progress")})
	for i, item := range s.responsesItems(reply) {
		begun := plainly(item)
		begun["status"] = "in_progress"
		switch item["type"] {
		case "message":
			begun["content"] = []any{}
		case "function_call":
			begun["arguments"] = ""
		}
		put("response.output_item.added", map[string]any{"output_index": i, "item": begun})
		for _, p := range cutUp(reply[i].text+reply[i].args, s.piece) {
			switch item["type"] {
			case "message":
				put("response.output_text.delta", map[string]any{"output_index": i, "content_index": 0, "item_id": item["id"], "delta": p, "logprobs": []any{}})
			case "function_call":
				put("response.function_call_arguments.delta", map[string]any{"output_index": i, "item_id": item["id"], "delta": p})
			}
		}
		put("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	put("response.completed", map[string]any{"response": s.response(reply, "completed")})
	return b.String()
}

// whole is an answer as one document.
func (s *script) whole(reply []says) []byte {
	switch s.form {
	case generate:
		return s.geminiWhole(reply)
	case responses:
		return encoded(s.response(reply, "completed"))
	case chat:
		var text any
		var list []any
		for _, x := range reply {
			switch x.kind {
			case "text":
				was, _ := text.(string)
				text = was + x.text
			case "call":
				list = append(list, map[string]any{"id": x.id, "type": "function", "function": map[string]any{"name": x.name, "arguments": x.args}})
			}
		}
		m := map[string]any{"role": "assistant", "content": text, "refusal": nil}
		if list != nil {
			m["tool_calls"] = list
		}
		return encoded(map[string]any{"id": fmt.Sprint("chatcmpl-", s.n), "object": "chat.completion", "created": 1, "model": "gpt-x-1",
			"choices": []any{map[string]any{"index": 0, "message": m, "finish_reason": map[string]string{"tool_use": "tool_calls", "end_turn": "stop"}[s.stop(reply)]}},
			"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107, "prompt_tokens_details": map[string]any{"cached_tokens": 10}}})
	}
	blocks := []any{}
	for _, x := range reply {
		switch x.kind {
		case "text":
			blocks = append(blocks, text(x.text))
		case "think":
			blocks = append(blocks, map[string]any{"type": "thinking", "thinking": x.text, "signature": proxytest.Sign(x.text)})
		case "call":
			blocks = append(blocks, map[string]any{"type": "tool_use", "id": x.id, "name": x.name, "input": plainJSON(x.args)})
		}
	}
	return encoded(map[string]any{"id": fmt.Sprint("msg_", s.n), "type": "message", "role": "assistant", "model": "claude-x-1", "content": blocks, "stop_reason": s.stop(reply), "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": 100, "cache_read_input_tokens": 10, "cache_creation_input_tokens": 5, "output_tokens": 7}})
}

// known is a memory that knows one thing.
type known struct {
	mu    sync.Mutex
	asked []Question
}

func (k *known) Query(_ context.Context, q Question) (Answer, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.asked = append(k.asked, q)
	if !strings.Contains(q.Text, "port") {
		return Answer{}, nil
	}
	return Answer{Lines: []string{"The port is 8443."}, Sources: []string{"session s1, turn 4"}}, nil
}

// askingBed is a proxy that offers its tools, before a scripted provider.
func askingBed(t *testing.T, f form, change ...func(*Options)) (*bed, *script, *known) {
	t.Helper()
	s, k := &script{t: t, form: f, piece: 5}, &known{}
	var b *bed
	b = newBed(t, func(w http.ResponseWriter, _ *http.Request) { s.ServeHTTP(w, b) }, append([]func(*Options){func(o *Options) {
		o.Tools, o.Memory = func() bool { return true }, k
	}}, change...)...)
	return b, s, k
}
