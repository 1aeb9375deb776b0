package main

import (
	"encoding/json"
	"strings"
	"time"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// The made-up memory that the tests ask. Its zone is two hours east, and it is the evening of 4 May 2026.
var (
	testZone = time.FixedZone("CEST", 2*3600)
	testNow  = time.Date(2026, 5, 4, 18, 30, 0, 0, testZone)
)

func unix(s string) int64 {
	t, err := time.ParseInLocation("2006-01-02 15:04", s, testZone)
	if err != nil {
		panic(err)
	}
	return t.Unix()
}

func unixp(s string) *int64 { n := unix(s); return &n }

func exit(n int) *int { return &n }

func testStatus() api.Status {
	return api.Status{
		APIVersion: api.Version, Home: "/home/robin/.dormouse", Machine: "1a2b3c4d", PID: 4242, StartedAt: unix("2026-05-04 08:12"),
		Phase: "idle", NextSleep: unix("2026-05-05 03:00"),
		Parts: []api.Part{
			{Name: "capture", State: "ok", Doing: "watching 812 files"},
			{Name: "index", State: "busy", Doing: "3 of 12 sessions"},
			{Name: "distill", State: "amber", Failed: 3, LastOK: unix("2026-05-04 03:02"),
				Failure: "append to memory/log/1a2b3c4d/2026-05-04.jsonl: no space left on device: free some space; the next round begins in 4 minutes"},
			{Name: "sync", State: "off"},
		},
		Agents: []api.Agent{
			{Name: "claude-code", Roots: []string{"/home/robin/.claude/projects"}, Found: true, Files: 812, Sessions: 800, Nodes: 80100,
				Bytes: 412_345_678, LastSeen: unix("2026-05-04 18:27")},
			{Name: "codex", Roots: []string{"/home/robin/.codex/sessions", "/home/robin/.codex/archived_sessions"}},
		},
		Counts: api.Counts{Sessions: 1204, Invalid: 2, Turns: 8932, Nodes: 120331, Redacted: 14, Projects: 12, Events: 5120, Entities: 2931,
			Edges: 8232, Indexed: 130012},
		Backlog: api.Backlog{Open: 2, Waiting: 3, Index: 9},
		LLM:     api.LLM{Extractor: "rules"},
		Vectors: api.Vectors{Model: "dormouse-static-1b2c3d4e", Docs: 129_991, Waiting: 21},
		LastSleep: &memory.Run{Started: unix("2026-05-04 03:00"), Ended: unix("2026-05-04 03:02"), Kind: "deep",
			Counts: memory.RunCounts{Sessions: 4, Turns: 61, Nodes: 900, Events: 51, Entities: 30, Edges: 1}},
		Skipped: []api.SkipReason{{Agent: "claude-code", Reason: "the line is no valid JSON", Count: 1204,
			Places: []string{"/home/robin/.claude/projects/-home-robin-code-dormouse/1f0c3b5e-0000-4000-8000-000000000000.jsonl:17", "b.jsonl:2", "c.jsonl:3", "d.jsonl:4"}}},
		Problems: []string{"1 session could not be stored and will be tried again: cc_1a2b3c4d"},
	}
}

func testSessions() []api.Session {
	return []api.Session{
		{Session: memory.Session{ID: "cc_1a2b3c4d", AgentSessionID: "1f0c3b5e-1111", Agent: "claude-code", Title: "Fix the flaky index test and explain why it failed only on slow machines",
			ProjectID: "p1", Cwd: "/home/robin/code/dormouse", GitBranch: "main", Model: "opus-4", CreatedAt: unix("2026-05-04 14:02"),
			UpdatedAt: unix("2026-05-04 15:10")}, Project: "dormouse", Turns: 2, Nodes: 14},
		{Session: memory.Session{ID: "cx_77aa0011", AgentSessionID: "0199-2222", Agent: "codex", Title: "修复索引的错误并且写一个测试", ProjectID: "p2",
			CreatedAt: unix("2026-04-30 23:50"), UpdatedAt: unix("2026-05-01 00:20")}, Project: "webshop-frontend", Turns: 1203, Nodes: 20001},
		{Session: memory.Session{ID: "cc_1a99ffff", AgentSessionID: "1f0c9999-3333", Agent: "claude-code", ProjectID: memory.DefaultProject,
			CreatedAt: unix("2024-05-01 09:00"), UpdatedAt: unix("2024-05-01 09:30")}, Turns: 1, Nodes: 2},
	}
}

// deletedSession is a session that the person deleted.
func deletedSession() api.Session {
	s := testSessions()[0]
	s.Missing = api.MissingDeleted
	s.Reason = "you deleted it on 2026-05-04"
	return s
}

func testProjects() []api.Project {
	return []api.Project{
		{ID: "p1", Name: "dormouse", Path: "/home/robin/code/dormouse", Remote: "github.com/robin/dormouse", Sessions: 1100, LastSeen: unix("2026-05-04 15:10")},
		{ID: "p2", Name: "webshop-frontend", Path: "/home/robin/code/clients/a-client-with-a-long-name/webshop-frontend", Sessions: 103, LastSeen: unix("2026-05-01 00:20")},
		{ID: memory.DefaultProject, Sessions: 1},
	}
}

func node(id string, role memory.Role, at, output string, m memory.Metadata) memory.Node {
	return memory.Node{ID: id, Role: role, Output: output, CreatedAt: unix(at), Metadata: m}
}

func call(id, name, input, output string, m memory.Metadata) memory.Node {
	n := node(id, memory.RoleTool, "2026-05-04 14:03", output, m)
	n.Name, n.Input = name, json.RawMessage(input)
	return n
}

func testTranscript() api.Transcript {
	const at = "2026-05-04 14:02"
	prompt, harness := memory.Metadata{Kind: memory.KindPrompt}, memory.Metadata{Kind: memory.KindHarness}
	sub := memory.Metadata{AgentID: "ag-1", AgentType: "explore"}
	one := api.Turn{N: 1, Commit: "0123456789abcdef0123", Nodes: []memory.Node{
		node("n1", memory.RoleUser, at, "The test TestOpen in store/index is flaky. Please fix it, and tell me why it fails only on slow machines.\n\n```\n--- FAIL: TestOpen\n\tindex_test.go:12\n```", prompt),
		node("n2", memory.RoleUser, at, "<system-reminder>The file index.go was changed by a linter. Do not mention this to the user.</system-reminder>", harness),
		node("n3", memory.RoleAssistant, at, "I will run it first.", memory.Metadata{Thinking: "A race, perhaps: the second goroutine."}),
		call("n4", "Bash", `{"command":"go test -run TestOpen -count 100 ./store/index","description":"Run the test"}`, strings.Repeat("x", 3100),
			memory.Metadata{Status: memory.StatusError, ExitCode: exit(1), DurationMS: 2412}),
		call("n5", "Task", `{"description":"Find who closes the index","prompt":"Look at ..."}`, "It is closed twice.", memory.Metadata{Status: memory.StatusOK}),
		node("n6", memory.RoleUser, at, "Look at who closes the index.", memory.Metadata{Kind: memory.KindTask, AgentID: sub.AgentID, AgentType: sub.AgentType}),
		call("n7", "Grep", `{"pattern":"Close\\(","path":"/home/robin/code/dormouse/store"}`, "a\nb", sub),
		node("n8", memory.RoleAssistant, at, "It is closed twice.", sub),
		call("n9", "Edit", `{"file_path":"/home/robin/code/dormouse/store/index/open.go","old_string":"a","new_string":"b\nc"}`, "done",
			memory.Metadata{Status: memory.StatusOK, Edits: []memory.Edit{{Path: "/home/robin/code/dormouse/store/index/open.go", Op: "update", Diff: "@@ -1 +1,2 @@\n-a\n+b\n+c\n", Added: 2, Removed: 1}}}),
		node("n10", memory.RoleAssistant, at, "Fixed: the index was closed twice. On a fast machine the second Close comes before the first has begun, so nobody sees it. 修复了索引的错误：它被关闭了两次。", memory.Metadata{}),
	}}
	two := api.Turn{N: 2, Nodes: []memory.Node{
		node("n11", memory.RoleUser, "2026-05-04 15:09", "Here is the log.\n"+strings.Repeat("line of a long log\n", 50), memory.Metadata{Kind: memory.KindPrompt,
			Images: []memory.Image{{Type: "image/png", Bytes: 12345}}, Redacted: 1}),
		call("n12", "shell", `{"command":["bash","-lc","cat log | head"]}`, "", memory.Metadata{Status: memory.StatusPending}),
		node("n13", memory.RoleUser, at, "Earlier the user asked for a fix of TestOpen.", memory.Metadata{Kind: memory.KindCompaction,
			Compaction: &memory.Compaction{Trigger: "auto", PreTokens: 150000}}),
		node("n14", memory.RoleAssistant, at, "I see", memory.Metadata{Status: memory.StatusInterrupted}),
	}}
	return api.Transcript{Session: testSessions()[0], Turns: []api.Turn{one, two}}
}

func from(session, at string, nodes ...string) memory.Provenance {
	p := memory.Provenance{ProjectID: "p1", SessionID: session, NodeIDs: nodes, IngestionTime: unix("2026-05-04 18:00")}
	if at != "" {
		p.EventTime = unixp(at)
	}
	return p
}

func testTimeline() api.Timeline {
	return api.Timeline{Total: 340, Turns: map[string]int{"ev_1": 1, "ev_2": 2}, Events: []memory.Event{
		{ID: "ev_1", Kind: memory.KindDecision, Trust: memory.TrustPerson, Provenance: from("cc_1a2b3c4d", "2026-05-04 14:02", "n1"),
			Summary: "Close the index in one place only, in Close, because closing it twice loses the last batch on slow machines"},
		{ID: "ev_2", Kind: memory.KindWork, Trust: memory.TrustObserved, Provenance: from("cc_1a2b3c4d", "2026-05-04 09:05", "n9"),
			Summary: "Fixed TestOpen: red to green"},
		{ID: "ev_3", Kind: memory.KindLearning, Trust: memory.TrustAgent, Provenance: from("cx_77aa0011", "2026-05-03 23:59", "0123456789abcdef"),
			Summary: "索引在慢的机器上会被关闭两次，所以最后一批数据会丢失，测试也会失败，必须只在一个地方关闭索引"},
		{ID: "ev_4", Kind: memory.KindEvent, Trust: memory.TrustQuoted, Provenance: from("cx_77aa0011", "2025-12-24 10:00"), SupersededBy: "ev_9",
			Summary: "Go 1.26 was released"},
		{ID: "ev_5", Kind: memory.KindLearning, Trust: memory.TrustAgent, Provenance: from("cx_77aa0011", ""), Summary: "Badger needs one writer"},
	}}
}

func testGraph() api.Graph {
	edge := func(id, from, rel, to, at string) memory.Edge {
		e := memory.Edge{ID: id, From: from, Relation: rel, To: to, Provenance: memory.Provenance{SessionID: "cc_1a2b3c4d"}}
		if at != "" {
			e.EventTime = unixp(at)
		}
		return e
	}
	return api.Graph{
		Center: memory.Entity{ID: "file.store/index/open.go", Type: memory.TypeFile, Name: "store/index/open.go", Aliases: []string{"open.go"},
			Attrs: map[string]string{"language": "go"}, Scope: memory.ProjectScope("p1"), Provenance: from("cc_1a2b3c4d", "2026-04-01 10:00", "n9")},
		Edges: []memory.Edge{
			edge("ed_1", "file.store/index/open.go", "part_of", "project.dormouse", "2026-04-01 10:00"),
			edge("ed_2", "commit.0123456789abcdef0123456789abcdef01234567", "touches", "file.store/index/open.go", "2026-05-04 14:10"),
			edge("ed_3", "project.dormouse", "uses", "library.badger", ""),
		},
		Entities:  []memory.Entity{},
		Turns:     map[string]int{"file.store/index/open.go": 7, "ed_1": 7, "ed_2": 1},
		Events:    testTimeline().Events[:2],
		Truncated: true,
	}
}

func testSearch() api.Search {
	return api.Search{Indexing: true, Hits: []api.Hit{
		{What: "event", ID: "ev_1", Kind: memory.KindDecision, Trust: memory.TrustPerson, Title: "Close the index in one place only, in Close, because closing it twice loses the last batch on slow machines",
			ProjectID: "p1", SessionID: "cc_1a2b3c4d", Turn: 1, Nodes: []string{"n1"}, Time: unix("2026-05-04 14:02")},
		{What: "turn", ID: "cc_1a2b3c4d:1", Title: "Fix the flaky index test", Snippet: strings.Repeat("The test of the Index is flaky and the index is closed twice. ", 6),
			ProjectID: "p1", SessionID: "cc_1a2b3c4d", Turn: 1, Time: unix("2026-05-04 14:02")},
		{What: "entity", ID: "error.index closed", Title: "index closed", ProjectID: "p1", SessionID: "cc_1a2b3c4d"},
	}}
}

func testCore() api.Core {
	s := "═══ Dormouse memory: project dormouse, last consolidated 2026-05-04 ═══\n[Timeline · recent]\n· 2026-05-04 Closed the index once  ↪ session:cc_1a2b3c4d\n" +
		"For details: memory_open_session(<id>) / memory_git_log(<project>)\n"
	return api.Core{Project: "p1", Text: s, Bytes: len(s), Limit: 2048}
}

func testExplainedCore() api.Core {
	c := testCore()
	c.Lines = []api.CoreLine{
		{Section: "[Timeline · recent]", Text: "2026-05-04 Closed the index once", Kind: memory.RecordEvent, Record: "ev_0123456789ab", Scope: "project:p1",
			Decision: "de_0123456789abcdef", Reason: "rule: work told by agent", Score: 27.3, Bytes: 62,
			Parts: []api.CorePart{{Name: "work", Value: 5}, {Name: "from agent", Value: 6}, {Name: "age 3 days", Value: 0.909}}},
		{Section: "[Open]", Text: "Tests were left failing: go test", Kind: memory.RecordEvent, Record: "ev_ba9876543210", Score: 27, Bytes: 60,
			Parts: []api.CorePart{{Name: "tests left failing", Value: 3}, {Name: "from observed", Value: 9}, {Name: "age 0 days", Value: 1}}},
	}
	return c
}

func testNights() []api.Night {
	return []api.Night{{ID: "night_1", Kind: "deep", Why: "quiet", Due: unix("2026-05-04 03:00"), Began: unix("2026-05-04 09:12"), Ended: unix("2026-05-04 11:40"),
		Pauses: []api.NightPause{{At: unix("2026-05-04 09:13"), Until: unix("2026-05-04 10:50"), Why: "the machine is in use"},
			{At: unix("2026-05-04 10:51"), Until: unix("2026-05-04 11:39"), Why: "the machine is in use"}},
		Stages: []api.NightStage{{Name: "backlog", Milliseconds: 21_412, Done: true, Note: "20 sessions, 10042 nodes"}, {Name: "tags", Milliseconds: 31, Done: true},
			{Name: "memory", Milliseconds: 2_345, Done: true}, {Name: "sync", Milliseconds: 10_009, Done: true, Failure: "the remote does not answer"}},
		Counts: memory.RunCounts{Sessions: 20, Turns: 61, Nodes: 10_042, Events: 51, Entities: 30, Edges: 1, Superseded: 3, Refused: 2},
		Model:  "haiku-4", InputTokens: 12_345, OutputTokens: 678, CostMicros: 12_300, Review: 4,
		Waits: []string{"the exchange with other machines waits: the remote does not answer"}},
		{ID: "night_0", Kind: "deep", Why: "time", Due: unix("2026-05-03 03:00"), Began: unix("2026-05-03 03:00"), Pauses: []api.NightPause{{At: unix("2026-05-03 03:01"), Why: "the machine is busy"}},
			Stages: []api.NightStage{{Name: "backlog", Milliseconds: 900}}, Waits: []string{}}}
}

func testSleepPlan() api.SleepPlan {
	return api.SleepPlan{Sessions: 20, Turns: 61, Nodes: 10_042, Open: 2, Stages: []string{"backlog", "tags", "memory"}, Model: "haiku-4", Calls: 7,
		InputTokens: 98_765, OutputTokens: 28_000, CostMicros: 238_765, Priced: true, Due: unix("2026-05-04 03:00"), Waits: "the machine is in use",
		Held: []string{"the network costs by what is sent"}}
}

func testBranches() api.SessionBranches {
	all := testCommitsOf()
	return api.SessionBranches{Session: all.Session, Branches: all.Branches}
}

func testCommitsOf() api.SessionCommits {
	return api.SessionCommits{Session: testSessions()[0],
		Branches: []api.Branch{{Name: "main", Commit: "0123456789abcdef0123456789abcdef01234567", Message: "turn 2: Fix the flaky test", Node: "a6", Turns: 2},
			{Name: "retry-a7", Commit: "89abcdef0123456789abcdef0123456789abcdef", Message: "turn 2: Fix the \x1b[31mflaky test", Node: "a7c", Turns: 1, Shown: true}},
		Commits: []api.SessionCommit{{SHA: "89abcdef0123456789abcdef0123456789abcdef", Branch: "retry-a7", Turn: 2, Message: "turn 2: Fix the \x1b[31mflaky test"},
			{SHA: "0123456789abcdef0123456789abcdef01234567", Branch: "main", Turn: 2, Message: "turn 2: Fix the flaky test"}}}
}

func testContext() api.Context {
	return api.Context{Session: testSessions()[0], Turn: 2, Commit: "0123456789abcdef0123456789abcdef01234567", From: "transcript", Tokens: 41203,
		Views: []api.View{
			{Items: []api.SeenNode{{ID: "u1", State: "summarised", Tokens: 12, Turn: 1, Text: "Make a plan"},
				{ID: "c", State: "full", Tokens: 310, Turn: 1, Text: "Summary of the conversation"}, {ID: "u2", State: "full", Tokens: 6, Turn: 2, Text: "Fix the \x1b[31mflaky test"}}},
			{Agent: "explorer", Items: []api.SeenNode{{ID: "s1", State: "full", Tokens: 40, Turn: 2, Text: "Find the test"}}}}}
}
