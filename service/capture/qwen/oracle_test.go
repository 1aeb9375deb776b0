package qwen_test

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

func str(m raw, k string) string { s, _ := m[k].(string); return s }

// records are the objects of all lines; a line may hold several.
func records(data []byte) []raw {
	var out []raw
	for _, line := range bytes.Split(data, []byte("\n")) {
		for d := json.NewDecoder(bytes.NewReader(line)); ; {
			var r raw
			if d.Decode(&r) != nil {
				break
			}
			out = append(out, r)
		}
	}
	return out
}

func count(t *testing.T, path string) parsertest.Counts {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c parsertest.Counts
	counted := map[string]bool{}
	num := func(m raw, k string) int64 { f, _ := m[k].(float64); return int64(f) }
	for _, r := range records(data) {
		msg, _ := r["message"].(raw)
		parts, _ := msg["parts"].([]any)
		text, calls, other := "", 0, 0
		for _, p := range parts {
			m, _ := p.(raw)
			switch {
			case m["functionCall"] != nil:
				calls++
			case m["thought"] == true:
				other++
			default:
				text += str(m, "text")
			}
		}
		switch str(r, "type") {
		case "user":
			by, sub := str(r, "provenance"), str(r, "subtype")
			if (by == "" || by == "real_user") && (sub == "" || strings.HasPrefix(sub, "mid_turn")) && strings.TrimSpace(text) != "" {
				c.Prompts++
			}
		case "assistant":
			c.Calls += calls
			u, _ := r["usageMetadata"].(raw)
			if strings.TrimSpace(text) != "" || calls == 0 && (other > 0 || u != nil) {
				c.Messages++
			}
			if u != nil && !counted[str(r, "uuid")] {
				counted[str(r, "uuid")] = true
				c.Tokens.CacheRead += num(u, "cachedContentTokenCount")
				c.Tokens.Input += num(u, "promptTokenCount") - num(u, "cachedContentTokenCount")
				out := num(u, "candidatesTokenCount")
				if rest := num(u, "totalTokenCount") - num(u, "promptTokenCount"); rest > out {
					out = rest
				}
				c.Tokens.Output += out
			}
		}
	}
	return c
}

// forks are how many records have more than one child that is a message.
var forks = map[string]int{"019f0000-0000-7000-8000-000000000004.jsonl": 1}
