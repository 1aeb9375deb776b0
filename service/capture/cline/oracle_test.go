package cline_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dormouse/service/capture/parsertest"
)

// The oracle counts straight from the raw documents, with its own reading of the format. It shares no code with the adapter.

type raw = map[string]any

func str(m raw, k string) string { s, _ := m[k].(string); return s }

func num(m raw, k string) int64 { f, _ := m[k].(float64); return int64(f) }

func load(t *testing.T, path string) []raw {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var list []raw
	if json.Unmarshal(data, &list) == nil {
		return list
	}
	var doc struct{ Messages []raw }
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Messages
}

var (
	tag    = regexp.MustCompile(`(?m)^\s*<([a-z_]+)>`)
	thinks = regexp.MustCompile(`(?s)<thinking>.*?</thinking>`)
	does   = regexp.MustCompile(`^(read_file|write_to_file|apply_diff|replace_in_file|execute_command|list_files|search_files|new_task|switch_mode|update_todo_list|codebase_search|insert_content)$`)
	speech = regexp.MustCompile(`^(attempt_completion|ask_followup_question)$`)
	person = regexp.MustCompile(`<(task|feedback|answer|user_message)>`)
)

// countTask counts a task whose calls are tags in the text.
func countTask(t *testing.T, folder string) parsertest.Counts {
	var c parsertest.Counts
	last := int64(0)
	for _, m := range load(t, filepath.Join(folder, "api_conversation_history.json")) {
		list, _ := m["content"].([]any)
		text := ""
		for _, b := range list {
			text += str(b.(raw), "text") + "\n"
		}
		switch str(m, "role") {
		case "user":
			if person.MatchString(text) {
				c.Prompts++
			}
		case "assistant":
			last = num(m, "ts")
			rest := thinks.ReplaceAllString(text, "")
			said, does := strip(rest)
			if strings.TrimSpace(said) != "" || does == 0 {
				c.Messages++
			}
			c.Calls += does
		}
	}
	for _, m := range load(t, filepath.Join(folder, "ui_messages.json")) {
		var req raw
		if str(m, "say") != "api_req_started" || json.Unmarshal([]byte(str(m, "text")), &req) != nil || num(m, "ts") > last {
			continue
		}
		in := num(req, "tokensIn")
		if str(req, "apiProtocol") == "openai" {
			in -= num(req, "cacheReads") + num(req, "cacheWrites")
		}
		c.Tokens.Input += in
		c.Tokens.Output += num(req, "tokensOut")
		c.Tokens.CacheRead += num(req, "cacheReads")
		c.Tokens.CacheWrite += num(req, "cacheWrites")
	}
	return c
}

// strip takes the calls out of a text; what only speaks stays.
func strip(text string) (said string, calls int) {
	for {
		m := tag.FindStringSubmatchIndex(text)
		if m == nil {
			return said + text, calls
		}
		name := text[m[2]:m[3]]
		if !does.MatchString(name) && !speech.MatchString(name) {
			said, text = said+text[:m[1]], text[m[1]:]
			continue
		}
		said += text[:m[0]]
		if speech.MatchString(name) {
			said += "spoken"
		} else {
			calls++
		}
		_, text, _ = strings.Cut(text[m[1]:], "</"+name+">")
	}
}

// countSession counts a session of the newer store.
func countSession(t *testing.T, path string) parsertest.Counts {
	var c parsertest.Counts
	for _, m := range load(t, path) {
		list, _ := m["content"].([]any)
		texts, calls := 0, 0
		for _, b := range list {
			switch str(b.(raw), "type") {
			case "text":
				texts++
			case "tool_use":
				calls++
			}
		}
		if str(m, "role") == "user" && texts > 0 {
			c.Prompts++
		}
		if str(m, "role") == "assistant" {
			c.Calls += calls
			if texts > 0 {
				c.Messages++
			}
		}
		if u, ok := m["metrics"].(raw); ok {
			c.Tokens.Input += num(u, "inputTokens") - num(u, "cacheReadTokens") - num(u, "cacheWriteTokens")
			c.Tokens.Output += num(u, "outputTokens")
			c.Tokens.CacheRead += num(u, "cacheReadTokens")
			c.Tokens.CacheWrite += num(u, "cacheWriteTokens")
		}
	}
	return c
}
