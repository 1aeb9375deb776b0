// Package kit is the building blocks of the window's pages: text, cards, rows that act, gauges, folds and layouts, in the
// look of the theme.
//
// It never knows what it shows: that is the pages' business, and all wording is the model's.
package kit

import "fyne.io/fyne/v2"

// Kit makes the blocks that take the keyboard's focus, so that keys which they have no use for reach the window.
type Kit struct {
	// OnKey is told of a key that the focused block does not use. It may be nil.
	OnKey func(*fyne.KeyEvent)
	// OnShortcut is told of a shortcut first, and reports whether it was one of the window's. It may be nil.
	OnShortcut func(fyne.Shortcut) bool
}

func (k *Kit) key(e *fyne.KeyEvent) {
	if k.OnKey != nil {
		k.OnKey(e)
	}
}
