package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Button is Fyne's, but lets other keys than its own through.
type Button struct {
	widget.Button
	kit *Kit
}

// Button makes a button; icon may be nil.
func (k *Kit) Button(label string, icon fyne.Resource, act func()) *Button {
	b := &Button{kit: k}
	b.Text, b.Icon, b.OnTapped = label, icon, act
	b.ExtendBaseWidget(b)
	return b
}

// TypedKey acts on Enter and Space.
func (b *Button) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		b.Tapped(nil)
	case fyne.KeySpace:
		b.Button.TypedKey(e)
	default:
		b.kit.key(e)
	}
}

// Select is Fyne's, but lets Escape through.
type Select struct {
	widget.Select
	kit *Kit
}

// Select makes a chooser.
func (k *Kit) Select(chosen func(string)) *Select {
	s := &Select{kit: k}
	s.OnChanged, s.PlaceHolder = chosen, " " // where nothing is chosen, Fyne would say so in English
	s.ExtendBaseWidget(s)
	return s
}

// Offer changes what there is to choose from and what is chosen, without telling anyone.
func (s *Select) Offer(options []string, chosen string) {
	told := s.OnChanged
	s.OnChanged = nil
	s.Options = options
	s.SetSelected(chosen)
	if len(options) == 0 {
		s.Disable()
	} else {
		s.Enable()
	}
	s.Refresh()
	s.OnChanged = told
}

// TypedKey opens on Space and Enter, steps with Up and Down.
func (s *Select) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyUp, fyne.KeyDown:
		s.Select.TypedKey(e)
	case fyne.KeyReturn, fyne.KeyEnter:
		s.Tapped(nil)
	default:
		s.kit.key(e)
	}
}

// Outlined puts an edge around a field.
func Outlined(o fyne.CanvasObject) *fyne.Container {
	return container.NewStack(o, NewPanel("", base.ColorNameInputBorder, base.SizeNameInputRadius))
}

// List is Fyne's, but acts on Enter and lets through what it has no use for.
type List struct {
	widget.List
	kit *Kit
	// Skips reports of rows that cannot be chosen. It may be nil.
	Skips   func(int) bool
	follows bool
	chosen  bool // a row is selected
	at      int  // that was chosen last
}

// List makes a list that draws only what is seen.
func (k *Kit) List(length func() int, create func() fyne.CanvasObject, update func(int, fyne.CanvasObject)) *List {
	l := &List{kit: k}
	l.Length, l.CreateItem, l.UpdateItem = length, create, update
	l.HideSeparators = true
	l.ExtendBaseWidget(l)
	return l
}

// Follow has the arrow keys choose a row at once; chosen is told of each row that is chosen.
func (l *List) Follow(chosen func(int)) {
	l.follows = true
	l.OnUnselected = func(int) { l.chosen = false }
	l.OnSelected = func(i int) {
		l.at, l.chosen = i, true
		if l.Skips == nil || !l.Skips(i) {
			chosen(i)
		}
	}
}

// Selected reports whether a row of a list that follows is selected.
func (l *List) Selected() bool { return l.chosen }

// TypedKey moves, chooses on Space and Enter.
func (l *List) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		l.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	case fyne.KeyUp, fyne.KeyDown:
		l.step(e)
	case fyne.KeySpace:
		l.List.TypedKey(e)
	default:
		l.kit.key(e)
	}
}

// step goes to the next row and, where the list follows, chooses it or the next one that can be chosen.
func (l *List) step(e *fyne.KeyEvent) {
	l.List.TypedKey(e)
	for before := -1; l.follows && l.at != before; {
		before = l.at
		l.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
		if l.at == before || l.Skips == nil || !l.Skips(l.at) {
			return
		}
		before = l.at
		l.List.TypedKey(e)
		l.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
		if !l.Skips(l.at) {
			return
		}
	}
}

// Check is Fyne's, but lets other keys than its own through.
type Check struct {
	widget.Check
	kit *Kit
}

// Check makes a box to be ticked.
func (k *Kit) Check(label string, changed func(bool)) *Check {
	c := &Check{kit: k}
	c.Text, c.OnChanged = label, changed
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey ticks on Enter; Space does, too.
func (c *Check) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace:
		c.Check.TypedKey(e)
	case fyne.KeyReturn, fyne.KeyEnter:
		c.SetChecked(!c.Checked)
	default:
		c.kit.key(e)
	}
}

// Entry is Fyne's for one line, but hands on Escape, Down and the window's shortcuts.
type Entry struct {
	widget.Entry
	kit *Kit
	// Keys is told of each key first, and reports whether it was meant for it. It may be nil.
	Keys func(*fyne.KeyEvent) bool
}

// Entry makes a field for one line.
func (k *Kit) Entry(hint string, changed func(string)) *Entry {
	e := &Entry{kit: k}
	e.PlaceHolder, e.OnChanged = hint, changed
	e.Wrapping = fyne.TextWrapOff
	e.Scroll = fyne.ScrollHorizontalOnly
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey edits.
func (e *Entry) TypedKey(ev *fyne.KeyEvent) {
	if e.Keys != nil && e.Keys(ev) {
		return
	}
	switch ev.Name {
	case fyne.KeyEscape, fyne.KeyDown:
		e.kit.key(ev)
	default:
		e.Entry.TypedKey(ev)
	}
}

// TypedShortcut gives the window's shortcuts precedence.
func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	if e.kit.OnShortcut == nil || !e.kit.OnShortcut(s) {
		e.Entry.TypedShortcut(s)
	}
}

// Lines is a field for several short lines. Tab leaves it, Ctrl and Enter hand it in.
type Lines struct{ Entry }

// Lines makes a field for so many lines.
func (k *Kit) Lines(text, hint string, lines int, changed func(string)) *Lines {
	l := &Lines{Entry{kit: k}}
	l.MultiLine, l.Wrapping, l.Text, l.PlaceHolder, l.OnChanged = true, fyne.TextWrapOff, text, hint, changed
	l.Scroll = fyne.ScrollHorizontalOnly
	l.SetMinRowsVisible(lines)
	l.ExtendBaseWidget(l)
	return l
}

// AcceptsTab is false, so that the keyboard gets out again.
func (l *Lines) AcceptsTab() bool { return false }

// TypedKey edits; the arrows go between the lines.
func (l *Lines) TypedKey(e *fyne.KeyEvent) {
	if l.Keys != nil && l.Keys(e) {
		return
	}
	if e.Name == fyne.KeyEscape {
		l.kit.key(e)
		return
	}
	l.Entry.Entry.TypedKey(e)
}

// Draft is a field for one text that wraps: Enter hands it in, Escape gives it up.
type Draft struct {
	widget.Entry
	// GivenUp is called on Escape. It may be nil.
	GivenUp func()
}

// NewDraft is a field with a text in it, some lines high.
func NewDraft(text string, lines int) *Draft {
	d := &Draft{}
	d.MultiLine, d.Wrapping, d.Text = true, fyne.TextWrapWord, text
	d.SetMinRowsVisible(lines)
	d.ExtendBaseWidget(d)
	return d
}

// TypedKey edits.
func (d *Draft) TypedKey(e *fyne.KeyEvent) {
	switch {
	case (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter) && d.OnSubmitted != nil:
		d.OnSubmitted(d.Text)
	case e.Name == fyne.KeyEscape && d.GivenUp != nil:
		d.GivenUp()
	default:
		d.Entry.TypedKey(e)
	}
}
