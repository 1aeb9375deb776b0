package model

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/store/memory"
)

func node(role memory.Role, text string, m memory.Metadata) memory.Node {
	return memory.Node{Role: role, Output: text, CreatedAt: at("2026-05-04 14:02"), Metadata: m}
}

func call(name, input, output string, m memory.Metadata) memory.Node {
	n := node(memory.RoleTool, output, m)
	n.Name, n.Input = name, json.RawMessage(input)
	return n
}

func exit(n int) *int { return &n }

func testTranscript() api.Transcript {
	s := session("cc_1", "Fix the flaky test", "claude-code", "p1", "2026-05-04 15:10")
	s.Cwd, s.GitBranch, s.Model, s.Project = "/home/robin/shop", "main", "opus", "shop"
	sub := memory.Metadata{AgentID: "ag-1", AgentType: "explore"}
	return api.Transcript{Session: s, Turns: []api.Turn{
		{N: 0, Commit: "aaaa", Nodes: []memory.Node{node(memory.RoleUser, "# AGENTS.md", memory.Metadata{Kind: memory.KindHarness})}},
		{N: 1, Commit: "0123456789abcdef", Nodes: []memory.Node{
			node(memory.RoleUser, "Please fix it.\nNow.", memory.Metadata{Kind: memory.KindPrompt, Images: []memory.Image{{Type: "image/png", Bytes: 12345}}}),
			node(memory.RoleAssistant, "I will **run** it.", memory.Metadata{Thinking: "A race, perhaps."}),
			call("Bash", `{"command":"go test ./...","description":"Run"}`, "FAIL", memory.Metadata{Status: memory.StatusError, ExitCode: exit(1), DurationMS: 2412}),
			call("Bash", `{"command":["bash","-lc","ls"]}`, "", memory.Metadata{Status: memory.StatusOK, ExitCode: exit(0)}),
			call("Edit", `{"file_path":"/home/robin/shop/open.go"}`, "done", memory.Metadata{Edits: []memory.Edit{{Path: "/home/robin/shop/open.go", Op: "update", Diff: "@@\n-a\n+b\n", Added: 2, Removed: 1}}}),
			node(memory.RoleUser, "Look at who closes it.", memory.Metadata{Kind: memory.KindTask, AgentID: sub.AgentID, AgentType: sub.AgentType}),
			call("Grep", `{"pattern":"Close"}`, "a", sub),
			node(memory.RoleAssistant, "Twice.", sub),
			node(memory.RoleUser, "A summary", memory.Metadata{Kind: memory.KindCompaction, Compaction: &memory.Compaction{PreTokens: 150000}}),
			node(memory.RoleAssistant, "Fixed.", memory.Metadata{Status: memory.StatusInterrupted, Redacted: 1, Clipped: &memory.Clipped{Bytes: 5_000_000}, Undone: 2}),
			node(memory.RoleAssistant, "", memory.Metadata{}),
		}},
		{N: 3, Nodes: []memory.Node{call("x", `null`, "", memory.Metadata{Status: memory.StatusPending})}},
	}}
}

