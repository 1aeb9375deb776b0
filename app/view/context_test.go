package view

import (
	"context"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"dormouse/app/model"
	"dormouse/service/api"
)

func (f *fake) CoreBefore(ctx context.Context, project string, at int64) (api.Core, error) {
	all := f.asked
	c, _ := f.Core(ctx, project)
	f.asked = all
	if f.before.Text != "" {
		c = f.before
	}
	if f.down {
		return c, f.answer("before %s", project)
	}
	return c, nil
}
func (f *fake) Inject(_ context.Context, q api.InjectQuery) (api.Injection, error) {
	return f.told, f.answer("inject %s %s %s", q.Agent, q.Cwd, q.Prompt)
}
func (f *fake) Proxy(context.Context, string) (api.Proxy, error) { return f.proxy, f.answer("proxy") }
func (f *fake) SwitchProxy(_ context.Context, to string) (api.Proxy, error) {
	f.proxy.State = to
	return f.proxy, f.answer("switch proxy %s", to)
}

func contextFake() *fake {
	f := newFake()
	f.links = []api.Link{{Agent: "codex", Hooks: api.LinkConnected}, {Agent: "cursor"}}
	f.proxy = api.Proxy{State: api.ProxyShut}
	f.told = api.Injection{Event: "SessionStart", Text: "the notes themselves", Bytes: 20, Limit: 2048}
	return f
}

func TestWhatAnAgentIsToldIsShownForTheAgentProjectAndPrompt(t *testing.T) {
	f := contextFake()
	s := newStand(t, f)
	s.Show(PageContext)
	s.says(t, "20 of 2,048 bytes", "SessionStart", "Your agents ask their providers directly.")
	if !asked(s, "inject codex /src/blog ") {
		t.Errorf("asked %q", f.asked)
	}
	s.context.agents.SetSelected("Cursor")
	s.context.projects.SetSelected("shop")
	s.context.prompt.SetText("why")
	before := len(f.asked)
	s.soon()
	if !asked(s, "inject cursor /src/shop ") || !asked(s, "inject cursor /src/shop why") || len(f.asked) != before+2 {
		t.Errorf("asked %q", f.asked)
	}
	f.told = api.Injection{Why: "it is excepted"}
	s.win.Canvas().Unfocus()
	typeKey(s, fyne.KeyEscape)
	s.soon()
	s.says(t, "It is excepted.")
	s.saysNot(t, "20 of 2,048 bytes")
}

func TestTheProxyIsSwitchedFromThePageOfTheContext(t *testing.T) {
	f := contextFake()
	s := newStand(t, f)
	s.Show(PageContext)
	test.Tap(s.button(t, "Shut")) // it is
	test.Tap(s.button(t, "On"))
	if asked(s, "switch proxy shut") || !asked(s, "switch proxy on") {
		t.Errorf("asked %q", f.asked)
	}
	s.says(t, "passes through byte for byte")
}

func TestTheCoreShowsWhatIsNewAndLeadsToWhatIsSent(t *testing.T) {
	f := contextFake()
	f.before = api.Core{Text: "═══ p1 ═══\n· Went away  ↪ session:cx_1\nFor details: x\n", Limit: 2048}
	s := newStand(t, f)
	s.ShowCoreOf("p1")
	s.says(t, "1 line new, 1 line gone since yesterday", model.CoreGone.Text(), "Went away", "+ "+model.CoreNew.Text())
	test.Tap(s.button(t, model.CoreSent.Text()))
	if s.at != PageContext || !asked(s, "inject codex /src/shop ") {
		t.Errorf("page %d, asked %q", s.at, f.asked)
	}
}

func TestWithoutAProjectNothingIsAskedThatAnAgentCouldBeTold(t *testing.T) {
	f := contextFake()
	f.empty = true
	s := newStand(t, f)
	s.Show(PageContext)
	s.says(t, model.SentNoProject.Text())
	if asked(s, "inject codex  ") {
		t.Errorf("asked %q", f.asked)
	}
}
