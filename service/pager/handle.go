package pager

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// The tools by which a model reaches what is shown in short, where its client's proxy offers them. Calls of theirs and the results come
// as blocks that are marked Memory; what merely has such a name is a call like any other.
const (
	RestoreTool = "memory_restore"
	ReleaseTool = "memory_release"
)

// leastHandle is how many characters a handle has, and more where two blocks would have the same: one pair in ten thousand conversations of a
// thousand blocks.
const leastHandle = 8

// name gives a block that may be shown in short a handle. It is made of the id of its call, so that it never means another block, whatever
// a client takes out of its conversation.
func (e *Engine) name(b *block) {
	if !e.o.Handles || b.Memory || b.Fixed || b.Kind != Result && (b.Kind != Call || !quoting(b)) {
		return
	}
	sum := sha256.Sum256([]byte{byte(b.Kind)})
	sum = sha256.Sum256(append(sum[:], b.ID...))
	whole := hex.EncodeToString(sum[:])
	n := leastHandle
	for n < len(whole) && e.named[whole[:n]] != nil {
		n++
	}
	b.handle = whole[:n]
	e.named[b.handle] = b
}

// colon stands before a handle.
func (b *block) colon() string {
	if b.handle == "" {
		return ""
	}
	return ": "
}

// Found is a block that a handle names.
type Found struct {
	Block  int    // as in Edit
	ID     string // of its call
	Call   bool   // it is the text that an edit replaced, else a result
	Text   string // in full
	Short  bool   // it is shown in short
	Stands bool   // it was restored, and that still stands there in full
}

// Find is what a handle of a short form names. A model may have copied it with what stands around it.
func (e *Engine) Find(handle string) (Found, bool) {
	b := e.named[bareHandle(handle)]
	if b == nil {
		return Found{}, false
	}
	f := Found{Block: b.index, ID: b.ID, Call: b.Kind == Call, Text: b.text(), Short: b.level != Full}
	for _, r := range e.restored(b.handle) {
		f.Stands = f.Stands || r.level == Full
	}
	return f, true
}

// bareHandle is a handle without what stands around it in a short form.
func bareHandle(s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(strings.Trim(strings.TrimSpace(s), "[]")), "Paged out:")
	if w := strings.Fields(s); len(w) > 0 {
		return strings.ToLower(strings.Trim(w[0], `:.,"'[]()`))
	}
	return ""
}

// restored are the results by which what a handle names came back.
func (e *Engine) restored(handle string) (out []*block) {
	for _, b := range e.blocks {
		if b.Memory && b.Kind == Result && b.Tool == RestoreTool && bareHandle(b.args.Handle) == handle {
			out = append(out, b)
		}
	}
	return out
}

// noteRelease takes note of what a model needs no more.
func (e *Engine) noteRelease(b *block) {
	if !b.Memory || b.Tool != ReleaseTool {
		return
	}
	for _, r := range e.restored(bareHandle(b.args.Handle)) {
		r.let = true
	}
}

// waitMemory is the age from which the result of one of the memory's own tools is shortened. What was restored stays longer each time that
// it is asked for, and goes as soon as anything may when the model lets go of it; an answer is short.
func (e *Engine) waitMemory(b *block) int {
	switch {
	case b.let:
		return 0
	case b.Tool == RestoreTool:
		return e.o.Page * max(1, e.asked[b.key])
	}
	return e.o.SmallPart
}

// Around is what of a text stands around the lines that are asked for, up to about so many bytes, with a mark where lines are left out.
func Around(text, asked string, bytes int) string { return around(text, asked, bytes) }
