package pager

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// FuzzEngine holds what is true of any conversation: only what may be changed is changed, into something shorter, once a level, in
// order; what is left of a call is a JSON object; and the same conversation gives the same forms.
func FuzzEngine(f *testing.F) {
	f.Add([]byte("\x00\x11\x22\x33\x44\x05\x16\x27"))
	f.Add([]byte(strings.Repeat("\x12\x33\x01\x54\x96", 40)))
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 400 {
			script = script[:400]
		}
		o := Default()
		o.Budget = 20_000
		a, b := New(o), New(o)
		now := start
		levels := map[int]Level{}
		for i, c := range script {
			m := scripted(i, c)
			a.Add(m)
			b.Add(m)
			now = now.Add(time.Duration(c%8) * time.Minute)
			got, again := a.Request(now), b.Request(now)
			if fmt.Sprint(got) != fmt.Sprint(again) {
				t.Fatalf("two engines differ: %v and %v", got, again)
			}
			holds(t, a, levels, got)
			if c%16 == 15 {
				x := int(c) * len(a.blocks) / 256
				if a.Restore(x, "found line number 3 says something") != b.Restore(x, "found line number 3 says something") {
					t.Fatal("two engines bring back different text")
				}
			}
		}
	})
}

func scripted(i int, c byte) Message {
	id := fmt.Sprint("c", i-1)
	switch c % 5 {
	case 0:
		return Message{User: true, Blocks: []Block{{Kind: Text, Text: strings.Repeat("say ", int(c))}, {Kind: Other}}}
	case 1:
		return Message{Blocks: []Block{{Kind: Call, ID: fmt.Sprint("c", i), Tool: "Read", Input: json.RawMessage(fmt.Sprintf(`{"file_path":"/f%d"}`, c%3))}}}
	case 2:
		return Message{Blocks: []Block{{Kind: Call, ID: fmt.Sprint("c", i), Tool: "Edit", Input: json.RawMessage(`{"file_path":"/f1","old_string":` + quoted(text(int(c)/8, "old")) + `}`)}}}
	case 3:
		return Message{Blocks: []Block{{Kind: Call, ID: fmt.Sprint("c", i), Tool: "Bash", Input: json.RawMessage(`{"command":[1,"go",{"x":2`)}}}
	}
	return Message{User: true, Blocks: []Block{{Kind: Result, ID: id, Text: text(int(c)/2, "found"), Failed: c%7 == 0}}}
}

func holds(t *testing.T, e *Engine, levels map[int]Level, edits []Edit) {
	t.Helper()
	last := -1
	for _, ed := range edits {
		if ed.Block <= last || ed.Block >= len(e.blocks) {
			t.Fatalf("block %d after %d, of %d", ed.Block, last, len(e.blocks))
		}
		last = ed.Block
		b := e.blocks[ed.Block]
		switch {
		case ed.Level <= levels[ed.Block]:
			t.Fatalf("block %d goes from %v to %v", ed.Block, levels[ed.Block], ed.Level)
		case b.Kind == Other || b.Kind == Text && !b.page || b.Failed:
			t.Fatalf("a block is changed that never may: %+v", b.Block)
		case e.users-b.born < protected:
			t.Fatal("one of the last messages is changed")
		case b.bytes >= b.size:
			t.Fatalf("%d bytes became %d: %q", b.size, b.bytes, ed.Text)
		case b.Kind == Call && !json.Valid([]byte(ed.Text)):
			t.Fatalf("a call's arguments are no JSON: %s", ed.Text)
		}
		levels[ed.Block] = ed.Level
	}
}
