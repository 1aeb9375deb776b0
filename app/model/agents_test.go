package model

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/service/client"
)

func (f *fake) Links(context.Context) ([]api.Link, error) { return f.links, f.note("links", "") }
func (f *fake) LinkPlan(_ context.Context, q api.LinkQuery) (api.LinkPlan, error) {
	return f.plan, f.note("plan", "%s", q.Values().Encode())
}
func (f *fake) LinkChange(_ context.Context, q api.LinkQuery) (api.LinkPlan, error) {
	return f.plan, f.note("link", "%s", q.Values().Encode())
}

func agentsFake() *fake {
	on, off := api.LinkConnected, api.LinkMissing
	return &fake{status: api.Status{Agents: []api.Agent{
		{Name: "claude-code", Found: true, Roots: []string{"/home/robin/.claude/projects"}, Sessions: 8, Nodes: 801, Bytes: 4_123_456, LastSeen: at("2026-05-04 18:27"),
			AtRisk: api.AtRisk{KeptDays: 30, Files: 2, Bytes: 7000, Next: at("2026-05-07 03:00")}},
		{Name: "codex", Found: true}, {Name: "aider", Found: true}, {Name: "goose"}}, Problems: []string{"cc_1 waits"}, Skipped: []api.SkipReason{{Agent: "codex", Reason: "no JSON", Count: 1}}},
		links: []api.Link{{Agent: "claude-code", Installed: true, Hooks: on, MCP: on, Injects: true}, {Agent: "codex", Installed: true, Hooks: off, MCP: off},
			{Agent: "cursor", Installed: true, Hooks: off, MCP: off, Trouble: "the file is broken"}, {Agent: "gemini-cli"}}}
}

func TestAgentsShowWhatIsCapturedAndHowTheyAreConnected(t *testing.T) {
	page := presenter(agentsFake()).Agents(t.Context())
	want := AgentsPage{Summary: "4 agents on this machine · 1 connected", Absent: "Not on this machine: Goose, Gemini CLI.", Problems: []string{"cc_1 waits"}, Skipped: []Skip{{Text: "Codex: no JSON, 1 time"}},
		Rows: []AgentRow{
			{ID: "claude-code", Name: "Claude Code", Numbers: "8 sessions · 801 messages and calls · 4.1 MB read", Seen: "last seen 3 minutes ago", Folders: []string{"~/.claude/projects"}, State: "Connected", Tone: Good, CanDisconnect: true,
				Notes: []Fact{{Tone: Bad, Text: "At risk: 2 transcripts, 7.0 kB, not captured yet and gone within 7 days; the first goes Thursday 03:00. It deletes by itself what was not changed for 30 days."}}},
			{ID: "codex", Name: "Codex", Numbers: "No session yet", State: "Not connected", Tone: Off, CanConnect: true},
			{ID: "aider", Name: "Aider", Numbers: "No session yet", State: "Captured", Tone: Good},
			{ID: "cursor", Name: "Cursor", Numbers: "No session yet", State: "Unreadable", Tone: Bad, Notes: []Fact{{Tone: Bad, Text: "The file is broken."}}}}}
	if !reflect.DeepEqual(page, want) {
		t.Errorf("got\n%+v\nwant\n%+v", page, want)
	}
}

func TestEachWayOfBeingConnectedIsSaid(t *testing.T) {
	on, off := api.LinkConnected, api.LinkMissing
	for state, tt := range map[string]struct {
		l        api.Link
		can, off bool
		note     string
	}{
		"Connected":            {api.Link{Hooks: on, MCP: "", Injects: false}, false, true, "told nothing"},
		"Not yet trusted":      {api.Link{Hooks: api.LinkUntrusted, MCP: on, Note: "trust it"}, true, true, "Trust it."},
		"Half connected":       {api.Link{Hooks: off, MCP: on}, true, true, ""},
		"To be connected anew": {api.Link{Hooks: on, MCP: on, Note: "older"}, true, true, "Older."},
		"Not connected":        {api.Link{Hooks: off, MCP: off}, true, false, ""},
	} {
		tt.l.Agent, tt.l.Installed = "codex", true
		row := presenter(&fake{links: []api.Link{tt.l}}).Agents(t.Context()).Rows[0]
		note := ""
		for _, n := range row.Notes {
			note += n.Text
		}
		if row.State != state || row.CanConnect != tt.can || row.CanDisconnect != tt.off || !strings.Contains(note, tt.note) || tt.note == "" && note != "" {
			t.Errorf("%s: %+v", state, row)
		}
	}
}

