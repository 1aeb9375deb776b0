package view

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"dormouse/app/model"
)

// shortcuts are the keys of the window, pressed with Ctrl, or Cmd on macOS.
func (w *Window) shortcuts() map[fyne.KeyName]func() {
	keys := map[fyne.KeyName]func(){
		fyne.KeyR:     w.Refresh,
		fyne.KeyK:     w.Find,
		fyne.KeyComma: func() { w.Show(PageSettings) },
		fyne.KeyF:     func() { w.pages[w.at].find() },
	}
	for i := range min(pages, model.KeyedPages) {
		keys[fyne.KeyName(rune('1'+i))] = func() { w.Show(i) }
	}
	return keys
}

// Listen makes the window hear its keys.
func (w *Window) Listen() {
	c := w.p.Parent.Canvas()
	for key := range w.shortcuts() {
		s := &desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}
		c.AddShortcut(s, func(fyne.Shortcut) { w.shortcut(s) })
	}
	c.SetOnTypedKey(w.typed)
}

// shortcut acts on one of the window's shortcuts, also while a field has the focus. It closes the search that is open.
func (w *Window) shortcut(s fyne.Shortcut) bool {
	c, ok := s.(*desktop.CustomShortcut)
	if !ok || c.Modifier != fyne.KeyModifierShortcutDefault {
		return false
	}
	act := w.shortcuts()[c.KeyName]
	if act == nil {
		return false
	}
	if w.finder != nil && c.KeyName != fyne.KeyK {
		w.finder.close()
	}
	act()
	return true
}

// typed acts on keys that nothing else has a use for.
func (w *Window) typed(e *fyne.KeyEvent) {
	if w.p.Parent.Canvas().Overlays().Top() != nil {
		return // a dialog is open, and what lies below it is not meant
	}
	p := w.pages[w.at]
	if l, ok := p.(listed); ok && e.Name == fyne.KeyDown {
		l.enterList()
		return
	}
	if k, ok := p.(keyed); ok && k.key(e.Name) {
		return
	}
	if e.Name == fyne.KeyEscape {
		w.escape()
	}
}

// escape takes one step back: it puts away a notice, undoes what the page narrows down to, or leads back to where the person
// came from.
func (w *Window) escape() {
	switch {
	case w.toast.hide():
	case w.before >= 0:
		back := w.before
		w.before = -1
		w.turn(back)
	case w.pages[w.at].escape():
	default:
		w.p.Parent.Canvas().Unfocus()
	}
}
