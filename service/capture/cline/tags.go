package cline

import (
	"strconv"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/store/memory"
)

// tools are the tools that a model calls by tags in its text.
var tools = []string{"read_file", "write_to_file", "apply_diff", "replace_in_file", "execute_command", "list_files", "search_files",
	"list_code_definition_names", "browser_action", "use_mcp_tool", "access_mcp_resource", "ask_followup_question", "attempt_completion",
	"new_task", "switch_mode", "plan_mode_respond", "insert_content", "search_and_replace", "fetch_instructions", "codebase_search",
	"update_todo_list", "load_mcp_documentation", "new_rule", "condense", "web_fetch", "web_search", "edit_file", "generate_image",
	"run_slash_command", "report_bug", "focus_chain", "delete_file", "use_skill"}

// tagged takes the first span in a tag out of a text.
func tagged(text, tag string) (inner, rest string, ok bool) {
	before, after, ok := strings.Cut(text, "<"+tag+">")
	if !ok {
		return "", text, false
	}
	inner, behind, closed := strings.Cut(after, "</"+tag+">")
	if !closed {
		return "", text, false
	}
	return strings.TrimSpace(inner), strings.TrimSpace(before + behind), true
}

// tagCalls parts a text into what was said and the calls in it. A call whose end is missing reaches to the end of the text.
func tagCalls(text, key string) (said string, calls []chain.Call) {
	for {
		at, name := nextCall(text)
		if name == "" {
			return strings.TrimSpace(said + text), calls
		}
		said += text[:at]
		inner := text[at+len(name)+2:]
		closing := "</" + name + ">"
		if end := strings.Index(inner, closing); end >= 0 {
			text = inner[end+len(closing):]
			inner = inner[:end]
		} else {
			text = ""
		}
		calls = append(calls, chain.Call{ID: key + "#" + strconv.Itoa(len(calls)), Name: name, Input: fields(inner)})
	}
}

// nextCall is the first call in a text: a tool's tag at the start of a line.
func nextCall(text string) (at int, name string) {
	for from := 0; from < len(text); {
		i := strings.IndexByte(text[from:], '<')
		if i < 0 {
			return 0, ""
		}
		i += from
		from = i + 1
		if i > 0 && strings.TrimSpace(text[strings.LastIndexByte(text[:i], '\n')+1:i]) != "" {
			continue
		}
		end := strings.IndexByte(text[i:min(len(text), i+40)], '>')
		if end < 0 {
			continue
		}
		for _, t := range tools {
			if text[i+1:i+end] == t {
				return i, t
			}
		}
	}
	return 0, ""
}

// fields are the arguments of a call by tags, as a JSON object of texts.
func fields(inner string) []byte {
	out := map[string]string{}
	for rest := inner; ; {
		open := strings.IndexByte(rest, '<')
		if open < 0 {
			break
		}
		rest = rest[open+1:]
		end := strings.IndexByte(rest, '>')
		if end <= 0 || end > 40 || !isName(rest[:end]) {
			continue
		}
		name := rest[:end]
		value, behind, closed := strings.Cut(rest[end+1:], "</"+name+">")
		if _, again := out[name]; !again {
			out[name] = strings.TrimSuffix(strings.TrimPrefix(value, "\n"), "\n")
		}
		if !closed {
			break
		}
		rest = behind
	}
	if len(out) == 0 && strings.TrimSpace(inner) != "" {
		out["text"] = strings.TrimSpace(inner)
	}
	raw, err := memory.Encode(out)
	if err != nil {
		return nil
	}
	return raw
}

func isName(s string) bool {
	for _, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
