package main

import (
	"context"
	"strings"

	"dormouse/app/model"
)

// notifier shows desktop notifications. Texts are plain text; the notifier makes them harmless for what it speaks to.
type notifier interface {
	Notify(context.Context, model.TrayMessage) error
	// Close ends it; notifications that are shown stay.
	Close()
}

// markupSafe is a text for a server that reads the body as markup.
func markupSafe(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// scriptSafe is a text for the libraries of Windows and macOS, which put it into XML between CDATA marks or, when that way
// is barred, into a script in double quotes: what begins a variable, an escape or an end there is replaced by what looks
// like it.
func scriptSafe(s string) string {
	return strings.NewReplacer("\n", " ", "\r", " ", "]]>", "]] >", "$", "＄", "`", "'", `"`, "”", `\`, "∖").Replace(s)
}
