package cline_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/cline"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

var roo = parsertest.OpenLibrary(cline.Roo.Open)

// taskFolders are the tasks of testdata and of the wide set.
func taskFolders(t *testing.T) []string {
	var out []string
	for _, f := range parsertest.Samples(t, "roo", func(p string) bool { return strings.HasSuffix(p, "api_conversation_history.json") }) {
		out = append(out, filepath.Dir(f))
	}
	return out
}

func TestCountsOfTasksEqualThoseOfTheOracle(t *testing.T) {
	for _, folder := range taskFolders(t) {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			c := roo.Read(t, filepath.Dir(folder), transcript.Over)[filepath.Base(folder)]
			if want, got := countTask(t, folder), parsertest.Counted(c.Nodes); got != want {
				t.Errorf("captured %+v, the documents hold %+v", got, want)
			}
		})
	}
}

func TestCountsOfSessionsEqualThoseOfTheOracle(t *testing.T) {
	for _, path := range parsertest.Samples(t, "cline", func(p string) bool { return strings.HasSuffix(p, ".messages.json") }) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			c := parsertest.OpenLibrary(cline.Cline.Open).One(t, path)
			if want, got := countSession(t, path), parsertest.Counted(c.Nodes); got != want {
				t.Errorf("captured %+v, the document holds %+v", got, want)
			}
		})
	}
}

func TestDAGsAreTheGoldenOnes(t *testing.T) {
	all := roo.Read(t, "testdata/roo/tasks", transcript.Over)
	parsertest.Golden(t, "task", parsertest.DAG(all["natural-mini"].Nodes))
	c := parsertest.OpenLibrary(cline.Cline.Open).One(t, "testdata/sessions/1784094124598_rruoq/1784094124598_rruoq.messages.json")
	parsertest.Golden(t, "session", parsertest.DAG(c.Nodes))
	if f := c.Facts; f.ForkOf != "1784094053271_p8pzo" || f.Cwd != "/Users/example/dev/cline" || f.TitleBy != "agent" {
		t.Errorf("facts %+v", f)
	}
}

func TestASessionThatIsRewrittenGivesTheNodesOfTheLastOne(t *testing.T) {
	path := "testdata/sessions/1784094124598_rruoq/1784094124598_rruoq.messages.json"
	all := load(t, path)
	var steps [][]byte
	for i := range len(all) + 1 {
		steps = append(steps, encode(t, raw{"sessionId": "S", "messages": all[:i]}))
	}
	parsertest.OpenLibrary(cline.Cline.Open).Grows(t, "S.messages.json", steps...)
}

func TestATaskThatIsRewrittenGivesTheNodesOfTheLastOne(t *testing.T) {
	for _, folder := range taskFolders(t) {
		all := load(t, filepath.Join(folder, "api_conversation_history.json"))
		dir := filepath.Join(t.TempDir(), "tasks")
		write(t, filepath.Join(dir, "T", "ui_messages.json"), encode(t, load(t, filepath.Join(folder, "ui_messages.json"))))
		stored := map[string]memory.Node{}
		for i := range len(all) + 1 {
			write(t, filepath.Join(dir, "T", "api_conversation_history.json"), encode(t, all[:i]))
			how := transcript.Settle(i % 2)
			if i == len(all) {
				how = transcript.Over
			}
			for _, n := range roo.Read(t, dir, how)["T"].Nodes {
				if _, again := stored[n.ID]; !again {
					stored[n.ID] = n
				}
			}
		}
		whole := roo.Read(t, dir, transcript.Over)["T"].Nodes
		for _, n := range whole {
			if s, ok := stored[n.ID]; !ok || s.Output != n.Output || s.ParentID != n.ParentID {
				t.Errorf("%s: node %s %s was stored as %q", folder, n.Role, n.Name, s.Output)
			}
		}
		if len(whole) != len(stored) {
			t.Errorf("%s: %d nodes were stored, the whole task has %d", folder, len(stored), len(whole))
		}
	}
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func user(ts int, texts ...string) raw      { return message("user", ts, texts) }
func assistant(ts int, texts ...string) raw { return message("assistant", ts, texts) }

func message(role string, ts int, texts []string) raw {
	var content []raw
	for _, s := range texts {
		content = append(content, raw{"type": "text", "text": s})
	}
	return raw{"role": role, "ts": ts, "content": content}
}

// folder writes tasks and reads the first of them.
func read(t *testing.T, id string, docs map[string]any) *parsertest.Captured {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tasks")
	for name, doc := range docs {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), encode(t, doc))
	}
	return roo.Read(t, dir, transcript.Over)[id]
}

