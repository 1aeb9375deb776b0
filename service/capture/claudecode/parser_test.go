package claudecode_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/service/capture/claudecode"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// session feeds files, given as lines by name, and returns the nodes.
func session(t *testing.T, files ...[]string) *captured {
	t.Helper()
	c := &captured{}
	p := claudecode.New(transcript.Options{Skip: c.skips.Add})
	for i, lines := range files {
		f := transcript.File{Path: fmt.Sprint("file", i), Session: "s"}
		if strings.HasPrefix(lines[0], "agent ") {
			parts := strings.Fields(lines[0])
			f.AgentID = parts[1]
			if len(parts) > 2 {
				f.CalledBy = parts[2]
			}
			lines = lines[1:]
		}
		p.Open(f)
		feedText(t, p, f.Path, []byte(strings.Join(lines, "\n")+"\n"), transcript.Place{})
		c.nodes = append(c.nodes, p.Drain(transcript.Growing)...)
	}
	c.nodes = append(c.nodes, p.Drain(transcript.Over)...)
	c.facts = p.Facts()
	return c
}

func rec(typ, uuid, parent, rest string) string {
	up := "null"
	if parent != "" {
		up = `"` + parent + `"`
	}
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"timestamp":"2026-01-01T00:00:00Z","sessionId":"s",%s}`, typ, uuid, up, rest)
}

func user(uuid, parent, text string) string {
	return rec("user", uuid, parent, `"message":{"role":"user","content":`+quote(text)+`}`)
}

func says(uuid, parent, msg, text string) string {
	return rec("assistant", uuid, parent, `"message":{"id":"`+msg+`","content":[{"type":"text","text":`+quote(text)+`}],"usage":{"input_tokens":1,"output_tokens":`+fmt.Sprint(len(text))+`}}`)
}

func calls(uuid, parent, msg, id, name, input string) string {
	return rec("assistant", uuid, parent, `"message":{"id":"`+msg+`","content":[{"type":"tool_use","id":"`+id+`","name":"`+name+`","input":`+input+`}]}`)
}

func answers(uuid, parent, id, text, rich string) string {
	if rich == "" {
		rich = `{}`
	}
	return rec("user", uuid, parent, `"toolUseResult":`+rich+`,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"`+id+`","content":`+quote(text)+`}]}`)
}

func quote(s string) string {
	b, _ := memory.Encode(s)
	return string(b)
}

// shape writes nodes as "role:text<parent's text".
func shape(nodes []memory.Node) string {
	text := map[string]string{"": "-"}
	for _, n := range nodes {
		text[n.ID] = strings.TrimSpace(n.Output)
		if text[n.ID] == "" {
			text[n.ID] = n.Name
		}
	}
	var out []string
	for _, n := range nodes {
		out = append(out, fmt.Sprintf("%s:%s<%s", n.Role.Letter(), text[n.ID], text[string(n.ParentID)]))
	}
	return strings.Join(out, " ")
}

func check(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestParallelCallsAreAChainAndNoFork(t *testing.T) {
	c := session(t, []string{user("u1", "", "go"), says("a1", "u1", "m1", "both"), calls("a2", "a1", "m1", "t1", "Bash", `{"command":"ls"}`),
		calls("a3", "a2", "m1", "t2", "Read", `{"file_path":"/x"}`), answers("r1", "a2", "t1", "one", ""), answers("r2", "a3", "t2", "two", ""),
		says("a4", "r1", "m2", "done")})
	check(t, shape(c.nodes), "u:go<- a:both<go t:one<both t:two<one a:done<two")
	if c.nodes[2].CalledBy != memory.Ref(c.nodes[1].ID) || c.nodes[3].Reads[0] != "file:/x" || c.nodes[2].Metadata.Commands[0] != "ls" {
		t.Errorf("calls %+v", c.nodes[2:4])
	}
	if ids := c.nodes[1].Metadata.SourceIDs; fmt.Sprint(ids) != "[a1 a2 a3]" {
		t.Errorf("the message was made of %v", ids)
	}
}

func TestRewindMakesTwoChildren(t *testing.T) {
	c := session(t, []string{user("u1", "", "go"), says("a1", "u1", "m1", "ok"), user("u2", "a1", "left"), says("a2", "u2", "m2", "L"),
		user("u3", "a1", "right"), says("a3", "u3", "m3", "R")})
	check(t, shape(c.nodes), "u:go<- a:ok<go u:left<ok a:L<left u:right<ok a:R<right")
	if c.facts.Head != c.nodes[5].ID {
		t.Error("the head is not the newest branch")
	}
}

func TestTheClientsChoiceOfABranchIsTheHead(t *testing.T) {
	c := session(t, []string{user("u1", "", "go"), says("a1", "u1", "m1", "ok"), user("u2", "a1", "left"), says("a2", "u2", "m2", "L"),
		user("u3", "a1", "right"), says("a3", "u3", "m3", "R"), `{"type":"last-prompt","leafUuid":"a2"}`})
	if c.facts.Head != c.nodes[3].ID {
		t.Errorf("head %s", c.facts.Head)
	}
	c = session(t, []string{user("u1", "", "go"), says("a1", "u1", "m1", "ok"), `{"type":"last-prompt","leafUuid":"u1"}`})
	if c.facts.Head != c.nodes[1].ID {
		t.Error("a leaf on the way to the end moved the head back")
	}
}

func TestCompactionHangsOnTheLastMessageBeforeIt(t *testing.T) {
	boundary := func(logical string) string {
		return rec("system", "b", "", `"subtype":"compact_boundary","logicalParentUuid":"`+logical+`","compactMetadata":{"trigger":"auto","preTokens":9}`)
	}
	summary := rec("user", "c", "b", `"isCompactSummary":true,"message":{"role":"user","content":"sum"}`)
	for _, logical := range []string{"a1", "unknown", "later"} { // in the file, in another one, written after the boundary
		c := session(t, []string{user("u1", "", "go"), says("a1", "u1", "m1", "ok"), boundary(logical), summary, says("later", "c", "m2", "on")})
		check(t, shape(c.nodes), "u:go<- a:ok<go u:sum<ok a:on<sum")
		m := c.nodes[2].Metadata
		if m.Kind != memory.KindCompaction || m.Compaction == nil || m.Compaction.PreTokens != 9 || m.Compaction.Last != c.nodes[1].ID {
			t.Errorf("compaction %+v", m)
		}
	}
}

func TestResultsThatWereTakenOutOfTheContextAreNamedByANodeOfTheChain(t *testing.T) {
	boundary := func(ids string) string {
		return rec("system", "b", "r2", `"subtype":"microcompact_boundary","content":"Context microcompacted","microcompactMetadata":{"trigger":"auto","compactedToolIds":[`+ids+`]}`)
	}
	before := []string{user("u1", "", "go"), calls("a1", "u1", "m1", "t1", "Bash", `{}`), answers("r1", "a1", "t1", "one", ""),
		calls("a2", "r1", "m2", "t2", "Bash", `{}`), answers("r2", "a2", "t2", "two", "")}
	after := says("a3", "b", "m3", "on")
	c := session(t, append(slices.Clone(before), boundary(`"t1","elsewhere","t2"`), after))
	last := c.nodes[len(c.nodes)-2:]
	if m := last[0].Metadata; m.Kind != memory.KindHarness || last[0].Output != "Context microcompacted" || m.Compaction != nil ||
		!slices.Equal(m.Cleared, []string{nodeOf(c.nodes, "one").ID, nodeOf(c.nodes, "two").ID}) {
		t.Errorf("the notice is %+v", last[0])
	}
	if last[0].ParentID != memory.Ref(nodeOf(c.nodes, "two").ID) || last[1].ParentID != memory.Ref(last[0].ID) {
		t.Errorf("the chain is %s", shape(c.nodes))
	}
	if c := session(t, append(slices.Clone(before), boundary(`"elsewhere"`), after)); len(c.nodes) != len(before)+1 {
		t.Errorf("a notice of calls that are not here: %s", shape(c.nodes))
	}
}

// nodeOf is the node with this output.
func nodeOf(nodes []memory.Node, output string) memory.Node {
	i := slices.IndexFunc(nodes, func(n memory.Node) bool { return n.Output == output })
	return nodes[max(0, i)]
}

func TestAForkThatCopiesItsRecordsHasTheSameNodes(t *testing.T) {
	base := []string{user("u1", "", "go"), says("a1", "u1", "m1", "ok"), calls("a2", "a1", "m1", "t1", "Bash", `{}`), answers("r1", "a2", "t1", "x", "")}
	one := session(t, append(base, says("a3", "r1", "m2", "end")))
	two := session(t, append(base, user("u9", "r1", "else")))
	for i := range 3 {
		if one.nodes[i].ID != two.nodes[i].ID || one.nodes[i].ParentID != two.nodes[i].ParentID {
			t.Errorf("node %d differs: %+v and %+v", i, one.nodes[i], two.nodes[i])
		}
	}
	fork := strings.ReplaceAll(base[0], `"uuid":"u1"`, `"uuid":"fresh","forkedFrom":{"sessionId":"orig","messageUuid":"u1"}`)
	sdk := session(t, []string{fork, says("f2", "fresh", "m1", "ok")})
	if sdk.nodes[0].ID != one.nodes[0].ID || sdk.nodes[1].ID != one.nodes[1].ID || sdk.facts.ForkOf != "orig" {
		t.Errorf("fork with fresh ids: %+v", sdk.nodes)
	}
}

func TestARecordThatComesAgainIsNotASecondNode(t *testing.T) {
	lines := []string{user("u1", "", "go"), says("a1", "u1", "m1", "ok")}
	c := session(t, append(lines, append(lines, lines...)...), lines)
	check(t, shape(c.nodes), "u:go<- a:ok<go")
}

func TestTokensAreThoseOfTheLastLineOfAMessage(t *testing.T) {
	c := session(t, []string{user("u1", "", "go"), says("a1", "u1", "m1", "ab"), says("a2", "a1", "m1", "abcdef")})
	if u := c.nodes[1].Metadata.Usage; u == nil || u.Output != 6 || u.Input != 1 || c.nodes[1].Output != "ab\n\nabcdef" {
		t.Errorf("node %+v, usage %+v", c.nodes[1], u)
	}
}

func TestTwoRequestsWithOneMessageIDAreTwoMessages(t *testing.T) {
	with := func(line, req string) string { return strings.Replace(line, "{", `{"requestId":"`+req+`",`, 1) }
	c := session(t, []string{user("u1", "", "go"), with(says("a1", "u1", "m", "one"), "r1"), user("u2", "a1", "more"), with(says("a2", "u2", "m", "two"), "r2")})
	check(t, shape(c.nodes), "u:go<- a:one<go u:more<one a:two<more")
}

func TestSubAgentsOfAllLayoutsHangOnTheCallThatStartedThem(t *testing.T) {
	main := []string{user("u1", "", "go"), calls("a1", "u1", "m1", "t1", "Task", `{"subagent_type":"Explore","prompt":"look"}`)}
	sub := []string{user("s1", "", "look"), says("s2", "s1", "ms", "seen")}
	side := func(lines []string, extra string) (out []string) {
		for _, l := range lines {
			out = append(out, strings.Replace(l, "{", `{"isSidechain":true,`+extra, 1))
		}
		return out
	}
	end := answers("r1", "a1", "t1", "report", `{"agentId":"x1"}`)
	for name, files := range map[string][][]string{
		"inline, without an id":              {append(append(append([]string{}, main...), side(sub, "")...), end)},
		"inline, with an id":                 {append(append(append([]string{}, main...), side(sub, `"agentId":"x1",`)...), end)},
		"a file, known by its call":          {main, append([]string{"agent x1 t1"}, side(sub, `"agentId":"x1",`)...), {end}},
		"a file, known by the call's result": {append(append([]string{}, main...), end), append([]string{"agent x1"}, side(sub, "")...)},
		"a file, known by its prompt":        {main, append([]string{"agent x1"}, side(sub, "")...), {end}},
		"a file, known by progress": {append(append([]string{}, main...), rec("progress", "p", "a1", `"parentToolUseID":"t1","data":{"type":"agent_progress","agentId":"x1","message":{"type":"user","message":{"content":"look"},"uuid":"s1"}}`)),
			append([]string{"agent x1"}, side([]string{user("s1", "", "something else"), sub[1]}, "")...), {end}},
	} {
		t.Run(name, func(t *testing.T) {
			c := session(t, files...)
			byOutput := map[string]memory.Node{}
			for _, n := range c.nodes {
				byOutput[n.Output] = n
			}
			call, first, last := byOutput["report"], byOutput["look"], byOutput["seen"]
			if first.ID == "" {
				first = byOutput["something else"]
			}
			if len(c.nodes) != 5 || first.Metadata.Kind != memory.KindTask || first.ParentID != "" || string(first.CalledBy) != call.ID {
				t.Errorf("first node of the sub-agent: %+v, call %s, %d nodes", first, call.ID, len(c.nodes))
			}
			if last.Metadata.AgentID == "" || last.Metadata.AgentID != first.Metadata.AgentID || last.Metadata.AgentType != "Explore" || string(last.ParentID) != first.ID {
				t.Errorf("last node of the sub-agent: %+v", last)
			}
			if first.StartsTurn() || c.facts.Head == last.ID {
				t.Error("the sub-agent counts as the main conversation")
			}
		})
	}
}

func TestTenParallelSubAgentsEachFindTheirCall(t *testing.T) {
	lines := []string{user("u1", "", "go")}
	up := "u1"
	var files [][]string
	for i := range 10 {
		id := fmt.Sprint("t", i)
		lines = append(lines, calls("a"+id, up, "m1", id, "Task", `{"prompt":"same words"}`))
		up = "a" + id
		files = append(files, []string{"agent x" + id, user("s"+id, "", "same words")})
	}
	c := session(t, append([][]string{lines}, files...)...)
	callers := map[memory.Ref]bool{}
	turns := 0
	for _, n := range c.nodes {
		if n.Metadata.AgentID != "" {
			callers[n.CalledBy] = true
		}
		if n.StartsTurn() {
			turns++
		}
	}
	if len(callers) != 10 || callers[""] || turns != 1 {
		t.Errorf("%d callers, %d turns", len(callers), turns)
	}
}

func TestAContextOfAHookMakesNoForkAndFollowsItsCall(t *testing.T) {
	hook := rec("attachment", "h", "a1", `"attachment":{"type":"hook_additional_context","content":["note"]}`)
	c := session(t, []string{user("u1", "", "go"), calls("a1", "u1", "m1", "t1", "Bash", `{}`), hook, answers("r1", "a1", "t1", "x", ""), says("a2", "r1", "m2", "end")})
	check(t, shape(c.nodes), "u:go<- a:<go t:x< u:note<x a:end<note")
}

func TestQueuedPromptIsAPrompt(t *testing.T) {
	q := rec("attachment", "q", "r1", `"attachment":{"type":"queued_command","prompt":"also this","commandMode":"prompt"}`)
	n := rec("attachment", "n", "q", `"attachment":{"type":"queued_command","prompt":"<task-notification>x","commandMode":"task-notification"}`)
	c := session(t, []string{user("u1", "", "go"), calls("a1", "u1", "m1", "t1", "Bash", `{}`), answers("r1", "a1", "t1", "x", ""), q, n})
	if k := c.nodes[3].Metadata.Kind; k != memory.KindPrompt {
		t.Errorf("queued prompt is %s", k)
	}
	if k := c.nodes[4].Metadata.Kind; k != memory.KindHarness {
		t.Errorf("queued notice is %s", k)
	}
}

func TestTextsUnderTheUsersNameAreToldApart(t *testing.T) {
	for text, want := range map[string]memory.UserKind{
		"fix the bug":                                           memory.KindPrompt,
		"<div>why does this break?</div>":                       memory.KindPrompt,
		"/tmp/x is full, what now":                              memory.KindPrompt,
		"<command-name>/clear</command-name>":                   memory.KindHarness,
		"<local-command-stdout></local-command-stdout>":         memory.KindHarness,
		"<bash-input>ls</bash-input>":                           memory.KindHarness,
		"<system-reminder>x</system-reminder>":                  memory.KindHarness,
		"[Request interrupted by user]":                         memory.KindHarness,
		"/compact":                                              memory.KindHarness,
		"Caveat: The messages below were generated by the user": memory.KindHarness,
		"This session is being continued from a previous conversation that ran out": memory.KindCompaction,
		"═══ Dormouse memory: project x, last consolidated 2026-01-01 ═══":          memory.KindInjected,
	} {
		c := session(t, []string{user("u1", "", text)})
		if got := c.nodes[0].Metadata.Kind; got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
	meta := session(t, []string{rec("user", "u", "", `"isMeta":true,"message":{"content":"Base directory"}`),
		rec("user", "v", "u", `"origin":{"kind":"task-notification"},"message":{"content":"done"}`)})
	if meta.nodes[0].Metadata.Kind != memory.KindHarness || meta.nodes[1].Metadata.Kind != memory.KindHarness {
		t.Errorf("%+v", meta.nodes)
	}
}

func TestWhatTheClientPutAroundAPromptIsANodeBeforeIt(t *testing.T) {
	c := session(t, []string{user("u1", "", "<ide_opened_file>a.go</ide_opened_file>\nfix it"), says("a1", "u1", "m", "ok")})
	check(t, shape(c.nodes), "u:<ide_opened_file>a.go</ide_opened_file><- u:fix it<<ide_opened_file>a.go</ide_opened_file> a:ok<fix it")
	if c.facts.FirstPrompt != "fix it" || c.nodes[0].StartsTurn() || !c.nodes[1].StartsTurn() {
		t.Errorf("first prompt %q", c.facts.FirstPrompt)
	}
}

func TestResultsTellStateExitCodeAndEdits(t *testing.T) {
	lines := []string{user("u1", "", "go")}
	add := func(id, name, input, block, rich string) {
		lines = append(lines, calls("a"+id, "u1", "m"+id, id, name, input),
			rec("user", "r"+id, "a"+id, `"toolUseResult":`+rich+`,"message":{"content":[`+block+`]}`))
	}
	result := func(id, text string, failed bool) string {
		return fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"is_error":%v,"content":%s}`, id, failed, quote(text))
	}
	add("ok", "Bash", `{"command":"go test"}`, result("ok", "PASS", false), `{"stdout":"PASS","stderr":"","interrupted":false}`)
	add("bad", "Bash", `{"command":"go vet"}`, result("bad", "Exit code 2\nboom", true), `"Error: Exit code 2\nboom"`)
	add("bg", "Bash", `{"command":"serve"}`, result("bg", "running", false), `{"stdout":"","backgroundTaskId":"b"}`)
	add("no", "Bash", `{"command":"rm"}`, result("no", "The user doesn't want to proceed with this tool use.", true), `"x"`)
	add("ed", "Edit", `{"file_path":"/a","old_string":"x","new_string":"y"}`, result("ed", "updated", false),
		`{"filePath":"/a","structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":2,"lines":["-x","+y","+z"]}]}`)
	add("wr", "Write", `{"file_path":"/b","content":"1\n2\n"}`, result("wr", "created", false), `{"type":"create","filePath":"/b","content":"1\n2\n","structuredPatch":[]}`)
	add("me", "MultiEdit", `{"file_path":"/c","edits":[{"old_string":"a\nb","new_string":"c"},{"old_string":"d","new_string":"e"}]}`, result("me", "ok", false), `{}`)
	add("fe", "Edit", `{"file_path":"/d","old_string":"q","new_string":"r"}`, result("fe", "String to replace not found", true), `"x"`)
	add("pic", "Read", `{"file_path":"/p.png"}`, `{"type":"tool_result","tool_use_id":"pic","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"cGl4ZWxz"}}]}`, `{}`)
	got := map[string]string{}
	for _, n := range session(t, lines).nodes {
		if n.Role != memory.RoleTool {
			continue
		}
		s := string(n.Metadata.Status)
		if n.Metadata.ExitCode != nil {
			s += fmt.Sprint(" exit ", *n.Metadata.ExitCode)
		}
		for _, e := range n.Metadata.Edits {
			s += fmt.Sprintf(" %s %s +%d -%d %q", e.Op, e.Path, e.Added, e.Removed, e.Diff)
		}
		for _, i := range n.Metadata.Images {
			s += fmt.Sprintf(" %s of %d", i.Type, i.Bytes)
		}
		got[n.Metadata.SourceIDs[0][1:]] = s
	}
	for id, want := range map[string]string{"ok": "ok exit 0", "bad": "error exit 2", "bg": "ok", "no": "interrupted",
		"ed": `ok update /a +2 -1 "@@ -1,1 +1,2 @@\n-x\n+y\n+z\n"`, "wr": `ok create /b +2 -0 ""`, "me": `ok update /c +2 -3 ""`,
		"fe": "error", "pic": "ok image/png of 6"} {
		if got[id] != want {
			t.Errorf("%s is %s, want %s", id, got[id], want)
		}
	}
}

