package kit

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/theme"
)

// Fold is a line that unfolds what is below it. That is made when it is unfolded for the first time.
type Fold struct {
	widget.BaseWidget
	all  *fyne.Container
	sign *Sign
	body fyne.CanvasObject
	made func() fyne.CanvasObject
	// Changed is called after it was folded or unfolded. It may be nil.
	Changed func()
}

// Fold makes a folded line of a head; body makes what is below it.
func (k *Kit) Fold(head fyne.CanvasObject, body func() fyne.CanvasObject) *Fold {
	f := &Fold{made: body, sign: NewSign("folded", theme.ColorMuted, 12)}
	row := k.Row(Inset(Line(8, 1, f.sign, head), 4, 8, 4, 6), f.Toggle)
	f.all = Column(4, row)
	f.ExtendBaseWidget(f)
	return f
}

// Toggle folds or unfolds.
func (f *Fold) Toggle() {
	switch {
	case f.body == nil:
		f.body = Inset(f.made(), 0, 0, 4, 20)
		f.all.Add(f.body)
	case f.body.Visible():
		f.body.Hide()
	default:
		f.body.Show()
	}
	name := "folded"
	if f.Open() {
		name = "unfolded"
	}
	f.sign.Set(name, theme.ColorMuted)
	f.Refresh()
	if f.Changed != nil {
		f.Changed()
	}
}

// Open reports whether it is unfolded.
func (f *Fold) Open() bool { return f.body != nil && f.body.Visible() }

// CreateRenderer is Fyne's.
func (f *Fold) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(f.all) }

// Facts are labelled lines in two columns. The labels' column is as wide as labelWidth, or as the widest label where that is wider.
func Facts(labels []string, texts []fyne.CanvasObject, labelWidth float32) fyne.CanvasObject {
	rows := Column(7)
	heads := make([]*Text, len(labels))
	for i, label := range labels {
		heads[i] = NewText(label).Muted()
		labelWidth = max(labelWidth, heads[i].MinSize().Width)
	}
	for i, head := range heads {
		rows.Add(TopLine(10, 1, Fixed(head, labelWidth), texts[i]))
	}
	return rows
}

// Link is a word that does something, in the colour of links.
func (k *Kit) Link(word string, act func()) *Row {
	return k.Row(Inset(NewText(word).In(base.ColorNameHyperlink), 2, 5, 2, 5), act)
}
