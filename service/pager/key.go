package pager

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// The names under which agents offer the tools that read and change files and run commands. What is not listed here is a tool like
// any other: its results are known by its arguments.
var (
	readTools  = []string{"Read", "read_file", "view", "read", "cat_file"}
	editTools  = []string{"Edit", "MultiEdit", "str_replace_editor", "str_replace_based_edit_tool", "apply_patch", "edit", "NotebookEdit", "replace"}
	writeTools = []string{"Write", "write", "write_file", "create_file"}
	shellTools = []string{"Bash", "bash", "shell", "exec_command", "local_shell", "container.exec", "run_shell_command"}
)

// arguments are the parts of a call's input that tell what it is about.
type arguments struct {
	Path     string          `json:"file_path"`
	Path2    string          `json:"path"`
	Path3    string          `json:"absolute_path"`
	Command  json.RawMessage `json:"command"`
	Cmd      json.RawMessage `json:"cmd"`
	Pattern  string          `json:"pattern"`
	OldText  string          `json:"old_string"`
	OldText2 string          `json:"old_str"`
	Patch    string          `json:"input"`
	Patch2   string          `json:"patch"`
	Edits    []replacement   `json:"edits"`
	Handle   string          `json:"handle"`
}

type replacement struct {
	OldText string `json:"old_string"`
}

// argumentsOf reads what it can: a field of another type than expected is left empty, and so is all that follows it.
func argumentsOf(input json.RawMessage) (a arguments) {
	_ = json.Unmarshal(input, &a) // what could be read is used
	return a
}

func (a arguments) path() string {
	if a.Path != "" {
		return a.Path
	}
	if a.Path2 != "" {
		return a.Path2
	}
	return a.Path3
}

// command is the shell command of a call, however it is written: one string, or a list of words.
func (a arguments) command() string {
	raw := a.Command
	if raw == nil {
		raw = a.Cmd
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var words []any
	if json.Unmarshal(raw, &words) != nil {
		return string(raw)
	}
	out := make([]string, len(words))
	for i, w := range words {
		if s, ok := w.(string); ok {
			out[i] = s
		} else {
			b, _ := json.Marshal(w)
			out[i] = string(b)
		}
	}
	return strings.Join(out, " ")
}

var (
	shellWrap = regexp.MustCompile(`^(?:bash|sh) -l?c `)
	changeDir = regexp.MustCompile(`^cd \S+ && `)
	oneFile   = regexp.MustCompile(`^\s*(?:cat|head|tail|nl|less|sed)\b[^|;&><]*$`)
	lineRange = regexp.MustCompile(`^(?:'?\d+(?:,\d+)?p?'?|"?\d+(?:,\d+)?p?"?)$`)
)

// keyOf says what a call's result is a copy of: "file:PATH" for a file that is read by a tool or by a command that prints one
// file, "cmd:COMMAND" for any other command, and the tool with its arguments for the rest. Two calls with one key ask for the same.
func keyOf(tool string, input json.RawMessage, a arguments) string {
	if slices.Contains(readTools, tool) && a.path() != "" {
		return "file:" + a.path()
	}
	if slices.Contains(shellTools, tool) {
		return commandKey(a.command())
	}
	return tool + ":" + canonical(input)
}

func commandKey(command string) string {
	c := strings.Join(strings.Fields(command), " ")
	c = strings.Trim(shellWrap.ReplaceAllString(c, ""), `'"`)
	c = changeDir.ReplaceAllString(c, "")
	if !oneFile.MatchString(c) {
		return "cmd:" + c
	}
	var files []string
	for _, w := range strings.Fields(c)[1:] {
		if !strings.HasPrefix(w, "-") && !lineRange.MatchString(w) {
			files = append(files, w)
		}
	}
	if len(files) != 1 {
		return "cmd:" + c
	}
	return "file:" + strings.Trim(files[0], `'"`)
}

// canonical is JSON with sorted keys and no blanks; what is no JSON stays as it is.
func canonical(raw json.RawMessage) string {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return string(raw)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return string(raw)
	}
	return string(b)
}

// Key is what a call's result is a copy of: calls with one key ask for the same thing.
func Key(tool string, input json.RawMessage) string { return keyOf(tool, input, argumentsOf(input)) }

// Edits says whether a tool changes a file.
func Edits(tool string) bool {
	return slices.Contains(editTools, tool) || slices.Contains(writeTools, tool)
}

// SubjectOf is what a call is about, in one line of its own words: a path, a pattern, a command, or else all of its arguments.
func SubjectOf(input json.RawMessage) string {
	a := argumentsOf(input)
	for _, s := range []string{a.path(), a.Pattern, a.command()} {
		if s != "" {
			return s
		}
	}
	return string(input)
}

// QuotedByEdit is the text of a file that an edit quotes, in order to replace it.
func QuotedByEdit(tool string, input json.RawMessage) string {
	a := argumentsOf(input)
	command := a.command()
	if tool == "apply_patch" || slices.Contains(shellTools, tool) && strings.Contains(command, "*** Begin Patch") {
		for _, p := range []string{a.Patch, a.Patch2, command} {
			if p != "" {
				return quotedByPatch(p)
			}
		}
		return ""
	}
	if !slices.Contains(editTools, tool) {
		return ""
	}
	var out []string
	for _, s := range []string{a.OldText, a.OldText2} {
		if s != "" {
			out = append(out, s)
		}
	}
	for _, r := range a.Edits {
		out = append(out, r.OldText)
	}
	return strings.Join(out, "\n")
}

// quotedByPatch are the lines that a patch removes or keeps.
func quotedByPatch(patch string) string {
	var out []string
	for _, l := range strings.Split(patch, "\n") {
		if l != "" && (l[0] == '-' || l[0] == ' ') && !strings.HasPrefix(l, "---") {
			out = append(out, l[1:])
		}
	}
	return strings.Join(out, "\n")
}