func TestASessionIsShownAsItWas(t *testing.T) {
	f := &fake{open: testTranscript()}
	p := presenter(f).Session(t.Context(), "cc_1")
	if f.asked[0] != "session cc_1" || p.Title != "Fix the flaky test" || p.Empty != nil || p.Trouble != nil {
		t.Errorf("%q, %+v", f.asked, p)
	}
	if want := []string{"Claude Code · opus · shop · branch main · ~/shop",
		"4 May 2026, 15:00–15:10, 3 hours ago · 2 turns · 14 messages and calls · cc_1"}; !reflect.DeepEqual(p.Facts, want) {
		t.Errorf("facts %q", p.Facts)
	}
	one := p.Turns[1]
	if one.Name != "Turn 1" || one.Choice != "Turn 1 · Please fix it. Now." || one.When != "2026-05-04 14:02" || one.Commit != "commit 01234567" || one.SHA != "0123456789abcdef" {
		t.Errorf("%+v", one)
	}
	var kinds []string
	for _, e := range one.Entries {
		kinds = append(kinds, e.Speaker+"/"+e.Title)
	}
	want := []string{"You/", "Thinking/Thinking: A race, perhaps.", "Claude Code/", "Claude Code/3 tool calls · Bash ×2, Edit · 1 failed",
		"Sub-agent explore/Sub-agent explore · 2 messages · 1 call", "The context was compacted at 150,000 tokens/The context was compacted at 150,000 tokens: A summary", "Claude Code/"}
	if !reflect.DeepEqual(kinds, want) {
		t.Errorf("entries\n%q\nwant\n%q", kinds, want)
	}
	if notes := one.Entries[6].Notes; !reflect.DeepEqual(notes, []string{"Interrupted", "Cut by Dormouse: it was 5.0 MB long", "1 secret replaced", "The 2 turns before this one were taken back"}) {
		t.Errorf("notes %q", notes)
	}
	if notes := one.Entries[0].Notes; !reflect.DeepEqual(notes, []string{"Image, not kept: image/png, 12 kB"}) {
		t.Errorf("notes %q", notes)
	}
	sub := one.Entries[4]
	if len(sub.Entries) != 3 || sub.Entries[0].Speaker != "Task" || sub.Entries[1].Kind != Calls || sub.Entries[2].Text != "Twice." {
		t.Errorf("sub-agent %+v", sub.Entries)
	}
	if p.Turns[0].Name != "Before the first prompt" || p.Turns[0].Entries[0].Speaker != "From the agent’s client" {
		t.Errorf("%+v", p.Turns[0])
	}
	if last := p.Turns[2]; last.Commit != "not committed yet" || last.SHA != "" || last.Choice != "Turn 3" || last.Entries[0].Tools[0].Outcome != "no result" {
		t.Errorf("%+v", last)
	}
	if EarlierTurn(one) != "Earlier: "+one.Choice || LaterTurn(one) != "Next: "+one.Choice {
		t.Error("offers")
	}
}

