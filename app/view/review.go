package view

import (
	"context"
	"reflect"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// reviewPage lists what waits for the person at the left and shows the chosen thing with its evidence at the right. What is
// decided leaves the list at once, before the service has answered; where that refuses, it comes back.
type reviewPage struct {
	w       *Window
	all     *fyne.Container
	split   *container.Split
	list    *kit.List
	summary *kit.Text
	detail  *reviewDetail

	page    model.ReviewPage
	rows    []model.ReviewRow // of the page, but for those that are being decided
	decided map[string]bool   // by id
	at      string            // id of the chosen one
	quiet   bool              // a row is selected by the page itself
}

func newReviewPage(w *Window) *reviewPage {
	p := &reviewPage{w: w, all: container.NewStack(), summary: kit.NewText("").Small().Muted().Cut(), decided: map[string]bool{}}
	p.list = w.kit.List(func() int { return len(p.rows) }, func() fyne.CanvasObject { return newReviewItem() },
		func(i int, o fyne.CanvasObject) { o.(*reviewItem).set(p.rows[i]) })
	p.list.Follow(func(i int) {
		if !p.quiet && i < len(p.rows) {
			p.choose(p.rows[i].ID)
		}
	})
	p.detail = newReviewDetail(p)
	head := kit.Inset(kit.Column(5, kit.NewText(model.Pages()[PageReview].Name).Title(), p.summary), 22, 12, 10, 18)
	left := container.New(layout.NewBorderLayout(head, nil, nil, nil), head, kit.Inset(p.list, 0, 4, 8, 8))
	p.split = container.NewHSplit(left, container.NewStack(kit.NewPanel(theme.ColorCard, "", ""), p.detail.all))
	p.split.Offset = 0.36
	return p
}

func (p *reviewPage) object() fyne.CanvasObject { return p.all }

func (p *reviewPage) touched(u model.Update) bool {
	return u.Topics&(model.TopicMemory|model.TopicClock) != 0
}

func (p *reviewPage) find()        { p.enterList() }
func (p *reviewPage) escape() bool { return false }
func (p *reviewPage) enterList()   { p.w.p.Parent.Canvas().Focus(p.list) }

func (p *reviewPage) load() { ask(p.w, p.w.p.Presenter.Review, p.show) }

func (p *reviewPage) show(page model.ReviewPage) {
	if len(p.all.Objects) > 0 && reflect.DeepEqual(page, p.page) {
		return
	}
	p.page = page
	if p.w.inTrouble(p.all, page.Trouble) {
		return
	}
	p.apply()
	p.all.Refresh()
}

// apply lists what is left to decide and keeps the chosen place in the list.
func (p *reviewPage) apply() {
	before := slices.IndexFunc(p.rows, func(r model.ReviewRow) bool { return r.ID == p.at })
	p.rows = slices.DeleteFunc(slices.Clone(p.page.Rows), func(r model.ReviewRow) bool { return p.decided[r.ID] })
	gone := len(p.page.Rows) - len(p.rows)
	p.summary.Set(model.WaitingSummary(len(p.rows), p.page.Waiting-gone))
	if len(p.rows) == 0 {
		empty := p.page.Empty
		if empty == nil {
			empty = &model.Empty{Title: model.AllDecided.Text(), Text: model.AllDecidedHint.Text()}
		}
		about := kit.Column(4, kit.NewText(model.Pages()[PageReview].Name).Title(), kit.Prose(model.Pages()[PageReview].About, theme.ColorMuted))
		p.at = ""
		p.all.Objects = []fyne.CanvasObject{framed(about, kit.Empty("review", empty.Title, empty.Text))}
		p.all.Refresh()
		return
	}
	p.all.Objects = []fyne.CanvasObject{p.split}
	p.list.Refresh()
	i := slices.IndexFunc(p.rows, func(r model.ReviewRow) bool { return r.ID == p.at })
	if i < 0 {
		i = min(max(before, 0), len(p.rows)-1)
	}
	p.quiet = true
	p.list.Select(i)
	p.quiet = false
	p.choose(p.rows[i].ID)
	p.all.Refresh()
}

// chosen is the thing that is shown.
func (p *reviewPage) chosen() (model.ReviewRow, bool) {
	i := slices.IndexFunc(p.rows, func(r model.ReviewRow) bool { return r.ID == p.at })
	if i < 0 {
		return model.ReviewRow{}, false
	}
	return p.rows[i], true
}

func (p *reviewPage) choose(id string) {
	p.at = id
	if row, ok := p.chosen(); ok {
		p.detail.show(row)
	}
}

// key acts on the single keys of review.
func (p *reviewPage) key(name fyne.KeyName) bool {
	if name == fyne.KeyU {
		p.undoLast()
		return true
	}
	row, ok := p.chosen()
	if !ok || p.page.Trouble != nil {
		return false
	}
	switch name {
	case fyne.KeyA:
		p.accept(row)
	case fyne.KeyR:
		p.refuse(row)
	case fyne.KeyE:
		p.edit(row)
	case fyne.KeyM:
		p.merge(row)
	case fyne.KeyS:
		p.splitUp(row)
	case fyne.KeyO, fyne.KeyRight:
		p.open(row)
	default:
		return false
	}
	return true
}

func (p *reviewPage) accept(row model.ReviewRow) {
	p.decide(row, func(ctx context.Context) model.Ruling { return p.w.p.Presenter.Accept(ctx, row) })
}

func (p *reviewPage) refuse(row model.ReviewRow) {
	p.decide(row, func(ctx context.Context) model.Ruling { return p.w.p.Presenter.Refuse(ctx, row) })
}

func (p *reviewPage) open(row model.ReviewRow) {
	if row.From.Session != "" {
		p.w.Open(row.From)
	}
}

// decide takes a thing off the list and has it decided.
func (p *reviewPage) decide(row model.ReviewRow, do func(context.Context) model.Ruling) {
	p.decided[row.ID] = true
	p.apply()
	ask(p.w, do, func(r model.Ruling) {
		p.w.ruled(r)
		p.decidedOn(row.ID)
	})
}

// decidedOn asks for the queue as it is after a decision.
func (p *reviewPage) decidedOn(id string) {
	ask(p.w, p.w.p.Presenter.Review, func(page model.ReviewPage) {
		delete(p.decided, id)
		p.page = model.ReviewPage{} // what it refused comes back in any case
		p.show(page)
		p.w.nav.waiting(page.Waiting)
	})
}

func (p *reviewPage) undoLast() { p.w.undoLast(func() { p.decidedOn("") }) }

// reviewItem is one row of the list.
type reviewItem struct {
	widget.BaseWidget
	all          *fyne.Container
	title, below *kit.Text
}

func newReviewItem() *reviewItem {
	i := &reviewItem{title: kit.NewText("").Cut(), below: kit.NewText("").Small().Muted().Cut()}
	i.all = kit.Inset(kit.Column(4, i.title, i.below), 8, 10, 8, 10)
	i.ExtendBaseWidget(i)
	return i
}

func (i *reviewItem) set(row model.ReviewRow) {
	i.title.Set(row.Title)
	i.below.Set(row.Below)
	i.all.Refresh()
}

// CreateRenderer is Fyne's.
func (i *reviewItem) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(i.all) }
