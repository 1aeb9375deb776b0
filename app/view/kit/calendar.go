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

// Label is a word above a column.
type Label struct {
	Column int
	Text   string
}

// Calendar shows cells in columns of seven, each more or less filled. A cell is pointed at with the mouse or the arrow keys,
// and chosen by a click or Enter.
type Calendar struct {
	widget.BaseWidget
	kit     *Kit
	levels  []int // of each cell, column by column: 0 to 4; negative for no cell
	labels  []Label
	rows    []string // at the left; seven
	ink     fyne.ThemeColorName
	at      int // that is pointed at; -1 for none
	focused bool
	// Pointed is told which cell is pointed at, -1 for none; Chosen which one is chosen. They may be nil.
	Pointed, Chosen func(int)
}

// Calendar makes an empty calendar with names for its rows.
func (k *Kit) Calendar(rows []string) *Calendar {
	c := &Calendar{kit: k, rows: rows, at: -1, ink: base.ColorNamePrimary}
	c.ExtendBaseWidget(c)
	return c
}

// Set changes what the cells show, and the colour in which they are filled.
func (c *Calendar) Set(levels []int, labels []Label, ink fyne.ThemeColorName) {
	c.levels, c.labels, c.ink = levels, labels, ink
	c.Refresh()
}

// The measures of the calendar, in pixels at scale 1.
const (
	cellGap    = 3
	labelAbove = 18
	labelLeft  = 30
	smallCell  = 6
	largeCell  = 15
)

func (c *Calendar) columns() int { return (len(c.levels) + 6) / 7 }

// cell is how large a cell is in a width.
func (c *Calendar) cell(width float32) float32 {
	if c.columns() == 0 {
		return smallCell
	}
	return min(largeCell, max(smallCell, float32(int((width-labelLeft)/float32(c.columns())-cellGap))))
}

func (c *Calendar) place(i int) fyne.Position {
	step := c.cell(c.Size().Width) + cellGap
	return fyne.NewPos(labelLeft+float32(i/7)*step, labelAbove+float32(i%7)*step)
}

// find is the cell at a place; -1 for none.
func (c *Calendar) find(p fyne.Position) int {
	step := c.cell(c.Size().Width) + cellGap
	x, y := int((p.X-labelLeft)/step), int((p.Y-labelAbove)/step)
	i := 7*x + y
	if p.X < labelLeft || p.Y < labelAbove || y > 6 || i >= len(c.levels) || c.levels[i] < 0 {
		return -1
	}
	return i
}

func (c *Calendar) point(i int) {
	if i != c.at {
		c.at = i
		c.Refresh()
		if c.Pointed != nil {
			c.Pointed(i)
		}
	}
}

// Tapped chooses the cell at a place.
func (c *Calendar) Tapped(e *fyne.PointEvent) { c.choose(c.find(e.Position)) }

func (c *Calendar) choose(i int) {
	if i >= 0 && c.Chosen != nil {
		c.Chosen(i)
	}
}

// MouseIn, MouseMoved, MouseOut and Cursor are Fyne's.
func (c *Calendar) MouseIn(e *desktop.MouseEvent) { c.point(c.find(e.Position)) }

// MouseMoved points at the cell below the mouse.
func (c *Calendar) MouseMoved(e *desktop.MouseEvent) { c.point(c.find(e.Position)) }

// MouseOut points at none.
func (c *Calendar) MouseOut() {
	if !c.focused {
		c.point(-1)
	}
}

// Cursor shows that cells can be clicked.
func (c *Calendar) Cursor() desktop.Cursor { return desktop.PointerCursor }

// FocusGained points at the last cell that there is.
func (c *Calendar) FocusGained() {
	c.focused = true
	for i := len(c.levels) - 1; i >= 0 && c.at < 0; i-- {
		if c.levels[i] >= 0 {
			c.point(i)
		}
	}
}

// FocusLost points at none.
func (c *Calendar) FocusLost() { c.focused = false; c.point(-1) }

// TypedRune does nothing.
func (c *Calendar) TypedRune(rune) {}

