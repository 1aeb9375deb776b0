package view

import (
	"context"
	"reflect"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// timelinePage lists what is remembered by day, and below the list what there is to say of the chosen memory.
type timelinePage struct {
	w       *Window
	all     *fyne.Container
	frame   *fyne.Container
	body    *fyne.Container
	list    *kit.List
	foot    *fyne.Container
	summary *kit.Text
	entity  *kit.Entry
	project *kit.Select
	kind    *kit.Select
	old     *kit.Check
	day     *kit.Button // takes the filter by day away

	filter model.TimelineFilter
	shown  model.TimelinePage
	at     string // id of the chosen memory
	asked  int    // counts questions, so that an old answer does not replace a new one
	quiet  bool   // the page itself changes a field or chooses a row
}

func newTimelinePage(w *Window) *timelinePage {
	p := &timelinePage{w: w, all: container.NewStack(), body: container.NewStack(), foot: container.NewStack(), summary: kit.NewText("").Muted()}
	p.entity = w.kit.Entry(model.AboutWhat.Text(), func(string) { p.typed() })
	p.entity.OnSubmitted = func(string) { p.enterList() }
	p.project = w.kit.Select(func(label string) {
		p.change(func(f *model.TimelineFilter) { f.Project = idOf(p.shown.Projects, label) })
	})
	p.kind = w.kit.Select(func(label string) {
		p.change(func(f *model.TimelineFilter) { f.Kind = idOf(model.KindChoices(), label) })
	})
	p.old = w.kit.Check(model.ShowReplaced.Text(), func(on bool) { p.change(func(f *model.TimelineFilter) { f.Old = on }) })
	p.day = w.kit.Button(model.OneDay.Text(), nil, func() { p.narrow(model.TimelineFilter{Old: p.filter.Old}) })
	p.list = w.kit.List(p.length, func() fyne.CanvasObject { return newTimelineItem() }, p.update)
	p.list.Skips = func(i int) bool { return i < len(p.shown.Rows) && p.shown.Rows[i].Day != "" }
	p.list.Follow(p.chose)
	title := kit.Column(4, kit.NewText(model.Pages()[PageTimeline].Name).Title(), p.summary)
	filters := kit.Columns(8, kit.Inset(p.entity, 0, 0, -2, 0), kit.Outlined(p.project), kit.Outlined(p.kind))
	head := kit.Column(14, kit.TopLine(12, 0, title, p.day, p.old), kit.Narrow(filters, pageWidth))
	p.frame = framed(head, kit.Inset(kit.Above(p.body, p.foot), 0, 24, 20, 24))
	return p
}

func (p *timelinePage) object() fyne.CanvasObject { return p.all }

func (p *timelinePage) touched(u model.Update) bool {
	return u.Topics&(model.TopicMemory|model.TopicProjects|model.TopicClock) != 0
}

func (p *timelinePage) find()      { p.w.p.Parent.Canvas().Focus(p.entity) }
func (p *timelinePage) enterList() { p.w.p.Parent.Canvas().Focus(p.list) }

// escape takes the filter away.
func (p *timelinePage) escape() bool {
	if !p.filter.Narrowed() {
		return false
	}
	p.narrow(model.TimelineFilter{Old: p.filter.Old})
	return true
}

// narrow sets the filter.
func (p *timelinePage) narrow(f model.TimelineFilter) {
	p.filter = f
	p.load()
}

// change changes the filter, where the person and not the page itself has changed a field.
func (p *timelinePage) change(how func(*model.TimelineFilter)) {
	if !p.quiet {
		how(&p.filter)
		p.load()
	}
}

// typed asks anew once the person has stopped typing.
func (p *timelinePage) typed() {
	if p.quiet {
		return
	}
	words := p.entity.Text
	p.w.p.Later(searchAfter, func() {
		if words == p.entity.Text && words != p.filter.Entity {
			p.change(func(f *model.TimelineFilter) { f.Entity = words })
		}
	})
}

func (p *timelinePage) load() {
	p.asked++
	id, f := p.asked, p.filter
	ask(p.w, func(ctx context.Context) model.TimelinePage { return p.w.p.Presenter.Timeline(ctx, f) }, func(page model.TimelinePage) {
		if id == p.asked {
			p.show(page)
		}
	})
}

func (p *timelinePage) show(page model.TimelinePage) {
	p.offer(page)
	if len(p.all.Objects) > 0 && reflect.DeepEqual(page, p.shown) {
		return
	}
	p.shown = page
	switch {
	case p.w.inTrouble(p.all, page.Trouble):
		return
	case page.Empty != nil:
		p.body.Objects = []fyne.CanvasObject{kit.Empty("timeline", page.Empty.Title, page.Empty.Text)}
		p.foot.Objects = nil
	default:
		p.body.Objects = []fyne.CanvasObject{kit.NewPanel(theme.ColorCard, theme.ColorBorder, theme.SizeCardRadius), kit.Inset(p.list, 6, 6, 6, 6)}
		p.measure()
		p.mark()
	}
	p.summary.Set(page.Summary)
	p.all.Objects = []fyne.CanvasObject{p.frame}
	p.list.Refresh()
	p.all.Refresh()
}

// offer shows the filter in its fields.
func (p *timelinePage) offer(page model.TimelinePage) {
	p.quiet = true
	defer func() { p.quiet = false }()
	if p.entity.Text != p.filter.Entity && p.w.p.Parent.Canvas().Focused() != fyne.Focusable(p.entity) || p.filter.Entity == "" && !p.filter.Narrowed() {
		p.entity.SetText(p.filter.Entity)
	}
	labels, chosen := labelsOf(page.Projects, p.filter.Project)
	p.project.Offer(labels, chosen)
	labels, chosen = labelsOf(model.KindChoices(), p.filter.Kind)
	p.kind.Offer(labels, chosen)
	p.old.SetChecked(p.filter.Old)
	toggle(p.day, p.filter.Day != "")
}

// The heights of rows, in pixels at scale 1.
const (
	dayHeight  = 40
	lineHeight = 34
	oldHeight  = 52
)

// measure tells the list how high each row is.
func (p *timelinePage) measure() {
	for i, r := range p.shown.Rows {
		height := float32(lineHeight)
		switch {
		case r.Day != "":
			height = dayHeight
		case r.By != "":
			height = oldHeight
		}
		p.list.SetItemHeight(i, height)
	}
	p.list.SetItemHeight(len(p.shown.Rows), dayHeight)
}

// length is how many rows there are: with one more that asks for more.
func (p *timelinePage) length() int {
	if p.shown.More {
		return len(p.shown.Rows) + 1
	}
	return len(p.shown.Rows)
}

func (p *timelinePage) update(i int, o fyne.CanvasObject) {
	if i < len(p.shown.Rows) {
		o.(*timelineItem).set(p.shown.Rows[i])
	} else {
		o.(*timelineItem).more()
	}
}

// chose shows a chosen memory, or asks for more of them.
func (p *timelinePage) chose(i int) {
	switch {
	case p.quiet:
	case i >= len(p.shown.Rows):
		p.narrow(p.filter.More())
	default:
		p.at = p.shown.Rows[i].ID
		p.describe()
	}
}

// mark chooses the memory again that was chosen before, or the one that took its place in the list.
func (p *timelinePage) mark() {
	if !chooseAgain(p.list, &p.quiet, p.shown.Rows, func(r model.TimelineRow) bool { return r.ID == p.at && p.at != "" }) {
		p.at = ""
	}
	p.describe()
}

// key acts on the single keys of the page.
func (p *timelinePage) key(name fyne.KeyName) bool {
	if name == fyne.KeyU {
		p.undoLast()
		return true
	}
	row, ok := p.chosen()
	if !ok {
		return false
	}
	switch name {
	case fyne.KeyO, fyne.KeyRight:
		p.open(row)
	case fyne.KeyF:
		p.decide(row, p.w.p.Presenter.Forget)
	case fyne.KeyR:
		p.decide(row, p.w.p.Presenter.RefuseMemory)
	case fyne.KeyP:
		p.decide(row, p.w.p.Presenter.Pin)
	default:
		return false
	}
	return true
}

func (p *timelinePage) chosen() (model.TimelineRow, bool) {
	i := slices.IndexFunc(p.shown.Rows, func(r model.TimelineRow) bool { return r.ID == p.at && p.at != "" })
	if i < 0 {
		return model.TimelineRow{}, false
	}
	return p.shown.Rows[i], true
}

func (p *timelinePage) open(row model.TimelineRow) {
	if row.From.Session != "" {
		p.w.Open(row.From)
	}
}

func (p *timelinePage) decide(row model.TimelineRow, do func(context.Context, model.TimelineRow) model.Ruling) {
	ask(p.w, func(ctx context.Context) model.Ruling { return do(ctx, row) }, func(r model.Ruling) {
		p.w.ruled(r)
		p.load()
	})
}

func (p *timelinePage) undoLast() { p.w.undoLast(p.load) }

// ShowDay turns to what is remembered of a day.
func (w *Window) ShowDay(day time.Time) {
	w.stale[PageTimeline] = false
	w.Show(PageTimeline)
	w.timeline.narrow(model.TimelineFilter{Day: day.Format(time.DateOnly)})
}

// ShowReplaced turns to the timeline with what was replaced.
func (w *Window) ShowReplaced() {
	w.stale[PageTimeline] = false
	w.Show(PageTimeline)
	w.timeline.narrow(model.TimelineFilter{Old: true})
}

// ShowAbout turns to what is remembered of an entity.
func (w *Window) ShowAbout(id string) {
	w.stale[PageTimeline] = false
	w.Show(PageTimeline)
	w.timeline.narrow(model.TimelineFilter{Entity: id})
}
