package codex_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"dormouse/service/capture/codex"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

func line(typ, payload string) string {
	return fmt.Sprintf(`{"timestamp":"2026-01-01T00:00:00Z","type":%q,"payload":%s}`, typ, payload)
}

func quote(s string) string {
	b, _ := memory.Encode(s)
	return string(b)
}

func meta(id, rest string) string {
	return line("session_meta", `{"id":"`+id+`","timestamp":"2026-01-01T00:00:00Z","cwd":"/w"`+rest+`}`)
}
func turnOf(id string) string {
	return line("turn_context", `{"turn_id":"`+id+`","cwd":"/w","model":"gpt"}`)
}
func asks(s string) string {
	return line("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":`+quote(s)+`}]}`)
}
func typed(s string) string {
	return line("event_msg", `{"type":"user_message","message":`+quote(s)+`}`)
}
func prompt(s string) string { return asks(s) + "\n" + typed(s) }
func says(s string) string {
	return line("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":`+quote(s)+`}]}`)
}
func calls(id, name, args string) string {
	return line("response_item", `{"type":"function_call","name":"`+name+`","arguments":`+quote(args)+`,"call_id":"`+id+`"}`)
}
func scripts(id, source string) string {
	return line("response_item", `{"type":"custom_tool_call","name":"exec","input":`+quote(source)+`,"call_id":"`+id+`"}`)
}
func answers(id, out string) string {
	return line("response_item", `{"type":"function_call_output","call_id":"`+id+`","output":`+quote(out)+`}`)
}
func event(payload string) string { return line("event_msg", payload) }

// session feeds files, given as a description and lines, in order.
func session(t *testing.T, files ...[]string) *captured { return sessionOf(t, nil, files...) }

func sessionOf(t *testing.T, about []transcript.File, files ...[]string) *captured {
	t.Helper()
	c := &captured{}
	p := codex.New(transcript.Options{Skip: c.skips.Add})
	for i, lines := range files {
		f := transcript.File{Session: "T"}
		if i < len(about) {
			f = about[i]
		}
		f.Path = fmt.Sprint("file", i)
		p.Open(f)
		feed(t, p, f.Path, []byte(strings.Join(lines, "\n")+"\n"), transcript.Place{})
		c.nodes = append(c.nodes, p.Drain(transcript.Growing)...)
	}
	c.nodes = append(c.nodes, p.Drain(transcript.Over)...)
	c.facts = p.Facts()
	return c
}

// shape writes nodes as "role:text<parent's text".
func shape(nodes []memory.Node) string {
	text := map[string]string{"": "-"}
	name := func(n memory.Node) string {
		if n.Metadata.Undone > 0 {
			return fmt.Sprint("undo", n.Metadata.Undone)
		}
		if n.Role == memory.RoleTool && n.Output == "" {
			return n.Name
		}
		return strings.TrimSpace(n.Output)
	}
	for _, n := range nodes {
		text[n.ID] = name(n)
	}
	var out []string
	for _, n := range nodes {
		out = append(out, fmt.Sprintf("%s:%s<%s", n.Role.Letter(), name(n), text[string(n.ParentID)]))
	}
	return strings.Join(out, " ")
}

