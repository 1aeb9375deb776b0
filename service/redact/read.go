package redact

import "strings"

// read reads the value that begins at s[i], quoted or not.
func (v value) read(s string, i int) (value, bool) {
	if strings.HasPrefix(s[i:], "&quot;") || strings.HasPrefix(s[i:], "&#34;") || strings.HasPrefix(s[i:], "&#39;") {
		return value{stated: true}.bare(s, i+strings.IndexByte(s[i:], ';')+1)
	}
	escapes := 0
	for i+escapes < len(s) && s[i+escapes] == '\\' && escapes < 8 {
		escapes++
	}
	q := i + escapes
	if q < len(s) && escapes == 0 && strings.IndexByte("bBrRuUfF@", s[q]) >= 0 && q+1 < len(s) && (s[q+1] == '"' || s[q+1] == '\'') {
		q++ // a string of Python or C# with a prefix
	}
	if q < len(s) && (s[q] == '"' || s[q] == '\'' || s[q] == '`') {
		return v.quoted(s, q+1, s[q], escapes)
	}
	return v.bare(s, i)
}

// quoted reads up to the quote that closes: with as many backslashes before it as the opening one had.
func (v value) quoted(s string, i int, quote byte, escapes int) (value, bool) {
	v.from, v.quote = i, quote
	stop := min(len(s), i+maxValue)
	for j := i; j < stop; j++ {
		switch c := s[j]; {
		case c == quote:
			back := 0
			for j-back > i && s[j-back-1] == '\\' {
				back++
			}
			if back <= escapes {
				v.to, v.closed = j-back, true
				return v, v.to > v.from
			}
		case c == '\n' && quote != '`' && !continues(s, j):
			v.to = j
			return v, v.to > v.from
		}
	}
	v.to = stop
	return v, v.to > v.from
}

// continues reports whether the line break at s[i] is in the middle of a token: what follows is one more piece of it and the
// end of the quotes.
func continues(s string, i int) bool {
	j := i + 1
	for j < len(s) && (s[j] == ' ' || s[j] == '\t') {
		j++
	}
	k := j
	for k < len(s) && k-j < maxValue && isTokenByte(s[k]) {
		k++
	}
	return k-j >= 4 && k < len(s) && (s[k] == '"' || s[k] == '\'' || s[k] == '\\') && i > 0 && isTokenByte(s[i-1])
}

func isTokenByte(c byte) bool {
	return isAlnum(c) || c == '_' || c == '-' || c == '+' || c == '/' || c == '=' || c == '.' || c == '~'
}

// bare reads a value without quotes.
func (v value) bare(s string, i int) (value, bool) {
	ends := " \t\r\n\"'`,;&<>()[]{}|"
	if v.shell {
		ends = " \t\r\n\"'`<>|"
	}
	if v.query {
		ends = " \t\r\n\"'`&#<>();,"
	}
	v.from = i
	stop := min(len(s), i+maxValue)
	j := i
	for j < stop && s[j] >= ' ' && strings.IndexByte(ends, s[j]) < 0 {
		if s[j] == '\\' && (j+1 == len(s) || strings.IndexByte("nrt\"'\\", s[j+1]) >= 0) {
			break
		}
		if v.shell && s[j] == ';' && assignmentAt(s, skipSpaces(s, j+1)) {
			break // the next part of a connection string, or the next command
		}
		j++
	}
	v.to = j
	if j < stop && (s[j] == '(' || s[j] == '[' || s[j] == '{') && j > i {
		return v, false // a call or an index
	}
	for v.to > v.from && strings.IndexByte(".,;:", s[v.to-1]) >= 0 {
		v.to--
	}
	return v, v.to > v.from
}
