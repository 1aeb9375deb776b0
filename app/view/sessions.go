package view

import (
	"context"
	"reflect"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// sessionsPage lists the sessions at the left and shows the turns of the chosen one at the right.
type sessionsPage struct {
	w       *Window
	all     *fyne.Container
	split   *container.Split
	body    *fyne.Container // of the left half: the list, or why it is empty
	list    *kit.List
	search  *kit.Entry
	project *kit.Select
	agent   *kit.Select
	summary *kit.Text
	reader  *reader

	page   model.SessionsPage
	filter model.SessionFilter
	hits   model.Hits
	rows   []model.SessionRow // that the filter leaves
	quiet  bool               // a row is selected without being opened
	asked  int                // counts searches, so that an old answer does not replace a new one
}

func newSessionsPage(w *Window) *sessionsPage {
	p := &sessionsPage{w: w, all: container.NewStack(), body: container.NewStack(), summary: kit.NewText("").Small().Muted().Cut(), reader: newReader(w)}
	p.search = w.kit.Entry(model.Search.Text(), func(s string) { p.filter.Words = s; p.apply(); p.searchSoon() })
	p.search.OnSubmitted = func(string) { p.enterList() }
	p.project = w.kit.Select(func(label string) { p.filter.Project = idOf(p.page.Projects, label); p.apply(); p.searchSoon() })
	p.agent = w.kit.Select(func(label string) { p.filter.Agent = idOf(p.page.Agents, label); p.apply() })
	p.list = w.kit.List(func() int { return len(p.rows) }, func() fyne.CanvasObject { return newSessionItem() },
		func(i int, o fyne.CanvasObject) { o.(*sessionItem).set(p.rows[i]) })
	p.list.OnSelected = func(i int) {
		if !p.quiet && i < len(p.rows) {
			p.reader.open(model.Place{Session: p.rows[i].ID, Turn: p.rows[i].At}, true)
		}
	}
	filters := kit.Column(8, p.search, kit.Columns(8, kit.Outlined(p.project), kit.Outlined(p.agent)), p.summary)
	top := kit.Inset(filters, 16, 12, 8, 16)
	left := container.New(layout.NewBorderLayout(top, nil, nil, nil), top, kit.Inset(p.body, 0, 4, 8, 8))
	p.split = container.NewHSplit(left, container.NewStack(kit.NewPanel(theme.ColorCard, "", ""), p.reader.all))
	p.split.Offset = 0.36
	return p
}

// idOf is the id of the choice with a label.
func idOf(choices []model.Choice, label string) string {
	i := slices.IndexFunc(choices, func(c model.Choice) bool { return c.Label == label })
	if i < 0 {
		return ""
	}
	return choices[i].ID
}

func (p *sessionsPage) object() fyne.CanvasObject { return p.all }

func (p *sessionsPage) touched(u model.Update) bool {
	p.reader.touched(u)
	return u.Topics&(model.TopicSessions|model.TopicClock) != 0
}

func (p *sessionsPage) find() { p.w.p.Parent.Canvas().Focus(p.search) }

// enterList gives the keyboard to the list.
func (p *sessionsPage) enterList() { p.w.p.Parent.Canvas().Focus(p.list) }

// escape takes the filter away.
func (p *sessionsPage) escape() bool {
	if p.filter == (model.SessionFilter{}) {
		return false
	}
	p.narrow(model.SessionFilter{})
	return true
}

// narrow sets the filter.
func (p *sessionsPage) narrow(f model.SessionFilter) {
	p.filter = f
	p.offer()
	p.apply()
	p.searchSoon()
}

// offer shows the filter in its fields.
func (p *sessionsPage) offer() {
	if p.search.Text != p.filter.Words {
		told := p.search.OnChanged
		p.search.OnChanged = nil
		p.search.SetText(p.filter.Words)
		p.search.OnChanged = told
	}
	labels, chosen := labelsOf(p.page.Projects, p.filter.Project)
	p.project.Offer(labels, chosen)
	labels, chosen = labelsOf(p.page.Agents, p.filter.Agent)
	p.agent.Offer(labels, chosen)
}

func (p *sessionsPage) load() {
	p.reader.reload()
	ask(p.w, p.w.p.Presenter.Sessions, p.show)
}

func (p *sessionsPage) show(page model.SessionsPage) {
	if len(p.all.Objects) > 0 && reflect.DeepEqual(page, p.page) {
		return
	}
	p.page = page
	if p.w.inTrouble(p.all, page.Trouble) {
		return
	}
	p.all.Objects = []fyne.CanvasObject{p.split}
	p.offer()
	p.apply()
	p.all.Refresh()
}

// apply lists what the filter leaves.
func (p *sessionsPage) apply() {
	if p.page.Trouble != nil {
		return
	}
	p.rows = p.page.Filter(p.filter, p.hits)
	p.summary.Set(model.ListSummary(len(p.rows), len(p.page.Rows)))
	switch {
	case p.page.Empty != nil:
		p.body.Objects = []fyne.CanvasObject{kit.Empty("sessions", p.page.Empty.Title, p.page.Empty.Text)}
	case len(p.rows) == 0:
		none := model.NoneFits(p.filter)
		p.body.Objects = []fyne.CanvasObject{kit.Empty("sessions", none.Title, none.Text)}
	default:
		p.body.Objects = []fyne.CanvasObject{p.list}
	}
	p.body.Refresh()
	p.list.Refresh()
	p.mark()
}

// mark shows which of the listed sessions is open.
func (p *sessionsPage) mark() {
	p.quiet = true
	defer func() { p.quiet = false }()
	i := slices.IndexFunc(p.rows, func(r model.SessionRow) bool { return r.ID == p.reader.at.Session })
	if i < 0 {
		p.list.UnselectAll()
		return
	}
	p.list.Select(i)
}

// searchAfter is how long the person has not typed until what was said is searched.
const searchAfter = 250 * time.Millisecond

// searchSoon searches what was said for the filter's words, once the person has stopped typing.
func (p *sessionsPage) searchSoon() {
	p.asked++
	id, f := p.asked, p.filter
	if f.Words == "" {
		if p.hits != nil {
			p.hits = nil
			p.apply()
		}
		return
	}
	p.w.p.Later(searchAfter, func() {
		if id != p.asked {
			return
		}
		ask(p.w, func(ctx context.Context) model.Hits { return p.w.p.Presenter.FindSessions(ctx, f) }, func(h model.Hits) {
			if id == p.asked {
				p.hits = h
				p.apply()
			}
		})
	})
}

// open shows a place, whatever the filter.
func (p *sessionsPage) open(to model.Place) {
	p.reader.open(to, true)
	if !slices.ContainsFunc(p.rows, func(r model.SessionRow) bool { return r.ID == to.Session }) && p.escape() {
		return
	}
	p.mark()
}

// sessionItem is one row of the list.
type sessionItem struct {
	widget.BaseWidget
	all                *fyne.Container
	title, when, below *kit.Text
}

func newSessionItem() *sessionItem {
	i := &sessionItem{title: kit.NewText("").Cut(), when: kit.NewText("").Small().Muted(), below: kit.NewText("").Small().Muted().Cut()}
	i.all = kit.Inset(kit.Column(4, kit.Line(10, 0, i.title, i.when), i.below), 8, 10, 8, 10)
	i.ExtendBaseWidget(i)
	return i
}

func (i *sessionItem) set(row model.SessionRow) {
	i.title.Set(row.Title)
	i.when.Set(row.When)
	if row.Found != "" {
		i.below.SetIn(row.Found, theme.ColorAsleep)
	} else {
		i.below.SetIn(row.Below, theme.ColorMuted)
	}
	i.all.Refresh()
}

// CreateRenderer is Fyne's.
func (i *sessionItem) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(i.all) }
