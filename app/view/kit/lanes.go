package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/theme"
)

// Knot is one row of a drawing of branches: a dot on a lane, and the lines that come to it from above, go by and go on below. Lanes count
// from 0 at the left.
type Knot struct {
	Lane               int
	Above, Past, Below []int
	Strong             bool // of the branch that is shown
	Small              bool // of something aside
}

// Lanes draws one Knot; rows below each other make the whole.
type Lanes struct {
	widget.BaseWidget
	knot  Knot
	lanes int
}

// The measures of lanes, in pixels at scale 1.
const (
	laneWidth = 16
	laneEdge  = 9
	knotSize  = 9
	smallKnot = 6
)

// NewLanes is a drawing without lanes.
func NewLanes() *Lanes {
	l := &Lanes{}
	l.ExtendBaseWidget(l)
	return l
}

// Set changes what is drawn; lanes is how many there is room for.
func (l *Lanes) Set(k Knot, lanes int) {
	l.knot, l.lanes = k, lanes
	l.Refresh()
}

// CreateRenderer is Fyne's.
func (l *Lanes) CreateRenderer() fyne.WidgetRenderer {
	r := &lanesRenderer{l: l, dot: canvas.NewCircle(color.Transparent)}
	r.Refresh()
	return r
}

type lanesRenderer struct {
	l     *Lanes
	lines []*canvas.Line
	dot   *canvas.Circle
}

func laneX(lane int) float32 { return laneEdge + float32(lane)*laneWidth }

func (r *lanesRenderer) Layout(size fyne.Size) {
	k, middle := r.l.knot, size.Height/2
	top, bottom := -r.l.Theme().Size(base.SizeNamePadding)/2-0.5, size.Height+r.l.Theme().Size(base.SizeNamePadding)/2+0.5 // over the room between rows
	node := fyne.NewPos(laneX(k.Lane), middle)
	i := 0
	put := func(from, to fyne.Position) {
		r.lines[i].Position1, r.lines[i].Position2 = from, to
		i++
	}
	for _, lane := range k.Above {
		put(fyne.NewPos(laneX(lane), top), node)
	}
	for _, lane := range k.Past {
		put(fyne.NewPos(laneX(lane), top), fyne.NewPos(laneX(lane), bottom))
	}
	for _, lane := range k.Below {
		put(node, fyne.NewPos(laneX(lane), bottom))
	}
	radius := float32(knotSize) / 2
	if k.Small {
		radius = smallKnot / 2
	}
	r.dot.Position1, r.dot.Position2 = node.SubtractXY(radius, radius), node.AddXY(radius, radius)
}

func (r *lanesRenderer) MinSize() fyne.Size {
	return fyne.NewSize(laneX(max(0, r.l.lanes-1))+laneEdge, 2*knotSize)
}

func (r *lanesRenderer) Refresh() {
	th, v, k := r.l.Theme(), fyne.CurrentApp().Settings().ThemeVariant(), r.l.knot
	r.lines = r.lines[:0]
	for range len(k.Above) + len(k.Past) + len(k.Below) {
		line := canvas.NewLine(th.Color(theme.ColorMuted, v))
		line.StrokeWidth = 1.5
		r.lines = append(r.lines, line)
	}
	r.dot.FillColor = th.Color(theme.ColorMuted, v)
	switch {
	case k.Small:
		r.dot.FillColor = th.Color(theme.ColorAsleep, v)
	case k.Strong:
		r.dot.FillColor = th.Color(base.ColorNamePrimary, v)
	}
	r.Layout(r.l.Size())
	canvas.Refresh(r.l)
}

func (r *lanesRenderer) Objects() []fyne.CanvasObject {
	var out []fyne.CanvasObject
	for _, l := range r.lines {
		out = append(out, l)
	}
	return append(out, r.dot)
}

func (r *lanesRenderer) Destroy() {}
