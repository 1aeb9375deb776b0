package view

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// corePage shows a core.md as an agent gets it.
type corePage struct {
	w       *Window
	all     *fyne.Container
	frame   *fyne.Container
	scroll  *container.Scroll
	chooser *kit.Select
	gauge   *kit.Gauge
	bytes   *kit.Text
	change  *kit.Text // what is new since yesterday
	project string    // id of the one that is asked for
	shown   model.CorePage
	rows    []*kit.Row       // of the lines with a pointer
	lines   []model.CoreLine // of rows
	at      int              // the row that is chosen; -1 for none
	foot    *fyne.Container
}

func newCorePage(w *Window) *corePage {
	p := &corePage{w: w, all: container.NewStack(), foot: container.NewStack(), at: -1, gauge: kit.NewGauge(), bytes: kit.NewText("").Small().Muted(),
		change: kit.NewText("").Small().In(base.ColorNameSuccess)}
	p.chooser = w.kit.Select(p.choose)
	sent := w.kit.Button(model.CoreSent.Text(), nil, func() { w.ShowSent(p.project) })
	copyText := w.kit.Button(model.CopyText.Text(), base.ContentCopyIcon(), func() { w.copy(p.shown.Text) })
	about := kit.Column(4, kit.NewText(model.Pages()[PageCore].Name).Title(), kit.Prose(model.Pages()[PageCore].About, theme.ColorMuted))
	right := kit.Line(8, kit.NoGrow, kit.Fixed(kit.Outlined(p.chooser), 230), sent, copyText)
	meter := kit.Line(10, 0, p.gauge, p.bytes, p.change)
	head := kit.Column(14, kit.TopLine(12, 0, about, right), kit.Narrow(meter, pageWidth))
	p.scroll = container.NewVScroll(kit.Column(0))
	p.frame = framed(head, kit.Above(p.scroll, kit.Inset(kit.Narrow(p.foot, pageWidth), 0, 24, 0, 24)))
	return p
}

func (p *corePage) object() fyne.CanvasObject { return p.all }

func (p *corePage) touched(u model.Update) bool {
	return u.Topics&(model.TopicCore|model.TopicProjects) != 0
}

func (p *corePage) find() { p.w.p.Parent.Canvas().Focus(p.chooser) }

// escape puts the explanation of a line away, and goes from a project to all of them.
func (p *corePage) escape() bool {
	if p.at >= 0 {
		p.pickLine(-1)
		return true
	}
	if p.project == "" {
		return false
	}
	p.pick("")
	return true
}

func (p *corePage) load() {
	project := p.project
	ask(p.w, func(ctx context.Context) model.CorePage { return p.w.p.Presenter.Core(ctx, project) }, func(page model.CorePage) {
		if project == p.project {
			p.show(page)
		}
	})
}

// pick shows a project by its id.
func (p *corePage) pick(id string) {
	p.project = id
	p.load()
}

// choose shows the project that the chooser names.
func (p *corePage) choose(label string) {
	i := slices.IndexFunc(p.shown.Choices, func(c model.Choice) bool { return c.Label == label })
	if i >= 0 {
		p.pick(p.shown.Choices[i].ID)
	}
}

func (p *corePage) show(page model.CorePage) {
	if len(p.all.Objects) > 0 && reflect.DeepEqual(page, p.shown) {
		return
	}
	changed := !reflect.DeepEqual(page.Lines, p.shown.Lines) || p.shown.Trouble != nil
	p.shown = page
	if p.w.inTrouble(p.all, page.Trouble) {
		return
	}
	p.project = page.Chosen
	labels, chosen := labelsOf(page.Choices, page.Chosen)
	p.chooser.Offer(labels, chosen)
	p.gauge.Set(page.Gauge.Share, toneColor(page.Gauge.Tone))
	p.bytes.Set(page.Gauge.Text)
	p.change.Set(page.Change)
	p.all.Objects = []fyne.CanvasObject{p.frame}
	if changed {
		p.scroll.Content = scrolled(p.body(page)).Content
		p.scroll.ScrollToTop()
	}
	p.all.Refresh()
	spread(p.scroll)
}

// labelsOf are the labels of choices, and that of the chosen one.
func labelsOf(choices []model.Choice, id string) (labels []string, chosen string) {
	for _, c := range choices {
		labels = append(labels, c.Label)
		if c.ID == id {
			chosen = c.Label
		}
	}
	return labels, chosen
}

func (p *corePage) body(page model.CorePage) fyne.CanvasObject {
	all := kit.Column(p.w.gap())
	if page.Empty != nil {
		all.Add(kit.Titled(page.Empty.Title, kit.Prose(page.Empty.Text, theme.ColorMuted)))
	}
	sheet := kit.Column(1)
	p.rows, p.lines, p.at = nil, nil, -1
	p.describe()
	for _, l := range page.Lines {
		sheet.Add(p.line(l))
	}
	all.Add(kit.Card(sheet))
	if len(page.Gone) > 0 {
		gone := kit.Column(6)
		for _, text := range page.Gone {
			line := kit.NewText(text).Mono().Muted().Cut()
			line.Strike(true)
			gone.Add(line)
		}
		all.Add(kit.Titled(model.CoreGone.Text(), gone))
	}
	return all
}