func TestWhatAnAgentDeletesIsSaid(t *testing.T) {
	for want, r := range map[string]api.AtRisk{
		"":                               {},
		"All that it wrote is captured.": {KeptDays: 1},
		"Not all that it wrote is captured yet; the first goes": {KeptDays: 30, Next: at("2026-05-30 03:00")},
		"the first may go any time":                             {KeptDays: 30, Files: 1, Next: at("2026-05-01 03:00")},
	} {
		row := presenter(&fake{status: api.Status{Agents: []api.Agent{{Name: "x", Found: true, AtRisk: r}}}}).Agents(t.Context()).Rows[0]
		if want == "" && len(row.Notes) != 0 || want != "" && !strings.Contains(row.Notes[0].Text, want) {
			t.Errorf("%q: %+v", want, row.Notes)
		}
	}
}

func TestAgentsAreShownWithoutTheirSettingsAndTroubleIsSaid(t *testing.T) {
	f := agentsFake()
	f.links, f.err = nil, map[string]error{"links": &api.Error{Code: api.CodeNotFound}}
	if page := presenter(f).Agents(t.Context()); page.Trouble != nil || len(page.Rows) != 3 || page.Rows[1].State != "Captured" {
		t.Errorf("%+v", page)
	}
	for _, err := range []map[string]error{{"": client.ErrNotRunning}, {"links": errors.New("no")}} {
		if page := presenter(&fake{err: err}).Agents(t.Context()); page.Trouble == nil {
			t.Errorf("%v: %+v", err, page)
		}
	}
	if page := presenter(&fake{}).Agents(t.Context()); page.Empty == nil {
		t.Errorf("%+v", page)
	}
}

func TestWhatIsAgreedToIsWhatWasShown(t *testing.T) {
	f := agentsFake()
	f.plan = api.LinkPlan{Mark: "m1", Note: "Start it anew.", Files: []api.LinkFile{{Path: "/home/robin/.codex/hooks.json", Diff: "--- a\n+++ b\n@@ -1 +1,2 @@\n {\n-\tx\n+  y\n"}}}
	p := presenter(f)
	row := AgentRow{ID: "codex", Name: "Codex"}
	shown := p.PreviewLink(t.Context(), row, true)
	lines := []DiffLine{{"@@ -1 +1,2 @@", Off}, {" {", Plain}, {"-    x", Bad}, {"+  y", Good}}
	if shown.Title != "Connect Codex?" || len(shown.Files) != 1 || shown.Files[0].Path != "~/.codex/hooks.json" || !reflect.DeepEqual(shown.Files[0].Lines, lines) {
		t.Fatalf("%+v", shown)
	}
	if n := p.Link(t.Context(), shown); n.Text != "Codex is connected. Start it anew." || n.Tone != Good {
		t.Errorf("%+v", n)
	}
	if shown = p.PreviewLink(t.Context(), row, false); shown.Yes != "Disconnect" {
		t.Errorf("%+v", shown)
	}
	want := []string{"plan action=connect&agent=codex", "link action=connect&agent=codex&mark=m1", "plan action=disconnect&agent=codex"}
	if !reflect.DeepEqual(f.asked, want) {
		t.Errorf("asked %q", f.asked)
	}
	f.plan.Files = nil
	if shown = p.PreviewLink(t.Context(), row, true); shown.Title != "" || !strings.Contains(shown.Told.Text, "nothing to change") {
		t.Errorf("%+v", shown)
	}
	f.err = map[string]error{"": errors.New("no")}
	if shown = p.PreviewLink(t.Context(), row, true); shown.Told.Tone != Bad {
		t.Errorf("%+v", shown)
	}
	if n := p.Link(t.Context(), shown); n.Tone != Bad {
		t.Errorf("%+v", n)
	}
}
