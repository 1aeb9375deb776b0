package objects

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"dormouse/service/pager"
	"dormouse/store/memory"
)

func TestHowAConversationIsCut(t *testing.T) {
	o := Default()
	o.Embed = words
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"a file is read again, edited, and read in part": {[]string{
			"u: tell me what store.go does with the cache", `t: Read {"file_path":"/w/store.go"} => package store`, `t: Edit {"file_path":"/w/store.go","old_string":"a","new_string":"b"} => ok`,
			`t: Read {"file_path":"/w/store.go","offset":5,"limit":5} => five`, `t: Read {"file_path":"/w/store.go"} => package store // new`},
			"0 conversation_phase tell me what store.go does wit\n1 file_context Read /w/store.go\n2 tool_result Edit /w/store.go\n3 file_context Read /w/store.go\n4 file_context Read /w/store.go\n" +
				"0 references 1\n0 parent_of 1\n4 supersedes 1\n0 parent_of 2\n2 depends_on 1\n0 parent_of 3\n4 supersedes 3\n0 parent_of 4\n"},
		"the topic shifts, a short word does not": {[]string{
			"u: please look at the cache of the store and its size", "a: the cache of the store and its size is bounded", "u: ok go on",
			"u: write a letter to grandmother about flowers and holidays", "a: dear grandmother"},
			"0 conversation_phase please look at the cache of th\n1 conversation_phase write a letter to grandmother \n"},
		"a failure is looked into until its check passes": {[]string{
			"u: make the tests pass in this repository now please", `t: Bash {"command":"go test ./..."} => --- FAIL: TestA\nstore.go:12`, "a: it is the map in store.go", `t: Read {"file_path":"/w/store.go"} => package store`,
			`t: Edit {"file_path":"/w/store.go","old_string":"a","new_string":"b"} => ok`, `t: Bash {"command":"go test ./..."} => ok`, "a: all of them pass"},
			"0 conversation_phase make the tests pass in this re\n1 error_context Bash go test ./...\n2 debugging_session Debugging: Bash go test ./...\n3 file_context Read /w/store.go\n4 tool_result Edit /w/store.go\n5 tool_result Bash go test ./...\n" +
				"2 parent_of 1\n1 references 3\n0 parent_of 2\n2 references 3\n2 parent_of 3\n2 parent_of 4\n4 depends_on 3\n2 parent_of 5\n"},
		"one failure that was none": {[]string{"u: say something about the weather of today", `t: Bash {"command":"go test ./..."} => --- FAIL: TestA`, "a: never mind",
			"u: write a letter to grandmother about flowers and holidays"},
			"0 conversation_phase say something about the weathe\n1 error_context Bash go test ./...\n2 conversation_phase Bash go test ./...\n3 conversation_phase write a letter to grandmother \n2 parent_of 1\n0 parent_of 2\n"},
		"a decision after a page": {[]string{"u: which database do we want to have for it", `t: WebFetch {"url":"https://example.org/db"} => a page about databases`,
			"a: Let's use Badger because it needs no C compiler."},
			"0 conversation_phase which database do we want to h\n1 external_reference WebFetch {\"url\":\"https://examp\n2 design_decision Let's use Badger because it ne\n0 parent_of 1\n0 parent_of 2\n2 depends_on 1\n"},
		"a plan that is kept by a tool": {[]string{"u: do it in steps that we can see", `t: TodoWrite {"todos":["a"]} => ok`, `t: TodoWrite {"todos":["b"]} => ok`},
			"0 conversation_phase do it in steps that we can see\n1 plan TodoWrite {\"todos\":[\"a\"]}\n2 plan TodoWrite {\"todos\":[\"b\"]}\n0 parent_of 1\n2 supersedes 1\n0 parent_of 2\n"},
		"a prompt about a bug": {[]string{"u: the server crashes at start, please find out why", "a: I look", `t: Grep {"pattern":"start"} => main.go`, `t: Bash {"command":"go build"} => fine`},
			"0 debugging_session the server crashes at start, p\n1 tool_result Grep start\n2 tool_result Bash go build\n0 parent_of 1\n0 parent_of 2\n"},
	} {
		lines := make([]string, len(c.lines))
		for i, l := range c.lines {
			lines[i] = strings.ReplaceAll(l, `\nstore`, "\nstore")
		}
		if got := shape(viewOf(t, o, lines...)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestFilesOfOneNameAreNotMixedUp(t *testing.T) {
	v := viewOf(t, Default(), "u: look at doc.go and at a/doc.go please", `t: Read {"file_path":"/w/a/doc.go"} => a`, `t: Read {"file_path":"/w/b/doc.go"} => b`)
	if got := shape(v); !strings.Contains(got, "0 references 1\n") || strings.Contains(got, "0 references 2") {
		t.Error(got)
	}
	v = viewOf(t, Default(), "u: look at doc.go please", `t: Read {"file_path":"/w/a/doc.go"} => a`, `t: Read {"file_path":"/w/b/doc.go"} => b`)
	if got := shape(v); strings.Contains(got, "references") {
		t.Errorf("one of two was chosen: %s", got)
	}
}

func TestNewGoals(t *testing.T) {
	v := viewOf(t, Default(), "u: fix the parser of numbers", "a: fixed", "u: Great, now let's write the documentation", "a: written")
	if n := v.Objects[len(v.Objects)-1].Goal; n != 2 || v.Stats.Goals != 2 {
		t.Errorf("goal %d of %d\n%s", n, v.Stats.Goals, shape(v))
	}
	o := Default()
	o.Embed = words
	v = viewOf(t, o, "u: fix the parser of numbers in this file", "a: it reads numbers in this file", "u: numbers in this file are still read wrong by the parser of it",
		"u: compose seven haiku concerning winter mountains")
	if v.Stats.Goals != 2 {
		t.Errorf("%d goals\n%s", v.Stats.Goals, shape(v))
	}
}

// TestNeighboursAreJoined: every tenth turn, those of a type that are alike; the ids of what was joined stay known.
func TestNeighboursAreJoined(t *testing.T) {
	o := Default()
	o.Embed, o.Admit = words, false
	lines := []string{"u: look for all words that matter here"}
	for i := range 3 {
		lines = append(lines, fmt.Sprintf(`t: Grep {"pattern":"word number","n":%d} => found the same in many files of the tree here`, i))
	}
	lines = append(lines, `t: Read {"file_path":"/a"} => x`)
	before := viewOf(t, o, lines...)
	for i := range 9 {
		lines = append(lines, fmt.Sprint("u: go on ", i))
	}
	v := viewOf(t, o, lines...)
	if len(before.Objects) != 5 || len(v.Objects) != 3 || len(v.Objects[1].Also) != 2 || v.Stats.Joined != 2 || v.Objects[1].ID != before.Objects[1].ID || v.Objects[1].Also[0] != before.Objects[2].ID {
		t.Errorf("%s\n%s", shape(before), shape(v))
	}
	o.Join = 1.1
	if v := viewOf(t, o, lines...); len(v.Objects) != 5 {
		t.Errorf("joined above 1.1: %s", shape(v))
	}
}

func TestLongObjectsAreCut(t *testing.T) {
	o := Default()
	o.Embed, o.Split = words, 200
	about := func(w string, n int) string { return strings.Repeat("line about "+w+" "+w+"\n", n) + "\n" }
	text := about("apples", 20) + about("bears", 8) + about("bears", 30)
	v := viewOf(t, o, "u: look at that file and say what is in it", `t: Read {"file_path":"/w/a"} => `+text)
	if len(v.Objects) < 3 {
		t.Fatalf("not cut: %s", shape(v))
	}
	whole := ""
	for _, x := range v.Objects[1:] {
		if x.Tokens > 200 || x.Type != FileContext || x.Key != "/w/a" {
			t.Errorf("%+v", x)
		}
		whole += x.Text()
	}
	if got := strings.ReplaceAll(whole, "\n", ""); got != strings.ReplaceAll(`Read {"file_path":"/w/a"}`+text, "\n", "") {
		t.Errorf("the pieces are not the whole: %d bytes of %d", len(whole), len(text))
	}
	for _, x := range v.Objects[1:] {
		if strings.Contains(x.Text(), "apples") && strings.Contains(x.Text(), "bears") {
			t.Errorf("cut beside the shift of topic: %q", head(x.Text(), 80))
		}
	}
	one := viewOf(t, o, "u: "+strings.Repeat("字", 1000))
	for _, x := range one.Objects {
		if strings.ContainsRune(x.Text(), '\uFFFD') || x.Bytes%3 != 0 {
			t.Error("cut in the middle of a character")
		}
	}
}

// TestTheSameMessagesGiveTheSameObjects however often the view is looked at in between.
func TestTheSameMessagesGiveTheSameObjects(t *testing.T) {
	o := Default()
	o.Embed, o.Admit = words, true
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("u: prompt about thing %d and file%d.go of the tree", i/4, i%5), fmt.Sprintf(`t: Read {"file_path":"/w/file%d.go"} => content %d of it %s`, i%5, i, strings.Repeat("x ", 200)),
			`t: Bash {"command":"go test ./..."} => `+[]string{"ok", "--- FAIL: T"}[i%2], "a: said")
	}
	msgs := script(lines...)
	once, often := New(o, ""), New(o, "")
	for _, m := range msgs {
		once.Add(m)
		often.Add(m)
		often.View(nil)
	}
	a, b := once.View(nil), often.View(nil)
	for _, v := range []*View{a, b} {
		for i := range v.Objects {
			v.Objects[i].text = nil
		}
	}
	if !reflect.DeepEqual(a, b) || len(a.Objects) < 50 {
		t.Errorf("%d and %d objects differ", len(a.Objects), len(b.Objects))
	}
}

