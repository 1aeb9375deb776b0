package view

import (
	"context"
	"reflect"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// costsPage draws what models took.
type costsPage struct {
	w       *Window
	all     *fyne.Container
	head    fyne.CanvasObject
	scroll  *container.Scroll
	summary *kit.Text
	chooser *kit.Select
	days    *kit.Bars
	pointed *kit.Text // what the bar that is pointed at took
	span    string    // id of the range that is asked for
	shown   model.CostsPage
}

func newCostsPage(w *Window) *costsPage {
	p := &costsPage{w: w, all: container.NewStack(), summary: kit.NewText("").Muted(), days: w.kit.Bars(), pointed: kit.NewText("").Small().Muted().Cut(), span: model.CostRanges()[0].ID}
	p.chooser = w.kit.Select(func(label string) {
		p.span = idOf(model.CostRanges(), label)
		p.load()
	})
	labels, chosen := labelsOf(model.CostRanges(), p.span)
	p.chooser.Offer(labels, chosen)
	p.days.Pointed = p.point
	title := kit.Column(4, kit.NewText(model.Pages()[PageCosts].Name).Title(), p.summary)
	p.head = kit.TopLine(12, 0, title, kit.Fixed(kit.Outlined(p.chooser), 140))
	return p
}

func (p *costsPage) object() fyne.CanvasObject { return p.all }

func (p *costsPage) touched(u model.Update) bool {
	return u.Topics&(model.TopicMemory|model.TopicClock) != 0
}

func (p *costsPage) find()        { p.w.p.Parent.Canvas().Focus(p.days) }
func (p *costsPage) escape() bool { return false }

func (p *costsPage) load() {
	span := p.span
	days, _ := strconv.Atoi(span) // the ids of the ranges are numbers
	ask(p.w, func(ctx context.Context) model.CostsPage { return p.w.p.Presenter.Costs(ctx, days) }, func(page model.CostsPage) {
		if span == p.span {
			p.show(page)
		}
	})
}

func (p *costsPage) show(page model.CostsPage) {
	if len(p.all.Objects) > 0 && reflect.DeepEqual(page, p.shown) {
		return
	}
	p.shown = page
	if p.w.inTrouble(p.all, page.Trouble) {
		return
	}
	p.summary.Set(page.Summary)
	gap := p.w.gap()
	all := kit.Column(gap, kit.Titled(model.CardBudgets.Text(), spend(page.Budgets)))
	if page.Empty != nil {
		all.Add(kit.Titled(page.Empty.Title, kit.Prose(page.Empty.Text, theme.ColorMuted)))
	} else {
		p.draw(page.Days)
		head := kit.Line(10, 1, kit.NewText(model.CardByDay.Text()).Heading(), p.pointed)
		all.Add(kit.Card(kit.Column(12, head, p.days)))
		all.Add(kit.Columns(gap, kit.Titled(model.CardByModel.Text(), sums(page.Models)), kit.Titled(model.CardByAim.Text(), sums(page.Aims))))
		all.Add(kit.Small(page.Note, theme.ColorMuted))
	}
	p.scroll = scrolled(all)
	p.all.Objects = []fyne.CanvasObject{framed(p.head, p.scroll)}
	p.all.Refresh()
	spread(p.scroll)
}

// draw draws the days, with a label for the first of each week or, of many days, each month.
func (p *costsPage) draw(days []model.Bar) {
	shares := make([]float64, len(days))
	var labels []kit.Label
	every := max(1, len(days)/6)
	for i, d := range days {
		shares[i] = d.Share
		if i%every == 0 {
			labels = append(labels, kit.Label{Column: i, Text: d.Short})
		}
	}
	p.days.Set(shares, labels)
	p.point(-1)
}

func (p *costsPage) point(i int) {
	if i >= 0 && i < len(p.shown.Days) {
		d := p.shown.Days[i]
		p.pointed.SetIn(d.Label+": "+d.Text, base.ColorNameForeground)
	} else {
		p.pointed.SetIn(model.PointHint.Text(), theme.ColorMuted)
	}
}

// sums are parts of a sum, each with a bar.
func sums(list []model.Bar) fyne.CanvasObject {
	rows := kit.Column(12)
	for _, b := range list {
		g := kit.NewGauge()
		g.Set(b.Share, base.ColorNamePrimary)
		rows.Add(kit.Column(5, kit.Line(10, 0, kit.NewText(b.Label).Cut(), kit.NewText(b.Text).Small().Muted()), g))
	}
	return rows
}
