package pager

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func withHandles(o *Options) { o.Handles, o.Horizon = true, 1000 }

var handleInStub = regexp.MustCompile(`^\[Paged out: ([0-9a-f]{6,}) `)

// shortened has a search's result shortened and returns its block and the handle in its short form.
func shortened(t *testing.T, x *talk, word string) (block int, handle string) {
	t.Helper()
	_, block = x.call("Grep", map[string]string{"pattern": word}, text(60, word), false)
	x.chat(4)
	m := handleInStub.FindStringSubmatch(x.forms[block].Text)
	if m == nil {
		t.Fatalf("no handle in %q", x.forms[block].Text)
	}
	return block, m[1]
}

func TestAHandleFindsWhatItsShortFormStandsFor(t *testing.T) {
	x := newTalk(t, withHandles)
	first, one := shortened(t, x, "alpha")
	second, two := shortened(t, x, "beta")
	if one == two {
		t.Fatalf("two blocks have the handle %q", one)
	}
	for said, want := range map[string]int{
		one: first, two: second,
		"  " + strings.ToUpper(one) + " ":               first,
		"[Paged out: " + two + " Grep beta (61 lines)]": second,
		"[" + two + "]":  second,
		`"` + one + `",`: first,
		one + ": Grep":   first,
	} {
		f, ok := x.e.Find(said)
		if !ok || f.Block != want || !f.Short || f.Stands || f.Call || !strings.HasPrefix(f.Text, map[int]string{first: "alpha", second: "beta"}[want]) {
			t.Errorf("%q finds %+v, %v", said, f, ok)
		}
	}
	for _, said := range []string{"", " ", "[]", "Paged out:", "000000", one[:5], one + two} {
		if f, ok := x.e.Find(said); ok {
			t.Errorf("%q finds block %d", said, f.Block)
		}
	}
}

func TestAHandleIsOfItsCallWhateverElseTheConversationHolds(t *testing.T) {
	x := newTalk(t, withHandles)
	shortened(t, x, "alpha")
	block, handle := shortened(t, x, "beta")
	id := x.e.blocks[block].ID
	e := New(x.e.o) // a client took out what was before
	e.Add(Message{Blocks: []Block{{Kind: Call, ID: id, Tool: "Grep", Input: json.RawMessage(`{"pattern":"beta"}`)}}})
	e.Add(Message{User: true, Blocks: []Block{{Kind: Result, ID: id, Text: text(60, "beta")}}})
	if f, ok := e.Find(handle); !ok || f.ID != id {
		t.Errorf("%+v %v", f, ok)
	}
}

func TestWhatIsNeverShownInShortHasNoHandle(t *testing.T) {
	long := text(60, "x")
	edit := json.RawMessage(`{"file_path":"/a.go","old_string":` + quoted(long) + `,"new_string":"y"}`)
	for name, c := range map[string]struct {
		block Block
		named bool
	}{
		"a result":                       {Block{Kind: Result, ID: "c", Text: long}, true},
		"a result that is left alone":    {Block{Kind: Result, ID: "c", Text: long, Fixed: true}, false},
		"a result of the memory's tools": {Block{Kind: Result, ID: "c", Text: long, Memory: true}, false},
		"a text":                         {Block{Kind: Text, Text: long}, false},
		"a block of another kind":        {Block{Kind: Other, Text: long}, false},
		"an edit that quotes much":       {Block{Kind: Call, ID: "d", Tool: "Edit", Input: edit}, true},
		"another call":                   {Block{Kind: Call, ID: "d", Tool: "Grep", Input: json.RawMessage(`{"pattern":"` + strings.Repeat("x", 300) + `"}`)}, false},
	} {
		x := newTalk(t, withHandles)
		x.e.Add(Message{Blocks: []Block{{Kind: Call, ID: "c", Tool: "Grep", Input: json.RawMessage(`{}`)}}})
		x.e.Add(Message{User: true, Blocks: []Block{c.block}})
		b := x.e.blocks[len(x.e.blocks)-1]
		if (b.handle != "") != c.named || (len(x.e.named) > 0) != c.named {
			t.Errorf("%s has the handle %q", name, b.handle)
		}
	}
}

// restored adds a restore, or what merely looks like one, as the proxy does.
func (x *talk) restored(handle, answer string, memory bool) *block {
	x.n++
	id := "memory-" + handle + string(rune('a'+x.n%26)) + strings.Repeat("i", x.n/26)
	in, _ := json.Marshal(map[string]string{"handle": handle})
	x.e.Add(Message{Blocks: []Block{{Kind: Call, ID: id, Tool: RestoreTool, Input: in, Memory: memory}}})
	x.e.Add(Message{User: true, Blocks: []Block{{Kind: Result, ID: id, Text: answer, Memory: memory}}})
	return x.e.blocks[len(x.e.blocks)-1]
}

func (x *talk) released(handle string, memory bool) {
	x.n++
	id := "release-" + handle + strings.Repeat("i", x.n)
	in, _ := json.Marshal(map[string]string{"handle": handle})
	x.e.Add(Message{Blocks: []Block{{Kind: Call, ID: id, Tool: ReleaseTool, Input: in, Memory: memory}}})
	x.e.Add(Message{User: true, Blocks: []Block{{Kind: Result, ID: id, Text: "Released.", Memory: memory}}})
}