func TestCallsByTagsAreAnsweredByTheirTools(t *testing.T) {
	env := "<environment_details>\n# Current Workspace Directory (/w) Files\n<model>m1</model>\n</environment_details>"
	c := read(t, "T", map[string]any{"T/api_conversation_history.json": []raw{
		user(1000, "<task>\nfix it\n</task>", env),
		assistant(2000, "<thinking>hm</thinking>\nlooking\n\n<execute_command>\n<command>ls [a]\npwd</command>\n</execute_command>"),
		user(3000, "[execute_command for 'ls [a]\npwd'] Result:", "Command executed. Exit code: 2\nno", env),
		assistant(4000, "<apply_diff>\n<path>a.go</path>\n<diff>\n<<<<<<< SEARCH\n:start_line:3\n-------\nold\n=======\nnew\nnewer\n>>>>>>> REPLACE\n</diff>\n</apply_diff>"),
		user(5000, "[apply_diff for 'a.go'] Result:\n\nThe user denied this operation and provided the following feedback:\n<feedback>\nnot so\n</feedback>"),
		assistant(6000, "<attempt_completion>\n<result>\nAll done.\n</result>\n</attempt_completion>"),
		user(7000, "[attempt_completion] Result:", "<feedback>\nthanks\n</feedback>"),
		user(8000, "[ERROR] You did not use a tool"), user(9000, "typed words")},
		"T/ui_messages.json": []raw{{"ts": 1500, "say": "api_req_started", "text": `{"tokensIn":10,"tokensOut":2,"cacheReads":4,"cacheWrites":1}`},
			{"ts": 3500, "say": "api_req_started", "text": `{"apiProtocol":"openai","tokensIn":10,"tokensOut":2,"cacheReads":4}`}, {"ts": 8999, "say": "user_feedback", "text": "typed words"}}})
	env = strings.TrimSpace(env)
	want := "u:" + env + "<- u:fix it<" + env + " a:looking<fix it t:Command executed. Exit code: 2\nno<looking"
	if got := parsertest.Shape(c.Nodes); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "u:thanks<All done. u:[ERROR] You did not use a tool<thanks u:typed words<[ERROR] You did not use a tool") {
		t.Errorf("got  %s", got)
	}
	m := func(i int) memory.Metadata { return c.Nodes[i].Metadata }
	if m(2).Thinking != "hm" || m(2).Model != "m1" || *m(2).Usage != (memory.Usage{Input: 10, CacheRead: 4, CacheWrite: 1, Output: 2}) || m(0).Cwd != "/w" || c.Facts.Cwd != "/w" {
		t.Errorf("message %+v, first %+v", m(2), m(0))
	}
	if *m(3).ExitCode != 2 || m(3).Status != memory.StatusError || m(3).Commands[0] != "ls [a]\npwd" {
		t.Errorf("command %+v", m(3))
	}
	edit := c.Nodes[5]
	if edit.Name != "apply_diff" || edit.Metadata.Status != memory.StatusInterrupted || len(edit.Metadata.Edits) != 0 || *edit.Metadata.Usage != (memory.Usage{Input: 6, CacheRead: 4, Output: 2}) {
		t.Errorf("edit %+v", edit)
	}
	if n := c.Nodes[6]; n.Output != "not so" || !n.StartsTurn() {
		t.Errorf("feedback %+v", n)
	}
}

func TestACondensedTaskKeepsWhatWasRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tasks")
	path := filepath.Join(dir, "T", "api_conversation_history.json")
	before := []raw{user(1, "<task>one</task>"), assistant(2, "a"), user(3, "<feedback>two</feedback>"), assistant(4, "b")}
	write(t, path, encode(t, before))
	first := roo.Read(t, dir, transcript.Over)["T"].Nodes
	summary := assistant(4, "what was")
	summary["isSummary"] = true
	write(t, path, encode(t, []raw{before[0], summary, before[3], user(5, "<feedback>three</feedback>")}))
	have := map[string]bool{}
	for _, n := range first {
		have[n.ID] = true
	}
	var fresh []memory.Node
	for _, n := range roo.Read(t, dir, transcript.Over)["T"].Nodes {
		if !have[n.ID] {
			fresh = append(fresh, n)
		}
	}
	if len(first) != 4 || len(fresh) != 2 || fresh[0].Metadata.Kind != memory.KindCompaction || fresh[1].ParentID != memory.Ref(first[3].ID) {
		t.Errorf("fresh: %s", parsertest.DAG(fresh))
	}
}

