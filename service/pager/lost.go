package pager

import (
	"slices"
	"strings"
)

// maxNames is the most bytes of the names of what a short form has lost.
const maxNames = 60

// defining are the words that stand before a name which a line gives to something, in the languages that agents mostly work on, and
// modifiers are the words that may stand before those.
var (
	defining  = []string{"func", "def", "class", "type", "const", "var", "function", "fn", "struct", "interface", "enum", "trait", "impl", "module", "package", "let"}
	modifiers = []string{"export", "default", "pub", "public", "private", "protected", "static", "final", "abstract", "async", "pub(crate)", "unsafe", "data", "open"}
)

// lost names some of the things that a text defines, "" where it defines none.
func lost(text string) string {
	var names []string
	n := 0
	for line := range strings.Lines(text) {
		name := defined(line)
		if len(name) < 3 || slices.Contains(names, name) {
			continue
		}
		if n += len(name) + 2; n > maxNames {
			break
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// defined is the name that a line gives to something, "" where it does not begin like a definition.
func defined(line string) string {
	if len(line) > 120 {
		line = line[:120]
	}
	line = strings.TrimLeftFunc(withoutMark(line), space)
	for {
		word, rest, ok := strings.Cut(line, " ")
		if !ok {
			return ""
		}
		line = strings.TrimLeft(rest, " ")
		if slices.Contains(modifiers, word) {
			continue
		}
		if !slices.Contains(defining, word) {
			return ""
		}
		if word == "func" && strings.HasPrefix(line, "(") { // a method's receiver
			_, line, _ = strings.Cut(line, ") ")
		}
		return identifier(line)
	}
}

// identifier is the ASCII identifier that a text begins with.
func identifier(s string) string {
	n := 0
	for n < len(s) && (s[n] == '_' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || n > 0 && s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return s[:n]
}
