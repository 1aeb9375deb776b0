package replay

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/pager"
)

// story writes a trace: each line is a message of one block.
type story struct {
	b strings.Builder
	n int
}

func (s *story) line(format string, args ...any) { fmt.Fprintf(&s.b, format+"\n", args...) }

func newStory() *story {
	s := &story{}
	s.line(`{"trace":"v1","id":"story","agent":"test"}`)
	s.line(`{"role":"user","ts":"2026-05-04T09:00:00Z","blocks":[{"type":"text","text":"please look"}]}`)
	return s
}

// call writes a call and its result, a second apart from the last.
func (s *story) call(tool, input, result string) {
	s.n++
	s.line(`{"role":"assistant","ts":"2026-05-04T09:00:%02dZ","blocks":[{"type":"tool_use","id":"c%d","name":%q,"input":%s}]}`, s.n, s.n, tool, input)
	s.line(`{"role":"user","blocks":[{"type":"tool_result","id":"c%d","text":%q}]}`, s.n, result)
}

func (s *story) replay(t *testing.T) *Replay {
	t.Helper()
	tr, err := Read(strings.NewReader(s.b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return New(tr)
}

func lines(n int, word string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s line number %d of it\n", word, i)
	}
	return b.String()
}

func (s *story) wait(n int) {
	for i := range n {
		s.call("Note", fmt.Sprintf(`{"n":%d}`, i), "noted")
	}
}

func TestFaultsOfEachKind(t *testing.T) {
	s := newStory()
	s.call("Read", `{"file_path":"/a.go"}`, lines(40, "alpha"))
	s.call("Read", `{"file_path":"/b.go"}`, lines(40, "beta")+"see internal/deep/path_of_b.go\n")
	s.wait(6)
	s.call("Read", `{"file_path":"/a.go"}`, lines(40, "alpha"))                                              // F1 and F2
	s.call("Edit", `{"file_path":"/b.go","old_string":"beta line number 7 of it","new_string":"x"}`, "done") // F3
	s.wait(6)
	s.call("Open", `{"what":"internal/deep/path_of_b.go"}`, "opened") // F4: /b.go went again
	r := s.replay(t).FIFO(4, 500, 1)
	if r.F1 != 1 || r.F2 != 1 || r.F3 != 1 || r.F4 != 1 {
		t.Errorf("F1 %d F2 %d F3 %d F4 %d, want one of each", r.F1, r.F2, r.F3, r.F4)
	}
	if r.Evictions != 4 { // both files, /b.go once more after it was brought back, and the new copy of /a.go
		t.Errorf("%d evictions", r.Evictions)
	}
	if r.Refault == 0 || r.RefaultCost == 0 {
		t.Error("the fault costs nothing")
	}
	if n := s.replay(t).None(); n.F1+n.F2+n.F3+n.F4+n.Evictions != 0 || n.Sent != n.Raw || n.Raw != r.Raw {
		t.Errorf("without a policy: %+v", n)
	}
}

// A result that came back because it had changed is no fault.
func TestAChangedResultIsNoFault(t *testing.T) {
	s := newStory()
	s.call("Bash", `{"command":"go test"}`, lines(40, "first"))
	s.wait(6)
	s.call("Bash", `{"command":"go test"}`, lines(40, "second"))
	if r := s.replay(t).FIFO(4, 500, 1); r.F2 != 0 || r.Evictions != 1 {
		t.Errorf("F2 %d, %d evictions", r.F2, r.Evictions)
	}
}

// The cost is that of a prompt cache: what is equal to the request before is read, the rest is written.
func TestCost(t *testing.T) {
	s := newStory()
	s.line(`{"role":"assistant","ts":"2026-05-04T09:00:01Z","blocks":[{"type":"text","text":"0123456789"}]}`)
	s.line(`{"role":"user","blocks":[{"type":"text","text":"0123456789"}]}`)
	s.line(`{"role":"assistant","ts":"2026-05-04T09:00:02Z","blocks":[]}`)
	s.line(`{"role":"user","blocks":[]}`)
	s.line(`{"role":"assistant","ts":"2026-05-04T09:06:02Z","blocks":[]}`)
	r := s.replay(t).None()
	first, second, third := 12.5*11, 11+12.5*20, 12.5*31.0 // 11 bytes, 20 more, then all of it after six minutes
	if want := first + second + third; r.Cost != want {
		t.Errorf("cost %g, want %g", r.Cost, want)
	}
}

func TestEngineSavesWithoutFaults(t *testing.T) {
	s := newStory()
	for i := range 40 {
		s.call("Grep", fmt.Sprintf(`{"pattern":"p%d"}`, i), lines(80, fmt.Sprint("found", i)))
	}
	p := s.replay(t)
	r, n := p.Engine(pager.Default()), p.None()
	if r.Evictions < 30 || 2*r.Sent > n.Sent || r.Cost >= n.Cost || r.F1+r.F2+r.F3+r.F4 != 0 {
		t.Errorf("%+v beside %+v", r, n)
	}
}

// What the engine brings back is there from then on: the same edit faults once.
func TestEngineBringsBackWhatAnEditNeeds(t *testing.T) {
	s := newStory()
	s.call("Grep", `{"pattern":"p"}`, lines(80, "found"))
	s.wait(5)
	for range 2 {
		s.call("Edit", `{"file_path":"/a","old_string":"found line number 7 of it","new_string":"y"}`, "no")
	}
	if r := s.replay(t).Engine(pager.Default()); r.F3 != 1 || r.Refault == 0 {
		t.Errorf("F3 %d, refault %d", r.F3, r.Refault)
	}
}

func TestReadSaysWhereATraceIsBroken(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ content, want string }{
		"nohead.jsonl": {`{"role":"user"}`, "line 1: no head"},
		"broken.jsonl": {"{\"trace\":\"v1\"}\n\n{\"role\":", "line 3"},
		"no.jsonl.gz":  {"not gzipped", "no.jsonl.gz"},
		"empty.jsonl":  {"", "line 1: no head"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCompactIsPythons(t *testing.T) {
	in := `{ "b" : [1, 2.0, 1e3, 1e20, "\u00e9\u0001<\/>\n"], "a": null, "c": {"d": true}, "n": 12345678901234567890 }`
	want := `{"b":[1,2.0,1000.0,1e+20,"é\u0001</>\n"],"a":null,"c":{"d":true},"n":12345678901234567890}`
	if got := string(compact([]byte(in))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := string(spaced([]byte(`{"a":[1,2]}`))); got != `{"a": [1, 2]}` {
		t.Errorf("spaced: %s", got)
	}
	if got := string(compact([]byte(`{broken`))); got != `{broken` {
		t.Errorf("broken: %s", got)
	}
}
