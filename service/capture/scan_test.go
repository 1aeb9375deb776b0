package capture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"dormouse/store/memory"
)

const data = "claudecode/testdata"

func TestScanCapturesTheSessionsOfBothAgents(t *testing.T) {
	w := newWorld(t)
	main := "29ccd257-68b1-427f-ae5f-6524b7cb6f20"
	w.copy(filepath.Join(data, main+".jsonl"), w.claude(main+".jsonl"))
	w.copy(filepath.Join(data, main, "subagents", "agent-a2271d1.jsonl"), w.claude(filepath.Join(main, "subagents", "agent-a2271d1.jsonl")))
	w.write(w.claude(filepath.Join(main, "subagents", "agent-a2271d1.meta.json")), `{"agentType":"Explore","toolUseId":"x"}`)
	w.copy("codex/testdata/agentv__0.140.0_tui.jsonl", w.codex("rollout-2026-06-18T00-52-03-019ed836-b1da-78f1-8a0c-e598363d10f4.jsonl"))
	w.scan()
	list := w.sessions()
	if len(list) != 2 {
		t.Fatalf("sessions %+v", list)
	}
	for _, m := range list {
		switch m.Agent {
		case "claude-code":
			if m.AgentSessionID != main || !strings.HasPrefix(m.ID, "cc_") || m.Turns != 1 || m.Title != "Use the Explore task in sub-agents with Haiku mode…" {
				t.Errorf("session %+v", m)
			}
		case "codex":
			if !strings.HasPrefix(m.ID, "cx_") || m.Turns != 2 || m.GitBranch != "main" || m.Model != "gpt-5.4" || m.Cwd == "" {
				t.Errorf("session %+v", m)
			}
		}
		x, err := w.store.Open(m.ID)
		if err != nil {
			t.Fatal(err)
		}
		commits, err := x.Commits()
		if err != nil || len(commits) != m.Turns {
			t.Errorf("%s: %d commits for %d turns, %v", m.Agent, len(commits), m.Turns, err)
		}
	}
	s := w.engine.Status()
	claude, codex := w.status("claude-code"), w.status("codex")
	if len(s.Problems) != 0 || claude.Files != 2 || claude.Sessions != 1 || codex.Nodes == 0 || codex.Bytes == 0 {
		t.Errorf("status %+v", s)
	}
}

func TestASubAgentsNodesStandBetweenItsCallAndTheCallsResult(t *testing.T) {
	w := newWorld(t)
	main := "29ccd257-68b1-427f-ae5f-6524b7cb6f20"
	w.copy(filepath.Join(data, main+".jsonl"), w.claude(main+".jsonl"))
	w.copy(filepath.Join(data, main, "subagents", "agent-a2271d1.jsonl"), w.claude(filepath.Join(main, "subagents", "agent-a2271d1.jsonl")))
	w.scan()
	nodes := w.nodes(w.only().ID)
	var task memory.Node
	place := map[string]int{}
	for i, n := range nodes {
		place[n.ID] = i
		if n.Name == "Task" {
			task = n
		}
		if n.Metadata.AgentID != "" && n.Metadata.Turn != 1 {
			t.Errorf("node of the sub-agent in turn %d", n.Metadata.Turn)
		}
	}
	if first := nodes[2]; first.Metadata.AgentID == "" || place[task.ID] < 30 {
		t.Errorf("node 2 is %+v, the call's result is number %d", first, place[task.ID])
	}
	for _, n := range nodes {
		if n.Metadata.AgentID != "" && n.ParentID == "" && string(n.CalledBy) != task.ID {
			t.Errorf("the sub-agent was called by %q, not by %q", n.CalledBy, task.ID)
		}
	}
}

func TestASecondScanOpensNothing(t *testing.T) {
	w := newWorld(t)
	old := w.now.Add(-48 * time.Hour)
	for i := range 20 {
		w.write(w.claude(fmt.Sprintf("%08d-2222-3333-4444-555555555555.jsonl", i)), turn(0, old, "hello", "hi"))
	}
	w.scan()
	before := w.sessions()
	w.restart()
	jobs := 0
	w.engine.o.Progress = func(p Progress) { jobs = p.FilesTotal }
	w.scan()
	if jobs != 0 {
		t.Errorf("a second scan had %d files to read", jobs)
	}
	if !reflect.DeepEqual(before, w.sessions()) {
		t.Error("a second scan changed the sessions")
	}
}