// TypedKey moves by a row or a column, and chooses on Enter and Space.
func (c *Calendar) TypedKey(e *fyne.KeyEvent) {
	step := map[fyne.KeyName]int{fyne.KeyUp: -1, fyne.KeyDown: 1, fyne.KeyLeft: -7, fyne.KeyRight: 7}[e.Name]
	switch next := c.at + step; {
	case step != 0 && next >= 0 && next < len(c.levels) && c.levels[next] >= 0:
		c.point(next)
	case step != 0:
	case e.Name == fyne.KeyReturn, e.Name == fyne.KeyEnter, e.Name == fyne.KeySpace:
		c.choose(c.at)
	default:
		c.kit.key(e)
	}
}

// CreateRenderer is Fyne's.
func (c *Calendar) CreateRenderer() fyne.WidgetRenderer {
	r := &calendarRenderer{c: c, mark: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

type calendarRenderer struct {
	c     *Calendar
	cells []*canvas.Rectangle
	words []*canvas.Text
	mark  *canvas.Rectangle
}

func (r *calendarRenderer) Layout(size fyne.Size) {
	cell := fyne.NewSquareSize(r.c.cell(size.Width))
	for i, rect := range r.cells {
		rect.Resize(cell)
		rect.Move(r.c.place(i))
	}
	for i, l := range r.c.labels {
		r.words[i].Move(fyne.NewPos(r.c.place(7*l.Column).X, 0))
	}
	for i := range r.c.rows {
		r.words[len(r.c.labels)+i].Move(fyne.NewPos(0, r.c.place(i).Y+(cell.Height-r.words[len(r.c.labels)+i].MinSize().Height)/2))
	}
	if r.mark.Hidden = r.c.at < 0; !r.mark.Hidden {
		r.mark.Move(r.c.place(r.c.at).SubtractXY(1.5, 1.5))
		r.mark.Resize(cell.AddWidthHeight(3, 3))
	}
}

func (r *calendarRenderer) MinSize() fyne.Size {
	n := float32(max(1, r.c.columns()))
	cell := r.c.cell(r.c.Size().Width)
	return fyne.NewSize(labelLeft+n*(smallCell+cellGap), labelAbove+7*(cell+cellGap))
}

func (r *calendarRenderer) Refresh() {
	th, v := r.c.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	for len(r.cells) < len(r.c.levels) {
		r.cells = append(r.cells, canvas.NewRectangle(color.Transparent))
	}
	r.cells = r.cells[:len(r.c.levels)]
	for i, level := range r.c.levels {
		r.cells[i].CornerRadius = 3
		r.cells[i].FillColor = filled(th.Color(theme.ColorTrack, v), th.Color(r.c.ink, v), level)
		r.cells[i].Hidden = level < 0
	}
	r.words = r.words[:0]
	texts := make([]string, 0, len(r.c.labels)+len(r.c.rows))
	for _, l := range r.c.labels {
		texts = append(texts, l.Text)
	}
	for _, s := range append(texts, r.c.rows...) {
		word := canvas.NewText(s, th.Color(theme.ColorMuted, v))
		word.TextSize = th.Size(base.SizeNameCaptionText) - 1
		word.Resize(word.MinSize())
		r.words = append(r.words, word)
	}
	r.mark.StrokeColor, r.mark.StrokeWidth, r.mark.CornerRadius = th.Color(base.ColorNameForeground, v), 1.5, 4
	r.Layout(r.c.Size())
	canvas.Refresh(r.c)
}

// filled is a colour between two, by a level from 0 to 4.
func filled(from, to color.Color, level int) color.Color {
	share := []uint32{0, 30, 55, 78, 100}[max(0, min(4, level))]
	a, b, c, _ := from.RGBA()
	x, y, z, _ := to.RGBA()
	mix := func(p, q uint32) uint8 { return uint8((p*(100-share) + q*share) / 100 >> 8) }
	return color.NRGBA{R: mix(a, x), G: mix(b, y), B: mix(c, z), A: 0xff}
}

func (r *calendarRenderer) Objects() []fyne.CanvasObject {
	out := make([]fyne.CanvasObject, 0, len(r.cells)+len(r.words)+1)
	for _, c := range r.cells {
		out = append(out, c)
	}
	for _, w := range r.words {
		out = append(out, w)
	}
	return append(out, r.mark)
}

func (r *calendarRenderer) Destroy() {}
