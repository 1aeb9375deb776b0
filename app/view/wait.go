package view

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// spinAfter is how long an answer may take until the window shows that it waits for it.
const spinAfter = 200 * time.Millisecond

// wait shows that the service has not answered yet, at the upper edge of a page.
type wait struct {
	w     *Window
	all   *fyne.Container
	pill  fyne.CanvasObject
	spin  *widget.Activity
	open  map[int]bool // questions without an answer
	asked int
}

func newWait(w *Window) *wait {
	t := &wait{w: w, spin: widget.NewActivity(), open: map[int]bool{}}
	line := kit.Line(8, kit.NoGrow, &fyne.Container{Layout: square(16), Objects: []fyne.CanvasObject{t.spin}}, kit.NewText(model.Loading.Text()).Small().Muted())
	t.pill = container.NewStack(kit.NewPanel("overlayBackground", theme.ColorBorder, theme.SizeCardRadius), kit.Inset(line, 6, 12, 6, 10))
	t.all = &fyne.Container{Layout: atTop{}}
	return t
}

// begin notes a question; what it returns is called when it was answered.
func (t *wait) begin() (answered func()) {
	t.asked++
	id := t.asked
	t.open[id] = true
	return func() {
		delete(t.open, id)
		if len(t.open) == 0 {
			t.hide()
		}
	}
}

// soon shows that something is waited for, if the newest question is not answered within a while.
func (t *wait) soon() {
	id := t.asked
	if !t.open[id] {
		return
	}
	t.w.p.Later(spinAfter, func() {
		if t.open[id] && len(t.all.Objects) == 0 {
			t.all.Objects = []fyne.CanvasObject{t.pill}
			t.spin.Start()
			t.all.Refresh()
		}
	})
}

func (t *wait) hide() {
	if len(t.all.Objects) == 0 {
		return
	}
	t.spin.Stop()
	t.all.Objects = nil
	t.all.Refresh()
}

// atTop lays objects over the upper edge, in the middle, as wide as they need to be.
type atTop struct{}

func (atTop) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(o.MinSize())
		o.Move(fyne.NewPos((size.Width-o.Size().Width)/2, 10))
	}
}

func (atTop) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// square gives objects a width and height.
type square float32

func (s square) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.Position{})
		o.Resize(fyne.NewSquareSize(float32(s)))
	}
}

func (s square) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSquareSize(float32(s)) }
