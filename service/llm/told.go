package llm

import "strings"

// maxWords bounds what is taken of the words of others before they are cleaned, in bytes; a secret that a shorter cut went through would
// not look like one any more.
const maxWords = 4 << 10

// maxDetail bounds what is told of them, in bytes.
const maxDetail = 300

// told is a failure that may be shown, logged and kept: what it says is cleaned, because a provider may repeat what it was sent, and bounded.
func (c *Client) told(f *Failure) *Failure {
	out := *f
	if c.o.Clean != nil {
		out.Detail = c.o.Clean(out.Detail)
	}
	out.Detail = cut(out.Detail, maxDetail)
	return &out
}

// cut is at most so many bytes of a text, with a sign that there was more.
func cut(s string, most int) string {
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