func TestWhatIsNotWorthStoring(t *testing.T) {
	o := Default()
	o.Embed, o.Admit = words, true
	long := strings.Repeat("a line of the file that is long enough\n", 10)
	for name, c := range map[string]struct {
		lines  []string
		reason string
	}{
		"a listing":    {[]string{`t: Bash {"command":"ls -la"} => a b c`}, "is a listing"},
		"a status":     {[]string{`t: Bash {"command":"git status --short"} => M a`}, "is a listing"},
		"a duplicate":  {[]string{`t: Read {"file_path":"/a"} => ` + long, `t: Read {"file_path":"/a"} => ` + long}, "other objects hold"},
		"nothing":      {[]string{`t: Grep {"pattern":"x"} => No matches found`}, "found nothing"},
		"chatter":      {[]string{"u: fix it", "a: Sure, I'll do that."}, "work goes on"},
		"nothing new":  {[]string{`t: Grep {"pattern":"abc def","n":1} => found in these seven places here and there`, `t: Grep {"pattern":"abc def","n":1} => found in these seven places here and there`}, "other objects hold"},
		"hardly new":   {[]string{`t: Grep {"pattern":"abc def","n":1} => ` + long + "the first end of the lines", `t: Grep {"pattern":"abc def","n":1} => ` + long + "the other end of the lines"}, "worth less"},
		"half new":     {[]string{`t: Grep {"pattern":"abc def","n":1} => first line of the two here`, `t: Grep {"pattern":"abc def","n":1} => first line of the two here` + "\nsecond line of the two here\nthird line of the two here"}, ""},
		"known mostly": {[]string{`t: Bash {"command":"ls -la"} => ` + long + "the first end of the lines", `t: Bash {"command":"ls -la /x"} => ` + long + "the other end of the lines"}, "most is known"},
		"a new list":   {[]string{`t: Bash {"command":"ls -la"} => ` + long}, ""},
		"a part":       {[]string{`t: Read {"file_path":"/a"} => ` + long + "another line that is long enough", `t: Read {"file_path":"/a","offset":11} => another line that is long enough`}, "other objects hold"},
		"of a refused": {[]string{`t: Bash {"command":"ls"} => a b`, `t: Bash {"command":"ls"} => a line that is quite new to us`}, "made anew"},
		"a failure":    {[]string{`t: Bash {"command":"ls /none"} =! no such file`}, ""},
		"an edit":      {[]string{`t: Edit {"file_path":"/a","old_string":"x"} => ok`}, ""},
		"a changed":    {[]string{`t: Read {"file_path":"/a"} => ` + long, `t: Read {"file_path":"/a"} => changed ` + long}, ""},
		"a decision":   {[]string{"u: so", "a: Let's use it because it is fast."}, ""},
		"an answer":    {[]string{"u: so", "a: Sure, but what is `x` there?"}, ""},
		"a status two": {[]string{`t: Bash {"command":"git status && go test ./..."} => ok`}, ""},
	} {
		v := viewOf(t, o, c.lines...)
		switch {
		case c.reason == "" && len(v.Refused) > 0:
			t.Errorf("%s: %+v", name, v.Refused)
		case c.reason != "" && (len(v.Refused) != 1 || !strings.Contains(v.Refused[0].Reason, c.reason) || len(v.Refused[0].Parts) == 0):
			t.Errorf("%s: %+v", name, v.Refused)
		}
		o.Admit = false
		if v := viewOf(t, o, c.lines...); len(v.Refused) > 0 {
			t.Errorf("%s: refused while everything is stored", name)
		}
		o.Admit = true
	}
}

