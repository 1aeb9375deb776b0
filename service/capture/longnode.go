package capture

import (
	"encoding/json"
	"slices"
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// textsOf calls use with each text of a node that may have been cut; what use returns takes its place.
func textsOf(n *memory.Node, use func(string) string) {
	n.Output = use(n.Output)
	n.Metadata.Thinking = use(n.Metadata.Thinking)
	if len(n.Input) > 0 {
		n.Input = json.RawMessage(use(string(n.Input)))
	}
	for i := range n.Metadata.Edits {
		n.Metadata.Edits[i].Diff = use(n.Metadata.Edits[i].Diff)
	}
	for i := range n.Metadata.Commands {
		n.Metadata.Commands[i] = use(n.Metadata.Commands[i])
	}
}

// holds reports whether a text of the node was cut at this mark.
func holds(n *memory.Node, mark string) (found bool) {
	textsOf(n, func(s string) string {
		found = found || strings.Contains(s, mark)
		return s
	})
	return found
}

// showClean puts what the node shows of a clean text in the place of what it showed of the text. Where a parser has changed that
// text at its ends, all that may belong to it goes.
func showClean(n *memory.Node, t *transcript.CutText, clean transcript.CutText) {
	quoted := strings.NewReplacer(inJSON(t.Short()), inJSON(clean.Short()))
	textsOf(n, func(s string) string {
		at := strings.Index(s, t.Mark)
		switch {
		case at < 0:
			return s
		case strings.Contains(s, t.Short()):
			return strings.ReplaceAll(s, t.Short(), clean.Short())
		case strings.Contains(s, inJSON(t.Short())):
			return quoted.Replace(s)
		}
		return clean.Short()
	})
	if len(n.Input) > 0 && !json.Valid(n.Input) { // it showed the text alone
		n.Input, _ = memory.Encode(clean.Short()) // a string always encodes
	}
}

// inJSON is a text as it stands between the quotes of a JSON text.
func inJSON(s string) string {
	b, _ := memory.Encode(s) // a string always encodes
	return string(b[1 : len(b)-1])
}

// rename puts names in the place of marks. They hold nothing that JSON escapes.
func rename(n *memory.Node, names *strings.Replacer) { textsOf(n, names.Replace) }

// sortFiles gives the files of a node an order that depends on their contents alone.
func sortFiles(files []memory.File) {
	slices.SortFunc(files, func(a, b memory.File) int { return strings.Compare(a.Path, b.Path) })
}
