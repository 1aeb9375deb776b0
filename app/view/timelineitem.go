package view

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// timelineItem is one row of the timeline: the title of a day, a memory, or the offer of more.
type timelineItem struct {
	widget.BaseWidget
	all, title, line                *fyne.Container
	day, clock, kind, text, project *kit.Text
	by                              *kit.Text
}

func newTimelineItem() *timelineItem {
	i := &timelineItem{day: kit.NewText("").Bold(), clock: kit.NewText("").Small().Muted(), kind: kit.NewText("").Small().Muted(),
		text: kit.NewText("").Cut(), project: kit.NewText("").Small().Muted(), by: kit.NewText("").Small().Muted().Cut()}
	line := kit.Line(10, 2, kit.Fixed(i.clock, 38), kit.Fixed(i.kind, 58), i.text, i.project)
	i.line = kit.Column(3, line, kit.Inset(i.by, 0, 0, 0, 116))
	i.title = kit.Inset(i.day, 8, 0, 0, 0)
	i.all = kit.Inset(kit.Column(0, i.title, i.line), 7, 10, 7, 10)
	i.ExtendBaseWidget(i)
	return i
}

func (i *timelineItem) set(r model.TimelineRow) {
	i.part(r.Day != "")
	i.day.SetIn(r.Day, base.ColorNameForeground)
	i.clock.Set(r.Clock)
	i.kind.Set(r.Kind)
	i.project.Set(r.Project)
	ink := base.ColorNameForeground
	if r.Old {
		ink = theme.ColorMuted
	}
	i.text.SetIn(r.Text, ink)
	i.text.Strike(r.Old)
	i.by.Set(model.ReplacedBy(r.By))
	i.all.Refresh()
}

// more offers earlier memories.
func (i *timelineItem) more() {
	i.part(true)
	i.day.SetIn(model.LoadMore.Text(), base.ColorNameHyperlink)
	i.all.Refresh()
}

// part shows the title or the line.
func (i *timelineItem) part(title bool) {
	toggle(i.title, title)
	toggle(i.line, !title)
}

// CreateRenderer is Fyne's.
func (i *timelineItem) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(i.all) }

// describe shows below the list what there is to say of the chosen memory, and what can be done.
func (p *timelinePage) describe() {
	row, ok := p.chosen()
	if !ok {
		p.foot.Objects = []fyne.CanvasObject{kit.Inset(kit.Small(model.ChooseMemory.Text(), theme.ColorMuted), 12, 4, 0, 4)}
		p.foot.Refresh()
		p.frame.Refresh()
		return
	}
	k := p.w.kit
	acts := kit.Flow(8)
	if row.From.Session != "" && row.Missing == "" {
		acts.Add(k.Key(model.OpenTurn.Text(), "O", true, func() { p.open(row) }))
	}
	acts.Add(k.Key(model.ActPin.Text(), "P", false, func() { p.decide(row, p.w.p.Presenter.Pin) }))
	acts.Add(k.Key(model.ActRefuse.Text(), "R", false, func() { p.decide(row, p.w.p.Presenter.RefuseMemory) }))
	acts.Add(k.Key(model.ActForget.Text(), "F", false, func() { p.decide(row, p.w.p.Presenter.Forget) }))
	acts.Add(k.Key(model.ReviewUndo.Text(), "U", false, p.undoLast))
	said := kit.Column(10, kit.Heading(row.Text), facts(row.Facts, 84))
	if row.Missing != "" {
		said.Add(kit.Small(model.CannotOpen(row.Missing), base.ColorNameWarning))
	}
	said.Add(acts)
	p.foot.Objects = []fyne.CanvasObject{kit.Inset(kit.Card(said), 12, 0, 0, 0)}
	p.foot.Refresh()
	p.frame.Refresh()
}
