package pager

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// maxSubject is the most characters of what a short form says a result is of.
const maxSubject = 80

// form is a block's short form and its bytes in a request.
func (e *Engine) form(b *block) (string, int) {
	if b.short == "" {
		b.short = e.shortForm(b)
	}
	if b.Kind == Call {
		return b.short, len(b.Tool) + len(b.short)
	}
	return b.short, len(b.short)
}

// shortForm says what a result was, with names of what is lost where it was long. Of an edit it is the call without the text that
// the edit took out of the file.
func (e *Engine) shortForm(b *block) string {
	if b.Kind == Call {
		return withoutQuoted(b.Input, b.handle)
	}
	subject := SubjectOf(b.Input)
	if r := []rune(subject); len(r) > maxSubject {
		subject = string(r[:maxSubject-1]) + "…"
	}
	what := strings.TrimSpace(fmt.Sprintf("%s %s %s (%d lines)", b.handle, b.Tool, oneLine(subject), strings.Count(b.Text, "\n")+1))
	if b.page {
		what = fmt.Sprintf("restored text (%d lines)", strings.Count(b.Text, "\n")+1)
	}
	if names := lost(b.Text); b.size >= e.o.NameLosses && names != "" {
		return fmt.Sprintf("[Paged out: %s. Lost: %s. Restore if you need: its exact text]", what, names)
	}
	return "[Paged out: " + what + "]"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// quotedFields are the arguments of edits that hold the text which is replaced.
var quotedFields = []string{"old_string", "old_str"}

// leastQuoted is the size from which text that an edit quotes is worth leaving out.
const leastQuoted = 200

// quoting says whether a call is an edit that quotes enough text of the file that it changes.
func quoting(b *block) bool {
	return slices.Contains(editTools, b.Tool) && max(len(b.args.OldText), len(b.args.OldText2)) >= leastQuoted
}

// withoutQuoted is an edit's arguments without the text that it replaced, which the file no longer has. The other fields stay byte
// for byte, in their order.
func withoutQuoted(input json.RawMessage, handle string) string {
	out := string(input)
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) != nil {
		return out
	}
	for _, f := range quotedFields {
		raw := fields[f]
		var s string
		if json.Unmarshal(raw, &s) != nil || len(s) < leastQuoted || strings.Count(out, string(raw)) != 1 {
			continue
		}
		stub, _ := json.Marshal(strings.Replace(fmt.Sprintf("[Paged out: %s %d lines that this edit replaced]", handle, strings.Count(s, "\n")+1), "  ", " ", 1))
		out = strings.Replace(out, string(raw), string(stub), 1)
	}
	return out
}
