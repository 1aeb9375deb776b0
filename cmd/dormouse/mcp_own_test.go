package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// TestCaseP4WhatTheToolsToldIsNotLearnedAgain captures sessions in which an agent asked the memory and repeated what it told, in the shapes
// that Claude Code and Codex write. The same words after another tool's answer are learned, so that they could be.
func TestCaseP4WhatTheToolsToldIsNotLearnedAgain(t *testing.T) {
	claim := func(file string) string {
		return "The root cause is that `" + file + "` never closes its file, because `Close()` is only called on success."
	}
	text := func(said string) string {
		return memory.Mark + ": search for it in shop ═══ quoted records\n· 2026-05-01 learning (agent): " + said + "  ↪ session:cc_1a2b3c4d turn 1"
	}
	structured := func(said string) string {
		raw, _ := json.Marshal(map[string]any{"notice": memory.Mark + ": search", "items": []any{map[string]any{"what": "event", "text": said}}})
		return string(raw)
	}
	wrapped := func(said string) string {
		raw, _ := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": text(said)}}, "structuredContent": json.RawMessage(structured(said))})
		return string(raw)
	}
	user := t.TempDir()
	shop := project(t, user, "shop")
	n, told := 0, 0
	asked := func(name string, result func(string) string, write func(file, name, result string)) string {
		n++
		file := fmt.Sprintf("zebra%d.go", n)
		write(file, name, result(claim(file)))
		return file
	}
	claude := func(file, name, result string) {
		newClaude(n, shop).asks("Why does the quaggasearch fail?").calls(name, map[string]any{"query": "quaggasearch " + file}, result).says(claim(file)).write(t, user)
	}
	codex := func(file, name, result string) { writeCodex(t, user, shop, n, name, result, claim(file)) }
	plain := func(string) string { return "nothing" }
	var own, control []string
	for _, result := range []func(string) string{text, structured, wrapped} {
		own = append(own, asked("mcp__dormouse__memory_search", result, claude), asked("mcp__dormouse__memory_query", result, codex), asked("memory_search", result, codex))
	}
	control = append(control, asked("mcp__wiki__lookup", plain, claude), asked("mcp__wiki__lookup", plain, codex))
	up(t, user, "Ctrl-C stops.")
	for _, kind := range []string{"timeline", "facts"} {
		all := askIn(t, user, kind, "--json", "--limit", "1000").out
		for _, file := range own {
			if strings.Contains(all, file) {
				t.Errorf("%s: %s was learned from what the memory told", kind, file)
			}
		}
		for _, file := range control {
			if strings.Contains(all, file) {
				told++
			}
		}
	}
	if told != len(control) {
		t.Errorf("of %d controls, %d were learned: the test shows nothing", len(control), told)
	}
	if hits := askIn(t, user, "search", "quaggasearch "+own[0], "--kinds", "turn", "--json").out; strings.Contains(hits, "memory_search") {
		t.Errorf("a question to the memory is found as a memory: %s", hits)
	}
}

// writeCodex writes a rollout with one call.
func writeCodex(t *testing.T, user, cwd string, n int, name, result, says string) {
	t.Helper()
	var lines []string
	at := func() string { return fmt.Sprintf("2026-05-02T10:%02d:%02d.000Z", n, len(lines)) }
	add := func(kind string, payload map[string]any) {
		raw, _ := json.Marshal(map[string]any{"timestamp": at(), "type": kind, "payload": payload})
		lines = append(lines, string(raw))
	}
	id := fmt.Sprintf("019a0000-0000-7000-8000-%012d", n)
	add("session_meta", map[string]any{"id": id, "timestamp": at(), "cwd": cwd, "originator": "codex_cli_rs", "cli_version": "0.147.0", "source": "cli"})
	add("response_item", map[string]any{"type": "message", "role": "user", "content": []any{map[string]any{"type": "input_text", "text": "Why does the quaggasearch fail?"}}})
	add("event_msg", map[string]any{"type": "user_message", "message": "Why does the quaggasearch fail?"})
	add("response_item", map[string]any{"type": "function_call", "name": name, "arguments": `{"query":"quaggasearch"}`, "call_id": "call_1"})
	add("response_item", map[string]any{"type": "function_call_output", "call_id": "call_1", "output": "Wall time: 0.1 seconds\nOutput:\n" + result})
	add("response_item", map[string]any{"type": "message", "role": "assistant", "content": []any{map[string]any{"type": "output_text", "text": says}}})
	put(t, filepath.Join(user, ".codex", "sessions", "2026", "05", "02", "rollout-2026-05-02T10-00-00-"+id+".jsonl"), strings.Join(lines, "\n")+"\n")
}
