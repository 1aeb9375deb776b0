package shadow

import (
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
)

// Binary reports whether a content is no text: it has a zero byte near its beginning, as git takes it, or is not UTF-8.
func Binary(text string) bool {
	return strings.ContainsRune(text[:min(len(text), 8000)], 0) || !utf8.ValidString(text)
}

// Unified is the change as a unified diff with file headers, and how many lines came and went. It is empty where a side is not
// known, where a side is no text, and where nothing changed.
func (c *Change) Unified() (diff string, added, removed int) {
	if c.Old.Why != "" || c.New.Why != "" || Binary(c.Old.Text) || Binary(c.New.Text) {
		return "", 0, 0
	}
	from, to := "a/"+c.Path, "b/"+c.Path
	if !c.Old.Exists {
		from = "/dev/null"
	}
	if !c.New.Exists {
		to = "/dev/null"
	}
	diff, err := udiff.ToUnified(from, to, c.Old.Text, udiff.Lines(c.Old.Text, c.New.Text), udiff.DefaultContextLines)
	if err != nil {
		return "", 0, 0 // cannot be: the lines come from these texts
	}
	_, body, _ := strings.Cut(diff, "\n+++ ")
	for line := range strings.Lines(body) {
		switch line[0] {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return diff, added, removed
}
