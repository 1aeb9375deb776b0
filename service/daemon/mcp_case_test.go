package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// TestCaseS4ABranchIsRecordedAndTold has something be learned on a branch that was not merged, and an agent ask for it from another one.
func TestCaseS4ABranchIsRecordedAndTold(t *testing.T) {
	orchard := ofRemote(t, "https://example.org/x/orchard.git")
	roots := t.TempDir()
	path := said(t, roots, "one", orchard, tabs)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, strings.ReplaceAll(string(raw), `"cwd":`, `"gitBranch":"feature/quince","cwd":`))
	said(t, roots, "two", orchard, lantern)
	s := start(t, params(t.TempDir(), roots))
	one, two := s.daemon.sessionOfAgent("claude-code", "one"), s.daemon.sessionOfAgent("claude-code", "two")
	a := clientOf(t, s, "claude-code", orchard)
	for tool, args := range map[string]map[string]any{"memory_search": {"query": "tabs in all Go files"}, "memory_query": {"question": "What is used in all Go files?"},
		"memory_remember_when": {"question": "tabs in Go files", "time": "2026"}, "memory_open_session": {"session_id": one}} {
		text, wrong := allOf(t, a, tool, args)
		if wrong || !strings.Contains(text, "branch feature/quince") {
			t.Errorf("%s does not tell the branch: %s", tool, text)
		}
	}
	if text, _ := allOf(t, a, "memory_open_session", map[string]any{"session_id": two}); strings.Contains(text, "branch") {
		t.Errorf("a session of no known branch: %s", text)
	}
	hand, err := s.Handoff(t.Context(), orchard)
	if err != nil || !strings.Contains(hand.Text, "branch `feature/quince`") {
		t.Errorf("%v: %s", err, hand.Text)
	}
}

// TestAQuestionThatOnlyNavigationAnswers seeds answers that stand where no search looks: in what a tool gave, in the diff of a commit, and two
// relations away in the graph. The search has to lead there and must not hold the answer; the other tools follow it.
func TestAQuestionThatOnlyNavigationAnswers(t *testing.T) {
	const inResult, inDiff, inGraph = "retry_budget = 7341", "quorum_of_five_barrels", "zymurgist"
	orchard := ofRemote(t, "https://example.org/x/orchard.git")
	write(t, filepath.Join(orchard, "cellar.toml"), "rule = \""+inDiff+"\"\n")
	mine(t, orchard, "add", ".")
	commit := commitAt(t, orchard, "Settle the rule of the cellar", "2026-05-01T10:00:05Z", "")
	roots := t.TempDir()
	path := said(t, roots, "one", orchard, "How large is the budget of the gateway? Look it up and settle the rule of the cellar.")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, tail, _ := strings.Cut(string(raw), "\n")
	call := `{"type":"assistant","uuid":"c1","parentUuid":"one-u0","sessionId":"one","cwd":%[1]q,"timestamp":"2026-05-01T10:00:02Z","message":{"id":"m-c1","role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_1","name":"Read","input":{"file_path":"limits.toml"}}],"stop_reason":"tool_use"}}
{"type":"user","uuid":"c2","parentUuid":"c1","sessionId":"one","cwd":%[1]q,"timestamp":"2026-05-01T10:00:03Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"burst = 3\n%[2]s"}]}}
`
	write(t, path, head+"\n"+fmt.Sprintf(call, orchard, inResult)+strings.Replace(tail, `"parentUuid":"one-u0"`, `"parentUuid":"c2"`, 1))
	s := start(t, params(t.TempDir(), roots))
	p, err := s.Locate(t.Context(), []string{orchard})
	if err != nil || len(p.Projects) != 1 {
		t.Fatalf("%+v %v", p, err)
	}
	id := p.Projects[0].ID
	var decisions []memory.Decision
	names := []string{"quincepress", "barrel", inGraph}
	for i, name := range names {
		from := memory.Provenance{ProjectID: id, SessionID: "cc_00000001", NodeIDs: []string{name}}
		recs := []memory.Record{&memory.Entity{ID: "tool." + name, Type: "tool", Name: name, Scope: memory.ProjectScope(id), Provenance: from}}
		if i > 0 {
			e := &memory.Edge{From: "tool." + names[i-1], To: "tool." + name, Relation: "uses", Confidence: 1, Scope: memory.ProjectScope(id), Provenance: from}
			e.ID = memory.EdgeID(e.Claim())
			recs = append(recs, e)
		}
		for _, rec := range recs {
			prop, err := memory.Propose(rec)
			if err != nil {
				t.Fatal(err)
			}
			decisions = append(decisions, memory.Decision{Action: memory.ActionAdd, Accepted: true, By: memory.ByRule, Reason: "stated", Proposal: prop})
		}
	}
	if err := s.daemon.ledger.Append(decisions, memory.Run{Kind: "light"}); err != nil {
		t.Fatal(err)
	}
	s.daemon.drawUpSoon(t.Context())
	settled(t, s)
	a := clientOf(t, s, "claude-code", orchard)
	search := func(words string) string {
		t.Helper()
		text, _ := allOf(t, a, "memory_search", map[string]any{"query": words, "limit": 50, "max_bytes": 65536})
		for _, answer := range []string{inResult, inDiff, inGraph} {
			if strings.Contains(text, answer) {
				t.Errorf("the search for %q holds the answer by itself: %s", words, text)
			}
		}
		return text
	}
	session := regexp.MustCompile(`"session_id":"(cc_[0-9a-f]+)"`).FindStringSubmatch(search("budget of the gateway"))
	if session == nil {
		t.Fatal("the search leads nowhere")
	}
	if text, _ := allOf(t, a, "memory_open_session", map[string]any{"session_id": session[1], "turn": 1, "detail": "full"}); !strings.Contains(text, inResult) {
		t.Errorf("the turn does not give the answer: %s", text)
	}
	search("which rule of the cellar was settled")
	log, _ := allOf(t, a, "memory_git_log", map[string]any{"since": "2026-05-01", "until": "2026-05-02"})
	if strings.Contains(log, inDiff) || !strings.Contains(log, commit) || !strings.Contains(log, session[1]) {
		t.Errorf("the log of commits: %s", log)
	}
	if text, _ := allOf(t, a, "memory_git_show", map[string]any{"commit": commit}); !strings.Contains(text, inDiff) {
		t.Errorf("the commit does not give the answer: %s", text)
	}
	search("what does the thing that the quincepress uses need itself")
	if text, _ := allOf(t, a, "memory_graph_neighbors", map[string]any{"entity": "quincepress", "hops": 1}); strings.Contains(text, inGraph) {
		t.Errorf("one relation is enough: %s", text)
	}
	if text, _ := allOf(t, a, "memory_graph_neighbors", map[string]any{"entity": "quincepress", "hops": 2}); !strings.Contains(text, inGraph) {
		t.Errorf("the graph does not give the answer: %s", text)
	}
}
