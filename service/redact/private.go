package redact

import "strings"

const (
	privateOpen  = "<private>"
	privateClose = "</private>"
)

// findPrivate takes out what the user put between <private> and </private>. Spans nest; one that is not closed goes to the end of the text,
// because what was meant to be kept out must not get in by a forgotten tag.
func findPrivate(p *pass, start, _ int) {
	if p.private.inside(start) || isMention(p.s, start, len(privateOpen)) {
		return
	}
	end, _ := privateEnd(p.s, start, 0)
	p.private = stretch{start, end}
	p.found(start, end, "private")
}

// privateEnd is where the span ends that is open so many times at s[from], and how many are still open there.
func privateEnd(s string, from, depth int) (end, open int) {
	for i := from; ; {
		n := strings.IndexByte(s[i:], '<')
		if n < 0 {
			return len(s), depth
		}
		i += n
		switch {
		case tagAt(s, i, privateOpen):
			depth++
			i += len(privateOpen)
		case tagAt(s, i, privateClose):
			i += len(privateClose)
			if depth--; depth <= 0 {
				return i, 0
			}
		default:
			i++
		}
	}
}

// tagAt reports whether a tag, and not the mention of one, is at s[i].
func tagAt(s string, i int, tag string) bool {
	return len(s)-i >= len(tag) && strings.EqualFold(s[i:i+len(tag)], tag) && !isMention(s, i, len(tag))
}

// isMention reports whether the tag of n bytes at s[i] stands directly between backticks: whoever writes so writes about it.
func isMention(s string, i, n int) bool {
	return i > 0 && s[i-1] == '`' && i+n < len(s) && s[i+n] == '`'
}

// PrivateDepth is how many private spans are open at the end of a text at whose beginning so many were: for texts that are redacted in parts. A
// part whose beginning lies in spans is redacted with PrivateOpen so many times before it.
func PrivateDepth(part string, depth int) int {
	i := 0
	if depth > 0 {
		if i, depth = privateEnd(part, 0, depth); depth > 0 {
			return depth
		}
	}
	for {
		n := strings.IndexByte(part[i:], '<')
		if n < 0 {
			return 0
		}
		i += n
		if !tagAt(part, i, privateOpen) {
			i++
			continue
		}
		if i, depth = privateEnd(part, i, 0); depth > 0 {
			return depth
		}
	}
}

// PrivateOpen is what opens so many private spans.
func PrivateOpen(depth int) string { return strings.Repeat(privateOpen, depth) }
