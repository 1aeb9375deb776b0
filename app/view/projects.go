package view

import (
	"context"
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// projectsPage lists the projects.
type projectsPage struct {
	w       *Window
	all     *fyne.Container
	frame   *fyne.Container
	body    *fyne.Container
	list    *kit.List
	foot    *fyne.Container
	summary *kit.Text
	shown   model.ProjectsPage
	at      string // id of the chosen project
	card    model.ProjectCard
	quiet   bool // the page itself chooses a row
}

func newProjectsPage(w *Window) *projectsPage {
	p := &projectsPage{w: w, all: container.NewStack(), body: container.NewStack(), foot: container.NewStack(), summary: kit.NewText("").Muted()}
	bind := w.kit.Button(model.BindFolder.Text(), base.FolderOpenIcon(), p.chooseFolder)
	bind.Importance = widget.HighImportance
	title := kit.Column(4, kit.NewText(model.Pages()[PageProjects].Name).Title(), p.summary)
	p.list = w.kit.List(func() int { return len(p.shown.Rows) }, func() fyne.CanvasObject { return newProjectItem(p) },
		func(i int, o fyne.CanvasObject) { o.(*projectItem).set(p.shown.Rows[i]) })
	p.list.Follow(p.chose)
	p.frame = framed(kit.TopLine(12, 0, title, bind), kit.Inset(kit.Above(p.body, p.foot), 0, 24, 20, 24))
	return p
}

func (p *projectsPage) object() fyne.CanvasObject { return p.all }

func (p *projectsPage) touched(u model.Update) bool {
	return u.Topics&(model.TopicProjects|model.TopicClock) != 0
}

func (p *projectsPage) find()        { p.w.p.Parent.Canvas().Focus(p.list) }
func (p *projectsPage) enterList()   { p.find() }
func (p *projectsPage) escape() bool { return false }

func (p *projectsPage) load() { ask(p.w, p.w.p.Presenter.Projects, p.show) }

func (p *projectsPage) show(page model.ProjectsPage) {
	if len(p.all.Objects) > 0 && reflect.DeepEqual(page, p.shown) {
		p.loadCard()
		return
	}
	p.shown = page
	switch {
	case p.w.inTrouble(p.all, page.Trouble):
		return
	case page.Empty != nil:
		p.body.Objects = []fyne.CanvasObject{kit.Empty("projects", page.Empty.Title, page.Empty.Text)}
		p.foot.Objects = nil
	default:
		p.body.Objects = []fyne.CanvasObject{kit.NewPanel(theme.ColorCard, theme.ColorBorder, theme.SizeCardRadius), kit.Inset(p.list, 6, 6, 6, 6)}
		p.mark()
	}
	p.summary.Set(page.Summary)
	p.all.Objects = []fyne.CanvasObject{p.frame}
	p.list.Refresh()
	p.all.Refresh()
}

// chooseFolder lets the person pick a folder to bind.
func (p *projectsPage) chooseFolder() {
	d := dialog.NewFolderOpen(func(dir fyne.ListableURI, err error) {
		if err == nil && dir != nil {
			p.bind(dir.Path())
		}
	}, p.w.p.Parent)
	d.Resize(fyne.NewSize(760, 520))
	d.Show()
}

func (p *projectsPage) bind(path string) {
	p.w.act(func(ctx context.Context) model.Notice { return p.w.p.Presenter.Bind(ctx, path) }, nil)
}

// unbind asks first, and says what stays.
func (p *projectsPage) unbind(row model.ProjectRow) {
	q := model.AskUnbind(row)
	p.w.confirm(q, true, func() {
		p.w.act(func(ctx context.Context) model.Notice { return p.w.p.Presenter.Unbind(ctx, row.ID) }, nil)
	})
}

// ShowSessionsOf turns to the sessions of a project.
func (w *Window) ShowSessionsOf(project string) {
	w.Show(PageSessions)
	w.sessions.narrow(model.SessionFilter{Project: project})
}

// ShowCoreOf turns to the core of a project.
func (w *Window) ShowCoreOf(project string) {
	w.core.project = project
	w.stale[PageCore] = true
	w.Show(PageCore)
}

// projectItem is one row of the list.
type projectItem struct {
	widget.BaseWidget
	all                    *fyne.Container
	row                    model.ProjectRow
	sign                   *kit.Sign
	name, state, seen      *kit.Text
	path                   *kit.Text
	core, sessions, change *kit.Button
}

func newProjectItem(p *projectsPage) *projectItem {
	i := &projectItem{sign: kit.NewSign("projects", theme.ColorMuted, 20), name: kit.NewText("").Bold(), state: kit.NewText("").Small(),
		seen: kit.NewText("").Small().Muted().Cut(), path: kit.NewText("").Small().Mono().Muted().Cut()}
	i.sessions = p.w.kit.Button(model.ShowSessions.Text(), nil, func() { p.w.ShowSessionsOf(i.row.ID) })
	i.core = p.w.kit.Button(model.ShowCore.Text(), nil, func() { p.w.ShowCoreOf(i.row.ID) })
	i.change = p.w.kit.Button(model.UnbindThis.Text(), nil, func() {
		if i.row.CanUnbind {
			p.unbind(i.row)
		} else {
			p.bind(i.row.Bind)
		}
	})
	for _, b := range []*kit.Button{i.sessions, i.core, i.change} {
		b.Importance = widget.LowImportance
	}
	text := kit.Column(5, kit.Line(10, 2, i.name, i.state, i.seen), i.path)
	i.all = kit.Inset(kit.Line(14, 1, i.sign, text, kit.Line(2, kit.NoGrow, kit.Fixed(i.sessions, 82), kit.Fixed(i.core, 58), kit.Fixed(i.change, 72))), 9, 10, 9, 10)
	i.ExtendBaseWidget(i)
	return i
}

func (i *projectItem) set(row model.ProjectRow) {
	i.row = row
	c := theme.ColorMuted
	if row.CanUnbind {
		c = base.ColorNamePrimary
	}
	i.sign.Set("projects", c)
	i.name.Set(row.Name)
	i.state.SetIn(row.State, toneColor(row.Tone))
	i.seen.Set(row.Seen)
	i.path.Set(row.Where)
	toggle(i.sessions, row.Sessions > 0)
	toggle(i.change, row.CanUnbind || row.Bind != "")
	label := model.BindThis.Text()
	if row.CanUnbind {
		label = model.UnbindThis.Text()
	}
	i.change.SetText(label)
	i.all.Refresh()
}

// CreateRenderer is Fyne's.
func (i *projectItem) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(i.all) }
