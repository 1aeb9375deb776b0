package view

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"dormouse/app/model"
	"dormouse/app/view/kit"
	"dormouse/service/api"
)

func (f *fake) Links(context.Context) ([]api.Link, error) { return f.links, f.answer("links") }
func (f *fake) LinkPlan(_ context.Context, q api.LinkQuery) (api.LinkPlan, error) {
	return f.plan, f.answer("plan %s %s", q.Action, q.Agent)
}
func (f *fake) LinkChange(_ context.Context, q api.LinkQuery) (api.LinkPlan, error) {
	return f.plan, f.answer("link %s %s %s", q.Action, q.Agent, q.Mark)
}

func TestAnAgentIsConnectedAfterItWasShownWhatIsWritten(t *testing.T) {
	f := newFake()
	f.links = []api.Link{{Agent: "codex", Installed: true, Hooks: api.LinkUntrusted, MCP: api.LinkMissing, Note: "trust it"}}
	f.plan = api.LinkPlan{Mark: "m1", Files: []api.LinkFile{{Path: "/h/hooks.json", Diff: "--- a\n+++ b\n@@ -1 +1 @@\n+  a hook of ours\n"}}}
	s := newStand(t, f)
	s.Show(PageAgents)
	s.says(t, "1 agent on this machine", "Codex", "2 sessions", "/c", "Not yet trusted", "Trust it.", "one waits", "no JSON")
	press(s, fyne.KeyF)
	if b, ok := s.win.Canvas().Focused().(*kit.Button); !ok || b.Text != model.LinkConnect.Text() {
		t.Errorf("the keyboard is with %v", s.win.Canvas().Focused())
	}
	typeKey(s, fyne.KeyReturn)
	said := ""
	for _, x := range over[*kit.Text](t, s) {
		said += x.String() + "\n"
	}
	if !strings.Contains(said, "/h/hooks.json") || !strings.Contains(said, "+  a hook of ours") || asked(s, "link connect codex m1") {
		t.Errorf("shows %q; asked %q", said, f.asked)
	}
	answer(t, s, "Connect")
	if !asked(s, "link connect codex m1") {
		t.Errorf("asked %q", f.asked)
	}
	s.says(t, "Codex is connected.")
	test.Tap(s.button(t, model.LinkDisconnect.Text()))
	answer(t, s, "Cancel")
	if asked(s, "link disconnect codex m1") {
		t.Error("disconnected though it was given up")
	}
	f.plan.Files = nil
	test.Tap(s.button(t, model.LinkDisconnect.Text()))
	s.says(t, "There is nothing to change")
}

func TestWithoutAnAgentThePageSaysWhereItLooks(t *testing.T) {
	f := newFake()
	f.status.Agents = []api.Agent{{Name: "goose"}}
	s := newStand(t, f)
	s.Show(PageAgents)
	s.says(t, "No agent was found", "Not on this machine: Goose.")
	press(s, fyne.KeyF) // nothing to go to
}
