package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"dormouse/app/lang"
	"dormouse/store/memory"
)

// Tool is one tool call.
type Tool struct {
	Name    string
	About   string // its most telling argument
	Outcome string // how it ended, what it changed, how long it took
	Failed  bool
	Details []Detail // what is shown when it is unfolded
}

// Detail is a part of a tool call: arguments, changes or the result.
type Detail struct {
	Label string
	Text  string
	Diff  bool   // its lines begin with +, - or a space
	Cut   string // what was left out; empty for all of it
}

// maxDetail is how much of an argument or a result is shown, in bytes and in lines.
const (
	maxDetail = 16 << 10
	maxLines  = 200
)

// calls is tool calls in a row as one entry.
func (b builder) calls(nodes []memory.Node) Entry {
	e := Entry{Kind: Calls, Speaker: AgentName(b.session.Agent)}
	failed := 0
	names := map[string]int{}
	var order []string
	for i := range nodes {
		t := b.tool(&nodes[i])
		e.Tools = append(e.Tools, t)
		if t.Failed {
			failed++
		}
		if names[t.Name] == 0 {
			order = append(order, t.Name)
		}
		names[t.Name]++
	}
	for i, name := range order {
		if names[name] > 1 {
			order[i] = fmt.Sprintf("%s ×%d", name, names[name])
		}
	}
	e.Title = dots(lang.Count(len(nodes), "{n} tool calls"), cut(list(order), 80))
	if failed > 0 {
		e.Title = dots(e.Title, lang.Count(failed, "{n} failed"))
	}
	return e
}

func (b builder) tool(n *memory.Node) Tool {
	return Tool{Name: cmp.Or(cut(Line(n.Name), 60), lang.Say("tool")), About: cut(Line(subject(n, b.session.Cwd)), 300), Outcome: outcome(n),
		Failed: callFailed(n), Details: b.details(n)}
}

func callFailed(n *memory.Node) bool {
	return n.Metadata.Status == memory.StatusError || n.Metadata.ExitCode != nil && *n.Metadata.ExitCode != 0
}

// outcome is how a call ended: exit code or state, changed lines, time.
func outcome(n *memory.Node) string {
	m := n.Metadata
	end := lang.Say("ok")
	switch {
	case m.Status == memory.StatusPending:
		return lang.Say("no result")
	case m.Status == memory.StatusInterrupted:
		end = lang.Say("interrupted")
	case m.ExitCode != nil && *m.ExitCode != 0:
		end = lang.Say("exit {code}", strconv.Itoa(*m.ExitCode))
	case m.Status == memory.StatusError:
		end = lang.Say("failed")
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
	return dots(end, change, took)
}

// telling are the arguments that say what a call is about, the most telling first.
var telling = []string{"command", "cmd", "file_path", "path", "notebook_path", "pattern", "query", "url", "description", "prompt",
	"task", "name", "id", "text", "input"}

// subject is what a call is about: the files that it changed, else its most telling argument, else all of them. Paths below
// the session's folder are shortened.
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

func argument(input json.RawMessage) string {
	var text string
	if json.Unmarshal(input, &text) == nil {
		return text
	}
	var args map[string]json.RawMessage
	if json.Unmarshal(input, &args) == nil {
		for _, k := range telling {
			if s := words(args[k]); s != "" {
				return s
			}
		}
		if len(args) == 0 {
			return ""
		}
	}
	return string(bytes.TrimSpace(input))
}

// words is a text, or a list of texts as a command line; of a shell that is given a script, the script.
func words(raw json.RawMessage) string {
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

// details are a call's arguments, changes and result.
func (b builder) details(n *memory.Node) []Detail {
	var out []Detail
	if in := arguments(n.Input); in != "" {
		out = append(out, detail(lang.Say("Arguments"), in))
	}
	for _, e := range n.Metadata.Edits {
		d := detail(Line(e.Op+" "+e.Path), strings.TrimRight(e.Diff, "\n"))
		d.Diff = true
		out = append(out, d)
	}
	if text := strings.Trim(n.Output, "\n"); text != "" {
		out = append(out, detail(lang.Say("Result"), text))
	}
	if extra := b.notes(n); len(extra) > 0 {
		out = append(out, Detail{Label: strings.Join(extra, " · ")})
	}
	return out
}

// detail is a text, cut where it is too long to be drawn.
func detail(label, text string) Detail {
	whole := len(text)
	shown := text
	if len(shown) > maxDetail {
		shown = strings.ToValidUTF8(shown[:maxDetail], "")
	}
	if lines := strings.SplitN(shown, "\n", maxLines+1); len(lines) > maxLines {
		shown = strings.Join(lines[:maxLines], "\n")
	}
	d := Detail{Label: label, Text: Clean(shown)}
	if len(shown) < whole {
		d.Cut = lang.Say("… {size} more", size(whole-len(shown)))
	}
	return d
}

// arguments are a call's arguments, one a line; a text of several lines below its name.
func arguments(input json.RawMessage) string {
	var text string
	if json.Unmarshal(input, &text) == nil {
		return strings.TrimRight(text, "\n")
	}
	var args map[string]json.RawMessage
	if json.Unmarshal(input, &args) != nil || len(args) == 0 {
		if s := string(bytes.TrimSpace(input)); s != "null" && s != "{}" {
			return s
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
	return strings.TrimRight(b.String(), "\n")
}
