package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/service/api"
	"dormouse/service/mcptools"
	"dormouse/store/memory"
	"dormouse/store/project"
)

// clientOf is the official client of an agent that works in a folder, connected to the tools of a service.
func clientOf(t *testing.T, s *service, agent, dir string) *mcp.ClientSession {
	t.Helper()
	tools := mcptools.New(mcptools.Options{Home: s.daemon.p.Home.Dir(), Version: "test", Dir: dir, Agent: agent, Now: clock})
	there, here := mcp.NewInMemoryTransports()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = tools.Server("").Run(ctx, there)
	}()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: agent, Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}).Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cs.Close(); stop(); <-done; tools.Close() })
	return cs
}

// allOf is everything that a tool answers, as it goes over the line; wrong says that the call could not be answered.
func allOf(t *testing.T, cs *mcp.ClientSession, tool string, args map[string]any) (text string, wrong bool) {
	t.Helper()
	r, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw), r.IsError
}

// seed are records of one scope. All hold the words that are searched for, and a sign by which they are known.
func seed(t *testing.T, sign string, scope memory.Scope, in string) (out []memory.Decision) {
	t.Helper()
	at := clock().AddDate(0, 0, -1).Unix()
	from := func(what string) memory.Provenance {
		return memory.Provenance{ProjectID: in, SessionID: "cc_0000" + fmt.Sprintf("%x", sign)[:8], NodeIDs: []string{sign + what}, EventTime: &at, IngestionTime: at}
	}
	event := &memory.Event{Summary: "The quincepress was chosen for the quincewine " + sign, Kind: memory.KindDecision, Scope: scope, Trust: memory.TrustPerson,
		Entities: []string{"tool.quincepress"}, Provenance: from("e")}
	event.ID = memory.EventID(memory.EventClaim(event))
	fact := &memory.Fact{Subject: "tool.quincepress", Verb: "presses " + sign, Object: "quincewine " + sign, Status: memory.StatusActive, Author: "person", Scope: scope, Trust: memory.TrustPerson,
		Provenance: from("f")}
	fact.ID = memory.FactID(fact.Claim(), fact.ValidFrom)
	entity := &memory.Entity{ID: "tool.quincepress", Type: "tool", Name: "quincepress", Aliases: []string{"quincewine " + sign}, Attrs: map[string]string{"of": sign}, Scope: scope, Provenance: from("n")}
	other := &memory.Entity{ID: "tool.quince" + sign, Type: "tool", Name: "quince" + sign, Scope: scope, Provenance: from("o")}
	edge := &memory.Edge{From: entity.ID, To: other.ID, Relation: "uses", EventTime: &at, IngestionTime: at, Provenance: from("d"), Confidence: 1, Scope: scope}
	edge.ID = memory.EdgeID(edge.Claim())
	for _, rec := range []memory.Record{event, fact, entity, other, edge} {
		p, err := memory.Propose(rec)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, memory.Decision{Action: memory.ActionAdd, Accepted: true, By: memory.ByRule, Reason: "stated", Proposal: p})
	}
	return out
}

// commitAt commits everything in a repository at a time, as the person or as an agent.
func commitAt(t *testing.T, dir, subject, at, author string) string {
	t.Helper()
	c := exec.Command("git", "commit", "-q", "--allow-empty", "-m", subject)
	c.Dir, c.Env = dir, append(c.Environ(), "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	if author != "" {
		c.Env = append(c.Env, "GIT_AUTHOR_EMAIL="+author, "GIT_AUTHOR_NAME=agent")
	}
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return mine(t, dir, "rev-parse", "HEAD")
}

// secretSigns are what no answer to the agent may hold.
var secretSigns = []string{"otherproj", "otheragent", "privscope", "noscope", "privturn", "saidno", "letgo"}

// replacedSign is what only answers that tell of the past may hold.
const replacedSign = "oldstate"

// replaced are an event and a fact that those of others have taken the place of.
func replaced(t *testing.T, in string, by []memory.Decision) []memory.Decision {
	t.Helper()
	out := seed(t, replacedSign, memory.ProjectScope(in), in)[:2]
	for i, d := range out {
		old := d.Proposal
		out = append(out, memory.Decision{Action: memory.ActionSupersede, Accepted: true, By: memory.ByPerson, Reason: "later", Proposal: memory.Proposal{
			Kind: old.Kind, ClaimKey: old.ClaimKey, RecordID: old.RecordID, Scope: old.Scope, By: by[i].Proposal.RecordID}})
	}
	return out
}

