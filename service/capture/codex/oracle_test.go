package codex_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// The oracle counts straight from the raw records, with its own reading of the format. It shares no code with the parser.

type raw = map[string]any

type counts struct {
	Messages, Calls, Prompts int
}

func str(v any) string { s, _ := v.(string); return s }

func count(t *testing.T, file string) counts {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c counts
	shown, asked, sub, metas := 0, 0, false, 0
	for _, line := range bytes.Split(data, []byte("\n")) {
		var r raw
		if json.Unmarshal(line, &r) != nil {
			continue
		}
		p, _ := r["payload"].(map[string]any)
		typ := str(r["type"])
		if p == nil {
			p, typ = r, "response_item"
		}
		kind := str(p["type"])
		if typ == "session_meta" {
			if metas++; metas == 1 {
				sub = str(p["thread_source"]) == "subagent"
			}
		}
		if typ == "event_msg" && kind == "user_message" {
			shown++
		}
		if typ != "response_item" {
			continue
		}
		switch kind {
		case "message", "":
			text := ""
			list, _ := p["content"].([]any)
			for _, b := range list {
				m, _ := b.(map[string]any)
				text += str(m["text"])
			}
			if str(p["role"]) == "assistant" && strings.TrimSpace(text) != "" {
				c.Messages++
			}
			if str(p["role"]) == "user" && !strings.HasPrefix(text, "<") && !strings.HasPrefix(text, "# AGENTS.md") {
				asked++
			}
		case "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call", "image_generation_call":
			c.Calls++
		}
	}
	c.Prompts = shown
	if shown == 0 {
		c.Prompts = asked
	}
	if sub {
		c.Prompts = 0
	}
	return c
}