func TestAFileThatGrowsIsReadOnFromItsCursor(t *testing.T) {
	for _, name := range []string{"the same process", "a new process"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			path := w.claude(aUUID + ".jsonl")
			for i := range 4 {
				w.append(path, turn(i, w.now, fmt.Sprint("question ", i), fmt.Sprint("answer ", i)))
				if name == "a new process" {
					w.restart()
				}
				w.scan()
				if got := len(w.nodes(w.only().ID)); got != 2*(i+1) {
					t.Fatalf("after turn %d there are %d nodes", i, got)
				}
			}
			nodes := w.nodes(w.only().ID)
			for i := 1; i < len(nodes); i++ {
				if string(nodes[i].ParentID) != nodes[i-1].ID {
					t.Errorf("node %d does not follow on the one before it", i)
				}
			}
			if s := w.status("claude-code"); s.Nodes != 8 || s.Sessions != 1 || s.Files != 1 {
				t.Errorf("status %+v", s)
			}
		})
	}
}

func TestAFileThatWasRewrittenIsReadAgainAndNothingIsDoubled(t *testing.T) {
	w := newWorld(t)
	path := w.claude(aUUID + ".jsonl")
	w.write(path, turn(0, w.now, "one", "1")+turn(1, w.now, "two", "2"))
	w.scan()
	w.write(path, turn(0, w.now, "one", "1")) // shorter
	w.scan()
	if n := len(w.nodes(w.only().ID)); n != 4 {
		t.Errorf("%d nodes after the file became shorter, want 4", n)
	}
	w.write(path, turn(0, w.now, "one", "1")+turn(2, w.now, "three and a longer text", "3")+turn(3, w.now, "four", "4"))
	w.scan()
	if n := len(w.nodes(w.only().ID)); n != 8 {
		t.Errorf("%d nodes after the file was rewritten, want 8", n)
	}
	w.problems(0)
}

func TestCaseC1ADeletedTranscriptChangesNothing(t *testing.T) {
	w := newWorld(t)
	path := w.claude(aUUID + ".jsonl")
	w.write(path, turn(0, w.now, "one", "1"))
	w.scan()
	before := w.only()
	if err := os.RemoveAll(filepath.Join(w.home, ".claude")); err != nil {
		t.Fatal(err)
	}
	w.scan()
	if after := w.only(); after != before || len(w.nodes(after.ID)) != 2 {
		t.Errorf("session became %+v", after)
	}
	if p := w.problems(1)[0]; !strings.Contains(p.What, "gone") {
		t.Errorf("problem %+v", p)
	}
	w.write(path, turn(0, w.now, "one", "1"))
	w.scan()
	w.problems(0)
}

func TestANodeThatCannotBeRedactedIsNotWrittenAndIsTriedAgain(t *testing.T) {
	w := newWorld(t)
	w.write(w.claude(aUUID+".jsonl"), turn(0, w.now, "one", "the secret answer")+turn(1, w.now, "two", "2"))
	w.redact = func(n *memory.Node) (int, error) {
		if strings.Contains(n.Output, "secret") {
			return 0, errors.New("scanner fell over")
		}
		return 0, nil
	}
	w.scan()
	if nodes := w.nodes(w.only().ID); len(nodes) != 3 {
		t.Fatalf("%d nodes were written, want 3", len(nodes))
	}
	if p := w.problems(1)[0]; !strings.Contains(p.What, "redacted") || strings.Contains(p.What, "secret") {
		t.Errorf("problem %+v", p)
	}
	w.redact = func(n *memory.Node) (int, error) {
		n.Output = strings.ReplaceAll(n.Output, "secret", "*")
		return 1, nil
	}
	w.scan()
	if len(w.nodes(w.only().ID)) != 3 {
		t.Error("it was tried again without a pause")
	}
	w.now = w.now.Add(time.Minute)
	w.scan()
	nodes := w.nodes(w.only().ID)
	if len(nodes) != 4 || nodes[3].Output != "the * answer" || nodes[3].Metadata.Redacted != 1 {
		t.Errorf("nodes %+v", nodes)
	}
	w.problems(0)
}

