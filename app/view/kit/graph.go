package kit

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/theme"
)

// Node is a point of a graph. Its place is from 0 to 1 in both directions.
type Node struct {
	Name   string
	Color  fyne.ThemeColorName
	X, Y   float32
	Weight int  // how many links lead to it
	Named  bool // its name is always shown
}

// Graph shows nodes and links. It is moved by dragging, nodes as well, zoomed by the wheel, + and -, and gone through with the
// arrow keys; a click or Enter chooses a node.
type Graph struct {
	widget.BaseWidget
	kit   *Kit
	nodes []Node
	links [][2]int
	at    int // that is pointed at; -1 for none
	zoom  float32
	shift fyne.Position // of the drawing, in pixels
	held  int           // node that is dragged; -1 for the ground, -2 for nothing
	// Chosen is told which node is chosen. It may be nil.
	Chosen func(int)
}

// Graph makes an empty graph.
func (k *Kit) Graph() *Graph {
	g := &Graph{kit: k, at: -1, zoom: 1, held: -2}
	g.ExtendBaseWidget(g)
	return g
}

// Set changes what is drawn, and shows all of it.
func (g *Graph) Set(nodes []Node, links [][2]int) {
	g.nodes, g.links, g.at, g.zoom, g.shift = nodes, links, -1, 1, fyne.Position{}
	g.Refresh()
}

// The measures of the graph, in pixels at scale 1.
const (
	graphEdge = 44 // room around the nodes
	nodeReach = 12 // how near to a node the mouse has to be
	graphMove = 40 // by a key
)

// Place is where a node is drawn.
func (g *Graph) Place(i int) fyne.Position {
	size := g.Size().SubtractWidthHeight(2*graphEdge, 2*graphEdge)
	x, y := (g.nodes[i].X-0.5)*size.Width*g.zoom, (g.nodes[i].Y-0.5)*size.Height*g.zoom
	return fyne.NewPos(g.Size().Width/2+x+g.shift.X, g.Size().Height/2+y+g.shift.Y)
}

// radius is how large a node is drawn.
func (g *Graph) radius(i int) float32 {
	return min(11, 3.5+1.2*float32(math.Sqrt(float64(g.nodes[i].Weight))))
}

// find is the node at a place; -1 for none.
func (g *Graph) find(p fyne.Position) int {
	best, near := -1, float32(nodeReach)
	for i := range g.nodes {
		at := g.Place(i)
		if d := float32(math.Hypot(float64(at.X-p.X), float64(at.Y-p.Y))); d < max(near, 0) {
			best, near = i, d
		}
	}
	return best
}

func (g *Graph) point(i int) {
	if i != g.at {
		g.at = i
		g.Refresh()
	}
}

// Tapped chooses the node at a place.
func (g *Graph) Tapped(e *fyne.PointEvent) { g.choose(g.find(e.Position)) }

func (g *Graph) choose(i int) {
	if i >= 0 && i < len(g.nodes) && g.Chosen != nil {
		g.Chosen(i)
	}
}

// MouseIn, MouseMoved and MouseOut are Fyne's.
func (g *Graph) MouseIn(e *desktop.MouseEvent) { g.point(g.find(e.Position)) }

// MouseMoved points at the node below the mouse.
func (g *Graph) MouseMoved(e *desktop.MouseEvent) { g.point(g.find(e.Position)) }

// MouseOut does nothing: what is pointed at stays, so that the keys go on from there.
func (g *Graph) MouseOut() {}

// Scrolled zooms around the place of the mouse.
func (g *Graph) Scrolled(e *fyne.ScrollEvent) {
	factor := float32(1.15)
	if e.Scrolled.DY < 0 {
		factor = 1 / factor
	}
	g.zoomAt(factor, e.Position)
}

func (g *Graph) zoomAt(factor float32, at fyne.Position) {
	zoom := min(6, max(0.4, g.zoom*factor))
	factor = zoom / g.zoom
	middle := fyne.NewPos(at.X-g.Size().Width/2, at.Y-g.Size().Height/2)
	g.shift = fyne.NewPos(middle.X-(middle.X-g.shift.X)*factor, middle.Y-(middle.Y-g.shift.Y)*factor)
	g.zoom = zoom
	g.Refresh()
}

// Dragged moves the node that the drag began at, or else the whole drawing.
func (g *Graph) Dragged(e *fyne.DragEvent) {
	if g.held == -2 {
		g.held = g.find(e.Position.SubtractXY(e.Dragged.DX, e.Dragged.DY))
	}
	if g.held < 0 {
		g.shift = g.shift.AddXY(e.Dragged.DX, e.Dragged.DY)
	} else {
		size := g.Size().SubtractWidthHeight(2*graphEdge, 2*graphEdge)
		g.nodes[g.held].X += e.Dragged.DX / (size.Width * g.zoom)
		g.nodes[g.held].Y += e.Dragged.DY / (size.Height * g.zoom)
	}
	g.Refresh()
}