func TestErrorsOfTheProviderAreMarked(t *testing.T) {
	c := session(t, []string{user("u1", "", "go"), rec("system", "e", "u1", `"subtype":"api_error","retryAttempt":1`),
		rec("assistant", "a1", "e", `"isApiErrorMessage":true,"message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"overloaded"}]}`)})
	if n := c.nodes[1]; n.Metadata.Status != memory.StatusError || string(n.ParentID) != c.nodes[0].ID || c.facts.Model != "" {
		t.Errorf("node %+v", n)
	}
}

func TestUnknownRecordsAreCounted(t *testing.T) {
	c := session(t, []string{`{"type":"brand-new","x":1}`, user("u1", "", "go"), `{"type":"user","uuid":"n","message":null}`})
	if s := c.skips.Counts(); s["unknown record type brand-new"].Times != 1 || s[transcript.BadShape].Times != 1 {
		t.Errorf("skips %+v", s)
	}
}

func TestFilesAreRecognisedByTheirPlaceAndTheirRecords(t *testing.T) {
	id := "11111111-2222-3333-4444-555555555555"
	head := []byte(`{"type":"user","sessionId":"from-records"}` + "\n")
	for path, want := range map[string]transcript.File{
		"p/" + id + ".jsonl":                                 {Session: id},
		"p/transcript.jsonl":                                 {Session: "from-records"},
		"p/agent-ab.jsonl":                                   {Session: "from-records", AgentID: "ab"},
		"p/" + id + "/subagents/agent-ab.jsonl":              {Session: id, AgentID: "ab"},
		"p/" + id + "/subagents/workflows/w1/agent-ab.jsonl": {Session: id, AgentID: "ab"},
	} {
		path = filepath.FromSlash(path)
		want.Path = path
		got, ok := claudecode.Identify(path, head, func(string) []byte { return nil })
		if !ok || got != want || !claudecode.Match(path) {
			t.Errorf("%s is %+v, %v", path, got, ok)
		}
	}
	for _, path := range []string{"p/" + id + ".orphaned-1-x.jsonl", "p/history.jsonl", "p/" + id + "/subagents/workflows/w1/journal.jsonl",
		"p/x.json", "p/" + id + "/tool-results/a.jsonl", "p/" + id + ".jsonl.superseded-1"} {
		if claudecode.Match(filepath.FromSlash(path)) {
			t.Errorf("%s is taken for a transcript", path)
		}
	}
	if _, ok := claudecode.Identify("p/agent-ab.jsonl", []byte(`{"type":"us`), func(string) []byte { return nil }); ok {
		t.Error("a file without a whole record was recognised")
	}
	roots := claudecode.Roots(func(string) string { return "" }, "/home/user")
	if len(roots) != 2 || roots[0] != filepath.Join("/home/user", ".claude", "projects") {
		t.Errorf("roots %v", roots)
	}
	if roots := claudecode.Roots(func(string) string { return "/cfg" }, "/home/user"); len(roots) != 1 || roots[0] != filepath.Join("/cfg", "projects") {
		t.Errorf("roots %v", roots)
	}
}

