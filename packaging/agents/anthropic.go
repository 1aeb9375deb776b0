package main

import (
	"encoding/json"
	"fmt"

	"github.com/tidwall/gjson"
)

// anthropic is the Messages API: https://docs.anthropic.com/en/api/messages-streaming.
type anthropic struct{}

func (anthropic) ask(body []byte) (a asked, err error) {
	if !gjson.ValidBytes(body) {
		return a, fmt.Errorf("not JSON")
	}
	req := gjson.ParseBytes(body)
	for _, t := range req.Get("tools.#.name").Array() {
		a.tools = append(a.tools, t.String())
	}
	for _, m := range req.Get("messages").Array() {
		content := m.Get("content")
		if m.Get("role").String() == "user" && a.first == "" {
			a.first = content.Raw
		}
		a.results += len(content.Get(`#(type=="tool_result")#`).Array())
	}
	return a, nil
}

func (anthropic) answer(w stream, n int, r reply) {
	usage := object{"input_tokens": 100 + n, "output_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
	message := object{"id": fmt.Sprintf("msg_scripted%020d", n), "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage}
	w.event("message_start", object{"type": "message_start", "message": message})
	blocks, index := []any{}, 0
	if r.text != "" {
		w.event("content_block_start", object{"type": "content_block_start", "index": index, "content_block": object{"type": "text", "text": ""}})
		w.event("content_block_delta", object{"type": "content_block_delta", "index": index, "delta": object{"type": "text_delta", "text": r.text}})
		w.event("content_block_stop", object{"type": "content_block_stop", "index": index})
		blocks = append(blocks, object{"type": "text", "text": r.text})
		index++
	}
	stop := "end_turn"
	if r.tool != "" {
		stop = "tool_use"
		id, args := fmt.Sprintf("toolu_scripted%018d", n), mustJSON(r.args)
		w.event("content_block_start", object{"type": "content_block_start", "index": index, "content_block": object{"type": "tool_use", "id": id, "name": r.tool, "input": object{}}})
		w.event("content_block_delta", object{"type": "content_block_delta", "index": index, "delta": object{"type": "input_json_delta", "partial_json": args}})
		w.event("content_block_stop", object{"type": "content_block_stop", "index": index})
		blocks = append(blocks, object{"type": "tool_use", "id": id, "name": r.tool, "input": r.args})
	}
	w.event("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 10}})
	w.event("message_stop", object{"type": "message_stop"})
	message["content"], message["stop_reason"] = blocks, stop
	w.whole(message)
}

func mustJSON(v any) string {
	b, _ := json.Marshal(v) // maps of plain values
	return string(b)
}
