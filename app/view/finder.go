package view

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// finder searches from anywhere, over whatever page is shown. The arrow keys move in what was found while the field keeps the
// keyboard.
type finder struct {
	widget.BaseWidget
	w     *Window
	shade *canvas.Rectangle
	card  *fyne.Container
	body  *fyne.Container // the list, and a note below it
	field *kit.Entry
	list  *kit.List
	note  *kit.Text
	found model.Found
	at    int
	asked int
}

// findAfter is how long the person has not typed until the service is asked.
const findAfter = 120 * time.Millisecond

func newFinder(w *Window) *finder {
	f := &finder{w: w, shade: canvas.NewRectangle(nil), note: kit.NewText("").Muted().Cut()}
	f.field = w.kit.Entry(model.FindHint.Text(), func(string) { f.soon() })
	f.field.Keys = f.key
	f.list = w.kit.List(func() int { return len(f.found.Rows) }, func() fyne.CanvasObject { return newFoundItem() },
		func(i int, o fyne.CanvasObject) {
			o.(*foundItem).set(f.found.Rows[i])
			o.(*foundItem).act = func() {
				f.at = i
				f.open()
			}
		})
	hint := kit.Inset(kit.NewText(model.FindKeys.Text()).Small().Muted(), 8, 14, 10, 14)
	f.body = kit.Above(f.list, kit.Column(0, kit.Inset(f.note, 4, 14, 4, 14), kit.Rule(), hint))
	top := kit.Line(10, 1, kit.NewSign("search", theme.ColorMuted, 18), f.field)
	inner := kit.Below(kit.Inset(top, 10, 12, 8, 14), kit.Inset(f.body, 0, 2, 0, 2))
	f.card = container.NewStack(kit.NewPanel("overlayBackground", theme.ColorBorder, theme.SizeCardRadius), inner)
	f.ExtendBaseWidget(f)
	return f
}

// Find opens the search, or closes it where it is open.
func (w *Window) Find() {
	if w.finder != nil {
		w.finder.close()
		return
	}
	if w.p.Parent.Canvas().Overlays().Top() != nil {
		return // a dialog is open
	}
	w.finder = newFinder(w)
	w.finder.Resize(w.p.Parent.Canvas().Size())
	w.p.Parent.Canvas().Overlays().Add(w.finder)
	w.p.Parent.Canvas().Focus(w.finder.field)
	w.finder.ask()
}

// FindNow asks at once for what stands in the search that is open.
func (w *Window) FindNow() {
	if w.finder != nil {
		w.finder.ask()
	}
}

func (f *finder) close() {
	if f.w.finder == f {
		f.w.finder = nil
		f.w.p.Parent.Canvas().Overlays().Remove(f)
	}
}

// soon asks once the person has stopped typing.
func (f *finder) soon() {
	f.asked++
	id := f.asked
	f.w.p.Later(findAfter, func() {
		if id == f.asked && f.w.finder == f {
			f.ask()
		}
	})
}

func (f *finder) ask() {
	f.asked++
	id, words := f.asked, f.field.Text
	ask(f.w, func(ctx context.Context) model.Found { return f.w.p.Presenter.Find(ctx, words) }, func(found model.Found) {
		if id == f.asked {
			f.show(found)
		}
	})
}

func (f *finder) show(found model.Found) {
	f.found = found
	for i, r := range found.Rows {
		height := float32(46)
		if r.Group != "" || r.Below == "" {
			height = 32
		}
		f.list.SetItemHeight(i, height)
	}
	f.note.Set(found.Note)
	f.list.Refresh()
	f.list.ScrollToTop()
	f.at = -1
	f.move(1)
	f.body.Refresh()
	f.Refresh()
}

// move chooses the next row in a direction that can be gone to.
func (f *finder) move(by int) {
	for i := f.at + by; i >= 0 && i < len(f.found.Rows); i += by {
		if f.found.Rows[i].Group == "" {
			f.at = i
			f.list.Select(i)
			return
		}
	}
	if f.at < 0 {
		f.list.UnselectAll()
	}
}

