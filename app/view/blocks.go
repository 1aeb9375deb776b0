package view

import (
	"net/url"
	"strings"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// blocks draws a text.
func (v *turnView) blocks(list []model.Block, c fyne.ThemeColorName) fyne.CanvasObject {
	all := kit.Column(8)
	for i := 0; i < len(list); i++ {
		b := list[i]
		if b.Kind != model.Item {
			all.Add(v.block(b, c))
			continue
		}
		items := kit.Column(4)
		for ; i < len(list) && list[i].Kind == model.Item; i++ {
			items.Add(v.block(list[i], c))
		}
		i--
		all.Add(items)
	}
	return all
}

func (v *turnView) block(b model.Block, c fyne.ThemeColorName) fyne.CanvasObject {
	switch b.Kind {
	case model.Heading:
		size := base.SizeNameText
		if b.Level <= 2 {
			size = base.SizeNameSubHeadingText
		}
		return kit.Wrapped(segments(b.Spans, c, size, true)...)
	case model.Code:
		return kit.Code(b.Text)
	case model.Quote:
		text := kit.Wrapped(segments(b.Spans, theme.ColorMuted, base.SizeNameText, false)...)
		return &fyne.Container{Layout: barred{}, Objects: []fyne.CanvasObject{kit.Bar(theme.ColorBorder), text}}
	case model.Item:
		marker := kit.Fixed(kit.NewText(b.Marker).Muted(), 20)
		return kit.Inset(kit.TopLine(2, 1, marker, kit.Wrapped(segments(b.Spans, c, base.SizeNameText, false)...)), 0, 0, 0, 18*float32(min(b.Level, 6)))
	case model.Rule:
		return kit.Rule()
	case model.Table:
		return table(b.Rows, c)
	}
	return kit.Inset(kit.Wrapped(segments(b.Spans, c, base.SizeNameText, false)...), 0, 0, 0, 20*float32(min(b.Level, 6)))
}

// maxLink is how long a link may be to be clickable in running text: longer ones have to wrap.
const maxLink = 48

// segments are spans in the colours of the theme.
func segments(spans []model.Span, c fyne.ThemeColorName, size fyne.ThemeSizeName, bold bool) []widget.RichTextSegment {
	var out []widget.RichTextSegment
	for _, s := range spans {
		if s.URL != "" && len(s.Text) <= maxLink && !strings.Contains(s.Text, "\n") {
			if u, err := url.Parse(s.URL); err == nil {
				out = append(out, &widget.HyperlinkSegment{Text: s.Text, URL: u})
				continue
			}
		}
		style := widget.RichTextStyle{ColorName: c, SizeName: size, Inline: true,
			TextStyle: fyne.TextStyle{Bold: bold || s.Bold, Italic: s.Italic, Monospace: s.Code}}
		switch {
		case s.URL != "":
			style.ColorName = base.ColorNameHyperlink
		case s.Strike:
			style.ColorName = theme.ColorMuted
		}
		out = append(out, &widget.TextSegment{Text: s.Text, Style: style})
	}
	return out
}

// table draws rows in equal columns, the head in bold.
func table(rows [][]string, c fyne.ThemeColorName) fyne.CanvasObject {
	all := kit.Column(6)
	for i, row := range rows {
		cells := make([]fyne.CanvasObject, len(row))
		for j, text := range row {
			cells[j] = kit.Wrapped(segments([]model.Span{{Text: text}}, c, base.SizeNameCaptionText, i == 0)...)
		}
		all.Add(kit.Columns(12, cells...))
		if i < len(rows)-1 {
			all.Add(kit.Rule())
		}
	}
	return kit.Box(theme.ColorCode, all)
}

// diff draws the lines of a change in the colours of what came and went.
func diff(text string) fyne.CanvasObject {
	var out []widget.RichTextSegment
	var run []string
	var color fyne.ThemeColorName
	flush := func() {
		if len(run) > 0 {
			out = append(out, &widget.TextSegment{Text: strings.Join(run, "\n"), Style: widget.RichTextStyle{ColorName: color,
				SizeName: base.SizeNameCaptionText, TextStyle: fyne.TextStyle{Monospace: true}}})
		}
		run = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		c := base.ColorNameForeground
		switch {
		case strings.HasPrefix(line, "+"):
			c = base.ColorNameSuccess
		case strings.HasPrefix(line, "-"):
			c = base.ColorNameError
		case strings.HasPrefix(line, "@@"):
			c = theme.ColorMuted
		}
		if c != color {
			flush()
			color = c
		}
		run = append(run, line)
	}
	flush()
	t := widget.NewRichText(out...)
	t.Wrapping = fyne.TextWrapBreak
	return kit.Box(theme.ColorCode, kit.Unpad(t))
}
