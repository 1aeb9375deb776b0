package transcript

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"

	"dormouse/store/memory"
)

// MaxText is how many bytes of text a node may hold; kept is what remains of a longer text at each end.
const (
	MaxText = 8 << 20
	kept    = 1 << 20
)

// Clip keeps head and tail of the texts of a node that together are longer than MaxText, the longest first, and notes in
// the metadata how long the first clipped text was and its SHA-256. It reports whether it clipped.
func Clip(n *memory.Node) bool {
	clipped := false
	for size(n) > MaxText {
		if !clipLongest(n) {
			return clipped
		}
		clipped = true
	}
	return clipped
}

func size(n *memory.Node) int {
	total := len(n.Output) + len(n.Metadata.Thinking) + len(n.Input)
	for _, e := range n.Metadata.Edits {
		total += len(e.Diff)
	}
	for _, c := range n.Metadata.Commands {
		total += len(c)
	}
	return total
}

// clipLongest clips the longest text of the node; false when none is left that clipping makes shorter.
func clipLongest(n *memory.Node) bool {
	input := string(n.Input)
	longest := &n.Output
	for _, s := range []*string{&n.Metadata.Thinking, &input} {
		if len(*s) > len(*longest) {
			longest = s
		}
	}
	for i := range n.Metadata.Edits {
		if d := &n.Metadata.Edits[i].Diff; len(*d) > len(*longest) {
			longest = d
		}
	}
	for i := range n.Metadata.Commands {
		if c := &n.Metadata.Commands[i]; len(*c) > len(*longest) {
			longest = c
		}
	}
	if len(*longest) <= 2*kept+64 {
		return false
	}
	if n.Metadata.Clipped == nil {
		sum := sha256.Sum256([]byte(*longest))
		n.Metadata.Clipped = &memory.Clipped{Bytes: len(*longest), SHA256: hex.EncodeToString(sum[:])}
	}
	*longest = headAndTail(*longest)
	if longest == &input {
		n.Input, _ = memory.Encode(input) // a string always encodes
	}
	return true
}

func headAndTail(s string) string {
	head, tail := kept, len(s)-kept
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + "\n[... clipped ...]\n" + s[tail:]
}

// JSON is raw as a field of a node: valid JSON, or else a JSON string of it; nil for nothing.
func JSON(raw string) json.RawMessage {
	if raw == "" {
		return nil
	}
	if json.Valid([]byte(raw)) {
		return json.RawMessage(raw)
	}
	b, err := memory.Encode(raw)
	if err != nil {
		return nil
	}
	return b
}
