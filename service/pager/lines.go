package pager

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineBreaks are the characters that end a line, as Python's splitlines has them, whose rules the measure of faults uses.
const lineBreaks = "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029"

// SignificantLines are the lines of a text that can be told from each other: without the numbers and marks that tools put before
// lines, trimmed, with at least 12 characters of which 6 are letters or digits. In order, with repetitions.
func SignificantLines(text string) (out []string) {
	for text != "" {
		i := strings.IndexAny(text, lineBreaks)
		line := text
		if i >= 0 {
			_, n := utf8.DecodeRuneInString(text[i:])
			line, text = text[:i], text[i+n:]
		} else {
			text = ""
		}
		if s := BareLine(line); significant(s) {
			out = append(out, s)
		}
	}
	return out
}

// BareLine is a line without what tools put before it (its number, the file's name and number, a diff's sign), trimmed.
func BareLine(line string) string { return strings.TrimFunc(withoutMark(line), space) }

// space is white space as Python's str.strip has it.
func space(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

func significant(s string) bool {
	chars, letters := 0, 0
	for _, r := range s {
		chars++
		if r < utf8.RuneSelf {
			if r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
				letters++
			}
		} else if unicode.IsLetter(r) || unicode.IsNumber(r) {
			letters++
		}
		if chars >= 12 && letters >= 6 {
			return true
		}
	}
	return false
}

// withoutMark takes one mark off: "12→", "12|", "12:", "name:12:", "name:12-", "+" or "-".
func withoutMark(line string) string {
	s := strings.TrimLeftFunc(line, space)
	if rest, ok := afterNumber(s); ok {
		return rest
	}
	if rest, ok := afterPlace(s); ok {
		return rest
	}
	if s != "" && (s[0] == '+' || s[0] == '-') && (len(s) == 1 || s[1] != '+' && s[1] != '-') {
		return s[1:]
	}
	return line
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func oneSpaceOff(s string) string {
	if r, n := utf8.DecodeRuneInString(s); n > 0 && space(r) {
		return s[n:]
	}
	return s
}

func afterNumber(s string) (string, bool) {
	n := digits(s)
	if n == 0 {
		return "", false
	}
	rest := s[n:]
	// White space may stand before the sign; a tab may be the sign itself.
	for t := rest; ; {
		if t == "" {
			break
		}
		r, w := utf8.DecodeRuneInString(t)
		if r == '→' || r == '|' || r == ':' {
			return oneSpaceOff(t[w:]), true
		}
		if !space(r) {
			break
		}
		t = t[w:]
	}
	blank := len(rest) - len(strings.TrimLeftFunc(rest, space))
	if i := strings.LastIndexByte(rest[:blank], '\t'); i >= 0 {
		return oneSpaceOff(rest[i+1:]), true
	}
	return "", false
}

func afterPlace(s string) (string, bool) {
	i := strings.IndexByte(s, ':')
	if i <= 0 || strings.IndexFunc(s[:i], space) >= 0 {
		return "", false
	}
	n := digits(s[i+1:])
	if n == 0 || i+1+n >= len(s) {
		return "", false
	}
	if c := s[i+1+n]; c != ':' && c != '-' {
		return "", false
	}
	return oneSpaceOff(s[i+2+n:]), true
}
