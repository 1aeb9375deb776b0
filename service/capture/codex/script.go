package codex

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// scripted lists the shell commands and patches in the JavaScript of code mode, in the order of the source. It knows string
// literals, constants that hold one, and objects written in place; a command that is computed is not listed, its source is
// in the call's arguments.
func scripted(source string) (commands, patches []string) {
	toks := tokens(source)
	consts := constants(toks)
	for i, t := range toks {
		if t.kind == stringToken && strings.HasPrefix(strings.TrimSpace(t.text), patchBegin) {
			patches = append(patches, t.text)
		}
		if isTool(toks, i, "exec_command", "shell", "shell_command", "local_shell") {
			if cmd := argument(toks[i+4:], consts); cmd != "" {
				commands = append(commands, cmd)
			}
		}
	}
	return commands, patches
}

// isTool reports whether "tools.<name>(" stands at i.
func isTool(toks []token, i int, names ...string) bool {
	if i+3 >= len(toks) || toks[i].text != "tools" || toks[i+1].text != "." || toks[i+3].text != "(" {
		return false
	}
	for _, n := range names {
		if toks[i+2].text == n {
			return true
		}
	}
	return false
}

// argument is the command in the argument list that begins at toks: the value of cmd or command in an object, or a string.
func argument(toks []token, consts map[string]string) string {
	depth := 0
	for i, t := range toks {
		switch {
		case t.kind == markToken && strings.Contains("([{", t.text):
			depth++
		case t.kind == markToken && strings.Contains(")]}", t.text):
			if depth--; depth < 0 {
				return ""
			}
		case depth == 0 && i == 0:
			return literal(t, consts)
		case depth == 1 && (t.text == "cmd" || t.text == "command") && i+1 < len(toks):
			switch next := toks[i+1]; {
			case next.text == ":" && i+2 < len(toks):
				return strings.TrimSpace(valueAt(toks[i+2:], consts))
			case next.text == "," || next.text == "}":
				return consts[t.text]
			}
		}
	}
	return ""
}

// valueAt is the string at the start of toks, or the words of a list of strings.
func valueAt(toks []token, consts map[string]string) string {
	if len(toks) == 0 || toks[0].text != "[" || toks[0].kind != markToken {
		if len(toks) == 0 {
			return ""
		}
		return literal(toks[0], consts)
	}
	var words []string
	for _, t := range toks[1:] {
		if t.kind == markToken && t.text == "]" {
			break
		}
		if t.kind == stringToken {
			words = append(words, t.text)
		}
	}
	if len(words) == 3 && (words[1] == "-lc" || words[1] == "-c") {
		return words[2]
	}
	return strings.Join(words, " ")
}

func literal(t token, consts map[string]string) string {
	switch t.kind {
	case stringToken:
		return t.text
	case wordToken:
		return consts[t.text]
	default:
		return ""
	}
}

// constants are the names that are given a string literal.
func constants(toks []token) map[string]string {
	out := map[string]string{}
	for i := 0; i+2 < len(toks); i++ {
		if toks[i].kind == wordToken && toks[i+1].text == "=" && toks[i+1].kind == markToken && toks[i+2].kind == stringToken {
			out[toks[i].text] = toks[i+2].text
		}
	}
	return out
}

type tokenKind int

const (
	wordToken tokenKind = iota
	stringToken
	markToken
)

type token struct {
	kind tokenKind
	text string // of a string its value
}

// tokens splits JavaScript into words, strings and marks. Comments are left out; a template keeps its ${...} as they stand.
func tokens(s string) []token {
	var out []token
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case strings.HasPrefix(s[i:], "//"):
			i = after(s, i, "\n")
		case strings.HasPrefix(s[i:], "/*"):
			i = after(s, i+2, "*/")
		case c == '"' || c == '\'' || c == '`':
			text, n := quoted(s[i:])
			out = append(out, token{stringToken, text})
			i += n
		case wordByte(c):
			n := i + 1
			for n < len(s) && wordByte(s[n]) {
				n++
			}
			out = append(out, token{wordToken, s[i:n]})
			i = n
		default:
			out = append(out, token{markToken, s[i : i+1]})
			i++
		}
	}
	return out
}

func after(s string, i int, mark string) int {
	if n := strings.Index(s[i:], mark); n >= 0 {
		return i + n + len(mark)
	}
	return len(s)
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// quoted is the value of the string literal at the start of s and its length in the source.
func quoted(s string) (text string, n int) {
	quote := s[0]
	var b strings.Builder
	i := 1
	for i < len(s) && s[i] != quote {
		if s[i] == '\n' && quote != '`' {
			return b.String(), i // not closed on its line
		}
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		r, width := escape(s[i:])
		b.WriteString(r)
		i += width
	}
	return b.String(), min(i+1, len(s))
}

// escape is the value of the escape sequence at the start of s and its length.
func escape(s string) (string, int) {
	switch c := s[1]; c {
	case 'n':
		return "\n", 2
	case 't':
		return "\t", 2
	case 'r':
		return "\r", 2
	case 'b':
		return "\b", 2
	case 'f':
		return "\f", 2
	case 'v':
		return "\v", 2
	case '0':
		return "\x00", 2
	case '\n':
		return "", 2
	case 'x':
		return hexRune(s, 2, 2)
	case 'u':
		if len(s) > 2 && s[2] == '{' {
			end := strings.IndexByte(s, '}')
			if end > 3 && end < 10 {
				r, _ := hexRune(s, 3, end-3)
				return r, end + 1
			}
		}
		return hexRune(s, 2, 4)
	default:
		_, width := utf8.DecodeRuneInString(s[1:])
		return s[1 : 1+width], 1 + width
	}
}

func hexRune(s string, at, digits int) (string, int) {
	if at+digits > len(s) {
		return "", len(s)
	}
	n, err := strconv.ParseUint(s[at:at+digits], 16, 32)
	if err != nil {
		return s[1:2], 2
	}
	return string(rune(n)), at + digits
}
