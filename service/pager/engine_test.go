package pager

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

var start = time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)

// talk is a conversation with an engine, a request a minute.
type talk struct {
	t     *testing.T
	e     *Engine
	n     int // calls so far
	now   time.Time
	forms map[int]Edit
}

func newTalk(t *testing.T, change ...func(*Options)) *talk {
	t.Helper()
	o := Default()
	for _, f := range change {
		f(&o)
	}
	if err := o.Validate(); err != nil {
		t.Fatal(err)
	}
	x := &talk{t: t, e: New(o), now: start, forms: map[int]Edit{}}
	x.e.Add(Message{User: true, Blocks: []Block{{Kind: Text, Text: "please look into it"}}})
	return x
}

// call has the assistant call a tool and get its result, and returns the blocks' numbers.
func (x *talk) call(tool string, input any, result string, failed bool) (call, res int) {
	x.t.Helper()
	x.request()
	raw, err := json.Marshal(input)
	if err != nil {
		x.t.Fatal(err)
	}
	x.n++
	id := fmt.Sprintf("call-%d", x.n)
	call = len(x.e.blocks)
	x.e.Add(Message{Blocks: []Block{{Kind: Call, ID: id, Tool: tool, Input: raw}}})
	x.e.Add(Message{User: true, Blocks: []Block{{Kind: Result, ID: id, Text: result, Failed: failed}}})
	return call, call + 1
}

func (x *talk) request() []Edit {
	x.now = x.now.Add(time.Minute)
	edits := x.e.Request(x.now)
	for _, ed := range edits {
		x.forms[ed.Block] = ed
	}
	return edits
}

// chat lets n short calls pass.
func (x *talk) chat(n int) {
	for range n {
		x.call("Note", map[string]int{"n": x.n}, "ok", false)
	}
}

func text(lines int, word string) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "%s line number %d says something\n", word, i)
	}
	return b.String()
}

func file(path string) map[string]string { return map[string]string{"file_path": path} }

func TestOutputIsShortenedOnceItIsTwoMessagesOld(t *testing.T) {
	x := newTalk(t)
	_, r := x.call("Grep", map[string]string{"pattern": "needle"}, text(60, "found"), false)
	x.chat(1)
	if _, ok := x.forms[r]; ok {
		t.Fatal("shortened while it is among the last two messages")
	}
	x.chat(2)
	f, ok := x.forms[r]
	if !ok {
		t.Fatal("never shortened")
	}
	if f.Level != Stub || f.Text != "[Paged out: Grep needle (61 lines)]" {
		t.Errorf("got %v %q", f.Level, f.Text)
	}
}

func TestFailedAndSmallResultsStay(t *testing.T) {
	x := newTalk(t)
	_, failed := x.call("Grep", map[string]string{"pattern": "a"}, text(60, "failed"), true)
	_, small := x.call("Grep", map[string]string{"pattern": "b"}, "three matches in two files", false)
	x.chat(30)
	for _, b := range []int{failed, small} {
		if f, ok := x.forms[b]; ok {
			t.Errorf("block %d became %q", b, f.Text)
		}
	}
}

func TestANewerResultReplacesTheOlder(t *testing.T) {
	x := newTalk(t, func(o *Options) { o.Horizon, o.Sure = 1000, 0 })
	cmd := map[string]string{"command": "go test ./..."}
	_, first := x.call("Bash", cmd, text(40, "ok"), false)
	_, second := x.call("Bash", cmd, text(40, "ok"), false)
	x.chat(6)
	if _, ok := x.forms[first]; !ok {
		t.Error("the older result stays whole")
	}
	if f, ok := x.forms[second]; ok {
		t.Errorf("the newest result of a check is gone: %q", f.Text)
	}
}

func TestAFileReadFirstIsSparedInAShortConversation(t *testing.T) {
	for _, c := range []struct {
		name  string
		bytes int
		gone  bool
	}{{"short", 0, false}, {"long", 70_000, true}} {
		x := newTalk(t, func(o *Options) { o.Horizon = 1000 })
		x.e.Add(Message{User: true, Blocks: []Block{{Kind: Text, Text: strings.Repeat("x", c.bytes)}}})
		_, r := x.call("Read", file("/src/a.go"), text(300, "code"), false)
		x.chat(12)
		if _, gone := x.forms[r]; gone != c.gone {
			t.Errorf("%s: shortened is %v, want %v", c.name, gone, c.gone)
		}
	}
}

