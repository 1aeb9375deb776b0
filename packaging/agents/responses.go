package main

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

// responses is OpenAI's Responses API: https://platform.openai.com/docs/api-reference/responses-streaming.
type responses struct{}

func (responses) ask(body []byte) (a asked, err error) {
	if !gjson.ValidBytes(body) {
		return a, fmt.Errorf("not JSON")
	}
	req := gjson.ParseBytes(body)
	for _, t := range req.Get("tools").Array() {
		name := t.Get("name").String()
		if t.Get("type").String() != "namespace" {
			a.tools = append(a.tools, name)
		}
		for _, of := range t.Get("tools.#.name").Array() { // those of one server of tools
			a.tools = append(a.tools, name+"/"+of.String())
		}
	}
	for _, item := range req.Get("input").Array() {
		text := item.Get("content").Raw
		if item.Get("role").String() == "user" && (strings.Contains(text, mainMark) || strings.Contains(text, askMark) || strings.Contains(text, hangMark) || strings.Contains(text, subMark)) && a.first == "" {
			a.first = text
		}
		if strings.HasSuffix(item.Get("type").String(), "_call_output") {
			a.results++
		}
	}
	return a, nil
}

func (responses) answer(w stream, n int, r reply) {
	id := fmt.Sprintf("resp_%d", n)
	w.event("response.created", object{"type": "response.created", "response": object{"id": id}})
	var items []any
	if r.text != "" {
		items = append(items, object{"type": "message", "id": fmt.Sprintf("msg_%d", n), "role": "assistant", "status": "completed",
			"content": []any{object{"type": "output_text", "text": r.text, "annotations": []any{}}}})
	}
	if r.tool != "" {
		call := object{"type": "function_call", "id": fmt.Sprintf("fc_%d", n), "call_id": fmt.Sprintf("call_scripted%d", n), "name": r.tool, "arguments": mustJSON(r.args)}
		if space, name, ok := strings.Cut(r.tool, "/"); ok {
			call["namespace"], call["name"] = space, name
		}
		items = append(items, call)
	}
	for i, item := range items {
		w.event("response.output_item.done", object{"type": "response.output_item.done", "output_index": i, "item": item})
	}
	done := object{"id": id, "output": items, "usage": object{"input_tokens": 100 + n, "input_tokens_details": object{"cached_tokens": 0},
		"output_tokens": 10, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 110 + n}}
	w.event("response.completed", object{"type": "response.completed", "response": done})
	w.whole(done)
}
