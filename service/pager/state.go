package pager

import (
	"slices"
	"strings"
)

// block is a block of the conversation and what is known of it.
type block struct {
	Block
	index                 int
	born                  int // messages of the user's side when it came
	key                   string
	args                  arguments
	size                  int // bytes in full
	bytes                 int // bytes as it is shown
	level                 Level
	old                   bool   // a newer result with its key is there
	first                 bool   // no result with its key was there before
	edited                bool   // its file was edited after it was read
	failed                bool   // of a call: its result reported a failure
	page                  bool   // was brought back
	short                 string // the short form, once it was made
	handle                string // by which the model asks for it; empty where it has none
	let                   bool   // of what was restored: the model needs it no more
	used                  int    // messages of the user's side when a call was about it last; see related
	aside, predicted, met bool   // of a new goal: it does not belong to it, is likely to be needed for it, and was
	vec                   []float32
	names                 []string // files that it names, once that was looked at
}

// add puts a block at the end of the conversation.
func (e *Engine) add(in Block) *block {
	b := &block{Block: in, index: len(e.blocks), born: e.users, size: len(in.Text)}
	e.blocks = append(e.blocks, b)
	switch in.Kind {
	case Call:
		b.size = len(in.Tool) + len(in.Input)
		b.args = argumentsOf(in.Input)
		b.key = keyOf(in.Tool, in.Input, b.args)
		e.calls[in.ID] = b
		e.noteEdit(b)
		e.noteAbout(b)
	case Result:
		if c := e.calls[in.ID]; c != nil {
			b.Tool, b.Input, b.key, b.args = c.Tool, c.Input, c.key, c.args
			c.failed = in.Failed
			e.noteResult(b)
			e.noteRelease(b)
		}
	}
	b.bytes = b.size
	e.name(b)
	return b
}

// noteEdit notes at what was read of a file that a call edits it.
func (e *Engine) noteEdit(b *block) {
	if p := b.args.path(); p != "" && Edits(b.Tool) {
		if r := e.newest["file:"+p]; r != nil {
			r.edited = true
		}
	}
}

// noteResult takes a result as the newest of its key.
func (e *Engine) noteResult(b *block) {
	old := e.newest[b.key]
	b.first = old == nil
	if old != nil {
		e.noteUse(old)
		old.old = covers(b, old)
		if old.level != Full {
			e.stats.Refetched++
		}
	}
	e.newest[b.key] = b
	e.asked[b.key]++
	e.noteFile(b)
}

// coversFrom is from which share of a file's earlier copy on a newer one stands for all of it: what is shorter is a part.
const coversFrom = 0.8

// covers says whether a result stands for an earlier one with its key.
func covers(b, old *block) bool {
	return !isFile(b.key) || float64(b.size) >= coversFrom*float64(old.size)
}

// text is what a block's short form leaves out: of an edit, the text that it replaced.
func (b *block) text() string {
	if b.Kind == Call {
		return QuotedByEdit(b.Tool, b.Input)
	}
	return b.Text
}

// ripe says whether a block may be shortened at a pressure: it is of a kind that may, and old enough for what it is.
func (e *Engine) ripe(b *block, z Zone, carried int) bool {
	if b.level != Full || b.Fixed {
		return false
	}
	age := e.users - b.born
	switch {
	case b.Memory:
		return b.Kind == Result && b.size >= e.o.MinBytes && age >= z.aged(e.waitMemory(b))
	case b.page:
		return b.size >= e.o.MinBytes && age >= z.aged(e.o.Page)
	case b.Kind == Call:
		return quoting(b) && !b.failed && age >= z.aged(e.o.Call)
	case b.Kind == Result:
		return b.size >= e.o.MinBytes && !b.Failed && age >= z.aged(e.wait(b)) && !e.spared(b, z, carried) && !e.inUse(b, z)
	}
	return false
}

// spared says whether a file that was read for the first time stays whole because the conversation is short: what a fault there
// costs is more than what shortening saves.
func (e *Engine) spared(b *block, z Zone, carried int) bool {
	return z < Warning && carried < e.o.Floor && b.first && !b.edited && !b.old && isFile(b.key)
}

// wait is the age from which a result is shortened when there is no pressure. What a newer result replaces is of no more use. A
// check is short, and run again soon; a small part of a file is cheap to keep and often asked for again; a whole file that was
// just read may be about to be edited, and one that was edited is edited again.
func (e *Engine) wait(b *block) int {
	switch {
	case b.old, b.aside:
		return protected
	case isFile(b.key) && e.newest[b.key] != b:
		return e.o.Replaced
	case isFile(b.key):
		return e.waitFile(b)
	case b.size <= e.o.CheckBytes && strings.HasPrefix(b.key, "cmd:") && (e.asked[b.key] > 1 || isCheck(b.key)):
		return e.o.Check
	}
	return e.o.Output
}

func (e *Engine) waitFile(b *block) int {
	switch {
	case b.size <= e.o.PartBytes:
		return e.o.SmallPart
	case !b.first:
		return e.o.Part
	case b.edited:
		return e.o.Edited
	}
	return e.o.File
}

func isFile(key string) bool { return strings.HasPrefix(key, "file:") }

// checkWords are in the first words of commands that look after the state of the work.
var checkWords = []string{"test", "build", "lint", "check", "status", "fmt", "vet", "make", "run"}

func isCheck(key string) bool {
	words := strings.Fields(strings.TrimPrefix(key, "cmd:"))
	return slices.ContainsFunc(words[:min(4, len(words))], func(w string) bool { return slices.Contains(checkWords, w) })
}