func TestATaskThatAnotherStartedHangsOnTheCall(t *testing.T) {
	c := read(t, "P", map[string]any{
		"P/api_conversation_history.json": []raw{user(1, "<task>go</task>"), assistant(2, "split\n<new_task>\n<mode>code</mode>\n<message>look there</message>\n</new_task>"),
			user(9, "[new_task in Code mode for 'look there'] Result:\nfound")},
		"C/api_conversation_history.json": []raw{user(3, "<task>look there</task>"), assistant(4, "seen")},
		"C/history_item.json":             raw{"id": "C", "parentTaskId": "P", "workspace": "/w"}})
	by := map[string]memory.Node{}
	for _, n := range c.Nodes {
		by[n.Output] = n
	}
	if n := by["look there"]; n.Metadata.Kind != memory.KindTask || n.Metadata.AgentID != "C" || n.CalledBy != memory.Ref(by["found"].ID) || n.ParentID != "" || by["seen"].ParentID != memory.Ref(n.ID) {
		t.Errorf("%s", parsertest.DAG(c.Nodes))
	}
	if c.Facts.Head != by["found"].ID {
		t.Errorf("head %s", c.Facts.Head)
	}
}

func TestDocumentsBelongToTheirLibrary(t *testing.T) {
	tasks := filepath.Join("x", "tasks")
	for path, want := range map[string]string{
		filepath.Join(tasks, "1", "api_conversation_history.json"):  tasks,
		filepath.Join(tasks, "1", "history_item.json"):              tasks,
		filepath.Join(tasks, "1", "ui_messages.json"):               "",
		filepath.Join("d", "sessions", "s", "s.messages.json"):      filepath.Join("d", "sessions", "s", "s.messages.json"),
		filepath.Join("d", "sessions", "s", "s.compaction.json"):    filepath.Join("d", "sessions", "s", "s.messages.json"),
		filepath.Join("d", "sessions", "s", "s.json"):               "",
		filepath.Join(tasks, "1", "checkpoints", "x", "state.json"): "",
	} {
		if got := cline.Match(path); got != (want != "") || got && cline.Of(path) != want {
			t.Errorf("%s: matches %v, belongs to %s", path, got, cline.Of(path))
		}
	}
	roots := cline.Roo.Roots(func(string) string { return "" }, "h")
	if len(roots) < 10 || !strings.HasSuffix(roots[0], filepath.Join("Code", "User", "globalStorage", "rooveterinaryinc.roo-cline", "tasks")) {
		t.Errorf("roots %v", roots)
	}
}

func FuzzTask(f *testing.F) {
	for _, p := range []string{"1767225700000", "natural-mini"} {
		text, err := os.ReadFile("testdata/roo/tasks/" + p + "/api_conversation_history.json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text[:min(len(text), 20000)])
	}
	f.Add([]byte(`[{"role":"user","content":"<task>a</task>"},{"role":"assistant","ts":1,"content":[{"type":"text","text":"x\n<read_file><path>a</path></read_file>"}]},{"role":"user","content":[{"type":"text","text":"[read_file for 'a'] Result:"},{"type":"text","text":"b"}]}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<16 {
			return
		}
		dir := filepath.Join(t.TempDir(), "tasks")
		write(t, filepath.Join(dir, "T", "api_conversation_history.json"), text)
		write(t, filepath.Join(dir, "T", "ui_messages.json"), text)
		lib, err := cline.Roo.Open(dir, transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var nodes []memory.Node
		_, _ = lib.Read(t.Context(), "T", transcript.Over, func(n memory.Node) error { // damaged documents are errors
			nodes = append(nodes, n)
			return nil
		})
		parsertest.Sound(t, nodes)
	})
}
