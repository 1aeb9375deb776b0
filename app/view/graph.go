package view

import (
	"context"
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// graphPage draws an entity and what lies around it, with what there is to say of the entity beside it.
type graphPage struct {
	w       *Window
	all     *fyne.Container
	left    fyne.CanvasObject
	split   *container.Split
	body    *fyne.Container // the drawing, or why there is none
	card    *fyne.Container
	drawing *kit.Graph
	summary *kit.Text
	entity  *kit.Entry
	project *kit.Select
	hops    *kit.Select

	filter model.GraphFilter
	before []model.GraphFilter // what was looked at before, the newest last
	shown  model.GraphPage
	asked  int
	rows   []*kit.Row // relations and memories of the card
}

func newGraphPage(w *Window) *graphPage {
	p := &graphPage{w: w, all: container.NewStack(), body: container.NewStack(), card: container.NewStack(), summary: kit.NewText("").Muted(), drawing: w.kit.Graph()}
	p.filter.Hops = model.HopChoices()[1].ID
	p.entity = w.kit.Entry(model.FindName.Text(), nil)
	p.entity.OnSubmitted = func(words string) {
		p.look(func(f *model.GraphFilter) { f.Entity = words })
		p.enterList()
	}
	p.project = w.kit.Select(func(label string) {
		p.look(func(f *model.GraphFilter) { f.Project, f.Entity = idOf(p.shown.Projects, label), "" })
	})
	p.hops = w.kit.Select(func(label string) { p.look(func(f *model.GraphFilter) { f.Hops = idOf(model.HopChoices(), label) }) })
	p.drawing.Chosen = func(i int) { p.open(p.shown.Nodes[i].ID) }
	title := kit.Column(4, kit.NewText(model.Pages()[PageGraph].Name).Title(), p.summary)
	filters := kit.Columns(8, kit.Inset(p.entity, 0, 0, -2, 0), kit.Outlined(p.project), kit.Outlined(p.hops))
	p.left = framed(kit.Column(14, title, filters), kit.Below(kit.Inset(legend(), 0, 24, 6, 24), container.NewClip(p.body)))
	p.split = container.NewHSplit(p.left, container.NewStack(kit.NewPanel(theme.ColorCard, "", ""), p.card))
	p.split.Offset = 0.68
	return p
}

// typeColors are the colours of the types of entity that are told apart; all others have one.
var typeColors = []struct {
	ink fyne.ThemeColorName
	of  []string
}{
	{base.ColorNamePrimary, []string{"project"}}, {theme.ColorAsleep, []string{"file"}}, {base.ColorNameSuccess, []string{"tool", "command", "library"}},
	{base.ColorNameForeground, []string{"commit", "issue"}}, {base.ColorNameError, []string{"error"}}, {theme.ColorMuted, nil},
}

func typeColor(t string) fyne.ThemeColorName {
	for _, c := range typeColors {
		for _, of := range c.of {
			if of == t {
				return c.ink
			}
		}
	}
	return theme.ColorMuted
}

// legend says what the colours mean.
func legend() fyne.CanvasObject {
	all := kit.Flow(14)
	for _, c := range typeColors {
		all.Add(kit.Line(6, kit.NoGrow, kit.NewSign("good", c.ink, 11), kit.NewText(model.TypeOf(c.of)).Small().Muted()))
	}
	return all
}

func (p *graphPage) object() fyne.CanvasObject { return p.all }

func (p *graphPage) touched(u model.Update) bool {
	return u.Topics&(model.TopicMemory|model.TopicProjects) != 0
}

func (p *graphPage) find()      { p.w.p.Parent.Canvas().Focus(p.entity) }
func (p *graphPage) enterList() { p.w.p.Parent.Canvas().Focus(p.drawing) }

// escape goes back to what was looked at before.
func (p *graphPage) escape() bool {
	n := len(p.before)
	if n == 0 {
		return false
	}
	p.filter, p.before = p.before[n-1], p.before[:n-1]
	p.load()
	return true
}

// look changes what is looked at.
func (p *graphPage) look(how func(*model.GraphFilter)) {
	f := p.filter
	how(&f)
	if f == p.filter {
		return
	}
	p.before = append(p.before, p.filter)
	p.filter = f
	p.load()
}

// open looks at an entity.
func (p *graphPage) open(id string) {
	p.look(func(f *model.GraphFilter) { f.Project, f.Entity = p.shown.Chosen, id })
}

func (p *graphPage) load() {
	p.asked++
	id, f := p.asked, p.filter
	ask(p.w, func(ctx context.Context) model.GraphPage { return p.w.p.Presenter.Graph(ctx, f) }, func(page model.GraphPage) {
		if id == p.asked {
			p.show(page)
		}
	})
}

func (p *graphPage) show(page model.GraphPage) {
	p.offer(page)
	if len(p.all.Objects) > 0 && reflect.DeepEqual(page, p.shown) {
		return
	}
	p.shown = page
	if p.w.inTrouble(p.all, page.Trouble) {
		return
	}
	p.summary.Set(page.Summary)
	if page.Empty != nil {
		p.body.Objects = []fyne.CanvasObject{kit.Empty("graph", page.Empty.Title, page.Empty.Text)}
		p.all.Objects = []fyne.CanvasObject{p.left}
	} else {
		p.draw(page)
		p.body.Objects = []fyne.CanvasObject{p.drawing}
		p.describe(page.Entity)
		p.all.Objects = []fyne.CanvasObject{p.split}
		p.split.Refresh()
	}
	p.all.Refresh()
}

// offer shows in the fields what is looked at.
func (p *graphPage) offer(page model.GraphPage) {
	words := p.filter.Entity
	if words == page.Entity.ID {
		words = page.Entity.Title // an id says less than its name
	}
	if p.entity.Text != words && p.w.p.Parent.Canvas().Focused() != fyne.Focusable(p.entity) {
		p.entity.SetText(words)
	}
	labels, chosen := labelsOf(page.Projects, page.Chosen)
	p.project.Offer(labels, chosen)
	labels, chosen = labelsOf(model.HopChoices(), p.filter.Hops)
	p.hops.Offer(labels, chosen)
}

// fewNodes is up to how many nodes all have their names beside them, and busyNode from how many links on a node always has.
const (
	fewNodes = 24
	busyNode = 4
)

func (p *graphPage) draw(page model.GraphPage) {
	nodes := make([]kit.Node, len(page.Nodes))
	for i, n := range page.Nodes {
		nodes[i] = kit.Node{Name: n.Name, Color: typeColor(n.Type), X: float32(n.X), Y: float32(n.Y), Weight: n.Links,
			Named: n.Center || len(nodes) <= fewNodes || n.Links >= busyNode}
	}
	links := make([][2]int, len(page.Links))
	for i, l := range page.Links {
		links[i] = [2]int{l.From, l.To}
	}
	p.drawing.Set(nodes, links)
}

// describe shows what there is to say of an entity.
func (p *graphPage) describe(e model.EntityCard) {
	p.rows = nil
	all := kit.Column(16, kit.Heading(e.Title), facts(e.Facts, 84))
	memories := kit.Column(0)
	for _, m := range e.Memories {
		said := kit.Column(3, kit.Prose(m.Text, base.ColorNameForeground), kit.NewText(m.Kind+" · "+m.Facts[2].Text).Small().Muted().Cut())
		memories.Add(p.row(said, func() {
			if m.From.Session != "" {
				p.w.Open(m.From)
			}
		}))
	}
	if len(e.Memories) > 0 {
		all.Add(kit.Column(6, kit.NewText(model.CardMemories.Text()).Bold(), memories))
	}
	relations := kit.Column(0)
	for _, r := range e.Relations {
		relations.Add(p.row(kit.Prose(r.Text, base.ColorNameForeground), func() { p.open(r.Other) }))
	}
	if len(e.Relations) > 0 {
		all.Add(kit.Column(6, kit.NewText(model.CardRelations.Text()).Bold(), relations))
	}
	if e.More != "" {
		all.Add(p.w.kit.Link(e.More, func() { p.w.ShowAbout(e.ID) }))
	}
	scroll := container.NewVScroll(kit.Inset(all, 22, 20, 24, 20))
	p.card.Objects = []fyne.CanvasObject{scroll}
	p.card.Refresh()
	spread(scroll)
}

func (p *graphPage) row(content fyne.CanvasObject, act func()) fyne.CanvasObject {
	r := p.w.kit.Row(kit.Inset(content, 5, 8, 5, 8), act)
	p.rows = append(p.rows, r)
	return kit.Inset(r, 0, -8, 0, -8)
}

// ShowEntity turns to an entity in the graph.
func (w *Window) ShowEntity(id string) {
	w.stale[PageGraph] = false
	w.Show(PageGraph)
	w.graph.filter = model.GraphFilter{Entity: id, Hops: w.graph.filter.Hops}
	w.graph.load()
}
