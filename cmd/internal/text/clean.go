// Package text lays out text for a terminal: cleaned of what a terminal would obey, measured in columns, wrapped, cut and
// set in tables.
//
// It never prints and never asks the terminal anything: width and colour are handed in.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tab is what a tab becomes.
const tab = "    "

// Clean makes foreign text harmless: escape sequences go, line ends become '\n', tabs become spaces, characters that
// reorder a line go, and every other control character and invalid byte becomes a visible sign. Of control characters
// only '\n' is left.
func Clean(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		if n := sequence(s); n > 0 {
			s = s[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '\r' && strings.HasPrefix(s, "\r\n"): // the '\n' follows
		case r == '\n', r == '\r', r == '\v', r == '\f', r == '\u2028', r == '\u2029':
			b.WriteByte('\n')
		case r == '\t':
			b.WriteString(tab)
		case reorders(r):
		case r < ' ':
			b.WriteRune('\u2400' + r)
		case r == 0x7f:
			b.WriteRune('\u2421')
		case unicode.IsControl(r):
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
		s = s[n:]
	}
	return b.String()
}

// clean reports whether there is nothing to do.
func clean(s string) bool {
	for _, r := range s {
		if unicode.IsControl(r) && r != '\n' || r == utf8.RuneError || r == '\u2028' || r == '\u2029' || reorders(r) {
			return false
		}
	}
	return true
}

// reorders reports whether a character changes the direction of the text after it, which can make a line read as what it
// is not.
func reorders(r rune) bool { return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' }

// sequence is the length of the escape sequence that s starts with, or 0. A control string that is too long or does not end on
// its line is none, so that nothing is hidden by it.
func sequence(s string) int {
	intro := 0
	switch {
	case strings.HasPrefix(s, "\x1b["):
		intro = 2
	case strings.HasPrefix(s, "\u009b"):
		intro = len("\u009b")
	}
	if intro > 0 {
		i := intro
		for i < len(s) && s[i] >= 0x20 && s[i] <= 0x3f {
			i++
		}
		if i < len(s) && s[i] >= 0x40 && s[i] <= 0x7e {
			return i + 1
		}
		return 0
	}
	if len(s) < 2 || s[0] != 0x1b {
		return 0
	}
	if strings.ContainsRune("]PX^_", rune(s[1])) {
		return controlString(s)
	}
	i := 1
	for i < len(s) && s[i] >= 0x20 && s[i] <= 0x2f {
		i++
	}
	if i < len(s) && s[i] >= 0x30 && s[i] <= 0x7e {
		return i + 1
	}
	return 0
}

// maxString is the longest title, link or device string that is taken for one, in bytes.
const maxString = 4096

// controlString is the length of a title, link or device string, up to its terminator.
func controlString(s string) int {
	for i := 2; i < min(len(s), maxString) && s[i] != '\n'; i++ {
		switch {
		case s[i] == 0x07:
			return i + 1
		case strings.HasPrefix(s[i:], "\x1b\\"):
			return i + 2
		case strings.HasPrefix(s[i:], "\u009c"):
			return i + len("\u009c")
		case s[i] == 0x1b: // something else begins
			return 0
		}
	}
	return 0
}

// Line is foreign text made harmless and put on one line: runs of white space become one space.
func Line(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }

// JSON makes a JSON document safe to print: control characters that JSON allows within strings are escaped.
func JSON(doc []byte) []byte {
	s := string(doc)
	if strings.IndexFunc(s, hidden) < 0 {
		return doc
	}
	const hex = "0123456789abcdef"
	var b strings.Builder
	for _, r := range s {
		if !hidden(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(`\u`)
		for shift := 12; shift >= 0; shift -= 4 {
			b.WriteByte(hex[r>>shift&15])
		}
	}
	return []byte(b.String())
}

func hidden(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r == '\u2028' || r == '\u2029' || reorders(r)
}
