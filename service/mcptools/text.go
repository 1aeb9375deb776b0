package mcptools

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// clip cuts a text to at most n bytes, at the end of a character, and says so.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:runeEnd(s, max(n-len("…"), 0))] + "…"
}

// runeEnd is the greatest place up to n at which a text can be cut.
func runeEnd(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// line makes a text one line without control characters.
func line(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool {
		return unicode.IsControl(r) || unicode.IsSpace(r) || r == '\u2028' || r == '\u2029'
	}), " ")
}

// clean takes out of a text what is no text; its lines stay.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD"))
}

// pieces parts a text into pieces that cost at most n, at the ends of lines where that is not too wasteful. Together they are the text.
func pieces(s string, n int) []string {
	var out []string
	from, used, lineEnd := 0, 0, 0
	for i, r := range s {
		c := cost(r)
		if used += c; used > n && i > from {
			cut := i
			if lineEnd > from+(i-from)/2 {
				cut = lineEnd
			}
			out = append(out, s[from:cut])
			used = c
			for _, r := range s[cut:i] {
				used += cost(r)
			}
			from = cut
		}
		if r == '\n' {
			lineEnd = i + 1
		}
	}
	return append(out, s[from:])
}

// cost is how many bytes a character takes in an answer, of its text or its structured part.
func cost(r rune) int {
	switch {
	case r == '\n':
		return 2 + len("│ ")
	case r == '"' || r == '\\' || r == '\t':
		return 2
	case r == '<' || r == '>' || r == '&' || r < ' ' || r == 0x7F || r == '\u2028' || r == '\u2029':
		return 6
	}
	return utf8.RuneLen(r)
}

// moment is a time as people read it, in UTC, which is what an agent on another machine can compare; empty for 0.
func moment(t int64) string {
	if t == 0 {
		return ""
	}
	return time.Unix(t, 0).UTC().Format("2006-01-02 15:04Z")
}

func momentOf(t *int64) string {
	if t == nil {
		return ""
	}
	return moment(*t)
}