func TestWhatWasRestoredStandsUntilItIsLetGo(t *testing.T) {
	x := newTalk(t, withHandles)
	block, handle := shortened(t, x, "alpha")
	if f, _ := x.e.Find(handle); f.Stands {
		t.Fatal("it stands before it was restored")
	}
	x.restored(handle, text(60, "alpha"), false) // the client has a tool of this name
	if f, _ := x.e.Find(handle); f.Stands {
		t.Error("a tool of the client's restored it")
	}
	r := x.restored(handle, text(60, "alpha"), true)
	if f, _ := x.e.Find(handle); !f.Stands || f.Block != block {
		t.Errorf("it does not stand: %+v", f)
	}
	if got, want := x.e.waitMemory(r), x.e.o.Page*x.e.asked[r.key]; got != want || got < x.e.o.Page {
		t.Errorf("it stays %d messages, want %d", got, want)
	}
	x.released(handle, false)
	if r.let {
		t.Error("a tool of the client's let it go")
	}
	x.released("["+handle+"]", true)
	if !r.let || x.e.waitMemory(r) != 0 {
		t.Error("it was not let go")
	}
	again := x.restored(handle, text(60, "alpha"), true)
	if again.let || x.e.waitMemory(again) <= x.e.o.Page {
		t.Errorf("asked for again it stays %d messages", x.e.waitMemory(again))
	}
}

func TestPassagesAreThoseOfShortFormsThatBearOnAQuestion(t *testing.T) {
	x := newTalk(t, withHandles)
	fill := func(word, at string) string { return text(40, word) + at + "\n" + text(40, word) }
	_, port := x.call("Grep", map[string]string{"pattern": "listen"}, fill("alpha", "the proxy listens on port 38246 by default"), false)
	x.call("Grep", map[string]string{"pattern": "colour"}, fill("beta", "the tray's icon is green when awake"), false)
	x.chat(4)
	_, whole := x.call("Grep", map[string]string{"pattern": "new"}, fill("gamma", "the proxy listens on port 99 in tests"), false)
	if _, short := x.forms[whole]; short {
		t.Fatal("the newest is short already")
	}
	for question, want := range map[string]string{
		"Which port does the proxy listen on?": "port 38246",
		"when is the tray's icon green?":       "icon is green",
		"port 38246":                           "port 38246",
		"what is the?":                         "", // asks for nothing
		"":                                     "",
		"quantum entanglement of teapots":      "",
	} {
		got := x.e.Passages(question)
		switch {
		case want == "" && len(got) > 0:
			t.Errorf("%q finds %q", question, got)
		case want != "" && (len(got) == 0 || !strings.Contains(got[0].Text, want) || len(got[0].Text) > passageBytes+len(left)*2+2):
			t.Errorf("%q finds %q", question, got)
		}
	}
	if got := x.e.Passages("proxy listens on port"); len(got) != 1 || got[0].Stub != x.forms[port].Text {
		t.Errorf("%q", got)
	}
}

func TestPassagesAreThreeAtMostAndBounded(t *testing.T) {
	x := newTalk(t, withHandles)
	line := strings.Repeat("päd ", 5_000)
	for _, name := range []string{"one", "two", "three", "four", "five"} {
		x.call("Grep", map[string]string{"pattern": name}, line+"the Needle of "+name+" stays "+line, false)
	}
	x.chat(4)
	got := x.e.Passages("where does the needle of three stay")
	if len(got) != passageMost || !strings.Contains(got[0].Text, "Needle of three stays") {
		t.Fatalf("%d passages, the first %.80q", len(got), got)
	}
	for _, p := range got {
		if len(p.Text) > passageBytes+2*len("…") || !utf8.ValidString(p.Text) || !strings.HasPrefix(p.Text, "…") || !strings.HasSuffix(p.Text, "…") {
			t.Errorf("%d bytes: %.40q", len(p.Text), p.Text)
		}
	}
}

func TestHeldTellsHowTheConversationStands(t *testing.T) {
	x := newTalk(t, withHandles, func(o *Options) { o.Budget = 4000 })
	block, _ := shortened(t, x, "alpha")
	h := x.e.Held()
	if h.Budget != 4000 || h.Levels[Stub] != 1 || h.Levels[Full] != len(x.e.blocks)-1 || h.Whole-h.Bytes != x.e.blocks[block].size-len(x.forms[block].Text) {
		t.Errorf("%+v", h)
	}
	x.e.Restore(block, "alpha line number 3 says something")
	if after := x.e.Held(); after.Whole != h.Whole || after.Levels != h.Levels || after.Bytes <= h.Bytes || after.Stats.Restored != 1 {
		t.Errorf("with what came back: %+v, before %+v", after, h)
	}
}

func TestZonesHaveTheirNames(t *testing.T) {
	for z, want := range []string{"normal", "caution", "warning", "critical", "emergency"} {
		if got := Zone(z).String(); got != want { //nolint:gosec // of five
			t.Errorf("%d is %q", z, got)
		}
	}
}

// A file that a question names is found by its name, though its text does not say it.
func TestAQuestionThatNamesTheFile(t *testing.T) {
	x := newTalk(t, func(o *Options) { o.Horizon, o.Sure, o.Floor, o.InUse = 1000, 0, 0, 0 })
	for _, f := range []string{"one", "two"} {
		x.call("Read", file("/src/"+f+".go"), text(160, "code"), false)
	}
	x.chat(12)
	for question, want := range map[string]string{"one.go line number 150": "/src/one.go", "two.go line number 150": "/src/two.go"} {
		p := x.e.Passages(question)
		if len(p) == 0 || !strings.Contains(p[0].Stub, want) || !strings.Contains(p[0].Text, "number 150 ") {
			t.Errorf("%s: %+v", question, p)
		}
	}
	if p := x.e.Passages("one.go frobnicate"); len(p) > 0 {
		t.Errorf("what is not there is answered: %+v", p)
	}
}