func check(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestATurnIsAChainOfPromptMessageAndCalls(t *testing.T) {
	c := session(t, []string{meta("T", `,"git":{"branch":"main","repository_url":"u","commit_hash":"abc"}`), turnOf("1"), prompt("go"),
		line("response_item", `{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}`), event(`{"type":"agent_message","message":"both"}`), says("both"),
		calls("c1", "shell", `{"command":["bash","-lc","ls"]}`), calls("c2", "exec_command", `{"cmd":"pwd"}`), answers("c2", "two"), answers("c1", "Exit code: 3\nWall time: 0.5 seconds\nOutput:\none"),
		event(`{"type":"token_count","info":{"total_token_usage":{"total_tokens":9},"last_token_usage":{"input_tokens":7,"cached_input_tokens":4,"output_tokens":2}}}`),
		event(`{"type":"token_count","info":{"total_token_usage":{"total_tokens":9},"last_token_usage":{"input_tokens":7,"cached_input_tokens":4,"output_tokens":2}}}`),
		says("done"), event(`{"type":"task_complete"}`)})
	check(t, shape(c.nodes), "u:go<- a:both<go t:Exit code: 3\nWall time: 0.5 seconds\nOutput:\none<both t:two<Exit code: 3\nWall time: 0.5 seconds\nOutput:\none a:done<two")
	if m := c.nodes[0].Metadata; m.GitBranch != "main" || m.GitCommit != "abc" || c.nodes[1].Metadata.GitCommit != "" {
		t.Errorf("first node %+v", m)
	}
	say, shell := c.nodes[1], c.nodes[2]
	if say.Metadata.Thinking != "hm" || say.Metadata.Usage == nil || *say.Metadata.Usage != (memory.Usage{Input: 3, CacheRead: 4, Output: 2}) || c.nodes[4].Metadata.Usage != nil {
		t.Errorf("message %+v usage %+v", say, say.Metadata.Usage)
	}
	if m := shell.Metadata; m.Status != memory.StatusError || *m.ExitCode != 3 || m.DurationMS != 500 || m.Commands[0] != "ls" || string(shell.CalledBy) != say.ID {
		t.Errorf("call %+v", shell)
	}
	if f := c.facts; f.GitBranch != "main" || f.RepositoryURL != "u" || f.Model != "gpt" || f.Cwd != "/w" || f.Head != c.nodes[4].ID {
		t.Errorf("facts %+v", f)
	}
}

func TestWhatTheClientAndThePersonWroteIsToldApart(t *testing.T) {
	c := session(t, []string{meta("T", ""), turnOf("1"),
		asks("# AGENTS.md instructions for /w"), asks("<environment_context>x</environment_context>"), prompt("# Context from my IDE setup:\n\n## Open tabs\n\n## My request for Codex:\nfix it"),
		says("ok"), asks("some words of a program"), says("still ok"),
		line("response_item", `{"type":"message","role":"developer","content":[{"type":"input_text","text":"═══ Dormouse memory: project x"}]}`)})
	var kinds []string
	for _, n := range c.nodes {
		kinds = append(kinds, string(n.Metadata.Kind)+"/"+n.Output[:min(len(n.Output), 12)])
	}
	want := "[harness/# AGENTS.md  harness/<environment harness/# Context fr prompt/fix it /ok harness/some words o /still ok injected/═══ "
	if got := fmt.Sprint(kinds); !strings.HasPrefix(got, want) {
		t.Errorf("kinds %s\nwant %s", got, want)
	}
	old := session(t, []string{meta("T", ""), asks("only an item"), says("ok")})
	if !old.nodes[0].StartsTurn() {
		t.Error("without events, an item of the user is a prompt")
	}
	bare := session(t, []string{meta("T", ""), turnOf("1"), typed("only an event"), says("ok")})
	if !bare.nodes[0].StartsTurn() || bare.facts.FirstPrompt != "only an event" {
		t.Error("without an item, the event is a prompt")
	}
}

func TestPaginatedRolloutsAreNotDoubled(t *testing.T) {
	item := func(s string) string { return event(`{"type":"item_completed","item":` + s + `}`) }
	c := session(t, []string{meta("T", `,"history_mode":"paginated"`), turnOf("1"),
		asks("go"), item(`{"type":"UserMessage","id":"u","content":[{"type":"text","text":"go"}]}`),
		item(`{"type":"AgentMessage","id":"a","content":[{"type":"Text","text":"hi"}]}`), says("hi"),
		scripts("c1", `await tools.exec_command({cmd:"make"})`), item(`{"type":"CommandExecution","id":"x","command":"make","exit_code":2,"duration_ms":40}`),
		item(`{"type":"FileChange","id":"y","changes":[{"path":"/w/a","kind":{"type":"add"},"diff":"one\ntwo\n"}],"status":"completed"}`),
		line("response_item", `{"type":"custom_tool_call_output","call_id":"c1","output":[{"type":"input_text","text":"Script completed\n"},{"type":"input_text","text":"out"}]}`),
		says("end"), item(`{"type":"AgentMessage","id":"b","content":[{"type":"Text","text":"end"}]}`)})
	check(t, shape(c.nodes), "u:go<- a:hi<go t:Script completed\nout<hi a:end<Script completed\nout")
	m := c.nodes[2].Metadata
	if *m.ExitCode != 2 || m.Status != memory.StatusError || m.Commands[0] != "make" || len(m.Edits) != 1 || m.Edits[0].Op != "create" || m.Edits[0].Added != 2 {
		t.Errorf("call %+v", m)
	}
	only := session(t, []string{meta("T", ""), turnOf("1"), prompt("go"), event(`{"type":"agent_message","message":"said by an event alone"}`), event(`{"type":"task_complete"}`)})
	if len(only.nodes) != 2 || only.nodes[1].Output != "said by an event alone" {
		t.Errorf("%+v", only.nodes)
	}
}

func TestUndoMakesABranchAndMovesTheHead(t *testing.T) {
	c := session(t, []string{meta("T", ""), turnOf("1"), prompt("one"), says("1"), turnOf("2"), prompt("two"), says("2"), turnOf("3"), prompt("three"), says("3"),
		event(`{"type":"thread_rolled_back","num_turns":2}`), turnOf("4"), prompt("four"), says("4")})
	check(t, shape(c.nodes), "u:one<- a:1<one u:two<1 a:2<two u:three<2 a:3<three u:undo2<1 u:four<undo2 a:4<four")
	if c.facts.Head != c.nodes[8].ID || c.nodes[6].Metadata.Kind != memory.KindHarness {
		t.Errorf("head %s", c.facts.Head)
	}
}

// own are the records of a parent, and of a fork of it.
func parentAndFork() (parent, fork []string) {
	said := []string{turnOf("1"), prompt("one"), says("1"), calls("c1", "shell", `{"command":"ls"}`), answers("c1", "files"), event(`{"type":"task_complete","turn_id":"1"}`)}
	parent = append(append([]string{meta("P", "")}, said...), turnOf("2"), prompt("left"), says("L"))
	later := strings.ReplaceAll(strings.Join(said, "\n"), "2026-01-01T00:00:00Z", "2026-02-02T00:00:00Z")
	fork = append([]string{meta("T", `,"forked_from_id":"P","git":{"branch":"fork"}`), meta("P", `,"git":{"branch":"parent"}`), later}, turnOf("9"), prompt("right"), says("R"))
	return parent, fork
}

func TestAForkThatReplaysItsParentHasTheSameNodes(t *testing.T) {
	parent, fork := parentAndFork()
	p := sessionOf(t, []transcript.File{{Session: "P", Part: "P"}}, parent)
	f := sessionOf(t, []transcript.File{{Session: "T", Part: "T"}}, fork)
	check(t, shape(f.nodes), "u:one<- a:1<one t:files<1 u:right<files a:R<right")
	for i := range 3 {
		if p.nodes[i].ID != f.nodes[i].ID {
			t.Errorf("node %d has another id in the fork", i)
		}
	}
	if p.nodes[3].ID == f.nodes[3].ID || f.facts.ForkOf != "P" || f.facts.GitBranch != "fork" {
		t.Errorf("facts %+v", f.facts)
	}
}

func TestASegmentGoesOnFromAPlaceInAnEarlierOne(t *testing.T) {
	first := []string{meta("T", ""), turnOf("1"), prompt("one"), says("1"), turnOf("2"), prompt("two"), says("2")}
	end := int64(len(strings.Join(first[:4], "\n")) + 1)
	second := []string{meta("T", ""), turnOf("3"), prompt("three"), says("3")}
	c := sessionOf(t, []transcript.File{{Session: "T", Part: "T"}, {Session: "T", Part: "S2", Base: "T", BaseEnd: end}}, first, second)
	check(t, shape(c.nodes), "u:one<- a:1<one u:two<1 a:2<two u:three<1 a:3<three")
}

func TestASubAgentHangsOnTheCallThatStartedIt(t *testing.T) {
	main := []string{meta("T", ""), turnOf("1"), prompt("go"), says("split"), calls("c1", "spawn_agent", `{"message":"look"}`), answers("c1", `{"agent_id":"S"}`), says("done")}
	sub := []string{meta("S", `,"thread_source":"subagent","source":{"subagent":{"thread_spawn":{"parent_thread_id":"T","agent_role":"explorer"}}}`), turnOf("s1"), asks("look"), typed("look"), says("seen")}
	c := sessionOf(t, []transcript.File{{Session: "T"}, {Session: "T", AgentID: "S", AgentType: "explorer"}}, main, sub)
	n := c.nodes[3]
	if n.Metadata.Kind != memory.KindTask || n.ParentID != "" || string(n.CalledBy) != c.nodes[2].ID || n.Metadata.AgentType != "explorer" || n.StartsTurn() {
		t.Errorf("first node of the sub-agent %+v", n)
	}
	if last := c.nodes[len(c.nodes)-2]; c.facts.Head != last.ID || last.Output != "done" {
		t.Error("the sub-agent became the head")
	}
}

func TestCompactionAbortErrorAndLateResultsAreKept(t *testing.T) {
	c := session(t, []string{meta("T", ""), turnOf("1"), prompt("go"), says("ok"), calls("c1", "shell", `{"command":"sleep 9"}`), event(`{"type":"turn_aborted","reason":"interrupted"}`),
		answers("c1", "late"), event(`{"type":"error","message":"rate limit"}`),
		line("compacted", `{"message":"sum","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}]}`), event(`{"type":"context_compacted"}`),
		answers("nobody", "orphan"), turnOf("2"), prompt("next"), says("fine")})
	check(t, shape(c.nodes), "u:go<- a:ok<go t:shell<ok u:late<shell u:rate limit<late u:sum<rate limit u:orphan<sum u:next<orphan a:fine<next")
	if c.nodes[2].Metadata.Status != memory.StatusInterrupted || c.nodes[3].Reads[0] != "node:"+c.nodes[2].ID || c.nodes[4].Metadata.Status != memory.StatusError {
		t.Errorf("%+v", c.nodes[2:5])
	}
	if k := c.nodes[5].Metadata; k.Kind != memory.KindCompaction || k.Compaction.Last != c.nodes[4].ID {
		t.Errorf("compaction %+v", k)
	}
}

func TestRecordsWithoutAnEnvelopeAreRead(t *testing.T) {
	c := session(t, []string{`{"id":"T","timestamp":"2025-05-01T00:00:00Z","instructions":"x","git":{"branch":"b"}}`, `{"record_type":"state"}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}`, `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}`,
		`{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"c"}`, `{"type":"function_call_output","call_id":"c","output":"{\"output\":\"files\",\"metadata\":{\"exit_code\":1,\"duration_seconds\":0.2}}"}`})
	check(t, shape(c.nodes), "u:go<- a:ok<go t:files<ok")
	if m := c.nodes[2].Metadata; *m.ExitCode != 1 || m.DurationMS != 200 || c.facts.GitBranch != "b" || len(c.skips.Counts()) != 0 {
		t.Errorf("%+v, facts %+v, skips %+v", m, c.facts, c.skips.Counts())
	}
}

func TestOtherCallsImagesAndEditsAreRead(t *testing.T) {
	c := session(t, []string{meta("T", ""), turnOf("1"), event(`{"type":"user_message","message":"see","images":["data:image/png;base64,cGl4ZWxz"]}`),
		line("response_item", `{"type":"web_search_call","id":"w","status":"completed","action":{"type":"search","query":"q"}}`),
		line("response_item", `{"type":"local_shell_call","call_id":"l","action":{"type":"exec","command":["ls","-l"]}}`), answers("l", "x"),
		calls("p", "apply_patch", `{"input":"*** Begin Patch\n*** Add File: a\n+1\n*** Update File: b\n*** Move to: c\n@@\n-x\n+y\n+z\n*** Delete File: d\n*** End Patch"}`), answers("p", "Success"),
		calls("e", "apply_patch", `{"input":"*** Begin Patch\n*** Add File: f\n+1\n*** End Patch"}`), event(`{"type":"patch_apply_end","call_id":"e","success":true,"changes":{"/w/f":{"type":"update","unified_diff":"@@ -1 +1 @@\n-a\n+b\n","move_path":null}}}`), answers("e", "Success")})
	if n := c.nodes[0]; n.Metadata.Images[0].Bytes != 6 || !n.StartsTurn() {
		t.Errorf("prompt %+v", n)
	}
	if n := c.nodes[1]; n.Name != "web_search" || n.Metadata.Status != memory.StatusOK || string(n.Input) != `{"type":"search","query":"q"}` {
		t.Errorf("search %+v", n)
	}
	if n := c.nodes[2]; n.Metadata.Commands[0] != "ls -l" {
		t.Errorf("shell %+v", n)
	}
	want := []memory.Edit{{Path: "a", Op: "create", Diff: "+1\n", Added: 1}, {Path: "b", Op: "delete"}, {Path: "c", Op: "update", Diff: "@@\n-x\n+y\n+z\n", Added: 2, Removed: 1}, {Path: "d", Op: "delete"}}
	if got := c.nodes[3].Metadata.Edits; !reflect.DeepEqual(got, want) {
		t.Errorf("edits %+v", got)
	}
	if got := c.nodes[4].Metadata.Edits; len(got) != 1 || got[0].Path != "/w/f" || got[0].Added != 1 {
		t.Errorf("edits of the event %+v", got)
	}
}

func TestUnknownRecordsAreCounted(t *testing.T) {
	c := session(t, []string{meta("T", ""), line("brand_new", `{}`), line("response_item", `{"type":"new_item"}`), event(`{"type":"new_event"}`)})
	if n := len(c.skips.Counts()); n != 3 {
		t.Errorf("skips %+v", c.skips.Counts())
	}
}

func TestFilesAreRecognisedByTheirNameAndTheirFirstRecord(t *testing.T) {
	const thread, part = "01997ea4-a70d-7da3-8c20-c736db82a7c5", "019ed836-b1da-78f1-8a0c-e598363d10f4"
	name := "rollout-2026-01-01T00-00-00-" + thread
	tests := []struct {
		name, head string
		want       transcript.File
	}{
		{name + ".jsonl", meta(thread, ""), transcript.File{Session: thread, Part: thread}},
		{name + "_" + part + ".jsonl", meta(thread, `,"history_base":{"thread_id":"`+thread+`","end_byte_offset":77}`),
			transcript.File{Session: thread, Part: part, Base: thread, BaseEnd: 77}},
		{name + ".jsonl", meta(thread, `,"session_id":"ROOT","parent_thread_id":"UP","source":{"subagent":{"thread_spawn":{"parent_thread_id":"UP","agent_role":"r"}}}`),
			transcript.File{Session: "ROOT", Part: thread, AgentID: thread, AgentType: "r"}},
		{name + ".jsonl", meta(thread, `,"source":{"subagent":"review"},"parent_thread_id":"UP"`),
			transcript.File{Session: "UP", Part: thread, AgentID: thread, AgentType: "review"}},
		{name + ".jsonl.zst", meta(thread, ""), transcript.File{Session: thread, Part: thread}},
		{"rollout-x.jsonl", `{"id":"OLD","timestamp":"2025-05-01T00:00:00Z"}`, transcript.File{Session: "OLD", Part: "OLD"}},
	}
	for _, tt := range tests {
		tt.want.Path = filepath.Join("sessions", tt.name)
		got, ok := codex.Identify(tt.want.Path, []byte(tt.head+"\n"), nil)
		if !ok || got != tt.want || !codex.Match(tt.want.Path) {
			t.Errorf("%+v, %v\nwant %+v", got, ok, tt.want)
		}
	}
	if _, ok := codex.Identify(name+".jsonl", []byte(meta(thread, "")[:40]), nil); ok {
		t.Error("a file without a whole record was recognised")
	}
	if roots := codex.Roots(func(string) string { return "/c" }, "/h"); fmt.Sprint(roots) != fmt.Sprint([]string{filepath.Join("/c", "sessions"), filepath.Join("/c", "archived_sessions")}) {
		t.Errorf("roots %v", roots)
	}
}
