package recall

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"dormouse/store/memory"
)

// Limits of what a tool call adds to its turn's text.
const (
	argBytes   = 200 // of one argument
	argsBytes  = 600 // of all
	errorLines = 5
	errorBytes = 200 // of one line
)

// toolText is a tool call in short: its name, paths, commands and short arguments, and when it failed, why.
func toolText(n *memory.Node) string {
	var b strings.Builder
	b.WriteString(n.Name)
	seen := map[string]bool{"": true}
	add := func(s string) {
		s = oneLine(s)
		s = s[:cutAt(s, argBytes)]
		if seen[s] || b.Len() > argsBytes {
			return
		}
		seen[s] = true
		b.WriteByte(' ')
		b.WriteString(s)
	}
	for _, c := range n.Metadata.Commands {
		add(c)
	}
	for _, e := range n.Metadata.Edits {
		add(e.Path)
	}
	for _, r := range n.Reads {
		if path, _, ok := memory.FileOf(r); ok {
			add(path)
		}
	}
	for _, a := range arguments(n.Input) {
		add(a)
	}
	if failed(n) {
		for _, line := range errorsIn(n.Output) {
			b.WriteByte('\n')
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(b.String(), "\uFFFD"))
}

// arguments are the short texts among a call's arguments, in the order of their names. Long ones are contents, not what the
// call is about.
func arguments(input json.RawMessage) []string {
	var args map[string]json.RawMessage
	if json.Unmarshal(input, &args) != nil {
		return nil
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(args)) {
		var s string
		if json.Unmarshal(args[k], &s) == nil && len(s) <= argBytes && !strings.Contains(s, "\n") {
			out = append(out, s)
		}
	}
	return out
}

func failed(n *memory.Node) bool {
	return n.Metadata.Status == memory.StatusError || n.Metadata.ExitCode != nil && *n.Metadata.ExitCode != 0
}

var errorLine = regexp.MustCompile(`(?i)\b(?:errors?|fail(?:ed|ure|s)?|panic|exception|fatal|cannot|can't|undefined|not found|denied|refused|unexpected|invalid|missing|timed? ?out)\b|Error\b|^Traceback`)

// errorsIn picks the lines of a failed call's result that tell of an error, else its last lines.
func errorsIn(output string) []string {
	var told, last []string
	for line := range strings.Lines(output) {
		line = oneLine(line)
		if line == "" {
			continue
		}
		line = line[:cutAt(line, errorBytes)]
		if last = append(last, line); len(last) > 2 {
			last = last[1:]
		}
		if errorLine.MatchString(line) && !slices.Contains(told, line) {
			if told = append(told, line); len(told) == errorLines {
				return told
			}
		}
	}
	if told == nil {
		return last
	}
	return told
}

// oneLine writes a text with single spaces for all white space and control characters.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r <= ' ' || r == 0x7F || r == 0x85 || r == 0xA0 || r == 0x2028 || r == 0x2029
	}), " ")
}
