package pager

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// BenchmarkFirstRequest takes a conversation of 1 MB that the engine has not seen, as after a restart.
func BenchmarkFirstRequest(b *testing.B) {
	msgs, size := megabyte()
	b.SetBytes(int64(size))
	for b.Loop() {
		e := New(Default())
		for _, m := range msgs {
			e.Add(m)
		}
		e.Request(start)
	}
}

// BenchmarkNextRequest takes a request more of a conversation of 1 MB.
func BenchmarkNextRequest(b *testing.B) {
	msgs, _ := megabyte()
	e := New(Default())
	for _, m := range msgs {
		e.Add(m)
	}
	now := start
	for b.Loop() {
		now = now.Add(time.Second)
		e.Request(now)
	}
}

func megabyte() (msgs []Message, size int) {
	for i := 0; size < 1<<20; i++ {
		id := fmt.Sprint(i)
		res := "package a\n" + text(60, "func Found")
		msgs = append(msgs, Message{Blocks: []Block{{Kind: Call, ID: id, Tool: "Read", Input: json.RawMessage(fmt.Sprintf(`{"file_path":"/src/%d.go"}`, i%200))}}},
			Message{User: true, Blocks: []Block{{Kind: Result, ID: id, Text: res}}})
		size += len(res)
	}
	return msgs, size
}
