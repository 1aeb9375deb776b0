package view

import (
	"context"
	"reflect"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// contextPage shows what agents are told, and the proxy between them and their providers.
type contextPage struct {
	w              *Window
	all            *fyne.Container
	head           fyne.CanvasObject
	proxy, sent    *fyne.Container
	talks          *fyne.Container // conversations that go through the proxy
	scroll         *container.Scroll
	projects       *kit.Select
	agents         *kit.Select
	prompt         *kit.Entry
	shown          model.ContextPage
	told           model.Sent
	project, agent string // ids of those that are asked about
	asked          int    // counts questions, so that an old answer does not replace a new one
}

func newContextPage(w *Window) *contextPage {
	p := &contextPage{w: w, all: container.NewStack(), proxy: container.NewStack(), talks: container.NewStack(), sent: container.NewStack()}
	p.projects = w.kit.Select(func(label string) { p.project = idOf(p.shown.Projects, label); p.preview() })
	p.agents = w.kit.Select(func(label string) { p.agent = idOf(p.shown.Agents, label); p.preview() })
	p.prompt = w.kit.Entry(model.SentPrompt.Text(), func(string) { p.soon() })
	p.head = kit.Column(4, kit.NewText(model.Pages()[PageContext].Name).Title(), kit.Prose(model.Pages()[PageContext].About, theme.ColorMuted))
	choose := kit.Column(10, kit.NewText(model.CardSent.Text()).Heading(), kit.Columns(8, kit.Outlined(p.agents), kit.Outlined(p.projects)), kit.Outlined(p.prompt), p.sent)
	p.scroll = scrolled(kit.Column(w.gap(), kit.Card(p.proxy), kit.Card(p.talks), kit.Card(choose)))
	return p
}

func (p *contextPage) object() fyne.CanvasObject { return p.all }

func (p *contextPage) touched(u model.Update) bool {
	return u.Topics&(model.TopicCore|model.TopicProjects|model.TopicStatus) != 0
}

func (p *contextPage) find() { p.w.p.Parent.Canvas().Focus(p.agents) }

// escape empties the prompt.
func (p *contextPage) escape() bool {
	if p.prompt.Text == "" {
		return false
	}
	p.prompt.SetText("")
	return true
}

// ShowSent turns to what agents are told in a project.
func (w *Window) ShowSent(project string) {
	if project != "" {
		w.context.project = project
		w.stale[PageContext] = true
	}
	w.Show(PageContext)
}

func (p *contextPage) load() { ask(p.w, p.w.p.Presenter.Context, p.show) }

func (p *contextPage) show(page model.ContextPage) {
	if len(p.all.Objects) == 0 || !reflect.DeepEqual(page, p.shown) {
		p.shown = page
		if p.w.inTrouble(p.all, page.Trouble) {
			return
		}
		p.drawProxy(page.Proxy)
		p.drawTalks(page)
		p.all.Objects = []fyne.CanvasObject{framed(p.head, p.scroll)}
		p.all.Refresh()
	}
	if page.Trouble != nil {
		return
	}
	p.project, p.agent = oneOf(page.Projects, p.project), oneOf(page.Agents, p.agent)
	labels, chosen := labelsOf(page.Projects, p.project)
	p.projects.Offer(labels, chosen)
	labels, chosen = labelsOf(page.Agents, p.agent)
	p.agents.Offer(labels, chosen)
	p.preview()
}

// oneOf is the id if it is among choices, else that of the first one.
func oneOf(choices []model.Choice, id string) string {
	if len(choices) == 0 || slices.ContainsFunc(choices, func(c model.Choice) bool { return c.ID == id }) {
		return id
	}
	return choices[0].ID
}

func (p *contextPage) drawProxy(x model.ProxyState) {
	acts := kit.Line(6, kit.NoGrow)
	for _, c := range model.ProxyStates() {
		b := p.w.kit.Button(c.Label, nil, func() {
			p.w.act(func(ctx context.Context) model.Notice { return p.w.p.Presenter.SwitchProxy(ctx, c.ID) }, nil)
		})
		if c.ID == x.State {
			b.Importance = widget.HighImportance
			b.Disable()
		}
		acts.Add(b)
	}
	title := kit.Line(8, kit.NoGrow, kit.NewText(model.CardProxy.Text()).Heading(), sign(x.Tone, 12), kit.NewText(x.Title).In(toneColor(x.Tone)))
	said := kit.Column(10, kit.TopLine(12, 0, title, acts), kit.Prose(x.Detail, theme.ColorMuted))
	if len(x.Facts) > 0 {
		said.Add(facts(x.Facts, 84))
	}
	p.proxy.Objects = []fyne.CanvasObject{said}
	p.proxy.Refresh()
}

// drawTalks draws the conversations that go through the proxy.
func (p *contextPage) drawTalks(page model.ContextPage) {
	said := kit.Column(16, kit.NewText(model.CardTalks.Text()).Heading())
	if page.NoTalks != "" {
		said.Add(kit.Prose(page.NoTalks, theme.ColorMuted))
	}
	for i, t := range page.Talks {
		if i > 0 {
			said.Add(kit.Rule())
		}
		g := kit.NewGauge()
		g.Set(t.Gauge.Share, toneColor(t.Gauge.Tone))
		head := kit.Line(10, 0, kit.NewText(t.Title).Bold().Cut(), kit.NewText(t.When).Small().Muted())
		said.Add(kit.Column(8, head, kit.Line(10, 0, g, kit.NewText(t.Gauge.Text).Small().Muted()), facts(t.Facts, 84)))
	}
	p.talks.Objects = []fyne.CanvasObject{said}
	p.talks.Refresh()
}

// previewAfter is how long the person has not typed until it is asked what an agent is told at the prompt.
const previewAfter = 300 * time.Millisecond

func (p *contextPage) soon() {
	p.asked++
	id := p.asked
	p.w.p.Later(previewAfter, func() {
		if id == p.asked {
			p.preview()
		}
	})
}

// preview asks what the agent is told.
func (p *contextPage) preview() {
	p.asked++
	id, agent, project, prompt := p.asked, p.agent, p.project, p.prompt.Text
	if len(p.shown.Projects) == 0 || len(p.shown.Agents) == 0 {
		p.tell(model.Sent{Why: model.SentNoProject.Text()})
		return
	}
	ask(p.w, func(ctx context.Context) model.Sent { return p.w.p.Presenter.Sent(ctx, agent, project, prompt) }, func(s model.Sent) {
		if id == p.asked {
			p.tell(s)
		}
	})
}

func (p *contextPage) tell(s model.Sent) {
	if len(p.sent.Objects) > 0 && reflect.DeepEqual(s, p.told) {
		return
	}
	p.told = s
	said := kit.Column(10)
	switch {
	case s.Trouble != nil:
		said.Add(kit.Prose(s.Trouble.Title+". "+s.Trouble.Text, base.ColorNameError))
	case s.Text == "":
		said.Add(kit.Prose(s.Why, theme.ColorMuted))
	default:
		g := kit.NewGauge()
		g.Set(s.Gauge.Share, toneColor(s.Gauge.Tone))
		copyText := p.w.kit.Button(model.CopyText.Text(), base.ContentCopyIcon(), func() { p.w.copy(s.Text) })
		said.Add(kit.Line(10, 0, g, kit.NewText(s.Gauge.Text).Small().Muted(), copyText))
		said.Add(facts(s.Facts, 84))
		said.Add(kit.Box(theme.ColorCode, kit.Code(s.Text)))
	}
	p.sent.Objects = []fyne.CanvasObject{said}
	p.sent.Refresh()
	spread(p.scroll)
}
