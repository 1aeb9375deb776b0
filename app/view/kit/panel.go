package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/theme"
)

// Panel is a rounded ground in colours of the theme.
type Panel struct {
	widget.BaseWidget
	fill, edge fyne.ThemeColorName // edge may be empty
	radius     fyne.ThemeSizeName  // empty for square corners
	min        fyne.Size
}

// NewPanel is a ground with an edge; either colour may be empty.
func NewPanel(fill, edge fyne.ThemeColorName, radius fyne.ThemeSizeName) *Panel {
	p := &Panel{fill: fill, edge: edge, radius: radius}
	p.ExtendBaseWidget(p)
	return p
}

// Fill changes the ground's colour.
func (p *Panel) Fill(c fyne.ThemeColorName) {
	if p.fill != c {
		p.fill = c
		p.Refresh()
	}
}

// CreateRenderer is Fyne's.
func (p *Panel) CreateRenderer() fyne.WidgetRenderer {
	r := &panelRenderer{p: p, rect: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

type panelRenderer struct {
	p    *Panel
	rect *canvas.Rectangle
}

func (r *panelRenderer) Layout(size fyne.Size) { r.rect.Resize(size) }
func (r *panelRenderer) MinSize() fyne.Size    { return r.p.min }

func (r *panelRenderer) Refresh() {
	th, variant := r.p.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	r.rect.FillColor, r.rect.StrokeColor, r.rect.StrokeWidth, r.rect.CornerRadius = color.Transparent, color.Transparent, 0, 0
	if r.p.fill != "" {
		r.rect.FillColor = th.Color(r.p.fill, variant)
	}
	if r.p.edge != "" {
		r.rect.StrokeColor, r.rect.StrokeWidth = th.Color(r.p.edge, variant), 1
	}
	if r.p.radius != "" {
		r.rect.CornerRadius = th.Size(r.p.radius)
	}
	r.rect.Refresh()
}

func (r *panelRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.rect} }
func (r *panelRenderer) Destroy()                     {}

// Card puts content on a card.
func Card(content fyne.CanvasObject) *fyne.Container {
	in := fyne.CurrentApp().Settings().Theme().Size(theme.SizeCardInset)
	return container.NewStack(NewPanel(theme.ColorCard, theme.ColorBorder, theme.SizeCardRadius), Inset(content, in, in, in, in))
}

// Titled is a card with a title.
func Titled(title string, content ...fyne.CanvasObject) *fyne.Container {
	return Card(Column(10, append([]fyne.CanvasObject{NewText(title).Heading()}, content...)...))
}

// Box puts content on a ground of a colour, with little room around it.
func Box(fill fyne.ThemeColorName, content fyne.CanvasObject) *fyne.Container {
	return container.NewStack(NewPanel(fill, "", base.SizeNameInputRadius), Inset(content, 8, 12, 8, 12))
}

// Rule is a thin line across.
func Rule() *Panel {
	p := NewPanel(theme.ColorBorder, "", "")
	p.min = fyne.NewSize(1, 1)
	return p
}

// Bar is a short thick line of a height, for what is quoted or belongs to something.
func Bar(c fyne.ThemeColorName) *Panel {
	p := NewPanel(c, "", "")
	p.min = fyne.NewSize(3, 3)
	return p
}

// Space is nothing of a height.
func Space(height float32) *canvas.Rectangle {
	r := canvas.NewRectangle(color.Transparent)
	r.SetMinSize(fyne.NewSize(1, height))
	return r
}
