// Package theme is how the window looks: its colours by day and by night, its sizes, and its icons.
//
// It never draws anything itself and never decides which variant is used, unless it is told to hold one.
package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	"dormouse/assets"
)

// The sizes beside Fyne's own, in pixels at scale 1.
const (
	SizeCardRadius fyne.ThemeSizeName = "dormouse.cardRadius"
	SizeCardInset  fyne.ThemeSizeName = "dormouse.cardInset" // between a card's edge and its content
	SizePageInset  fyne.ThemeSizeName = "dormouse.pageInset" // between the window's edge and a page
	SizeGap        fyne.ThemeSizeName = "dormouse.gap"       // between cards
	SizeFigure     fyne.ThemeSizeName = "dormouse.figure"    // text of a number to be seen from afar
)

// Theme is the window's theme. It follows the system's choice of light and dark.
type Theme struct {
	light, dark palette
	held        *fyne.ThemeVariant
}

// New is the theme that follows the system.
func New() *Theme { return &Theme{light: light(), dark: dark()} }

// Held is the theme in one variant whatever the system says.
func Held(v fyne.ThemeVariant) *Theme {
	t := New()
	t.held = &v
	return t
}

// Color is a colour of the variant; one that is not the theme's own is Fyne's.
func (t *Theme) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	if t.held != nil {
		v = *t.held
	}
	p := t.light
	if v == base.VariantDark {
		p = t.dark
	}
	if c, ok := p[name]; ok {
		return c
	}
	return base.DefaultTheme().Color(name, v)
}

// Font is Fyne's; letters of one width have lines that reach deeper.
func (t *Theme) Font(style fyne.TextStyle) fyne.Resource {
	if style.Monospace {
		return mono(style)
	}
	return base.DefaultTheme().Font(style)
}

// Icon is Fyne's.
func (t *Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return base.DefaultTheme().Icon(name) }

var sizes = map[fyne.ThemeSizeName]float32{
	base.SizeNameText: 13, base.SizeNameHeadingText: 21, base.SizeNameSubHeadingText: 15, base.SizeNameCaptionText: 11.5,
	base.SizeNamePadding: 4, base.SizeNameInnerPadding: 8, base.SizeNameLineSpacing: 4,
	base.SizeNameInlineIcon: 17, base.SizeNameInputRadius: 7, base.SizeNameSelectionRadius: 6,
	base.SizeNameSeparatorThickness: 1, base.SizeNameInputBorder: 1,
	base.SizeNameScrollBar: 11, base.SizeNameScrollBarSmall: 4, base.SizeNameScrollBarRadius: 4,
	SizeCardRadius: 10, SizeCardInset: 16, SizePageInset: 24, SizeGap: 14, SizeFigure: 24,
}

// Size is a size in pixels at scale 1.
func (t *Theme) Size(name fyne.ThemeSizeName) float32 {
	if s, ok := sizes[name]; ok {
		return s
	}
	return base.DefaultTheme().Size(name)
}

// AppIcon is the dormouse.
func AppIcon() fyne.Resource { return fyne.NewStaticResource("dormouse.svg", assets.AppIcon()) }

// Sign is one of the signs of assets.Sign, in the colour that a name stands for.
func Sign(name string, c fyne.ThemeColorName) fyne.Resource {
	return base.NewColoredResource(fyne.NewStaticResource(name+".svg", assets.Sign(name)), c)
}