func TestTheScoreIsTheSumOfItsParts(t *testing.T) {
	o := Default()
	for _, c := range []struct {
		kind              Type
		distance, utility float64
		age               int
		want              float64
	}{{DesignDecision, 1, 1, 0, 1}, {ToolResult, 0, 0, 0, 0.14 + 0.15}, {ToolResult, 0.075, 0, 0, 0.14 + 0.125 + 0.15}, {Plan, 0.2, 0.4, 20, 0.315 + 0.25 + 0.1 + 0.15/2.718281828}} {
		if got := o.Score(c.kind, c.distance, c.utility, c.age); got < c.want-1e-6 || got > c.want+1e-6 {
			t.Errorf("%+v: %g", c, got)
		}
	}
}

func TestAViewOfACapturedSession(t *testing.T) {
	at := int64(1_780_000_000)
	node := func(id string, role memory.Role, text string, turn int, m memory.Metadata) memory.Node {
		m.Turn = turn
		return memory.Node{ID: id, Role: role, Output: text, CreatedAt: at, Metadata: m}
	}
	read := node("n3", memory.RoleTool, "package a", 1, memory.Metadata{})
	read.Name, read.Input = "Read", json.RawMessage(`{"file_path":"/w/a.go"}`)
	task := node("n4", memory.RoleTool, "it is there", 1, memory.Metadata{})
	task.Name, task.Input = "Task", json.RawMessage(`{"prompt":"look"}`)
	own := node("n7", memory.RoleTool, "memory", 1, memory.Metadata{})
	own.Name, own.Input = "mcp__dormouse__memory_search", json.RawMessage(`{}`)
	sub := node("n5", memory.RoleUser, "look", 1, memory.Metadata{Kind: memory.KindTask, AgentID: "s1"})
	sub.CalledBy = "n4"
	threads := FromNodes([]memory.Node{
		node("n1", memory.RoleUser, "read a.go for me", 1, memory.Metadata{Kind: memory.KindPrompt}),
		node("n2", memory.RoleUser, "<system-reminder>", 1, memory.Metadata{Kind: memory.KindHarness}),
		read, task, sub, node("n6", memory.RoleAssistant, "found it", 1, memory.Metadata{AgentID: "s1"}), own,
		node("n8", memory.RoleUser, "summary of all that was before", 2, memory.Metadata{Kind: memory.KindCompaction}),
		node("n9", memory.RoleAssistant, "goes on", 2, memory.Metadata{}),
	})
	v := Of(threads, Default())
	got := shape(v)
	want := "0 conversation_phase read a.go for me\n1 file_context Read /w/a.go\n2 tool_result Task {\"prompt\":\"look\"}\n3 conversation_phase summary of all that was before\n4 conversation_phase look\n" +
		"0 references 1\n0 parent_of 1\n0 parent_of 2\n2 parent_of 4\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	o := v.Objects
	if o[1].Parts[0].Node != "n3" || o[1].Turns != [2]int{1, 1} || o[4].Agent != "s1" || o[3].Parts[1].Node != "n9" {
		t.Errorf("%+v", o)
	}
	if o[1].Level != pager.Evicted || o[3].Level != pager.Full { // the client took it out of its requests
		t.Errorf("levels %v %v", o[1].Level, o[3].Level)
	}
	if v.Stats.Left.Quiet != 3 {
		t.Errorf("%+v", v.Stats.Left)
	}
	seen := map[string]bool{}
	for _, x := range o {
		for _, p := range x.Parts {
			if k := fmt.Sprint(p.Block, p.From); seen[k] {
				t.Errorf("block %d is in two objects", p.Block)
			} else {
				seen[k] = true
			}
		}
	}
}

