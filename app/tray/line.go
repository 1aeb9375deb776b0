package tray

// line is an item that remembers how it is, so that only changes reach the tray.
type line struct {
	item            Item
	label           string
	hidden, greyOut bool
}

// adder is a place for items: the bar, or an item with a menu behind it.
type adder interface {
	Add(label string, click func()) Item
}

func newLine(to adder, label string, click func()) *line {
	return &line{item: to.Add(label, click), label: label}
}

func (l *line) text(s string) {
	if l.label != s {
		l.label = s
		l.item.SetLabel(s)
	}
}

func (l *line) enable(on bool) {
	if l.greyOut == on {
		l.greyOut = !on
		l.item.Enable(on)
	}
}

func (l *line) show(on bool) {
	if l.hidden == on {
		l.hidden = !on
		l.item.Show(on)
	}
}

// textOrHide shows a text, and no line where there is none.
func (l *line) textOrHide(s string) {
	if s != "" {
		l.text(s)
	}
	l.show(s != "")
}