func TestAFullDiskLosesNothing(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Log("running as root: a file in the way of the folder stands for the full disk")
	}
	w := newWorld(t)
	blocked := filepath.Join(t.TempDir(), "sessions")
	w.write(blocked, "in the way")
	w.store = newStore(blocked)
	w.restart()
	w.write(w.claude(aUUID+".jsonl"), turn(0, w.now, "one", "1"))
	w.scan()
	w.problems(1)
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(time.Minute)
	w.scan()
	if n := len(w.nodes(w.only().ID)); n != 2 {
		t.Errorf("%d nodes", n)
	}
	w.problems(0)
}

func TestCursorsThatCannotBeWrittenAreAProblemAndWorkIsRepeated(t *testing.T) {
	w := newWorld(t)
	w.cursors.fail = errors.New("index is closed")
	w.write(w.claude(aUUID+".jsonl"), turn(0, w.now, "one", "1"))
	w.scan()
	if n := len(w.nodes(w.only().ID)); n != 2 {
		t.Errorf("%d nodes", n)
	}
	if len(w.engine.Status().Problems) == 0 {
		t.Error("no problem was noted")
	}
	w.cursors.fail = nil
	w.now = w.now.Add(time.Minute)
	w.scan()
	w.problems(0)
	if n := len(w.nodes(w.only().ID)); n != 2 {
		t.Errorf("%d nodes after the repeat", n)
	}
}

func TestAnUnreadableFileDoesNotStopTheOthers(t *testing.T) {
	w := newWorld(t)
	w.write(w.claude(aUUID+".jsonl"), turn(0, w.now, "one", "1"))
	loop := w.claude("99999999-2222-3333-4444-555555555555.jsonl")
	w.write(loop, turn(0, w.now, "other", "2"))
	w.engine.o.Table = Table()
	w.engine.o.Table[0].Identify = failFor(w.engine.o.Table[0].Identify, loop)
	w.scan()
	w.only()
}

func TestOwnCallsAreNotCaptured(t *testing.T) {
	w := newWorld(t)
	w.write(w.claude(aUUID+".jsonl"), turn(0, w.now, "[dormouse: own call, do not remember] sum this up", "fine"))
	w.write(w.claude("22222222-2222-3333-4444-555555555555.jsonl"),
		strings.ReplaceAll(turn(0, w.now, "sum this up", "fine"), "/home/user/project", filepath.Join(w.home, ".dormouse", "run")))
	for range 3 {
		w.scan()
		w.restart()
	}
	if list := w.sessions(); len(list) != 0 {
		t.Errorf("captured %+v", list)
	}
	if c := w.status("claude-code").Skipped[ownReason]; c.Times != 2 {
		t.Errorf("own calls were counted as %+v", c)
	}
}

func TestCaseC8EverySkippedLineIsCountedOnceAndNamed(t *testing.T) {
	w := newWorld(t)
	path := w.claude(aUUID + ".jsonl")
	w.write(path, turn(0, w.now, "one", "1")+"this is no JSON\n"+turn(1, w.now, "two", "2")+`{"type":"mode","torn`)
	w.scan()
	check := func() {
		t.Helper()
		s := w.status("claude-code")
		c := s.Skipped["not valid JSON"]
		if c.Times != 1 || len(c.Places) != 1 || c.Places[0].Line != 3 || c.Places[0].File != path || s.Waiting != 20 {
			t.Errorf("status %+v", s)
		}
	}
	check()
	w.restart()
	w.scan()
	check()
	w.append(path, ` off":1}`+"\n")
	w.scan()
	if s := w.status("claude-code"); s.Skipped["not valid JSON"].Times != 1 || s.Waiting != 0 {
		t.Errorf("status %+v", s)
	}
}

