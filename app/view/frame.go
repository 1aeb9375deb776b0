package view

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// pageWidth is how wide the content of a page becomes at most, so that lines stay readable.
const pageWidth = 1080

// framed is a page's head above its body.
func framed(head, body fyne.CanvasObject) *fyne.Container {
	return kit.Below(kit.Inset(head, 22, 24, 12, 24), body)
}

// scrolled is a body that scrolls, with the page's room around it.
func scrolled(content fyne.CanvasObject) *container.Scroll {
	return container.NewVScroll(kit.Inset(kit.Narrow(content, pageWidth), 2, 24, 24, 24))
}

// inTrouble puts what is wrong in the place of a page's content, and reports whether anything is.
func (w *Window) inTrouble(all *fyne.Container, t *model.Trouble) bool {
	if t == nil {
		return false
	}
	all.Objects = []fyne.CanvasObject{w.trouble(t)}
	all.Refresh()
	return true
}

// trouble is shown in place of a page's content when the service did not answer.
func (w *Window) trouble(t *model.Trouble) fyne.CanvasObject {
	retry := w.kit.Button(model.TryAgain.Text(), nil, w.Refresh)
	buttons := []fyne.CanvasObject{retry}
	if t.Start {
		start := w.kit.Button(model.StartService.Text(), nil, nil)
		start.Importance = widget.HighImportance
		start.OnTapped = func() {
			start.SetText(model.Starting.Text())
			start.Disable()
			w.act(func(ctx context.Context) model.Notice { return model.Started(w.p.Start(ctx)) }, func() {
				start.SetText(model.StartService.Text())
				start.Enable()
			})
		}
		buttons = []fyne.CanvasObject{start, retry}
		w.p.Later(0, func() { w.lead(start) }) // once it is on the page
	}
	body := kit.Empty("asleep", t.Title, t.Text, buttons...)
	if t.Detail == "" {
		return body
	}
	detail := kit.Inset(kit.Small(t.Detail, theme.ColorMuted), 0, 24, 20, 24)
	return container.New(layout.NewBorderLayout(nil, detail, nil, nil), detail, body)
}

// lead gives the keyboard to the button of an offer, so that Enter takes it; if the page with it is still the one shown.
func (w *Window) lead(b *kit.Button) {
	if w.at < 0 || b.Disabled() || !holds(w.pages[w.at].object(), b) {
		return
	}
	w.p.Parent.Canvas().Focus(b)
}

// holds reports whether an object is one of those in a tree of containers.
func holds(tree, o fyne.CanvasObject) bool {
	if tree == o {
		return true
	}
	c, ok := tree.(*fyne.Container)
	return ok && slices.ContainsFunc(c.Objects, func(child fyne.CanvasObject) bool { return holds(child, o) })
}

// chooseAgain selects the row of a list that was chosen before, without taking that for a choice of the person's. It reports whether there is one.
func chooseAgain[T any](list *kit.List, quiet *bool, rows []T, same func(T) bool) bool {
	i := slices.IndexFunc(rows, same)
	*quiet = true
	defer func() { *quiet = false }()
	if i < 0 {
		list.UnselectAll()
		return false
	}
	list.Select(i)
	return true
}

// spread lays a scrolled page out anew after something in it changed its height, and keeps its place.
func spread(s *container.Scroll) {
	if s == nil || s.Content == nil {
		return
	}
	for range 2 { // heights follow widths
		s.Content.Refresh()
		s.Refresh()
	}
}
