package chain

import (
	"encoding/json"
	"strings"

	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// The agents call their tools by many names; what they do is told by the names of the arguments.
var (
	commandFields = []string{"command", "cmd", "CommandLine", "commandLine", "commands"}
	pathFields    = []string{"file_path", "path", "filePath", "absolute_path", "target_file", "TargetFile", "AbsolutePath", "filename"}
	contentFields = []string{"content", "file_text", "contents", "file_content", "CodeContent", "newText", "new_content"}
	oldFields     = []string{"old_string", "search", "old_str", "oldText", "old_text", "oldString", "TargetContent", "old", "oldContent"}
	newFields     = []string{"new_string", "replace", "new_str", "newText", "new_text", "newString", "ReplacementContent", "new", "newContent"}
	patchFields   = []string{"patch", "input", "diff", "patchText"}
	editFields    = []string{"edits", "ReplacementChunks", "changes"}
)

// writers begin the names of tools that change files.
var writers = []string{"write", "create", "edit", "replace", "str_replace", "multiedit", "multi_edit", "apply", "insert", "search_and_replace", "search_replace", "strreplace",
	"save", "new_file", "delete_file", "remove_file", "multi_replace", "patch"}

// runners begin the names of tools that run commands.
var runners = []string{"bash", "shell", "run_", "execute", "exec", "powershell", "terminal", "cmd", "local_shell"}

func named(name string, list []string) bool {
	name = strings.ToLower(name)
	for _, p := range list {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// Work lists the shell commands and the edits that the arguments of a call show.
func Work(name string, input json.RawMessage) (commands []string, edits []memory.Edit) {
	if len(input) == 0 {
		return nil, nil
	}
	v := gjson.ParseBytes(input)
	switch {
	case named(name, runners):
		return commandsOf(v), nil
	case named(name, writers):
		return nil, editsOf(name, v)
	}
	return nil, nil
}

func commandsOf(v gjson.Result) []string {
	if v.Type == gjson.String {
		return []string{v.String()}
	}
	for _, f := range commandFields {
		c := v.Get(f)
		switch {
		case c.Type == gjson.String && c.Str != "":
			return []string{strings.Clone(c.Str)}
		case c.IsArray():
			var out []string
			c.ForEach(func(_, w gjson.Result) bool {
				out = append(out, w.String())
				return true
			})
			if f == "commands" {
				return out
			}
			return []string{strings.Join(out, " ")}
		}
	}
	return nil
}

func editsOf(name string, v gjson.Result) []memory.Edit {
	path := strings.Clone(get(v, pathFields))
	patch := get(v, patchFields)
	if v.Type == gjson.String {
		patch = v.Str
	}
	switch {
	case strings.Contains(patch, patchBegin):
		return Patched(patch)
	case path == "" || v.Get("command").String() == "view":
		return nil
	case strings.Contains(patch, searchMark), strings.Contains(patch, searchMark2):
		return []memory.Edit{Searched(path, patch)}
	case strings.Contains(patch, "@@"):
		return []memory.Edit{Diffed(path, patch)}
	case strings.HasPrefix(strings.ToLower(name), "delete") || strings.HasPrefix(strings.ToLower(name), "remove"):
		return []memory.Edit{{Path: path, Op: "delete"}}
	}
	if e, ok := replaced(path, v); ok {
		return []memory.Edit{e}
	}
	if text := get(v, contentFields); text != "" && strings.HasPrefix(strings.ToLower(name), "insert") {
		e := memory.Edit{Path: path, Op: "update"}
		var diff strings.Builder
		e.Added = signedLines(&diff, "+", text)
		e.Diff = diff.String()
		return []memory.Edit{e}
	} else if text != "" {
		return []memory.Edit{{Path: path, Op: "create", Added: lines(text)}}
	}
	return []memory.Edit{{Path: path, Op: "update"}}
}

// replaced is the edit of a replacement, or of a list of them.
func replaced(path string, v gjson.Result) (e memory.Edit, ok bool) {
	e = memory.Edit{Path: path, Op: "update"}
	var diff strings.Builder
	one := func(r gjson.Result) {
		before, after := get(r, oldFields), get(r, newFields)
		if before == "" && after == "" {
			return
		}
		ok = true
		e.Removed += signedLines(&diff, "-", before)
		e.Added += signedLines(&diff, "+", after)
	}
	one(v)
	for _, f := range editFields {
		v.Get(f).ForEach(func(_, r gjson.Result) bool {
			one(r)
			return true
		})
	}
	e.Diff = diff.String()
	return e, ok
}

// signedLines writes the lines of a text behind a sign and counts them.
func signedLines(b *strings.Builder, sign, text string) int {
	n := 0
	for l := range strings.Lines(text) {
		b.WriteString(sign)
		b.WriteString(strings.TrimRight(l, "\r\n"))
		b.WriteByte('\n')
		n++
	}
	return n
}

func get(v gjson.Result, fields []string) string {
	for _, f := range fields {
		if s := v.Get(f); s.Type == gjson.String && s.Str != "" {
			return s.Str
		}
	}
	return ""
}

func lines(text string) int {
	if text == "" {
		return 0
	}
	return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
}
