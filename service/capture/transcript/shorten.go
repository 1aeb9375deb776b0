package transcript

import (
	"encoding/json"

	"dormouse/store/memory"
)

// Shorten gives the longest texts of a node that is longer than MaxText to long, and puts what that gives in their place. Of arguments,
// those are the strings in them; where no string is long and all of them together are, it is their JSON, and the node holds a string.
func Shorten(n *memory.Node, long func(string) string) {
	if size(n) <= MaxText {
		return
	}
	texts := []*string{&n.Output, &n.Metadata.Thinking}
	for i := range n.Metadata.Edits {
		texts = append(texts, &n.Metadata.Edits[i].Diff)
	}
	for i := range n.Metadata.Commands {
		texts = append(texts, &n.Metadata.Commands[i])
	}
	for _, t := range texts {
		if len(*t) > kept {
			*t = long(*t)
		}
	}
	if len(n.Input) <= kept {
		return
	}
	n.Input = shortenStrings(n.Input, long)
	if size(n) > MaxText && len(n.Input) > kept {
		n.Input, _ = memory.Encode(long(string(n.Input))) // a string always encodes
	}
}

// shortenStrings is valid JSON with what long gives of its long strings. Everything else stays byte for byte.
func shortenStrings(raw json.RawMessage, long func(string) string) json.RawMessage {
	var out []byte
	copied := 0
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		end := i + 1
		for end < len(raw) && raw[end] != '"' {
			if raw[end] == '\\' {
				end++
			}
			end++
		}
		if end = min(end+1, len(raw)); end-i > kept {
			var s string
			if json.Unmarshal(raw[i:end], &s) != nil {
				return raw
			}
			short, _ := memory.Encode(long(s)) // a string always encodes
			out = append(append(out, raw[copied:i]...), short...)
			copied = end
		}
		i = end - 1
	}
	if copied == 0 {
		return raw
	}
	return append(out, raw[copied:]...)
}
