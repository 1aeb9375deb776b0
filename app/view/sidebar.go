package view

import (
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	base "fyne.io/fyne/v2/theme"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// navWidth is the width of the navigation, in pixels at scale 1.
const navWidth = 196

// sidebar is the navigation at the left, with the state of the service below.
type sidebar struct {
	all   fyne.CanvasObject
	find  *kit.Row // opens the search
	items [pages]*navItem
	list  *container.Scroll // of the items, where the window is low
	sign  *kit.Sign
	state *kit.Text
	demo  *fyne.Container
}

// navItem is one page's entry.
type navItem struct {
	row    *kit.Row
	sign   *kit.Sign
	name   string
	label  *kit.Text
	count  *fyne.Container // with the number of things that wait there
	number *kit.Text
}

func newSidebar(w *Window) *sidebar {
	s := &sidebar{sign: kit.NewSign("off", theme.ColorMuted, 13), state: kit.NewText("").Muted().Cut()}
	icon := canvas.NewImageFromResource(theme.AppIcon())
	icon.FillMode = canvas.ImageFillContain
	icon.SetMinSize(fyne.NewSquareSize(30))
	head := kit.Inset(kit.Line(10, kit.NoGrow, icon, kit.NewText(model.AppName).Heading()), 18, 12, 14, 8)
	find := kit.Line(10, 1, kit.NewSign("search", theme.ColorMuted, 15), kit.NewText(model.FindAny.Text()).Muted(), kit.NewText(model.FindKey(runtime.GOOS)).Small().Muted())
	s.find = w.kit.Row(kit.Inset(find, 6, 10, 6, 11), w.Find)
	field := container.NewStack(kit.NewPanel(base.ColorNameInputBackground, base.ColorNameInputBorder, base.SizeNameInputRadius), s.find)
	top := kit.Column(0, head, kit.Inset(field, 0, 0, 8, 0))
	list := kit.Column(2)
	for i, p := range model.Pages() {
		if p.Group != "" {
			list.Add(kit.Inset(kit.NewText(p.Group).Small().Muted(), 14, 10, 4, 10))
		}
		item := &navItem{name: p.Sign, sign: kit.NewSign(p.Sign, theme.ColorMuted, 17), label: kit.NewText(p.Name)}
		item.number = kit.NewText("").Small().Bold().In(base.ColorNamePrimary)
		item.count = kit.Inset(item.number, 0, 0, 0, 0)
		item.count.Hide()
		line := kit.Line(10, 1, item.sign, item.label, item.count, kit.NewText(model.PageKey(i, runtime.GOOS)).Small().Muted())
		item.row = w.kit.Row(kit.Inset(line, 7, 10, 7, 10), func() { w.Show(i) })
		s.items[i] = item
		list.Add(item.row)
	}
	s.demo = kit.Badge(model.DemoBadge.Text(), base.ColorNamePrimary)
	s.demo.Hide()
	foot := kit.Inset(kit.Line(8, 1, s.sign, s.state, s.demo), 12, 10, 16, 10)
	s.list = container.NewVScroll(list)
	inner := container.New(layout.NewBorderLayout(top, foot, nil, nil), top, foot, s.list)
	s.all = container.NewStack(kit.NewPanel(theme.ColorSidebar, "", ""), kit.Inset(inner, 0, 8, 0, 8))
	return s
}

// choose shows which page is shown.
func (s *sidebar) choose(at int) {
	for i, item := range s.items {
		item.row.Select(i == at)
		c := theme.ColorMuted
		if i == at {
			c = base.ColorNamePrimary
		}
		item.sign.Set(item.name, c)
	}
	s.reveal(s.items[at].row)
}

// reveal scrolls as far as it takes for an entry to be seen.
func (s *sidebar) reveal(row *kit.Row) {
	y, height := row.Position().Y, s.list.Size().Height
	top := min(s.list.Offset.Y, y)
	if height > 0 {
		top = max(top, y+row.Size().Height-height)
	}
	if top != s.list.Offset.Y {
		s.list.ScrollToOffset(fyne.NewPos(0, top))
	}
}

// waiting shows how many things wait for the person.
func (s *sidebar) waiting(n int) {
	item := s.items[PageReview]
	item.number.Set(model.CountBadge(n))
	item.count.Hidden = n == 0
	s.all.Refresh()
}

// show tells how the service is.
func (s *sidebar) show(p model.StatusPage) {
	title, tone, demo := p.Title, p.Tone, p.Demo != ""
	if p.Trouble != nil {
		title, tone, demo = model.NotThere.Text(), model.Bad, false
	}
	s.sign.Set(toneSign(tone), toneColor(tone))
	s.state.Set(title)
	s.demo.Hidden = !demo
	s.all.Refresh()
}

// beside puts the first object at the left, so wide, and the second one into the rest.
type beside float32

func (b beside) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(fyne.NewSize(float32(b), size.Height))
	objects[1].Move(fyne.NewPos(float32(b), 0))
	objects[1].Resize(fyne.NewSize(size.Width-float32(b), size.Height))
}

func (b beside) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(780, 480) }