// TestCaseS3NoToolAndNoResourceShowsWhatIsNotForTheAgent (S3: a record without scope is never shown in another project; private scope; the
// commits of private turns) seeds records of another project, another agent, the private scope and no scope that match every question and lie in
// every window, and asks with every tool and resource.
func TestCaseS3NoToolAndNoResourceShowsWhatIsNotForTheAgent(t *testing.T) {
	orchard, vineyard := ofRemote(t, "https://example.org/x/orchard.git"), ofRemote(t, "https://example.org/x/vineyard.git")
	roots := t.TempDir()
	said(t, roots, "one", orchard, "From now on keep the quincewine privturn recipe below ten degrees.", "From now on label the quincewine openturn barrels by hand.")
	said(t, roots, "two", vineyard, "From now on keep the quincewine otherproj recipe below twenty degrees.")
	s := start(t, params(t.TempDir(), roots))
	mine1, other := s.daemon.sessionOfAgent("claude-code", "one"), s.daemon.sessionOfAgent("claude-code", "two")
	secret := []string{commitAt(t, orchard, "Change privturn by hand", "2026-05-01T10:00:05Z", ""),
		commitAt(t, orchard, "[agent "+mine1+"] turn 1: privturn", "2026-05-01T10:00:08Z", project.AgentMail)}
	shown := commitAt(t, orchard, "Change openturn", "2026-05-01T10:01:05Z", "")
	p, err := s.Locate(t.Context(), []string{orchard, vineyard})
	if err != nil || len(p.Projects) != 2 {
		t.Fatalf("%+v %v", p, err)
	}
	here, there := p.Projects[0].ID, p.Projects[1].ID
	write := func(decisions ...[]memory.Decision) {
		t.Helper()
		if err := s.daemon.ledger.Append(slices.Concat(decisions...), memory.Run{Kind: "light"}); err != nil {
			t.Fatal(err)
		}
		s.daemon.drawUpSoon(t.Context())
		settled(t, s)
	}
	ours := seed(t, "ofproject", memory.ProjectScope(here), here)
	write(seed(t, "ofglobal", memory.Global, ""), ours, seed(t, "ofagent", memory.AgentScope("claude-code"), here))
	line, err := s.Timeline(t.Context(), api.TimelineQuery{Project: here, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	facts, err := s.Facts(t.Context(), api.FactQuery{Project: here, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	private := 0
	hide := func(id string) {
		private++
		decided(t, s, api.Decide{Action: api.DoScope, ID: id, To: "private", Project: here})
	}
	for _, e := range line.Events {
		if strings.Contains(e.Summary, "privturn") {
			hide(e.ID)
		}
	}
	for _, f := range facts.Facts {
		if strings.Contains(f.Fact.Text(), "privturn") {
			hide(f.Fact.ID)
		}
	}
	if private == 0 {
		t.Fatal("nothing was learned from the turn that is to be private")
	}
	settled(t, s)
	for sign, action := range map[string]string{"saidno": api.DoRefuse, "letgo": api.DoForget} {
		records := seed(t, sign, memory.ProjectScope(here), here)[:2]
		write(records)
		for _, d := range records {
			decided(t, s, api.Decide{Action: action, ID: d.Proposal.RecordID, Project: here})
		}
	}
	write(replaced(t, here, ours))
	a := clientOf(t, s, "claude-code", orchard)
	stats := func() string {
		text, _ := allOf(t, a, "memory_stats", nil)
		return strings.Join(regexp.MustCompile(`you may see: \d+`).FindAllString(text, -1), " ")
	}
	before := stats()
	write(seed(t, "otherproj", memory.ProjectScope(there), there), seed(t, "otheragent", memory.AgentScope("codex"), here), seed(t, "privscope", memory.PrivateScope(here), here), seed(t, "noscope", "", there))
	if after := stats(); after != before || !strings.Contains(after, "see: 3") {
		t.Errorf("the counts tell of what may not be seen: %q became %q", before, after)
	}

	open := 0
	check := func(what, text string) {
		t.Helper()
		for _, sign := range secretSigns {
			if i := strings.Index(text, sign); i >= 0 {
				t.Errorf("%s shows %s: … %s …", what, sign, text[max(0, i-200):min(len(text), i+100)])
			}
		}
		for _, sign := range []string{"ofglobal", "ofproject", "ofagent"} {
			if strings.Contains(text, sign) {
				open++
			}
		}
	}
	past := map[string]bool{"memory_timeline": true, "memory_remember_when": true}
	told := 0
	wide := map[string]any{"limit": 50, "max_bytes": 65536}
	with := func(more map[string]any) map[string]any {
		out := map[string]any{}
		for k, v := range wide {
			out[k] = v
		}
		for k, v := range more {
			if out[k] = v; v == nil {
				delete(out, k)
			}
		}
		return out
	}
	calls := []struct {
		tool string
		args map[string]any
		none bool // it is to have nothing to show
	}{
		{"memory_search", with(map[string]any{"query": "quincewine quincepress recipe"}), false},
		{"memory_query", with(map[string]any{"question": "What was the quincepress chosen for?", "limit": 20}), false},
		{"memory_query", with(map[string]any{"question": "Below how many degrees is the quincewine recipe kept?", "limit": 20}), true},
		{"memory_timeline", wide, false}, {"memory_timeline", with(map[string]any{"entity": "tool.quincepress"}), false},
		{"memory_timeline", with(map[string]any{"since": "2026-10-01", "until": "2026-12-01"}), false},
		{"memory_graph_neighbors", with(map[string]any{"entity": "tool.quincepress", "hops": 3}), false},
		{"memory_graph_neighbors", with(map[string]any{"entity": "quincepress"}), false},
		{"memory_open_session", with(map[string]any{"session_id": mine1}), false},
		{"memory_open_session", with(map[string]any{"session_id": mine1, "turn": 1, "detail": "full"}), true},
		{"memory_open_session", with(map[string]any{"session_id": mine1, "turn": 2, "detail": "full"}), false},
		{"memory_open_session", with(map[string]any{"session_id": other}), true},
		{"memory_open_session", with(map[string]any{"session_id": other, "turn": 1}), true},
		{"memory_git_log", wide, false}, {"memory_git_show", map[string]any{"commit": shown}, false},
		{"memory_git_show", map[string]any{"commit": secret[0]}, true}, {"memory_git_show", map[string]any{"commit": secret[1][:9]}, true},
		{"memory_core", map[string]any{"max_bytes": 65536}, false}, {"memory_core", map[string]any{"project": there}, true},
		{"memory_search", with(map[string]any{"query": "quincewine", "project": there}), true},
		{"memory_git_log", with(map[string]any{"project_id": there}), true},
		{"memory_stats", nil, false}, {"memory_config", nil, false},
		{"memory_objects", with(map[string]any{"session_id": mine1}), false}, {"memory_objects", wide, false}, {"memory_objects", with(map[string]any{"session_id": other}), true},
		{"memory_graph", with(map[string]any{"session_id": other}), true}, {"memory_graph", with(map[string]any{"session_id": mine1}), true}, // one part of the talk
		{"memory_inspect", with(map[string]any{"object_id": objectWith(t, s, mine1, "openturn", "claude-code"), "limit": nil}), false},
		{"memory_inspect", with(map[string]any{"object_id": objectWith(t, s, mine1, "privturn", ""), "limit": nil}), true},
		{"memory_inspect", with(map[string]any{"object_id": objectWith(t, s, other, "otherproj", ""), "session_id": other, "limit": nil}), true},
		{"memory_inspect", with(map[string]any{"object_id": objectWith(t, s, other, "otherproj", ""), "limit": nil}), true},
		{"memory_propose", map[string]any{"text": "Visitors taste the cider before they see the cellar of the house."}, false},
	}
	for _, kind := range []string{"event", "fact", "entity", "turn"} {
		calls = append(calls, struct {
			tool string
			args map[string]any
			none bool
		}{"memory_search", with(map[string]any{"query": "quincewine", "kind": kind}), false})
	}
	for _, mode := range api.WhenModes {
		for _, when := range []string{"yesterday", "since 2026-05"} {
			calls = append(calls, struct {
				tool string
				args map[string]any
				none bool
			}{"memory_remember_when", with(map[string]any{"question": "what about the quincewine", "time": when, "mode": mode}), false})
		}
	}
	asked := map[string]bool{}
	for _, c := range calls {
		asked[c.tool] = true
		text, wrong := allOf(t, a, c.tool, c.args)
		check(fmt.Sprint(c.tool, c.args), text)
		switch {
		case !strings.Contains(text, replacedSign):
		case past[c.tool]:
			told++
		default:
			t.Errorf("%s %v shows what was replaced: %s", c.tool, c.args, text)
		}
		if nothing := wrong || strings.Contains(text, `"items":[]`); nothing != c.none {
			t.Errorf("%s %v: has nothing to show: %v: %s", c.tool, c.args, nothing, text)
		}
	}
	list, err := a.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if !asked[tool.Name] {
			t.Errorf("%s was not asked", tool.Name)
		}
	}
	for uri, gives := range map[string]bool{"dormouse://core": true, "dormouse://core/" + here: true, "dormouse://core/" + there: false, "dormouse://entity/tool.quincepress": true,
		"dormouse://entity/tool.quinceofproject": true, "dormouse://entity/tool.quinceotherproj": false, "dormouse://entity/tool.quinceotheragent": false,
		"dormouse://entity/tool.quinceprivscope": false, "dormouse://entity/tool.quincenoscope": false} {
		r, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if (err == nil) != gives {
			t.Errorf("%s: %v", uri, err)
		}
		if err == nil {
			check(uri, r.Contents[0].Text)
			for line := range strings.Lines(r.Contents[0].Text) { // a page tells of an entity's past as well
				if strings.Contains(line, replacedSign) && !strings.Contains(line, "[superseded;") {
					t.Errorf("%s shows what was replaced as if it held: %s", uri, line)
				}
			}
		}
	}
	if told == 0 {
		t.Error("what was replaced is told nowhere, not even where the past is asked for")
	}
	if open < 10 {
		t.Errorf("what the agent may see came %d times: the test shows nothing", open)
	}
	hand, err := s.Handoff(t.Context(), here)
	if err != nil || !strings.Contains(hand.Text, "openturn") {
		t.Errorf("%v: %s", err, hand.Text)
	}
	check("the handoff", strings.ReplaceAll(hand.Text, "Newest commit", ""))
}
