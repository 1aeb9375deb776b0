package view

import (
	"context"
	"reflect"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// todayPage shows what the night gave, what goes on today, and how all parts are.
type todayPage struct {
	w      *Window
	all    *fyne.Container
	head   *fyne.Container
	scroll *container.Scroll
	shown  model.TodayPage
	loaded bool

	sleep, sync, pause, goOn *kit.Button
	logOn                    *model.Question // that is open; nil for none
	busy                     bool            // a sleep that was asked for here goes on

	calendar *kit.Calendar
	pointed  *kit.Text   // what there is of the day that is pointed at
	counts   *kit.Select // what the calendar counts
}

func newTodayPage(w *Window) *todayPage {
	p := &todayPage{w: w, all: container.NewStack(), head: kit.Column(0)}
	p.sleep = w.kit.Button(model.SleepNow.Text(), nil, p.sleepNow)
	p.sleep.Importance = widget.HighImportance
	p.sync = w.kit.Button(model.SyncNow.Text(), nil, p.syncNow)
	p.pause = w.kit.Button(model.PauseCapture.Text(), nil, p.choosePause)
	p.calendar = w.kit.Calendar(model.CalendarRows())
	p.pointed = kit.NewText("").Small().Muted().Cut()
	p.counts = w.kit.Select(func(string) { p.drawCalendar() })
	p.counts.Offer(model.CalendarKinds(), model.CalendarKinds()[0])
	p.calendar.Pointed = p.point
	p.calendar.Chosen = func(i int) { w.ShowDay(p.shown.Calendar.Days[i].Date) }
	p.goOn = w.kit.Button(model.GoOn.Text(), nil, func() { w.act(w.p.Presenter.GoOn, nil) })
	return p
}

func (p *todayPage) object() fyne.CanvasObject { return p.all }

func (p *todayPage) touched(u model.Update) bool {
	return u.Topics&(model.TopicStatus|model.TopicSessions|model.TopicMemory|model.TopicClock) != 0
}

func (p *todayPage) find()        {}
func (p *todayPage) escape() bool { return false }

func (p *todayPage) load() { ask(p.w, p.w.p.Presenter.Today, p.show) }

func (p *todayPage) show(page model.TodayPage) {
	if p.loaded && reflect.DeepEqual(page, p.shown) {
		return
	}
	p.shown, p.loaded = page, true
	if p.w.inTrouble(p.all, page.Trouble) {
		p.scroll = nil
		return
	}
	at := fyne.Position{}
	if p.scroll != nil {
		at = p.scroll.Offset
	}
	p.header(page)
	p.scroll = scrolled(p.body(page))
	p.all.Objects = []fyne.CanvasObject{framed(p.head, p.scroll)}
	p.all.Refresh()
	spread(p.scroll)
	p.scroll.ScrollToOffset(at)
}

func (p *todayPage) header(page model.TodayPage) {
	toggle(p.pause, !page.Paused)
	toggle(p.goOn, page.Paused)
	toggle(p.sync, page.CanSync)
	if page.Sleeping || p.busy {
		p.sleep.SetText(model.SleepingNow.Text())
		p.sleep.Disable()
	} else {
		p.sleep.SetText(model.SleepNow.Text())
		p.sleep.Enable()
	}
	title := kit.Column(4, kit.NewText(page.Title).Title(), kit.Prose(page.Detail, theme.ColorMuted))
	buttons := kit.Line(8, kit.NoGrow, p.pause, p.goOn, p.sync, p.sleep)
	p.head.Objects = []fyne.CanvasObject{kit.TopLine(12, 1, kit.Inset(sign(page.Tone, 22), 4, 0, 0, 0), title, buttons)}
	p.head.Refresh()
}

func toggle(o fyne.CanvasObject, on bool) {
	if on {
		o.Show()
	} else {
		o.Hide()
	}
}

func (p *todayPage) body(page model.TodayPage) fyne.CanvasObject {
	gap := p.w.gap()
	all := kit.Column(gap)
	if page.Demo != "" {
		all.Add(kit.Box(theme.ColorSaid, kit.TopLine(10, 1, kit.Inset(kit.NewSign("asleep", theme.ColorAsleep, 14), 2, 0, 0, 0),
			kit.Prose(page.Demo, base.ColorNameForeground))))
	}
	if m := page.Scan; m != nil {
		bar := kit.NewGauge()
		bar.Set(m.Share, toneColor(m.Tone))
		all.Add(kit.Titled(m.Label, kit.Prose(m.Text, theme.ColorMuted), bar))
	}
	if p.logOn != nil {
		all.Add(p.askLogOn(*p.logOn))
	}
	if len(page.Steps) > 0 {
		all.Add(kit.Titled(model.CardSteps.Text(), p.firstSteps(page.Steps)))
	}
	all.Add(kit.Card(figures(page.Figures)))
	all.Add(kit.Columns(gap, kit.Titled(model.CardNight.Text(), facts(page.Night, 84)), p.today(page)))
	if len(page.Calendar.Days) > 0 {
		all.Add(p.year(page.Calendar))
	}
	left := kit.Column(gap, kit.Titled(model.CardParts.Text(), p.parts(page.Parts)))
	right := kit.Column(gap, kit.Titled(model.CardSpend.Text(), spend(page.Spend)), kit.Titled(model.CardSync.Text(), facts(page.Sync, 84)),
		kit.Titled(model.CardAgents.Text(), agents(page.Agents, page.Absent)))
	all.Add(kit.Columns(gap, left, right))
	if len(page.Problems) > 0 {
		all.Add(kit.Titled(model.CardProblems.Text(), problems(page.Problems)))
	}
	if len(page.Skipped) > 0 {
		all.Add(kit.Titled(model.CardSkipped.Text(), skipped(page.Skipped)))
	}
	all.Add(kit.Titled(model.CardAbout.Text(), facts(page.Foot, 110)))
	return all
}

// firstSteps is what to do on a new machine.
func (p *todayPage) firstSteps(list []model.Step) fyne.CanvasObject {
	rows := kit.Column(12)
	for _, step := range list {
		tone, ink := model.Off, base.ColorNameForeground
		if step.Done {
			tone, ink = model.Good, theme.ColorMuted
		}
		said := kit.Column(3, kit.NewText(step.Title).Bold().In(ink), kit.Prose(step.Text, theme.ColorMuted))
		for _, warning := range step.Warnings {
			said.Add(kit.TopLine(8, 1, kit.Inset(sign(warning.Tone, 12), 3, 0, 0, 0),
				kit.Column(0, kit.NewText(warning.Label).Bold(), kit.Prose(warning.Text, toneColor(warning.Tone)))))
		}
		line := []fyne.CanvasObject{kit.Inset(sign(tone, 14), 2, 0, 0, 0), said}
		if at := slices.Index(model.PageIDs(), step.Page); at >= 0 && !step.Done {
			line = append(line, p.w.kit.Button(step.Button, nil, func() { p.w.Show(at) }))
		}
		rows.Add(kit.TopLine(10, 1, line...))
	}
	return rows
}

// today lists the sessions of the day, and leads to what waits for the person.
func (p *todayPage) today(page model.TodayPage) fyne.CanvasObject {
	rows := kit.Column(2)
	for _, s := range page.Sessions {
		line := kit.Column(3, kit.Line(10, 0, kit.NewText(s.Title).Cut(), kit.NewText(s.When).Small().Muted()), kit.NewText(s.Below).Small().Muted().Cut())
		rows.Add(kit.Inset(p.w.kit.Row(kit.Inset(line, 6, 8, 6, 8), func() { p.w.Open(model.Place{Session: s.ID}) }), 0, -8, 0, -8))
	}
	if page.NoneYet != "" {
		rows.Add(kit.Prose(page.NoneYet, theme.ColorMuted))
	}
	head := kit.Line(8, 0, kit.NewText(model.CardToday.Text()).Heading())
	if page.Review != "" {
		head.Add(p.w.kit.Link(page.Review, func() { p.w.Show(PageReview) }))
	}
	return kit.Card(kit.Column(8, head, rows))
}

// spend is what the language model took, as gauges where there is a bound.
func spend(list []model.Meter) fyne.CanvasObject {
	rows := kit.Column(10)
	labels, width := make([]*kit.Text, len(list)), float32(100)
	for i, m := range list {
		labels[i] = kit.NewText(m.Label).Muted()
		width = max(width, labels[i].MinSize().Width)
	}
	for i, m := range list {
		row := kit.Column(5, kit.Prose(m.Text, base.ColorNameForeground))
		if m.Share >= 0 {
			g := kit.NewGauge()
			g.Set(m.Share, toneColor(m.Tone))
			row.Add(g)
		}
		rows.Add(kit.TopLine(10, 1, kit.Fixed(labels[i], width), row))
	}
	return rows
}

func figures(list []model.Figure) fyne.CanvasObject {
	var cells []fyne.CanvasObject
	for _, f := range list {
		cells = append(cells, kit.Column(2, kit.NewText(f.Value).Sized(theme.SizeFigure).Bold(), kit.NewText(f.Label).Small().Muted()))
	}
	return kit.Columns(12, cells...)
}

func facts(list []model.Fact, labelWidth float32) fyne.CanvasObject {
	labels, texts := make([]string, len(list)), make([]fyne.CanvasObject, len(list))
	for i, f := range list {
		labels[i], texts[i] = f.Label, kit.Prose(f.Text, toneColor(f.Tone))
	}
	return kit.Facts(labels, texts, labelWidth)
}

func (p *todayPage) parts(list []model.Part) fyne.CanvasObject {
	rows := kit.Column(10)
	for _, part := range list {
		head := kit.Line(8, 1, kit.NewText(part.Name).Bold(), kit.NewText(part.About).Small().Muted().Cut(), kit.NewText(part.State).In(toneColor(part.Tone)))
		below := kit.Column(3, head)
		if part.Doing != "" {
			below.Add(kit.Small(part.Doing, theme.ColorMuted))
		}
		if part.Failure != "" {
			below.Add(kit.Box(theme.ColorCaution, kit.Column(4, kit.Prose(part.Failure, base.ColorNameForeground), kit.Small(part.History, theme.ColorMuted))))
		}
		rows.Add(kit.TopLine(9, 1, kit.Inset(sign(part.Tone, 13), 2, 0, 0, 0), below))
	}
	return rows
}

func agents(list []model.Agent, absent string) fyne.CanvasObject {
	rows := kit.Column(10)
	for _, a := range list {
		below := kit.Column(3, kit.Line(8, 0, kit.NewText(a.Name).Bold().Cut(), kit.NewText(a.Seen).Small().Muted()), kit.Small(a.Numbers, theme.ColorMuted))
		for _, folder := range a.Folders {
			below.Add(kit.NewText(folder).Small().Mono().Muted().Cut())
		}
		rows.Add(kit.TopLine(9, 1, kit.Inset(sign(model.Good, 13), 2, 0, 0, 0), below))
	}
	if absent != "" {
		rows.Add(kit.Small(absent, theme.ColorMuted))
	}
	return rows
}

func skipped(list []model.Skip) fyne.CanvasObject {
	rows := kit.Column(8)
	for _, s := range list {
		row := kit.Column(2, kit.Prose(s.Text, base.ColorNameForeground))
		for _, place := range s.Places {
			row.Add(kit.NewText(place).Small().Mono().Muted().Cut())
		}
		rows.Add(row)
	}
	return rows
}

func (p *todayPage) sleepNow() {
	p.busy = true
	p.header(p.shown)
	p.w.act(p.w.p.Presenter.SleepNow, func() {
		p.busy = false
		p.header(p.shown)
	})
}

func (p *todayPage) syncNow() {
	p.sync.SetText(model.SyncingNow.Text())
	p.sync.Disable()
	p.w.act(p.w.p.Presenter.SyncNow, func() {
		p.sync.SetText(model.SyncNow.Text())
		p.sync.Enable()
	})
}

// choosePause offers how long to pause.
func (p *todayPage) choosePause() {
	var items []*fyne.MenuItem
	for i, name := range model.PauseChoices() {
		items = append(items, fyne.NewMenuItem(name, func() {
			p.w.act(func(ctx context.Context) model.Notice { return p.w.p.Presenter.Pause(ctx, model.PauseFor(i)) }, nil)
		}))
	}
	c := p.w.p.Parent.Canvas()
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p.pause)
	menu := widget.NewPopUpMenu(fyne.NewMenu("", items...), c)
	menu.ShowAtPosition(at.AddXY(0, p.pause.Size().Height+4))
	c.Focus(menu)
}

// gap is the room between cards.
func (w *Window) gap() float32 { return fyne.CurrentApp().Settings().Theme().Size(theme.SizeGap) }