// TestLevelsAreTheEngines: what the pager would show in short is shown so.
func TestLevelsAreTheEngines(t *testing.T) {
	o := Default()
	o.Pager.Floor = 0
	lines := []string{"u: search for it"}
	for i := range 12 {
		lines = append(lines, fmt.Sprintf(`t: Grep {"pattern":"p%d"} => %s`, i, strings.Repeat(fmt.Sprint("found ", i, " "), 200)))
	}
	v := viewOf(t, o, lines...)
	if v.Objects[1].Level != pager.Stub || v.Objects[len(v.Objects)-1].Level != pager.Full || v.Stats.Levels[3] < 5 {
		t.Errorf("%+v", v.Stats)
	}
}

func TestDOTCannotBeBrokenOutOf(t *testing.T) {
	v := viewOf(t, Default(), "u: say \"x\" and \\ and\x00 \xff this ] } much", `t: Read {"file_path":"/a\".go"} => x`)
	got := v.DOT(`a"b`)
	if !strings.HasPrefix(got, `digraph "a\"b" {`) || !strings.Contains(got, `say \"x\" and \\`) || strings.Count(got, "->") != 1 || !strings.HasSuffix(got, "}\n") {
		t.Error(got)
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	for name, change := range map[string]func(*Options){"goal above topic": func(o *Options) { o.Goal = 0.9 }, "no turns": func(o *Options) { o.Every = 0 },
		"tiny": func(o *Options) { o.Split = 10 }, "weights": func(o *Options) { o.Weights.Type = 0.9 }, "pager": func(o *Options) { o.Pager.CacheLife = 0 }} {
		o := Default()
		change(&o)
		if o.Validate() == nil {
			t.Errorf("%s was taken", name)
		}
	}
}