func TestAnEditLosesTheTextThatItReplaced(t *testing.T) {
	x := newTalk(t, func(o *Options) { o.Horizon, o.Sure = 1000, 0 })
	in := json.RawMessage(`{"file_path":"/a.go", "old_string":` + quoted(text(20, "old")) + `,"new_string":` + quoted(text(20, "new")) + `,"replace_all":false}`)
	c, _ := x.call("Edit", in, "done", false)
	x.chat(5)
	f, ok := x.forms[c]
	if !ok {
		t.Fatal("the call stays whole")
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(f.Text), &got); err != nil {
		t.Fatalf("no JSON: %v: %s", err, f.Text)
	}
	if got["old_string"] != "[Paged out: 21 lines that this edit replaced]" {
		t.Errorf("old_string is %q", got["old_string"])
	}
	if got["new_string"] != text(20, "new") || got["file_path"] != "/a.go" || got["replace_all"] != false {
		t.Errorf("another argument was changed: %v", got)
	}
	if f.Level != Compact {
		t.Errorf("level %v", f.Level)
	}
}

func TestRestoreOfAnEditIsTheTextThatItReplaced(t *testing.T) {
	x := newTalk(t)
	c, _ := x.call("Edit", map[string]string{"file_path": "/a.go", "old_string": text(20, "old"), "new_string": "b"}, "done", false)
	x.chat(5)
	if got := x.e.Restore(c, "old line number 3 says something"); got != text(20, "old") {
		t.Errorf("got %q", got)
	}
}

