package proxy

import (
	"testing"
	"time"

	"dormouse/service/pager"
)

// megabyte is an agent whose next request has about a megabyte.
func megabyte() *agent {
	a := newAgent("go")
	for i := 0; len(a.request()) < 1<<20; i++ {
		a.work(i)
	}
	return a
}

// BenchmarkNextRequest is what the proxy adds to requests of a megabyte whose conversation it knows, each with one call more than the one
// before it.
func BenchmarkNextRequest(b *testing.B) {
	const rounds = 16
	a := megabyte()
	known := a.request()
	var next [][]byte
	for i := range rounds {
		a.work(i)
		next = append(next, a.request())
	}
	b.SetBytes(int64(len(known)))
	var p *paging
	for i := 0; b.Loop(); i++ {
		if i%rounds == 0 {
			b.StopTimer()
			p = newPaging(Options{Pager: pager.Default(), Now: func() time.Time { return start }})
			p.page(messages, "x", known)
			b.StartTimer()
		}
		p.page(messages, "x", next[i%rounds])
	}
}

// BenchmarkFirstRequest is the same for a conversation that it does not know yet, as after a restart.
func BenchmarkFirstRequest(b *testing.B) {
	doc := megabyte().request()
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		p := newPaging(Options{Pager: pager.Default(), Now: func() time.Time { return start }})
		p.page(messages, "x", doc)
	}
}

// BenchmarkStream is what reading a stream adds, an event of 120 bytes at a time.
func BenchmarkStream(b *testing.B) {
	event := []byte("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"some words\"}}\n\n")
	c := &call{form: messages}
	b.SetBytes(int64(len(event)))
	for b.Loop() {
		if end := eventEnd(event); end > 0 {
			c.event(event[:end])
		}
	}
}
