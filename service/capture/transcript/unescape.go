package transcript

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// escaped are the characters that a backslash and a letter stand for in a JSON text (RFC 8259, section 7).
var escaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape adds the text that a part of a JSON text stands for, and says how much of the part it took: an escape that may go on
// in the next part is left, unless this is the end. What is no escape is taken as it is; half of a pair of surrogates becomes
// the replacement character, as encoding/json has it.
func unescape(out, raw []byte, end bool) ([]byte, int) {
	at := 0
	for at < len(raw) {
		i := bytes.IndexByte(raw[at:], '\\')
		if i < 0 {
			return append(out, raw[at:]...), len(raw)
		}
		out = append(out, raw[at:at+i]...)
		at += i
		n := 0
		if out, n = oneEscape(out, raw[at:], end); n == 0 {
			return out, at
		}
		at += n
	}
	return out, at
}

// oneUnit is the length of an escape of the form \uXXXX, and surrogatePair of two.
const (
	oneUnit       = 6
	surrogatePair = 2 * oneUnit
)

// oneEscape adds the character of an escape and gives the escape's length; 0 when it may go on.
func oneEscape(out, raw []byte, end bool) ([]byte, int) {
	if len(raw) < 2 {
		if !end {
			return out, 0
		}
		return append(out, raw...), len(raw)
	}
	if c := escaped[raw[1]]; c != 0 {
		return append(out, c), 2
	}
	if raw[1] != 'u' {
		return append(out, raw[:2]...), 2
	}
	if len(raw) < oneUnit && !end {
		return out, 0
	}
	first, ok := hexRune(raw)
	if !ok {
		return append(out, raw[:2]...), 2
	}
	if utf16.IsSurrogate(first) && len(raw) < surrogatePair && !end {
		return out, 0
	}
	if second, ok := hexRune(raw[6:]); ok && utf16.IsSurrogate(first) {
		if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
			return utf8.AppendRune(out, r), surrogatePair
		}
	}
	return utf8.AppendRune(out, first), 6 // AppendRune writes a lone surrogate as the replacement character
}

func hexRune(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 32)
	return rune(n), err == nil
}
