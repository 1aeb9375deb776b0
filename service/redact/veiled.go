package redact

import (
	"strings"
	"unicode/utf8"
)

// isInvisible reports whether c is shown as nothing: what a page or a chat puts into a token so that it may wrap.
func isInvisible(c rune) bool {
	return c == 0xad || c >= 0x200b && c <= 0x200f || c >= 0x2060 && c <= 0x2064 || c == 0xfeff || c == 0x180e
}

// invisibleLeads are the first bytes in UTF-8 of what isInvisible knows.
const invisibleLeads = "\xc2\xe1\xe2\xef"

// hasInvisible reports whether a character of s is invisible. It looks for the few first bytes alone, which nearly all texts lack.
func hasInvisible(s string) bool {
	for i := range len(invisibleLeads) {
		for at := 0; ; at++ {
			next := strings.IndexByte(s[at:], invisibleLeads[i])
			if next < 0 {
				break
			}
			at += next
			if c, _ := utf8.DecodeRuneInString(s[at:]); isInvisible(c) {
				return true
			}
		}
	}
	return false
}

// veiled finds the secrets that have invisible characters in them.
func (e *engine) veiled(s string, emit func(finding)) {
	if !hasInvisible(s) {
		return
	}
	var b strings.Builder
	var at []int // where in s each byte of the text without them is
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		if !isInvisible(c) {
			b.WriteString(s[i : i+n])
			for j := range n {
				at = append(at, i+j)
			}
		}
		i += n
	}
	at = append(at, len(s))
	e.secrets(b.String(), func(f finding) {
		if f.from >= f.to {
			return
		}
		f.from, f.to = at[f.from], at[f.to-1]+1
		emit(f)
	})
}