func TestCompactionOfABranchHangsOnThatBranch(t *testing.T) {
	c := session(t, []string{user("u1", "", "go"), says("a1", "u1", "m1", "ok"), user("u2", "a1", "left"), says("a2", "u2", "m2", "L"),
		user("u3", "a1", "right"), says("a3", "u3", "m3", "R"),
		rec("system", "b", "", `"subtype":"compact_boundary","logicalParentUuid":"a2"`),
		rec("user", "c", "b", `"isCompactSummary":true,"message":{"role":"user","content":"sum"}`)})
	if last := c.nodes[6]; string(last.ParentID) != c.nodes[3].ID || last.Metadata.Compaction.Last != c.nodes[3].ID {
		t.Errorf("compaction %+v", last)
	}
}

func TestAReaderThatStartsAgainGivesTheRestOfAMessageThatIsStoredInPart(t *testing.T) {
	half := strings.Join([]string{user("u1", "", "go"), says("a1", "u1", "m1", "first")}, "\n") + "\n"
	whole := half + says("a2", "a1", "m1", "second") + "\n"
	p := claudecode.New(transcript.Options{})
	p.Open(transcript.File{Path: "f", Session: "s"})
	feedText(t, p, "f", []byte(half), transcript.Place{})
	stored := p.Drain(transcript.Quiet)
	rest := readAgain(t, "f", []byte(whole), stored)
	if len(rest) != 1 || rest[0].Output != "second" || string(rest[0].ParentID) != stored[1].ID {
		t.Errorf("rest %+v", rest)
	}
	if again := readAgain(t, "f", []byte(whole), append(stored, rest...)); len(again) != 0 {
		t.Errorf("a third reading adds %+v", again)
	}
}
