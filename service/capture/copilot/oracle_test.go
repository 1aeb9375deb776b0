package copilot_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"dormouse/service/capture/parsertest"
)

// The oracle counts straight from the raw events, with its own reading of the format. It shares no code with the parser.

type raw = map[string]any

func str(m raw, k string) string { s, _ := m[k].(string); return s }

func count(t *testing.T, path string) parsertest.Counts {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c parsertest.Counts
	calls, seen, agents, thoughts := map[string]bool{}, map[string]bool{}, map[string]bool{}, false
	for _, line := range bytes.Split(data, []byte("\n")) {
		var e raw
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		d, _ := e["data"].(raw)
		agent := str(e, "agentId")
		if agent == "" {
			agent = str(d, "parentToolCallId")
		}
		switch str(e, "type") {
		case "assistant.reasoning":
			thoughts = true
		case "user.message":
			if key := "u" + str(e, "id"); agent == "" && strings.TrimSpace(str(d, "content")) != "" && !seen[key] {
				seen[key] = true
				c.Prompts++
			}
		case "assistant.message":
			list, _ := d["toolRequests"].([]any)
			fresh := 0
			for _, r := range list {
				if id := str(r.(raw), "toolCallId"); !calls[id] {
					calls[id] = true
					fresh++
				}
			}
			says := strings.TrimSpace(str(d, "content")) != "" || fresh == 0 && (str(d, "reasoningText") != "" || d["outputTokens"] != nil || thoughts)
			thoughts = false
			if key := "a" + str(d, "messageId"); says && !seen[key] {
				seen[key] = true
				c.Messages++
			}
			if n, ok := d["outputTokens"].(float64); ok {
				c.Tokens.Output += int64(n)
			}
			if agent != "" && (says || fresh > 0) {
				agents[agent] = true
			}
		case "tool.execution_start":
			calls[str(d, "toolCallId")] = true
		}
	}
	c.Calls, c.SubAgents = len(calls), len(agents)
	return c
}
