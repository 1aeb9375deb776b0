package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/theme"
)

// Sign is a small picture in one colour.
type Sign struct {
	widget.Icon
	name  string
	color fyne.ThemeColorName
	size  float32
}

// NewSign is a sign of theme.Sign, in a colour and of a width and height.
func NewSign(name string, c fyne.ThemeColorName, size float32) *Sign {
	s := &Sign{size: size}
	s.ExtendBaseWidget(s)
	s.Set(name, c)
	return s
}

// Set changes what the sign shows.
func (s *Sign) Set(name string, c fyne.ThemeColorName) {
	if s.name != name || s.color != c {
		s.name, s.color = name, c
		s.SetResource(theme.Sign(name, c))
	}
}

// MinSize is the sign's size.
func (s *Sign) MinSize() fyne.Size { return fyne.NewSquareSize(s.size) }

// Badge is a word on a ground of its own.
func Badge(word string, c fyne.ThemeColorName) *fyne.Container {
	return container.NewStack(NewPanel(theme.ColorCode, theme.ColorBorder, base.SizeNameInputRadius),
		Inset(NewText(word).Small().In(c), 2, 8, 2, 8))
}

// Gauge shows how full something is.
type Gauge struct {
	widget.BaseWidget
	share       float32
	track, fill *Panel
}

// NewGauge is an empty gauge.
func NewGauge() *Gauge {
	g := &Gauge{track: NewPanel(theme.ColorTrack, "", base.SizeNameScrollBarRadius), fill: NewPanel(base.ColorNamePrimary, "", base.SizeNameScrollBarRadius)}
	g.ExtendBaseWidget(g)
	return g
}

// Set changes how full it is, from 0 to 1, and its colour.
func (g *Gauge) Set(share float64, c fyne.ThemeColorName) {
	g.share = float32(min(1, max(0, share)))
	g.fill.Fill(c)
	g.Refresh()
}

// CreateRenderer is Fyne's.
func (g *Gauge) CreateRenderer() fyne.WidgetRenderer { return &gaugeRenderer{g} }

type gaugeRenderer struct{ g *Gauge }

func (r *gaugeRenderer) Layout(size fyne.Size) {
	r.g.track.Resize(size)
	r.g.fill.Resize(fyne.NewSize(size.Width*r.g.share, size.Height))
}

func (r *gaugeRenderer) MinSize() fyne.Size { return fyne.NewSize(40, 7) }

func (r *gaugeRenderer) Refresh() {
	r.g.track.Refresh()
	r.g.fill.Refresh()
	r.Layout(r.g.Size())
}

func (r *gaugeRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.g.track, r.g.fill}
}
func (r *gaugeRenderer) Destroy() {}
