package pager

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// An engine that is made anew from what was kept decides as the first one does from then on, and repeats its forms byte for byte.
func TestAResumedEngineGoesOnAsTheFirst(t *testing.T) {
	for at := 1; at < 40; at += 3 {
		var said []Message
		a := newTalk(t, func(o *Options) { o.Budget = 30_000 })
		feed := func(x *Engine, m ...Message) {
			for _, m := range m {
				x.Add(m)
			}
		}
		for i := range at {
			said = append(said, scripted(3*i, byte(5*(i%9)+1)), scripted(3*i+1, byte(250)), scripted(3*i+1, byte(5*(i%40)+4)))
		}
		forms := map[int]string{}
		var last time.Time
		for i := range at {
			feed(a.e, said[3*i:3*i+3]...)
			last = start.Add(time.Duration(i) * time.Minute)
			for _, x := range a.e.Request(last) {
				forms[x.Block] = x.Text
			}
		}
		b := newTalk(t, func(o *Options) { o.Budget = 30_000 })
		feed(b.e, said...)
		again := map[int]string{}
		for _, x := range b.e.Resume(a.e.Keep()) {
			again[x.Block] = x.Text
		}
		if at > 20 && len(forms) == 0 {
			t.Fatal("nothing was shortened: the test shows nothing")
		}
		if fmt.Sprint(again) != fmt.Sprint(forms) {
			t.Fatalf("after %d requests it repeats %v, not %v", at, again, forms)
		}
		for i := range 12 {
			m := []Message{scripted(1000+3*i, 6), scripted(1001+3*i, byte(19*i))}
			feed(a.e, m...)
			feed(b.e, m...)
			now := last.Add(time.Duration(i*i) * time.Minute)
			if x, y := fmt.Sprint(a.e.Request(now)), fmt.Sprint(b.e.Request(now)); x != y {
				t.Fatalf("request %d after %d: %s, not %s", i, at, y, x)
			}
		}
		if a.e.Stats() != b.e.Stats() {
			t.Errorf("%+v, not %+v", b.e.Stats(), a.e.Stats())
		}
	}
}

func TestFormsThatCannotBeAreLeftOut(t *testing.T) {
	x := newTalk(t)
	x.call("Grep", map[string]string{"pattern": "n"}, text(60, "found"), false)
	x.e.Add(Message{User: true, Blocks: []Block{{Kind: Other, Text: strings.Repeat("x", 500)}, {Kind: Text, Text: text(60, "y")}}})
	if got := x.e.Resume(Kept{Forms: []Form{{-1, Stub}, {99, Stub}, {1, Stub}, {2, Compact}, {2, Full}, {2, 77}, {3, Stub}, {4, Stub}}}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestAFixedBlockStays(t *testing.T) {
	x := newTalk(t)
	x.call("Grep", map[string]string{"pattern": "n"}, "", false)
	x.e.Add(Message{Blocks: []Block{{Kind: Call, ID: "f", Tool: "Grep"}}})
	x.e.Add(Message{User: true, Blocks: []Block{{Kind: Result, ID: "f", Text: text(60, "found"), Fixed: true}}})
	x.chat(30)
	if len(x.forms) != 0 {
		t.Errorf("%+v", x.forms)
	}
}

func TestAPassedRequestDecidesNothingAndCounts(t *testing.T) {
	x := newTalk(t)
	_, r := x.call("Grep", map[string]string{"pattern": "n"}, text(60, "found"), false)
	for range 5 {
		x.e.Add(Message{User: true})
		x.e.Pass(x.now)
	}
	if s := x.e.Stats(); s.Requests != 6 || s.Bytes != s.Sent || s.Shortened != 0 {
		t.Errorf("%+v", s)
	}
	if edits := x.e.Request(x.now); len(edits) != 1 || edits[0].Block != r {
		t.Errorf("%+v", edits)
	}
}
