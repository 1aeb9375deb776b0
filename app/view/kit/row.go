package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Row is content that does something when it is clicked, or when Enter or Space is pressed while it has the focus.
type Row struct {
	widget.BaseWidget
	kit      *Kit
	content  fyne.CanvasObject
	act      func()
	ground   *Panel
	hovered  bool
	focused  bool
	selected bool
}

// Row makes a row; act may be changed with Do.
func (k *Kit) Row(content fyne.CanvasObject, act func()) *Row {
	r := &Row{kit: k, content: content, act: act, ground: NewPanel("", "", base.SizeNameSelectionRadius)}
	r.ExtendBaseWidget(r)
	return r
}

// Do changes what the row does.
func (r *Row) Do(act func()) { r.act = act }

// Select shows the row as the chosen one.
func (r *Row) Select(on bool) { r.selected = on; r.paint() }

// Tapped is Fyne's.
func (r *Row) Tapped(*fyne.PointEvent) {
	if r.act != nil {
		r.act()
	}
}

// MouseIn, MouseMoved, MouseOut and Cursor are Fyne's.
func (r *Row) MouseIn(*desktop.MouseEvent) { r.hovered = true; r.paint() }

// MouseMoved does nothing.
func (r *Row) MouseMoved(*desktop.MouseEvent) {}

// MouseOut ends the hovering.
func (r *Row) MouseOut() { r.hovered = false; r.paint() }

// Cursor shows that the row can be clicked.
func (r *Row) Cursor() desktop.Cursor { return desktop.PointerCursor }

// FocusGained, FocusLost, TypedRune and TypedKey make the row usable by keyboard.
func (r *Row) FocusGained() { r.focused = true; r.paint() }

// FocusLost ends that.
func (r *Row) FocusLost() { r.focused = false; r.paint() }

// TypedRune does nothing: Space comes as a key, too.
func (r *Row) TypedRune(rune) {}

// TypedKey acts on Enter and Space.
func (r *Row) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		r.Tapped(nil)
	default:
		r.kit.key(e)
	}
}

// paint shows the row's state by its ground.
func (r *Row) paint() {
	switch {
	case r.focused:
		r.ground.Fill(base.ColorNameFocus)
	case r.selected:
		r.ground.Fill(base.ColorNameSelection)
	case r.hovered:
		r.ground.Fill(base.ColorNameHover)
	default:
		r.ground.Fill("")
	}
}

// CreateRenderer is Fyne's.
func (r *Row) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(&fyne.Container{Layout: &inset{}, Objects: []fyne.CanvasObject{r.ground, r.content}})
}
