package redact

import (
	"encoding/base64"
	"strings"
)

// minEncoded is the shortest run of base64 that is looked into, in bytes.
const minEncoded = 32

// encoded looks for secrets inside base64: a run that decodes to text is scanned in its decoded form, and taken out whole
// if something is found there.
func (e *engine) encoded(s string, emit func(finding)) {
	// A run of minEncoded bytes holds an offset that is a multiple of half of that, so most of the text is skipped.
	const stride = minEncoded / 2
	for i := stride; i < len(s); i += stride {
		if !isBase64(s[i]) {
			continue
		}
		from, to := i, i
		for from > 0 && isBase64(s[from-1]) {
			from--
		}
		for to < len(s) && isBase64(s[to]) {
			to++
		}
		if to-from >= minEncoded {
			for to < len(s) && s[to] == '=' {
				to++
			}
			if text, ok := decoded(s[from:to]); ok && e.holdsSecret(text) {
				emit(finding{from: from, to: to, family: "base64"})
			}
		}
		i = max(i, to/stride*stride)
	}
}

// base64Bytes are the bytes of base64 in both its alphabets.
var base64Bytes = bodySet("+/-_")

func isBase64(c byte) bool { return base64Bytes[c] }

// decoded is the text that run encodes, if it is text.
func decoded(run string) (string, bool) {
	run = strings.TrimRight(run, "=")
	enc := base64.RawStdEncoding
	if strings.ContainsAny(run, "-_") {
		enc = base64.RawURLEncoding
	}
	head, err := enc.DecodeString(run[:min(len(run), 24)/4*4])
	if err != nil || !isText(head) {
		return "", false
	}
	if len(run)%4 == 1 {
		run = run[:len(run)-1]
	}
	whole, err := enc.DecodeString(run)
	if err != nil || !isText(whole) {
		return "", false
	}
	return string(whole), true
}

// isText reports whether b is printable ASCII but for a few bytes.
func isText(b []byte) bool {
	odd := 0
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c >= 0x7f {
			odd++
		}
	}
	return odd*16 <= len(b)
}

func (e *engine) holdsSecret(text string) bool {
	found := false
	e.secrets(text, func(finding) { found = true })
	return found
}
