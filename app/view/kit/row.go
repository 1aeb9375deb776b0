package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/theme"
)

// Row is content that does something when it is clicked, or when Enter or Space is pressed while it has the focus.
type Row struct {
	widget.BaseWidget
	kit      *Kit
	content  fyne.CanvasObject
	act      func()
	base     *Panel // that is there whatever the state; nil for none
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
	layers := []fyne.CanvasObject{r.ground, r.content}
	if r.base != nil {
		layers = append([]fyne.CanvasObject{r.base}, layers...)
	}
	return widget.NewSimpleRenderer(&fyne.Container{Layout: &inset{}, Objects: layers})
}

// Key is a button for something that a single key does as well; the key stands beside its word. The leading one is filled.
func (k *Kit) Key(word, key string, leads bool, act func()) *Row {
	fill, ink, cap := base.ColorNameButton, base.ColorNameForeground, theme.ColorMuted
	if leads {
		fill, ink, cap = base.ColorNamePrimary, base.ColorNameForegroundOnPrimary, base.ColorNameForegroundOnPrimary
	}
	label := Line(9, NoGrow, NewText(word).Bold().In(ink), Cap(key, cap))
	r := k.Row(Inset(label, 7, 8, 7, 12), act)
	r.base = NewPanel(fill, "", base.SizeNameInputRadius)
	r.ground.radius = base.SizeNameInputRadius
	return r
}

// Cap is a key as it stands on a keyboard.
func Cap(key string, ink fyne.ThemeColorName) *fyne.Container {
	return container.NewStack(NewPanel("", ink, base.SizeNameScrollBarRadius), Inset(NewText(key).Small().In(ink).Center(), 1, 6, 1, 6))
}
