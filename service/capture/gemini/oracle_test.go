package gemini_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"dormouse/service/capture/parsertest"
)

// The oracle counts straight from the raw records, with its own reading of the format. It shares no code with the parser.

type raw = map[string]any

// rawMessages are the messages that a chat holds at its end, in order, of a document or of lines without taking back.
func rawMessages(t *testing.T, path string) []raw {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Messages []raw }
	if json.Unmarshal(data, &doc) == nil && doc.Messages != nil {
		return doc.Messages
	}
	var out []raw
	place := map[string]int{}
	take := func(m raw) {
		id, _ := m["id"].(string)
		if i, again := place[id]; again {
			out[i] = m
			return
		}
		place[id] = len(out)
		out = append(out, m)
	}
	for _, line := range bytes.Split(data, []byte("\n")) {
		var r raw
		if json.Unmarshal(line, &r) != nil {
			continue
		}
		if set, ok := r["$set"].(raw); ok {
			if list, ok := set["messages"].([]any); ok {
				out, place = nil, map[string]int{}
				for _, m := range list {
					take(m.(raw))
				}
			}
			continue
		}
		if _, ok := r["type"]; ok {
			take(r)
		}
	}
	return out
}

func content(v any) string {
	switch c := v.(type) {
	case string:
		return c
	case []any:
		s := ""
		for _, p := range c {
			if m, ok := p.(raw); ok {
				t, _ := m["text"].(string)
				s += t
			}
		}
		return s
	}
	return ""
}

func count(t *testing.T, path string) parsertest.Counts {
	var c parsertest.Counts
	num := func(m raw, k string) int64 { f, _ := m[k].(float64); return int64(f) }
	for _, m := range rawMessages(t, path) {
		switch m["type"] {
		case "user":
			if strings.TrimSpace(content(m["content"])) != "" {
				c.Prompts++
			}
		case "gemini":
			calls, _ := m["toolCalls"].([]any)
			thoughts, _ := m["thoughts"].([]any)
			c.Calls += len(calls)
			if strings.TrimSpace(content(m["content"])) != "" || len(calls) == 0 && (len(thoughts) > 0 || m["tokens"] != nil) {
				c.Messages++
			}
			if u, ok := m["tokens"].(raw); ok {
				c.Tokens.CacheRead += num(u, "cached")
				c.Tokens.Input += num(u, "input") + num(u, "tool") - num(u, "cached")
				c.Tokens.Output += num(u, "output") + num(u, "thoughts")
			}
		}
	}
	return c
}
