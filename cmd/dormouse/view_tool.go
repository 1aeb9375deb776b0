package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"dormouse/cmd/internal/text"
	"dormouse/store/memory"
)

// tool adds a tool call: one line with its name, what it was about, how it ended and the size of its result.
func (p *transcript) tool(n *memory.Node) {
	p.speaks(text.Line(p.session.Agent), p.Strong) // also when it acts without a word
	name, end := text.Line(cmp.Or(n.Name, "tool")), outcome(n)
	about := text.Line(subject(n, p.session.Cwd))
	lead := "  ▸ " + name + "  "
	room := 0
	if p.width > 0 {
		room = max(p.width-text.Width(lead)-text.Width(end)-2, 10)
	}
	about = text.Cut(about, room)
	paint := p.Faint
	if failed(n) {
		paint = p.Bad
	}
	if p.width > 0 {
		about = text.Pad(about, room)
	}
	p.add("  ▸ " + p.Strong(name) + "  " + about + "  " + paint(end))
	if p.full {
		p.details(n)
	}
}

func failed(n *memory.Node) bool {
	return n.Metadata.Status == memory.StatusError || n.Metadata.ExitCode != nil && *n.Metadata.ExitCode != 0
}

// outcome is how a call ended: exit code or state, changed lines, time, size of the result.
func outcome(n *memory.Node) string {
	m := n.Metadata
	end := "ok"
	switch {
	case m.Status == memory.StatusPending:
		return "no result"
	case m.Status == memory.StatusInterrupted:
		end = "interrupted"
	case m.ExitCode != nil:
		end = fmt.Sprintf("exit %d", *m.ExitCode)
	case m.Status == memory.StatusError:
		end = "failed"
	}
	added, removed := 0, 0
	for _, e := range m.Edits {
		added, removed = added+e.Added, removed+e.Removed
	}
	change, took := "", ""
	if added+removed > 0 {
		change = fmt.Sprintf("+%s −%s", number(added), number(removed))
	}
	if m.DurationMS >= 1000 {
		took = (time.Duration(m.DurationMS) * time.Millisecond).Round(100 * time.Millisecond).String()
	}
	long := len(n.Output)
	if m.Clipped != nil {
		long = m.Clipped.Bytes
	}
	for _, f := range n.Metadata.Files {
		if strings.Contains(n.Output, f.Path) { // of which Output has the ends
			long = int(f.Bytes)
		}
	}
	return joined(end, change, took, size(long))
}

// keys are the arguments that say what a call is about, the most telling first.
var keys = []string{"command", "cmd", "file_path", "path", "notebook_path", "pattern", "query", "url", "description", "prompt",
	"task", "name", "id", "text", "input"}

// subject is what a call is about: the files that it changed, else its most telling argument, else its arguments. Paths
// below the session's folder are shortened.
func subject(n *memory.Node, cwd string) string {
	if len(n.Metadata.Edits) > 0 {
		paths := make([]string, len(n.Metadata.Edits))
		for i, e := range n.Metadata.Edits {
			paths[i] = below(e.Path, cwd)
		}
		return strings.Join(paths, ", ")
	}
	return below(argument(n.Input), cwd)
}

// argument is the most telling argument of a call.
func argument(input json.RawMessage) string {
	var plain string
	if json.Unmarshal(input, &plain) == nil {
		return plain
	}
	var args map[string]json.RawMessage
	if json.Unmarshal(input, &args) == nil {
		for _, k := range keys {
			if s := word(args[k]); s != "" {
				return s
			}
		}
		if len(args) == 0 {
			return ""
		}
	}
	return string(bytes.TrimSpace(input))
}

// word is a text, or a list of texts as a command line; of a shell that is given a script, the script.
func word(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	if len(list) == 3 && slices.Contains([]string{"-c", "-lc", "/c", "-Command"}, list[1]) {
		return list[2]
	}
	return strings.Join(list, " ")
}

// below is a path as seen from the folder cwd.
func below(path, cwd string) string {
	rest, ok := strings.CutPrefix(path, strings.TrimRight(cwd, `/\`))
	if cwd == "" || !ok || rest == "" || rest[0] != '/' && rest[0] != '\\' {
		return path
	}
	return rest[1:]
}

// details adds a call's arguments, changes and result in full.
func (p *transcript) details(n *memory.Node) {
	if in := pretty(n.Input); in != "" {
		p.prose(in, "    │ ", nil)
	}
	for _, e := range n.Metadata.Edits {
		p.add("    " + p.Faint(text.Line(e.Op+" "+e.Path)))
		if e.Diff != "" {
			p.prose(strings.TrimRight(text.Clean(e.Diff), "\n"), "    │ ", nil)
		}
	}
	if out := strings.Trim(text.Clean(p.said(n)), "\n"); out != "" {
		p.prose(out, "    > ", p.Faint)
	}
	if note := notes(n); note != "" {
		p.add("    " + p.Warn(note))
	}
}

// pretty is a call's arguments, one a line; a text of several lines below its name.
func pretty(input json.RawMessage) string {
	var plain string
	if json.Unmarshal(input, &plain) == nil {
		return text.Clean(strings.TrimRight(plain, "\n"))
	}
	var args map[string]json.RawMessage
	if json.Unmarshal(input, &args) != nil || len(args) == 0 {
		if s := string(bytes.TrimSpace(input)); s != "null" && s != "{}" {
			return text.Clean(s)
		}
		return ""
	}
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(args)) {
		var s string
		if json.Unmarshal(args[k], &s) != nil {
			s = string(args[k])
		}
		sep := " "
		if strings.Contains(strings.TrimRight(s, "\n"), "\n") {
			sep = "\n"
		}
		fmt.Fprintf(&b, "%s:%s%s\n", k, sep, strings.TrimRight(s, "\n"))
	}
	return text.Clean(strings.TrimRight(b.String(), "\n"))
}
