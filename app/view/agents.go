package view

import (
	"context"
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// agentsPage shows the coding agents, and connects them.
type agentsPage struct {
	w       *Window
	all     *fyne.Container
	head    fyne.CanvasObject
	summary *kit.Text
	scroll  *container.Scroll
	shown   model.AgentsPage
	first   *kit.Button // of the agents
}

func newAgentsPage(w *Window) *agentsPage {
	p := &agentsPage{w: w, all: container.NewStack(), summary: kit.NewText("").Muted()}
	p.head = kit.Column(4, kit.NewText(model.Pages()[PageAgents].Name).Title(), p.summary)
	return p
}

func (p *agentsPage) object() fyne.CanvasObject { return p.all }

func (p *agentsPage) touched(u model.Update) bool {
	return u.Topics&(model.TopicStatus|model.TopicClock) != 0
}

func (p *agentsPage) find() {
	if p.first != nil {
		p.w.p.Parent.Canvas().Focus(p.first)
	}
}

func (p *agentsPage) enterList() { p.find() }

func (p *agentsPage) escape() bool { return false }

func (p *agentsPage) load() { ask(p.w, p.w.p.Presenter.Agents, p.show) }

func (p *agentsPage) show(page model.AgentsPage) {
	if len(p.all.Objects) > 0 && reflect.DeepEqual(page, p.shown) {
		return
	}
	p.shown = page
	if p.w.inTrouble(p.all, page.Trouble) {
		return
	}
	at := fyne.Position{}
	if p.scroll != nil {
		at = p.scroll.Offset
	}
	p.summary.Set(page.Summary)
	p.scroll = scrolled(p.body(page))
	p.all.Objects = []fyne.CanvasObject{framed(p.head, p.scroll)}
	p.all.Refresh()
	spread(p.scroll)
	p.scroll.ScrollToOffset(at)
}

func (p *agentsPage) body(page model.AgentsPage) fyne.CanvasObject {
	all := kit.Column(p.w.gap())
	p.first = nil
	if page.Empty != nil {
		all.Add(kit.Titled(page.Empty.Title, kit.Prose(page.Empty.Text, theme.ColorMuted)))
	}
	for _, row := range page.Rows {
		all.Add(kit.Card(p.agent(row)))
	}
	if page.Absent != "" {
		all.Add(kit.Small(page.Absent, theme.ColorMuted))
	}
	if len(page.Problems) > 0 {
		all.Add(kit.Titled(model.CardProblems.Text(), problems(page.Problems)))
	}
	if len(page.Skipped) > 0 {
		all.Add(kit.Titled(model.CardSkipped.Text(), skipped(page.Skipped)))
	}
	return all
}

// problems are sentences, each with a sign.
func problems(list []string) fyne.CanvasObject {
	rows := kit.Column(6)
	for _, s := range list {
		rows.Add(kit.TopLine(8, 1, kit.Inset(sign(model.Warn, 12), 3, 0, 0, 0), kit.Prose(s, base.ColorNameForeground)))
	}
	return rows
}

// agent is one agent and what can be done with it.
func (p *agentsPage) agent(row model.AgentRow) fyne.CanvasObject {
	said := kit.Column(5, kit.Line(10, 1, kit.NewText(row.Name).Heading(), kit.NewText(row.Seen).Small().Muted().Cut()), kit.Small(row.Numbers, theme.ColorMuted))
	for _, folder := range row.Folders {
		said.Add(kit.NewText(folder).Small().Mono().Muted().Cut())
	}
	for _, n := range row.Notes {
		said.Add(kit.Small(n.Text, toneColor(n.Tone)))
	}
	acts := kit.Line(8, kit.NoGrow, kit.Line(6, kit.NoGrow, sign(row.Tone, 12), kit.NewText(row.State).In(toneColor(row.Tone))))
	act := func(on bool, word string, connect bool) {
		if !on {
			return
		}
		b := p.w.kit.Button(word, nil, func() { p.preview(row, connect) })
		if p.first == nil {
			p.first = b
		}
		if !connect {
			b.Importance = widget.LowImportance
		}
		acts.Add(b)
	}
	act(row.CanConnect, model.LinkConnect.Text(), true)
	act(row.CanDisconnect, model.LinkDisconnect.Text(), false)
	return kit.TopLine(12, 1, kit.Inset(kit.NewSign("agents", theme.ColorMuted, 20), 1, 0, 0, 0), said, acts)
}

// preview shows what would be written, and has it written when the person agrees.
func (p *agentsPage) preview(row model.AgentRow, connect bool) {
	ask(p.w, func(ctx context.Context) model.LinkPreview { return p.w.p.Presenter.PreviewLink(ctx, row, connect) }, func(shown model.LinkPreview) {
		if len(shown.Files) == 0 {
			p.w.toast.show(shown.Told)
			return
		}
		scroll := container.NewVScroll(diffs(shown.Files))
		scroll.SetMinSize(fyne.NewSize(0, min(360, p.w.all.Size().Height*0.5)))
		d := p.w.question(shown.Question, scroll, func() {
			p.w.act(func(ctx context.Context) model.Notice { return p.w.p.Presenter.Link(ctx, shown) }, nil)
		})
		d.Resize(fyne.NewSize(min(820, p.w.all.Size().Width-80), 10))
		d.Show()
		spread(scroll)
	})
}

// diffs are changes of files, line by line.
func diffs(files []model.LinkFile) fyne.CanvasObject {
	all := kit.Column(14)
	for _, f := range files {
		lines := kit.Column(1)
		for _, l := range f.Lines {
			ink := toneColor(l.Tone)
			lines.Add(kit.NewText(l.Text).Mono().In(ink).Cut())
		}
		all.Add(kit.Column(6, kit.NewText(f.Path).Bold().Cut(), kit.Box(theme.ColorCode, lines)))
	}
	return all
}