// DragEnd lets go.
func (g *Graph) DragEnd() { g.held = -2 }

// FocusGained points at the first node.
func (g *Graph) FocusGained() {
	if g.at < 0 && len(g.nodes) > 0 {
		g.point(0)
	}
}

// FocusLost points at none.
func (g *Graph) FocusLost() { g.point(-1) }

// TypedRune zooms.
func (g *Graph) TypedRune(r rune) {
	middle := fyne.NewPos(g.Size().Width/2, g.Size().Height/2)
	switch r {
	case '+', '=':
		g.zoomAt(1.25, middle)
	case '-':
		g.zoomAt(0.8, middle)
	case '0':
		g.zoom, g.shift = 1, fyne.Position{}
		g.Refresh()
	}
}

// TypedKey goes to the next node in a direction, and chooses on Enter and Space.
func (g *Graph) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		g.step(-1, 0)
	case fyne.KeyRight:
		g.step(1, 0)
	case fyne.KeyUp:
		g.step(0, -1)
	case fyne.KeyDown:
		g.step(0, 1)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		g.choose(g.at)
	default:
		g.kit.key(e)
	}
}

// step points at the nearest node in a direction, and moves the drawing where that lies outside.
func (g *Graph) step(x, y float32) {
	if g.at < 0 {
		return
	}
	from, best, near := g.Place(g.at), -1, float32(math.Inf(1))
	for i := range g.nodes {
		to := g.Place(i)
		along, aside := (to.X-from.X)*x+(to.Y-from.Y)*y, (to.X-from.X)*y+(to.Y-from.Y)*x
		if cost := along + 2*max(aside, -aside); i != g.at && along > 1 && cost < near {
			best, near = i, cost
		}
	}
	if best < 0 {
		return
	}
	g.at = best
	at, size := g.Place(best), g.Size()
	if at.X < 0 || at.Y < 0 || at.X > size.Width || at.Y > size.Height {
		g.shift = g.shift.SubtractXY(x*graphMove, y*graphMove)
	}
	g.Refresh()
}

// CreateRenderer is Fyne's.
func (g *Graph) CreateRenderer() fyne.WidgetRenderer {
	r := &graphRenderer{g: g}
	r.Refresh()
	return r
}

type graphRenderer struct {
	g     *Graph
	lines []*canvas.Line
	dots  []*canvas.Circle
	words []*canvas.Text
}

func (r *graphRenderer) Layout(fyne.Size) {
	g := r.g
	for i, l := range g.links {
		r.lines[i].Position1, r.lines[i].Position2 = g.Place(l[0]), g.Place(l[1])
	}
	for i, dot := range r.dots {
		at, radius := g.Place(i), g.radius(i)
		dot.Position1, dot.Position2 = at.SubtractXY(radius, radius), at.AddXY(radius, radius)
		word := r.words[i]
		size := word.MinSize()
		word.Resize(size)
		word.Move(fyne.NewPos(min(max(0, at.X-size.Width/2), max(0, g.Size().Width-size.Width)), at.Y+radius+1))
	}
}

func (r *graphRenderer) MinSize() fyne.Size { return fyne.NewSize(240, 240) }

func (r *graphRenderer) Refresh() {
	g := r.g
	th, v := g.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	near := map[int]bool{g.at: true}
	r.lines = r.lines[:0]
	for _, l := range g.links {
		line := canvas.NewLine(th.Color(theme.ColorBorder, v))
		line.StrokeWidth = 1
		if l[0] == g.at || l[1] == g.at {
			near[l[0]], near[l[1]] = true, true
			line.StrokeColor, line.StrokeWidth = th.Color(base.ColorNamePrimary, v), 1.5
		}
		r.lines = append(r.lines, line)
	}
	r.dots, r.words = r.dots[:0], r.words[:0]
	for i, n := range g.nodes {
		dot := canvas.NewCircle(th.Color(n.Color, v))
		if i == g.at {
			dot.StrokeColor, dot.StrokeWidth = th.Color(base.ColorNameForeground, v), 2
		}
		word := canvas.NewText(n.Name, th.Color(theme.ColorMuted, v))
		word.TextSize = th.Size(base.SizeNameCaptionText) - 1
		if word.Hidden = !(n.Named || near[i] || g.zoom > 1.8); near[i] {
			word.Color = th.Color(base.ColorNameForeground, v)
		}
		r.dots, r.words = append(r.dots, dot), append(r.words, word)
	}
	r.Layout(g.Size())
	canvas.Refresh(g)
}

func (r *graphRenderer) Objects() []fyne.CanvasObject {
	var out []fyne.CanvasObject
	for _, l := range r.lines {
		out = append(out, l)
	}
	for _, d := range r.dots {
		out = append(out, d)
	}
	for _, w := range r.words {
		out = append(out, w)
	}
	return out
}

func (r *graphRenderer) Destroy() {}
