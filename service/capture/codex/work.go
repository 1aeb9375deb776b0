package codex

import (
	"encoding/json"
	"fmt"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// work lists the shell commands and the edits that a call's arguments show.
func work(name string, input json.RawMessage) (commands []string, edits []memory.Edit) {
	v := gjson.ParseBytes(input)
	switch name {
	case "exec":
		if v.Type != gjson.String {
			v = v.Get("source")
		}
		var patches []string
		commands, patches = scripted(v.String())
		for _, p := range patches {
			edits = append(edits, chain.Patched(p)...)
		}
	case "apply_patch":
		text := v.String()
		if v.IsObject() {
			text = first(v.Get("patch").String(), v.Get("input").String())
		}
		edits = chain.Patched(text)
	case "shell", "local_shell", "shell_command", "exec_command", "container.exec", "unified_exec":
		cmd := v.Get("command")
		if !cmd.Exists() {
			cmd = v.Get("cmd")
		}
		line := shellLine(cmd)
		if line == "" {
			return nil, nil
		}
		if patch := heredocPatch(line); patch != "" {
			edits = chain.Patched(patch)
		}
		commands = []string{line}
	}
	return commands, edits
}

// shellLine is a command as one line: of a list such as bash -lc "..." the script, else its words.
func shellLine(cmd value) string {
	if !cmd.IsArray() {
		return strings.Clone(cmd.String())
	}
	var words []string
	cmd.ForEach(func(_, w value) bool {
		words = append(words, w.String())
		return true
	})
	if len(words) == 3 && (words[1] == "-lc" || words[1] == "-c" || words[1] == "-Command") {
		return strings.Clone(words[2])
	}
	return strings.Join(words, " ")
}

const (
	patchBegin = "*** Begin Patch"
	patchEnd   = "*** End Patch"
)

// heredocPatch is a patch that a shell command hands to apply_patch.
func heredocPatch(line string) string {
	if !strings.Contains(line, "apply_patch") {
		return ""
	}
	from := strings.Index(line, patchBegin)
	if from < 0 {
		return ""
	}
	if to := strings.Index(line[from:], patchEnd); to >= 0 {
		return line[from : from+to+len(patchEnd)]
	}
	return line[from:]
}

func count(e *memory.Edit, line string) {
	switch {
	case strings.HasPrefix(line, "+"):
		e.Added++
	case strings.HasPrefix(line, "-"):
		e.Removed++
	}
}

// changes are the edits that an event tells of: a map from path to change, or a list of changes with their paths.
func changes(v value) []memory.Edit {
	var out []memory.Edit
	v.ForEach(func(k, c value) bool {
		path := k.String()
		if v.IsArray() {
			path = c.Get("path").String()
		}
		if path != "" {
			out = append(out, change(strings.Clone(path), c)...)
		}
		return true
	})
	return out
}

// whole shows a file that came or went as a unified diff, and counts its lines.
func whole(op byte, content string) (diff string, lines int) {
	if content == "" {
		return "", 0
	}
	text := strings.TrimSuffix(content, "\n")
	lines = strings.Count(text, "\n") + 1
	var b strings.Builder
	if op == '+' {
		fmt.Fprintf(&b, "@@ -0,0 +1,%d @@\n", lines)
	} else {
		fmt.Fprintf(&b, "@@ -1,%d +0,0 @@\n", lines)
	}
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteByte(op)
		b.WriteString(line)
		b.WriteByte('\n')
	}
	if text == content {
		b.WriteString("\\ No newline at end of file\n")
	}
	return b.String(), lines
}

var ops = map[string]string{"add": "create", "delete": "delete", "update": "update"}

func change(path string, c value) []memory.Edit {
	kind := c.Get("type").String()
	if k := c.Get("kind"); k.IsObject() {
		kind = k.Get("type").String()
	} else if k.Exists() {
		kind = k.String()
	}
	e := memory.Edit{Path: path, Op: first(ops[kind], "update")}
	if d := first(c.Get("unified_diff").String(), c.Get("diff").String()); d != "" && e.Op == "update" {
		e.Diff = strings.Clone(d)
		for line := range strings.Lines(d) {
			count(&e, line)
		}
	}
	content := first(c.Get("content").String(), c.Get("diff").String())
	switch e.Op {
	case "create":
		e.Diff, e.Added = whole('+', content)
	case "delete":
		e.Diff, e.Removed = whole('-', content)
	}
	if to := first(c.Get("move_path").String(), c.Get("kind.move_path").String()); to != "" && to != path {
		e.Path = strings.Clone(to)
		return []memory.Edit{{Path: path, Op: "delete"}, e}
	}
	return []memory.Edit{e}
}
