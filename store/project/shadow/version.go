package shadow

import (
	"strings"

	"dormouse/store/project/edit"
)

// Source says how a version of a file is known.
type Source string

// The sources of a version.
const (
	Exact   Source = "exact"   // the session's records give it, or prove what leads to it
	Derived Source = "derived" // the change fits on what was known before
	Disk    Source = "disk"    // it was read from the disk and fits the change
	Unknown Source = "unknown"
)

// version is what is known of a file at one moment.
type version struct {
	from  Source
	state edit.State
}

func (v version) known() bool { return v.from != Unknown && v.from != "" }

// weaker is the source of what follows from two versions.
func weaker(a, b Source) Source {
	for _, s := range []Source{Unknown, Derived, Disk} {
		if a == s || b == s {
			return s
		}
	}
	return Exact
}

// crlf reports whether every line of a text ends with CR and LF, and there is one.
func crlf(text string) bool {
	n := strings.Count(text, "\n")
	return n > 0 && n == strings.Count(text, "\r\n")
}

// unix is a text with the line ends that agents show, whatever the file has.
func unix(text string) string {
	if crlf(text) {
		return strings.ReplaceAll(text, "\r\n", "\n")
	}
	return text
}

// dos is a text with CR and LF at each end of a line; one that has some already stays.
func dos(text string) string {
	if strings.Contains(text, "\r") {
		return text
	}
	return strings.ReplaceAll(text, "\n", "\r\n")
}

// same reports whether two states differ in no more than their line ends.
func same(a, b edit.State) bool {
	return a.Exists == b.Exists && (a.Text == b.Text || unix(a.Text) == unix(b.Text))
}
