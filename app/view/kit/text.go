package kit

import (
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/theme"
)

// Text is one line of text without any room around it. One that is cut ends in … where there is no room for it all.
type Text struct {
	widget.BaseWidget
	text  string
	size  fyne.ThemeSizeName
	color fyne.ThemeColorName
	style fyne.TextStyle
	align fyne.TextAlign
	cut   bool
	// struck is a line through the text.
	struck bool
}

// NewText is a line in the look of running text.
func NewText(s string) *Text {
	t := &Text{text: s, size: base.SizeNameText, color: base.ColorNameForeground}
	t.ExtendBaseWidget(t)
	return t
}

// The looks of a text. Each changes it and returns it, so that they can be chained before it is shown.

func (t *Text) Muted() *Text   { return t.In(theme.ColorMuted) }
func (t *Text) Bold() *Text    { t.style.Bold = true; return t }
func (t *Text) Mono() *Text    { t.style.Monospace = true; return t }
func (t *Text) Small() *Text   { return t.Sized(base.SizeNameCaptionText) }
func (t *Text) Title() *Text   { return t.Sized(base.SizeNameHeadingText).Bold() }
func (t *Text) Heading() *Text { return t.Sized(base.SizeNameSubHeadingText).Bold() }
func (t *Text) Right() *Text   { t.align = fyne.TextAlignTrailing; return t }
func (t *Text) Center() *Text  { t.align = fyne.TextAlignCenter; return t }

// Cut lets the text be shortened to the room that it has.
func (t *Text) Cut() *Text { t.cut = true; return t }

// In is the text in a colour.
func (t *Text) In(c fyne.ThemeColorName) *Text { t.color = c; return t }

// Sized is the text in a size.
func (t *Text) Sized(s fyne.ThemeSizeName) *Text { t.size = s; return t }

// Set changes the text.
func (t *Text) Set(s string) {
	if t.text != s {
		t.text = s
		t.Refresh()
	}
}

// SetIn changes the text and its colour.
func (t *Text) SetIn(s string, c fyne.ThemeColorName) {
	if t.text != s || t.color != c {
		t.text, t.color = s, c
		t.Refresh()
	}
}

// Strike shows whether the text does not hold any more, by a line through it.
func (t *Text) Strike(on bool) {
	if t.struck != on {
		t.struck = on
		t.Refresh()
	}
}

// Struck reports whether a line goes through the text.
func (t *Text) Struck() bool { return t.struck }

// String is the whole text, also where it is cut.
func (t *Text) String() string { return t.text }

// CreateRenderer is Fyne's.
func (t *Text) CreateRenderer() fyne.WidgetRenderer {
	r := &textRenderer{t: t, line: canvas.NewText("", nil), strike: canvas.NewRectangle(nil)}
	r.Refresh()
	return r
}

type textRenderer struct {
	t    *Text
	line *canvas.Text
	// strike is the line through the text.
	strike *canvas.Rectangle
}

func (r *textRenderer) Layout(size fyne.Size) {
	r.line.Text = r.fit(size.Width)
	r.line.Resize(size)
	r.strike.Resize(fyne.NewSize(min(size.Width, r.width(r.line.Text)), 1))
	r.strike.Move(fyne.NewPos(0, size.Height*0.55))
}

// fit is as much of the text as there is room for.
func (r *textRenderer) fit(width float32) string {
	s := r.t.text
	if !r.t.cut || r.width(s) <= width {
		return s
	}
	lo, hi := 0, utf8.RuneCountInString(s)
	runes := []rune(s)
	for lo < hi { // the longest beginning that fits
		mid := (lo + hi + 1) / 2
		if r.width(string(runes[:mid])+"…") <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return string(runes[:lo]) + "…"
}

func (r *textRenderer) width(s string) float32 {
	return fyne.MeasureText(s, r.line.TextSize, r.t.style).Width
}

func (r *textRenderer) MinSize() fyne.Size {
	size := fyne.MeasureText(r.t.text, r.line.TextSize, r.t.style)
	if r.t.cut {
		size.Width = min(size.Width, 3*r.line.TextSize)
	}
	return size
}

func (r *textRenderer) Refresh() {
	th := r.t.Theme()
	variant := fyne.CurrentApp().Settings().ThemeVariant()
	r.line.Color = th.Color(r.t.color, variant)
	r.line.TextSize = th.Size(r.t.size)
	r.line.TextStyle, r.line.Alignment = r.t.style, r.t.align
	r.line.Text = r.fit(r.t.Size().Width)
	r.line.Refresh()
	r.strike.FillColor, r.strike.Hidden = r.line.Color, !r.t.struck
	r.Layout(r.t.Size())
	r.strike.Refresh()
}

func (r *textRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.line, r.strike}
}
func (r *textRenderer) Destroy() {}