func TestATurnIsCopiedAsItWasSaid(t *testing.T) {
	p := presenter(&fake{open: testTranscript()}).Session(t.Context(), "cc_1")
	want := "You:\nPlease fix it.\nNow.\n\nClaude Code:\nI will **run** it.\n\n[Bash] go test ./... (exit 1 · 2.4s)\n[Bash] ls (ok)\n[Edit] open.go (ok · +2 −1)\n\nClaude Code:\nFixed.\n"
	if got := p.Turns[1].Plain(); got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestTheTurnNearestToAPlaceIsShown(t *testing.T) {
	p := presenter(&fake{open: testTranscript()}).Session(t.Context(), "cc_1") // turns 0, 1, 3
	for turn, want := range map[int]int{0: 0, 1: 1, 2: 1, 3: 2, 99: 2, -1: 0} {
		if got := p.Near(turn); got != want {
			t.Errorf("%d: %d, want %d", turn, got, want)
		}
	}
}

func TestASessionWithoutATurnSaysSo(t *testing.T) {
	tr := api.Transcript{Session: session("cc_1", "", "own\x1b[0m agent", "default", "2026-04-01 10:00")}
	tr.Session.CreatedAt = at("2026-03-30 10:00")
	p := presenter(&fake{open: tr}).Session(t.Context(), "cc_1")
	if p.Empty == nil || p.Title != "Session cc_1" || !strings.Contains(p.Facts[0], "own agent · no project") || !strings.Contains(p.Facts[1], "30 Mar 2026 – 1 Apr 2026, 1 month ago") {
		t.Errorf("%+v", p)
	}
	tr.Session.CreatedAt = 0
	if p := presenter(&fake{open: tr}).Session(t.Context(), "cc_1"); !strings.HasPrefix(p.Facts[1], "1 Apr 10:00, 1 month ago") {
		t.Errorf("%+v", p.Facts)
	}
}

func TestAsidesAreNamedForWhoWroteThem(t *testing.T) {
	for want, m := range map[string]memory.Metadata{
		"From Dormouse":             {Kind: memory.KindInjected},
		"From the agent’s client":   {Kind: memory.KindHarness},
		"On a page of its memory":   {Kind: memory.KindPage},
		"The context was compacted": {Kind: memory.KindCompaction},
	} {
		n := node(memory.RoleUser, strings.Repeat("long ", 100), m)
		if e := (builder{}).message(&n)[0]; e.Kind != Aside || e.Speaker != want || len([]rune(e.Title)) > 200 {
			t.Errorf("%s: %+v", want, e)
		}
	}
	n := node(memory.RoleTool, "x", memory.Metadata{Compaction: &memory.Compaction{}})
	if e := (builder{}).entries([]memory.Node{n}); len(e) != 1 || e[0].Kind != Aside {
		t.Errorf("a compaction by a tool: %+v", e)
	}
}

func TestACallSaysWhatItWasAboutAndHowItEnded(t *testing.T) {
	b := builder{session: api.Session{Session: memory.Session{Cwd: "/home/robin/shop/"}}}
	for _, tt := range []struct {
		n              memory.Node
		about, outcome string
		failed         bool
	}{
		{call("Bash", `{"command":"ls\n -la"}`, "", memory.Metadata{}), "ls -la", "ok", false},
		{call("shell", `{"command":["bash","-lc","cat log"]}`, "", memory.Metadata{ExitCode: exit(2)}), "cat log", "exit 2", true},
		{call("shell", `{"command":["ls","-l"]}`, "", memory.Metadata{Status: memory.StatusInterrupted}), "ls -l", "interrupted", false},
		{call("x", `"plain text"`, "", memory.Metadata{Status: memory.StatusError}), "plain text", "failed", true},
		{call("x", `{}`, "", memory.Metadata{}), "", "ok", false},
		{call("x", `{"odd":1}`, "", memory.Metadata{}), `{"odd":1}`, "ok", false},
		{call("x", `[1,2`, "", memory.Metadata{}), "[1,2", "ok", false},
		{call("Read", `{"file_path":"/home/robin/shop/a.go"}`, "", memory.Metadata{DurationMS: 61_000}), "a.go", "ok · 1m1s", false},
		{call("Read", `{"file_path":"/home/robin/shopping/a.go"}`, "", memory.Metadata{}), "/home/robin/shopping/a.go", "ok", false},
	} {
		if got := b.tool(&tt.n); got.About != tt.about || got.Outcome != tt.outcome || got.Failed != tt.failed {
			t.Errorf("%s: %+v", tt.n.Input, got)
		}
	}
	unnamed := call("", `{}`, "", memory.Metadata{})
	if got := b.tool(&unnamed); got.Name != "tool" {
		t.Errorf("%+v", got)
	}
}

func TestACallUnfoldsIntoArgumentsChangesAndResult(t *testing.T) {
	n := call("Edit", `{"new":"a\nb","n":3,"path":"x"}`, "\nok\x1b[31m\n", memory.Metadata{Redacted: 2, Edits: []memory.Edit{{Op: "update", Path: "x", Diff: "+b\n"}}})
	want := []Detail{{Label: "Arguments", Text: "n: 3\nnew:\na\nb\npath: x"}, {Label: "update x", Text: "+b", Diff: true}, {Label: "Result", Text: "ok"}, {Label: "2 secrets replaced"}}
	if got := (builder{}).details(&n); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	for input, want := range map[string]string{`"text\n"`: "text", `null`: "", `{}`: "", `[1]`: "[1]", ` `: ""} {
		if got := arguments(json.RawMessage(input)); got != want {
			t.Errorf("%s: %q", input, got)
		}
	}
}

func TestLongResultsAreCutAndThatIsSaid(t *testing.T) {
	lines := detail("Result", strings.Repeat("x\n", 1000))
	if strings.Count(lines.Text, "\n") != maxLines-1 || lines.Cut == "" {
		t.Errorf("%d lines, %q", strings.Count(lines.Text, "\n"), lines.Cut)
	}
	long := detail("Result", strings.Repeat("é", maxDetail))
	if len(long.Text) > maxDetail || long.Cut != "… 16 kB more" || strings.Contains(long.Text, "\uFFFD") {
		t.Errorf("%d bytes, %q", len(long.Text), long.Cut)
	}
	if d := detail("x", "short"); d.Cut != "" {
		t.Errorf("%+v", d)
	}
}
