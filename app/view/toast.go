package view

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// toastTime is how long a notice stays.
const toastTime = 8 * time.Second

// toast tells what came of something, over the lower edge of a page.
type toast struct {
	w     *Window
	all   *fyne.Container
	shown int // counts notices, so that an old one's time does not end a new one
}

func newToast(w *Window) *toast {
	t := &toast{w: w, all: &fyne.Container{Layout: atBottom{}}}
	return t
}

func (t *toast) show(n model.Notice) {
	if n.Text == "" {
		return
	}
	t.shown++
	id := t.shown
	dismiss := t.w.kit.Row(kit.Inset(kit.NewSign("bad", theme.ColorMuted, 11), 5, 5, 5, 5), func() { t.hide() })
	line := kit.TopLine(12, 1, kit.Inset(sign(n.Tone, 13), 3, 0, 0, 0), kit.Prose(n.Text, "foreground"), dismiss)
	card := container.NewStack(kit.NewPanel("overlayBackground", theme.ColorBorder, theme.SizeCardRadius), kit.Inset(line, 12, 12, 12, 16))
	t.all.Objects = []fyne.CanvasObject{card}
	t.all.Refresh()
	t.w.p.Later(toastTime, func() {
		if t.shown == id {
			t.hide()
		}
	})
}

// hide puts the notice away and reports whether there was one.
func (t *toast) hide() bool {
	if len(t.all.Objects) == 0 {
		return false
	}
	t.all.Objects = nil
	t.all.Refresh()
	return true
}

// atBottom lays objects over the lower edge, in the middle.
type atBottom struct{}

func (atBottom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		width := min(560, size.Width-40)
		o.Resize(fyne.NewSize(width, o.MinSize().Height))
		o.Resize(fyne.NewSize(width, o.MinSize().Height))
		o.Move(fyne.NewPos((size.Width-width)/2, size.Height-o.Size().Height-18))
	}
}

func (atBottom) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