func TestAFailedEditKeepsItsText(t *testing.T) {
	x := newTalk(t)
	c, _ := x.call("Edit", map[string]string{"file_path": "/a.go", "old_string": text(20, "old"), "new_string": "b"}, "no such text", true)
	x.chat(10)
	if f, ok := x.forms[c]; ok {
		t.Errorf("became %s", f.Text)
	}
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// A change of what the cache holds is made only when it pays: not for a little text far in front, and at once when the cache is gone.
func TestTheCacheIsNotBrokenForLittle(t *testing.T) {
	x := newTalk(t, func(o *Options) { o.Output = 8; o.Horizon = 5 })
	_, r := x.call("Grep", map[string]string{"pattern": "n"}, text(8, "found"), false)
	for i := range 9 {
		x.call("Note", map[string]int{"n": i}, "", false)
		x.e.Add(Message{User: true, Blocks: []Block{{Kind: Text, Text: strings.Repeat("wall of words ", 700)}}})
	}
	x.request()
	if _, ok := x.forms[r]; ok {
		t.Fatal("90 kB are written anew to save 300 bytes")
	}
	x.now = x.now.Add(6 * time.Minute)
	x.request()
	if _, ok := x.forms[r]; !ok {
		t.Error("with the cache gone it costs nothing, and is not done")
	}
}

func TestSavingsAreCounted(t *testing.T) {
	x := newTalk(t)
	x.call("Grep", map[string]string{"pattern": "n"}, text(200, "found"), false)
	x.chat(20)
	s := x.e.Stats()
	if s.Saved <= 0 || s.Sent >= s.Bytes || s.Shortened != 1 || s.Requests != 21 {
		t.Errorf("%+v", s)
	}
}

func TestRestoreBringsBackWhatWasAskedForAtTheEnd(t *testing.T) {
	x := newTalk(t, func(o *Options) { o.RestoreBytes = 400 })
	_, r := x.call("Grep", map[string]string{"pattern": "n"}, text(200, "found"), false)
	x.chat(3) // nothing was saved that would pay for all of it
	before := len(x.e.blocks)
	got := x.e.Restore(r, "found line number 77 says something")
	if !strings.Contains(got, "found line number 77 says") || !strings.Contains(got, "number 76") || !strings.Contains(got, "number 78") {
		t.Errorf("without the line or its neighbours: %q", got)
	}
	if len(got) > 500 || !strings.HasPrefix(got, left+"\n") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
	if len(x.e.blocks) != before+1 || x.e.blocks[before].Text != got {
		t.Error("it does not stand at the end")
	}
	x.chat(40)
	if got := x.e.Restore(r, "found line number 3 says something"); got != text(200, "found") {
		t.Errorf("what was saved pays for all of it, but %d bytes came back", len(got))
	}
	if x.e.Restore(9999, "") != "" || x.e.Restore(-1, "") != "" {
		t.Error("a block that is not there has a text")
	}
}

func TestPressure(t *testing.T) {
	for _, c := range []struct {
		budget int
		zone   Zone
		level  Level
	}{
		{0, Normal, Full}, {100_000, Normal, Full}, {60_000, Caution, Full}, {45_000, Warning, Full}, {38_000, Critical, Stub},
	} {
		x := newTalk(t, func(o *Options) { o.Budget, o.Horizon = c.budget, 0 })
		_, r := x.call("Read", file("/src/a.go"), text(100, "code"), false)
		x.e.Add(Message{User: true, Blocks: []Block{{Kind: Text, Text: strings.Repeat("x", 30_000)}}})
		x.chat(3)
		if z := x.e.Stats().Zone; c.level == Full && z != c.zone {
			t.Errorf("budget %d: zone %v, want %v", c.budget, z, c.zone)
		}
		if got := x.forms[r].Level; got != c.level {
			t.Errorf("budget %d: level %v, want %v", c.budget, got, c.level)
		}
	}
}

func TestNoPressureReachesTheLastTwoMessages(t *testing.T) {
	for z, want := range map[Zone]int{Normal: 12, Caution: 6, Warning: 3, Critical: 2, Emergency: 2} {
		if got := z.aged(12); got != want {
			t.Errorf("%v: %d, want %d", z, got, want)
		}
		if got := z.aged(1); got != protected {
			t.Errorf("%v: %d for what could go at once", z, got)
		}
	}
}

func TestAFormThatIsNoShorterIsNotTaken(t *testing.T) {
	x := newTalk(t)
	_, r := x.call("mcp__some-server-of-issues__create_issue", map[string]string{"pattern": strings.Repeat("pattern ", 10)}, strings.Repeat("short ", 20), false)
	_, _ = x.call("Grep", map[string]string{"pattern": "q"}, text(60, "found"), false)
	x.now = x.now.Add(time.Hour) // every change is free
	x.chat(6)
	x.now = x.now.Add(time.Hour)
	x.request()
	if b := x.e.blocks[r]; len(x.e.shortForm(b)) < b.size {
		t.Fatalf("the case shows nothing: %d bytes become %d", b.size, len(x.e.shortForm(b)))
	}
	if f, ok := x.forms[r]; ok {
		t.Errorf("%d bytes became %q", x.e.blocks[r].size, f.Text)
	}
}

func TestInAnEmergencyShortFormsGo(t *testing.T) {
	x := newTalk(t, func(o *Options) { o.Budget = 31_000 })
	var rs []int
	for i := range 10 {
		_, r := x.call("Grep", map[string]string{"pattern": strings.Repeat("p", 60) + fmt.Sprint(i)}, text(40, "found"), false)
		rs = append(rs, r)
	}
	x.e.Add(Message{User: true, Blocks: []Block{{Kind: Text, Text: strings.Repeat("x", 29_900)}}})
	x.chat(3)
	if got := x.forms[rs[0]]; got.Level != Evicted || got.Text != "[Paged out]" {
		t.Errorf("the oldest is %v %q", got.Level, got.Text)
	}
	if e := x.forms[rs[0]]; e.Level.String() != "L4" {
		t.Errorf("its name is %s", e.Level)
	}
}

func TestLossesAreNamed(t *testing.T) {
	x := newTalk(t, func(o *Options) { o.Floor = 0 })
	src := "package store\n\nfunc Append(l string) error {\n" + text(60, "\t// code") + "}\n\nfunc (s *Store) Fold() State {\n" + text(60, "\t// more") + "}\n"
	_, r := x.call("Read", file("/src/log.go"), src, false)
	x.chat(12)
	want := "[Paged out: Read /src/log.go (128 lines). Lost: store, Append, Fold. Restore if you need: its exact text]"
	if got := x.forms[r].Text; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	for name, f := range map[string]func(*Options){
		"life": func(o *Options) { o.CacheLife = 0 }, "price": func(o *Options) { o.WritePrice = 0.01 },
		"budget": func(o *Options) { o.Budget = -1 }, "zones": func(o *Options) { o.Zones[2] = 0.5 }, "above": func(o *Options) { o.Zones[3] = 2 },
	} {
		o := Default()
		f(&o)
		if o.Validate() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
}
