package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/theme"
)

// Bars shows numbers side by side, each as high as it is large. One is pointed at with the mouse or the arrow keys.
type Bars struct {
	widget.BaseWidget
	kit     *Kit
	shares  []float64 // from 0 to 1
	labels  []Label   // below columns
	at      int       // that is pointed at; -1 for none
	focused bool
	// Pointed is told which bar is pointed at, -1 for none. It may be nil.
	Pointed func(int)
}

// Bars makes a drawing without bars.
func (k *Kit) Bars() *Bars {
	b := &Bars{kit: k, at: -1}
	b.ExtendBaseWidget(b)
	return b
}

// Set changes the bars.
func (b *Bars) Set(shares []float64, labels []Label) {
	b.shares, b.labels, b.at = shares, labels, -1
	b.Refresh()
}

// The measures of the bars, in pixels at scale 1.
const (
	barsHeight = 150
	barsBelow  = 20 // for the labels
	barGap     = 2
)

func (b *Bars) step() float32 { return b.Size().Width / float32(max(1, len(b.shares))) }

func (b *Bars) find(p fyne.Position) int {
	i := int(p.X / b.step())
	if p.X < 0 || p.Y < 0 || i >= len(b.shares) {
		return -1
	}
	return i
}

func (b *Bars) point(i int) {
	if i != b.at {
		b.at = i
		b.Refresh()
		if b.Pointed != nil {
			b.Pointed(i)
		}
	}
}

// MouseIn, MouseMoved and MouseOut are Fyne's.
func (b *Bars) MouseIn(e *desktop.MouseEvent) { b.point(b.find(e.Position)) }

// MouseMoved points at the bar below the mouse.
func (b *Bars) MouseMoved(e *desktop.MouseEvent) { b.point(b.find(e.Position)) }

// MouseOut points at none.
func (b *Bars) MouseOut() {
	if !b.focused {
		b.point(-1)
	}
}

// Tapped points at a bar.
func (b *Bars) Tapped(e *fyne.PointEvent) { b.point(b.find(e.Position)) }

// FocusGained points at the last bar.
func (b *Bars) FocusGained() {
	b.focused = true
	if b.at < 0 {
		b.point(len(b.shares) - 1)
	}
}

// FocusLost points at none.
func (b *Bars) FocusLost() { b.focused = false; b.point(-1) }

// TypedRune does nothing.
func (b *Bars) TypedRune(rune) {}

// TypedKey moves.
func (b *Bars) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		b.point(max(0, b.at-1))
	case fyne.KeyRight:
		b.point(min(len(b.shares)-1, b.at+1))
	default:
		b.kit.key(e)
	}
}

// CreateRenderer is Fyne's.
func (b *Bars) CreateRenderer() fyne.WidgetRenderer {
	r := &barsRenderer{b: b, floor: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

type barsRenderer struct {
	b     *Bars
	bars  []*canvas.Rectangle
	words []*canvas.Text
	floor *canvas.Rectangle
}

func (r *barsRenderer) Layout(size fyne.Size) {
	step, room := r.b.step(), size.Height-barsBelow
	for i, bar := range r.bars {
		height := float32(r.b.shares[i]) * (room - 4)
		if r.b.shares[i] > 0 {
			height = max(3, height)
		}
		bar.Move(fyne.NewPos(float32(i)*step+barGap/2, room-height))
		bar.Resize(fyne.NewSize(max(1, step-barGap), height))
	}
	r.floor.Move(fyne.NewPos(0, room))
	r.floor.Resize(fyne.NewSize(size.Width, 1))
	for i, l := range r.b.labels {
		x := min(float32(l.Column)*step, size.Width-r.words[i].MinSize().Width)
		r.words[i].Move(fyne.NewPos(max(0, x), room+5))
	}
}

func (r *barsRenderer) MinSize() fyne.Size { return fyne.NewSize(120, barsHeight+barsBelow) }

func (r *barsRenderer) Refresh() {
	th, v := r.b.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	for len(r.bars) < len(r.b.shares) {
		r.bars = append(r.bars, canvas.NewRectangle(color.Transparent))
	}
	r.bars = r.bars[:len(r.b.shares)]
	for i, bar := range r.bars {
		bar.CornerRadius = 2
		bar.FillColor = th.Color(base.ColorNamePrimary, v)
		if i == r.b.at {
			bar.FillColor = th.Color(theme.ColorAsleep, v)
		}
	}
	r.words = r.words[:0]
	for _, l := range r.b.labels {
		word := canvas.NewText(l.Text, th.Color(theme.ColorMuted, v))
		word.TextSize = th.Size(base.SizeNameCaptionText) - 1
		word.Resize(word.MinSize())
		r.words = append(r.words, word)
	}
	r.floor.FillColor = th.Color(theme.ColorBorder, v)
	r.Layout(r.b.Size())
	canvas.Refresh(r.b)
}

func (r *barsRenderer) Objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{r.floor}
	for _, b := range r.bars {
		out = append(out, b)
	}
	for _, w := range r.words {
		out = append(out, w)
	}
	return out
}

func (r *barsRenderer) Destroy() {}