// key acts on the keys that the field has no use for.
func (f *finder) key(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyEscape:
		f.close()
	case fyne.KeyDown:
		f.move(1)
	case fyne.KeyUp:
		f.move(-1)
	case fyne.KeyReturn, fyne.KeyEnter:
		f.open()
	default:
		return false
	}
	return true
}

// open goes to the chosen row.
func (f *finder) open() {
	if f.at < 0 || f.at >= len(f.found.Rows) || f.found.Rows[f.at].Group != "" {
		return
	}
	to := f.found.Rows[f.at].To
	f.close()
	switch {
	case to.Page != "":
		for i, p := range model.Pages() {
			if p.ID == to.Page {
				f.w.Show(i)
			}
		}
	case to.Entity != "":
		f.w.ShowEntity(to.Entity)
	case to.Turn.Session != "":
		f.w.Open(to.Turn)
	}
}

// Tapped closes the search where the click is beside it.
func (f *finder) Tapped(e *fyne.PointEvent) {
	at, size := f.card.Position(), f.card.Size()
	if e.Position.X < at.X || e.Position.Y < at.Y || e.Position.X > at.X+size.Width || e.Position.Y > at.Y+size.Height {
		f.close()
	}
}

// CreateRenderer is Fyne's.
func (f *finder) CreateRenderer() fyne.WidgetRenderer { return &finderRenderer{f} }

type finderRenderer struct{ f *finder }

func (r *finderRenderer) Layout(size fyne.Size) {
	r.f.shade.Resize(size)
	width, height := min(680, size.Width-60), min(520, size.Height-120)
	r.f.card.Resize(fyne.NewSize(width, height))
	r.f.card.Move(fyne.NewPos((size.Width-width)/2, min(90, (size.Height-height)/2)))
}

func (r *finderRenderer) MinSize() fyne.Size { return fyne.NewSize(300, 200) }

func (r *finderRenderer) Refresh() {
	r.f.shade.FillColor = r.f.Theme().Color(theme.ColorShade, fyne.CurrentApp().Settings().ThemeVariant())
	r.f.shade.Refresh()
	r.Layout(r.f.Size())
}

func (r *finderRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.f.shade, r.f.card}
}
func (r *finderRenderer) Destroy() {}

// foundItem is one row of what was found.
type foundItem struct {
	widget.BaseWidget
	all, group, line         *fyne.Container
	act                      func()
	sign                     *kit.Sign
	name, title, when, below *kit.Text
}

func newFoundItem() *foundItem {
	i := &foundItem{sign: kit.NewSign("search", theme.ColorMuted, 16), name: kit.NewText("").Small().Bold().Muted(), title: kit.NewText("").Cut(),
		when: kit.NewText("").Small().Muted(), below: kit.NewText("").Small().Muted().Cut()}
	i.group = kit.Inset(i.name, 6, 0, 0, 0)
	i.line = kit.TopLine(12, 1, kit.Inset(i.sign, 1, 0, 0, 0), kit.Column(3, kit.Line(10, 0, i.title, i.when), i.below))
	i.all = kit.Inset(kit.Column(0, i.group, i.line), 6, 12, 6, 12)
	i.ExtendBaseWidget(i)
	return i
}

// Tapped goes to it. The list's own choice would not do for the row that is chosen already.
func (i *foundItem) Tapped(*fyne.PointEvent) { i.act() }

func (i *foundItem) set(r model.FoundRow) {
	toggle(i.group, r.Group != "")
	toggle(i.line, r.Group == "")
	toggle(i.below, r.Below != "")
	i.name.Set(r.Group)
	if r.Sign != "" {
		i.sign.Set(r.Sign, theme.ColorMuted)
	}
	i.title.SetIn(r.Title, base.ColorNameForeground)
	i.when.Set(r.When)
	i.below.Set(r.Below)
	i.all.Refresh()
}

// CreateRenderer is Fyne's.
func (i *foundItem) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(i.all) }