// line is one line, as it is; one with a pointer leads to its turn.
func (p *corePage) line(l model.CoreLine) fyne.CanvasObject {
	style := widget.RichTextStyle{ColorName: base.ColorNameForeground, SizeName: base.SizeNameText, Inline: true, TextStyle: fyne.TextStyle{Monospace: true}}
	above := float32(4)
	switch l.Kind {
	case model.CoreFrame:
		style.ColorName = theme.ColorMuted
	case model.CoreSection:
		style.ColorName = theme.ColorAsleep
		above = 12
	}
	segments := []widget.RichTextSegment{&widget.TextSegment{Text: l.Text, Style: style}}
	if l.Pointer == "" {
		return kit.Inset(kit.Wrapped(segments...), above, 8, 4, 8)
	}
	style.ColorName = base.ColorNameHyperlink
	pointer := "  " + l.Pointer
	if l.Missing != "" {
		pointer += " (" + l.Missing + ")"
	}
	segments = append(segments, &widget.TextSegment{Text: pointer, Style: style})
	if l.New {
		style.ColorName = base.ColorNameSuccess
		segments = append(segments, &widget.TextSegment{Text: "  + " + model.CoreNew.Text(), Style: style})
	}
	i := len(p.rows)
	row := p.w.kit.Row(kit.Inset(kit.Wrapped(segments...), above, 8, 4, 8), func() { p.pickLine(i) })
	p.rows, p.lines = append(p.rows, row), append(p.lines, l)
	return row
}

// enterList gives the keyboard to the first line that can be chosen.
func (p *corePage) enterList() {
	if len(p.rows) > 0 {
		p.step(1)
	}
}

// step chooses the next line.
func (p *corePage) step(by int) {
	i := min(max(0, p.at+by), len(p.rows)-1)
	p.pickLine(i)
	p.w.p.Parent.Canvas().Focus(p.rows[i])
}

// pickLine chooses a line and says why it is there; -1 chooses none.
func (p *corePage) pickLine(i int) {
	p.at = i
	for k, row := range p.rows {
		row.Select(k == i)
	}
	p.describe()
	spread(p.scroll)
}

// key acts on the single keys of the page.
func (p *corePage) key(name fyne.KeyName) bool {
	if name == fyne.KeyU {
		p.undoLast()
		return true
	}
	if p.at < 0 || p.at >= len(p.lines) {
		return false
	}
	line := p.lines[p.at]
	switch {
	case name == fyne.KeyUp:
		p.step(-1)
	case name == fyne.KeyO:
		p.w.Open(line.To)
	case name == fyne.KeyP && line.Record != "":
		p.decide(line, p.w.p.Presenter.PinLine)
	case name == fyne.KeyR && line.Record != "":
		p.decide(line, p.w.p.Presenter.RefuseLine)
	default:
		return false
	}
	return true
}

func (p *corePage) undoLast() { p.w.undoLast(p.load) }

func (p *corePage) decide(l model.CoreLine, do func(context.Context, model.CoreLine) model.Ruling) {
	ask(p.w, func(ctx context.Context) model.Ruling { return do(ctx, l) }, func(r model.Ruling) {
		p.w.ruled(r)
		p.load()
	})
}

// describe says below the lines why the chosen one is there, and what can be done.
func (p *corePage) describe() {
	p.foot.Objects = nil
	if p.at >= 0 && p.at < len(p.lines) {
		l, k := p.lines[p.at], p.w.kit
		acts := kit.Flow(8)
		if l.Missing == "" {
			acts.Add(k.Key(model.OpenTurn.Text(), "O", true, func() { p.w.Open(l.To) }))
		}
		if l.Record != "" {
			acts.Add(k.Key(model.ActPin.Text(), "P", false, func() { p.decide(l, p.w.p.Presenter.PinLine) }))
			acts.Add(k.Key(model.ActRefuse.Text(), "R", false, func() { p.decide(l, p.w.p.Presenter.RefuseLine) }))
		}
		acts.Add(k.Key(model.ReviewUndo.Text(), "U", false, p.undoLast))
		said := kit.Column(10, kit.Heading(strings.TrimPrefix(l.Text, "· ")))
		if len(l.Facts) > 0 {
			said.Add(facts(l.Facts, 84))
		}
		said.Add(acts)
		p.foot.Objects = []fyne.CanvasObject{kit.Inset(kit.Card(said), 0, 0, 20, 0)}
	}
	p.foot.Refresh()
	if p.frame != nil {
		p.frame.Refresh()
	}
}

// copy puts a text on the clipboard.
func (w *Window) copy(s string) {
	fyne.CurrentApp().Clipboard().SetContent(s)
	w.toast.show(model.Notice{Tone: model.Good, Text: model.Copied.Text()})
}