func TestARenameInTheAgentIsTheUsersTitleUntilItIsRenamedHere(t *testing.T) {
	w := newWorld(t)
	path := w.claude(aUUID + ".jsonl")
	w.write(path, turn(0, w.now, "one", "1")+`{"type":"ai-title","aiTitle":"Machine title","sessionId":"s"}`+"\n")
	w.scan()
	title := func(want, by string) {
		t.Helper()
		if m := w.only(); m.Title != want || m.TitleBy != by {
			t.Errorf("title %q by %q, want %q by %q", m.Title, m.TitleBy, want, by)
		}
	}
	title("Machine title", "agent")
	w.append(path, `{"type":"custom-title","customTitle":"Mine","sessionId":"s"}`+"\n")
	w.scan()
	title("Mine", "user")
	x, _ := w.store.Open(w.only().ID)
	if err := x.Update(func(m *memory.Session) { m.Title, m.TitleBy = "Renamed here", "user" }); err != nil {
		t.Fatal(err)
	}
	w.append(path, `{"type":"custom-title","customTitle":"Mine","sessionId":"s"}`+"\n"+turn(1, w.now, "two", "2"))
	w.restart()
	w.scan()
	title("Renamed here", "user")
	w.append(path, `{"type":"custom-title","customTitle":"Newer","sessionId":"s"}`+"\n")
	w.scan()
	title("Newer", "user")
}

func TestTheOpenTurnIsCommittedWhenItsSessionIsIdle(t *testing.T) {
	w := newWorld(t)
	w.write(w.claude(aUUID+".jsonl"), turn(0, w.now, "one", "1")+turn(1, w.now, "two", "2"))
	w.now = w.now.Add(2 * time.Minute)
	w.scan()
	x, _ := w.store.Open(w.only().ID)
	commits := func(want int) {
		t.Helper()
		if c, err := x.Commits(); err != nil || len(c) != want {
			t.Errorf("%d commits, want %d, %v", len(c), want, err)
		}
	}
	commits(1)
	if err := w.engine.CommitOpen(context.Background(), time.Hour); err != nil {
		t.Fatal(err)
	}
	commits(1)
	if err := w.engine.CommitOpen(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
	commits(2)
}

func TestASessionThatIsOverGetsItsOpenCallsAndItsLastCommit(t *testing.T) {
	w := newWorld(t)
	path := w.claude(aUUID + ".jsonl")
	call := `{"type":"assistant","uuid":"z","parentUuid":"aaaa-2","timestamp":"` + w.now.Format(time.RFC3339) + `","message":{"id":"msg_z","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"sleep"}}]}}` + "\n"
	w.write(path, turn(0, w.now, "one", "1")+call)
	w.scan()
	if n := len(w.nodes(w.only().ID)); n != 3 {
		t.Fatalf("%d nodes while the call runs, want 3", n)
	}
	w.restart()
	w.now = w.now.Add(time.Hour)
	w.scan()
	nodes := w.nodes(w.only().ID)
	if len(nodes) != 4 || nodes[3].Metadata.Status != memory.StatusPending {
		t.Fatalf("nodes %+v", nodes)
	}
	x, _ := w.store.Open(w.only().ID)
	if c, _ := x.Commits(); len(c) != 1 {
		t.Errorf("%d commits", len(c))
	}
	w.append(path, `{"type":"user","uuid":"y","parentUuid":"z","timestamp":"`+w.now.Format(time.RFC3339)+`","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"late words"}]}}`+"\n")
	w.scan()
	w.restart()
	w.scan()
	nodes = w.nodes(w.only().ID)
	if len(nodes) != 5 || nodes[4].Output != "late words" || nodes[4].Reads[0] != "node:"+nodes[3].ID {
		t.Errorf("nodes %+v", nodes)
	}
}

func TestCancelledScanStopsAndTheNextOneGoesOn(t *testing.T) {
	w := newWorld(t)
	for i := range 30 {
		w.write(w.claude(fmt.Sprintf("%08d-2222-3333-4444-555555555555.jsonl", i)), turn(0, w.now, "hello", "hi"))
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.engine.o.Progress = func(Progress) { cancel() }
	if err := w.engine.Scan(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	w.engine.o.Progress = func(Progress) {}
	w.scan()
	if n := len(w.sessions()); n != 30 {
		t.Errorf("%d sessions", n)
	}
	w.problems(0)
}
