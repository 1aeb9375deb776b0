package model

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sequences are what terminals obey and people never see: colours, cursor moves, titles and links.
var sequences = regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]{0,1000}(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|\x{9b}[0-?]*[ -/]*[@-~]`)

// Clean makes a text of others fit to be shown: terminal sequences go, line ends become '\n', tabs become spaces,
// characters that reorder a line go, and other control characters and invalid bytes become a visible sign.
func Clean(s string) string {
	if clean(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = sequences.ReplaceAllString(s, "")
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u2028", "\n", "\u2029", "\n", "\t", "    ").Replace(s)
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case reorders(r):
			return -1
		case r < ' ':
			return '\u2400' + r
		case r == 0x7f:
			return '\u2421'
		case unicode.IsControl(r):
			return utf8.RuneError
		}
		return r
	}, s)
}

// clean reports whether there is nothing to do.
func clean(s string) bool {
	for _, r := range s {
		if r != '\n' && unicode.IsControl(r) || r == utf8.RuneError || r == '\u2028' || r == '\u2029' || reorders(r) {
			return false
		}
	}
	return true
}

// reorders reports whether a character changes the direction of the text after it, which can make a line read as what it is
// not. Scripts that run from right to left need none of them.
func reorders(r rune) bool { return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' }

// Line is a text of others on one line: cleaned, with runs of white space as one space.
func Line(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }

// cut is a text of at most max characters, with a sign where something was left out.
func cut(s string, max int) string {
	if utf8.RuneCountInString(s) <= max {
		return s
	}
	n := 0
	for i := range s {
		if n == max-1 {
			return strings.TrimRightFunc(s[:i], unicode.IsSpace) + "…"
		}
		n++
	}
	return s
}

// sentence is a message as a sentence: with a capital and a full stop.
func sentence(s string) string {
	s = strings.TrimSpace(Clean(s))
	if s == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(r)) + s[n:]
	last, _ := utf8.DecodeLastRuneInString(s)
	switch {
	case strings.ContainsRune(".!?…。！？", last):
		return s
	case unicode.Is(unicode.Han, last):
		return s + "。"
	}
	return s + "."
}
