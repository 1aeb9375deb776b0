package claudecode_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The oracle counts straight from the raw records, with its own reading of the format. It shares no code with the parser.

type raw = map[string]any

type counts struct {
	Messages, Calls, Prompts, Branches int
}

// rawRecords reads every object of the files, in order. Lines that hold several objects give several.
func rawRecords(t *testing.T, files []string) (recs []raw, ofSub []bool) {
	t.Helper()
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		sub := strings.HasPrefix(filepath.Base(f), "agent-")
		in := bufio.NewReaderSize(bytes.NewReader(data), 1<<20)
		for {
			line, err := in.ReadBytes('\n')
			dec := json.NewDecoder(bytes.NewReader(line))
			for {
				var r raw
				if dec.Decode(&r) != nil || r == nil {
					break
				}
				recs, ofSub = append(recs, r), append(ofSub, sub)
			}
			if err == io.EOF {
				break
			}
		}
	}
	return recs, ofSub
}

func str(v any) string { s, _ := v.(string); return s }

func list(v any) []any { l, _ := v.([]any); return l }

func obj(v any) raw { m, _ := v.(map[string]any); return m }

func yes(v any) bool { b, _ := v.(bool); return b }

// speech is the text of a message's content; answer tells whether it carries a tool's result.
func speech(content any) (text string, answer, picture bool) {
	if s, ok := content.(string); ok {
		return s, false, false
	}
	var parts []string
	for _, b := range list(content) {
		if s, ok := b.(string); ok {
			parts = append(parts, s)
			continue
		}
		switch str(obj(b)["type"]) {
		case "text":
			parts = append(parts, str(obj(b)["text"]))
		case "tool_result":
			answer = true
		case "image", "document":
			picture = true
		}
	}
	return strings.Join(parts, "\n"), answer, picture
}

// typed tells whether a text of the user's role came from a person.
func typed(r raw, text string, picture bool) bool {
	if yes(r["isMeta"]) || yes(r["isCompactSummary"]) {
		return false
	}
	kind := str(obj(r["origin"])["kind"])
	if kind == "task-notification" || str(r["promptSource"]) == "system" {
		return false
	}
	text = strings.TrimSpace(text)
	for _, p := range []string{"<command-", "<local-command", "<bash-", "<task-notification", "<teammate-message", "[Request interrupted",
		"Caveat: The messages below", "Stop hook feedback", "(no content)", "This session is being continued"} {
		if strings.HasPrefix(text, p) {
			return false
		}
	}
	if len(text) > 1 && text[0] == '/' && !strings.ContainsAny(text[1:], " /\n") && str(r["promptSource"]) == "" && kind != "human" {
		return false
	}
	if strings.HasPrefix(text, "<system-reminder>") && strings.HasSuffix(text, "</system-reminder>") {
		return false
	}
	return text != "" || picture
}

// count counts messages of the model, tool calls, prompts of the person on the main conversation, and forks: points of the
// conversation that two or more prompts follow.
func count(t *testing.T, files []string) counts {
	recs, ofSub := rawRecords(t, files)
	messages, calls := map[string]bool{}, map[string]bool{}
	point := map[string]string{} // uuid -> the point of the conversation that it belongs to
	callOf := map[string]string{}
	followers := map[string]int{}
	prompts, last := 0, ""
	seen := map[string]bool{}
	for i, r := range recs {
		id := str(r["uuid"])
		if id != "" && seen[id] {
			continue
		}
		seen[id] = true
		side := ofSub[i] || yes(r["isSidechain"])
		up, has := point[str(r["parentUuid"])], str(r["parentUuid"]) != ""
		if _, known := r["parentUuid"]; !known || has && !seen[str(r["parentUuid"])] {
			up = last
		}
		here := up
		m := obj(r["message"])
		switch str(r["type"]) {
		case "assistant":
			if m == nil {
				break
			}
			name := str(m["id"])
			if name == "" {
				name = fmt.Sprintf("%s/%d", id, i)
			}
			messages[name], here = true, "m:"+name
			for j, b := range list(m["content"]) {
				if typ := str(obj(b)["type"]); strings.HasSuffix(typ, "tool_use") {
					c := str(obj(b)["id"])
					if c == "" {
						c = fmt.Sprintf("%s/%d/%d", name, i, j)
					}
					calls[c], callOf[c] = true, here
				}
			}
		case "tool_use":
			calls[id] = true
		case "user":
			text, answer, picture := speech(m["content"])
			if m == nil || m["content"] == nil {
				break
			}
			if answer {
				for _, b := range list(m["content"]) {
					if at := callOf[str(obj(b)["tool_use_id"])]; at != "" {
						here = at
					}
				}
				break
			}
			here = "u:" + id
			if !side && typed(r, text, picture) {
				prompts++
				followers[up]++
			}
		case "attachment":
			a := obj(r["attachment"])
			if str(a["type"]) != "queued_command" || side {
				break
			}
			text, _, picture := speech(a["prompt"])
			if o := obj(a["origin"]); o != nil {
				r["origin"] = o
			}
			if yes(a["isMeta"]) {
				r["isMeta"] = true
			}
			here = "u:" + id
			if str(a["commandMode"]) != "task-notification" && typed(r, text, picture) {
				prompts++
				followers[up]++
			}
		case "system":
			if str(r["subtype"]) == "compact_boundary" {
				here = last
				if at, ok := point[str(r["logicalParentUuid"])]; ok {
					here = at
				}
			}
		}
		if id != "" {
			point[id] = here
		}
		if !side {
			last = here
		}
	}
	forks := 0
	for at, n := range followers {
		if at != "" && n > 1 {
			forks++
		}
	}
	return counts{Messages: len(messages), Calls: len(calls), Prompts: prompts, Branches: forks}
}
