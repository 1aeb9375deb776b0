package main

import (
	"fmt"

	"github.com/tidwall/gjson"
)

// gemini is Google's generateContent: https://ai.google.dev/api/generate-content.
type gemini struct{}

func (gemini) ask(body []byte) (a asked, err error) {
	if !gjson.ValidBytes(body) {
		return a, fmt.Errorf("not JSON")
	}
	req := gjson.ParseBytes(body)
	for _, t := range req.Get("tools.#.functionDeclarations.#.name").Array() {
		for _, name := range t.Array() {
			a.tools = append(a.tools, name.String())
		}
	}
	for _, c := range req.Get("contents").Array() {
		if c.Get("role").String() == "user" {
			a.first += c.Get("parts.#.text").Raw
		}
		a.results += len(c.Get("parts.#.functionResponse").Array())
	}
	return a, nil
}

func (gemini) answer(w stream, n int, r reply) {
	var parts []any
	if r.text != "" {
		parts = append(parts, object{"text": r.text})
	}
	if r.tool != "" {
		parts = append(parts, object{"functionCall": object{"name": r.tool, "args": r.args, "id": fmt.Sprintf("scripted%d", n)}})
	}
	chunk := object{
		"candidates":    []any{object{"content": object{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": 100 + n, "candidatesTokenCount": 10, "totalTokenCount": 110 + n},
		"modelVersion":  "gemini-2.5-pro", "responseId": fmt.Sprintf("scripted-%d", n),
	}
	w.event("", chunk)
	w.whole(chunk)
}
