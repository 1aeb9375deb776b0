package view

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// AskLogOn asks on the first page, once, whether Dormouse is to start when the person logs on.
func (w *Window) AskLogOn() {
	ask(w, w.p.Presenter.AskLogOn, func(q *model.Question) {
		if q != nil {
			w.today.logOn = q
			w.today.redraw()
		}
	})
}

// askLogOn is the question, with its answers.
func (p *todayPage) askLogOn(q model.Question) fyne.CanvasObject {
	answer := func(do func(context.Context) model.Notice) func() {
		return func() {
			p.logOn = nil
			p.w.act(do, p.redraw)
		}
	}
	yes := p.w.kit.Button(q.Yes, nil, answer(p.w.p.Presenter.StartAtLogOn))
	yes.Importance = widget.HighImportance
	no := p.w.kit.Button(q.No, nil, answer(p.w.p.Presenter.NotAtLogOn))
	return kit.Titled(q.Title, kit.Prose(q.Text, theme.ColorMuted), kit.Line(8, kit.NoGrow, yes, no))
}

// redraw draws the page again, where it was drawn before.
func (p *todayPage) redraw() {
	if page := p.shown; p.loaded && page.Trouble == nil {
		p.loaded = false
		p.show(page)
	}
}
