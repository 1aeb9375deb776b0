package kit

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/theme"
)

// Prose is text that wraps, in a colour.
func Prose(s string, c fyne.ThemeColorName) fyne.CanvasObject {
	return Wrapped(&widget.TextSegment{Text: s, Style: widget.RichTextStyle{ColorName: c, SizeName: base.SizeNameText, Inline: true}})
}

// Heading is text that wraps, in the size and weight of a heading.
func Heading(s string) fyne.CanvasObject {
	return Wrapped(&widget.TextSegment{Text: s, Style: widget.RichTextStyle{ColorName: base.ColorNameForeground,
		SizeName: base.SizeNameSubHeadingText, Inline: true, TextStyle: fyne.TextStyle{Bold: true}}})
}

// Small is Prose in the size of captions.
func Small(s string, c fyne.ThemeColorName) fyne.CanvasObject {
	return Wrapped(&widget.TextSegment{Text: s, Style: widget.RichTextStyle{ColorName: c, SizeName: base.SizeNameCaptionText, Inline: true}})
}

// Wrapped is segments of text that wrap, without room around them.
func Wrapped(segments ...widget.RichTextSegment) fyne.CanvasObject {
	t := widget.NewRichText(segments...)
	t.Wrapping = fyne.TextWrapWord
	return Unpad(t)
}

// Code is text of one width that wraps anywhere and can be selected.
func Code(s string) fyne.CanvasObject {
	l := widget.NewLabelWithStyle(s, fyne.TextAlignLeading, fyne.TextStyle{Monospace: true})
	l.SizeName = base.SizeNameCaptionText
	l.Wrapping = fyne.TextWrapBreak
	l.Selectable = true
	return Box(theme.ColorCode, Unpad(l))
}

// Empty says that there is nothing yet, below a sign.
func Empty(sign, title, text string, more ...fyne.CanvasObject) fyne.CanvasObject {
	said := widget.NewRichText(&widget.TextSegment{Text: text, Style: widget.RichTextStyle{ColorName: theme.ColorMuted,
		SizeName: base.SizeNameText, Alignment: fyne.TextAlignCenter}})
	said.Wrapping = fyne.TextWrapWord
	objects := []fyne.CanvasObject{centered(NewSign(sign, theme.ColorMuted, 40)), Space(2), NewText(title).Heading().Center(), Unpad(said)}
	if len(more) > 0 {
		objects = append(objects, Space(6), centered(Line(8, NoGrow, more...)))
	}
	return &fyne.Container{Layout: middle(420), Objects: []fyne.CanvasObject{Column(6, objects...)}}
}

func centered(o fyne.CanvasObject) fyne.CanvasObject {
	return &fyne.Container{Layout: middle(0), Objects: []fyne.CanvasObject{o}}
}

// middle puts an object into the middle, as wide as it says or, for 0, as the object needs to be, and a little above the
// middle of the height.
type middle float32

func (m middle) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		width := o.MinSize().Width
		if m > 0 {
			width = min(float32(m), size.Width)
		}
		height := place(o, fyne.Position{}, width)
		o.Move(fyne.NewPos((size.Width-width)/2, max(0, (size.Height-height)*0.45)))
	}
}

func (m middle) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, o := range objects {
		size = size.Max(o.MinSize())
	}
	return size
}
