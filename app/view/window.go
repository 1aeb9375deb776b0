package view

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"dormouse/app/model"
	"dormouse/app/view/kit"
)

// Params are the parts that a Window works with. Presenter, Start and Parent must be set.
type Params struct {
	Presenter *model.Presenter
	// Start starts the service and returns when it answers.
	Start func(context.Context) error
	// Parent is the window that dialogs lie over and whose keyboard is listened to.
	Parent fyne.Window
	// Background runs work on another goroutine and then what it returns on the one that draws; nil does both.
	Background func(work func() func())
	// Later runs something on the goroutine that draws after a while; nil does.
	Later func(time.Duration, func())
}

// The pages, in the order of model.Pages().
const (
	PageToday = iota
	PageReview
	PageTimeline
	PageGraph
	PageCore
	PageSessions
	PageProjects
	PageSync
	PageContext
	PageCosts
	PageAgents
	PageSettings
	pages
)

// page is one screen.
type page interface {
	object() fyne.CanvasObject
	// load asks for what the page shows and shows it.
	load()
	// touched says that the page shows something that is out of date.
	touched(model.Update) bool
	// find puts the keyboard where something can be looked for; escape takes a step back, and reports whether there was one.
	find()
	escape() bool
}

// keyed is a page that acts on single keys, where nothing else has a use for them. It reports whether it did.
type keyed interface{ key(fyne.KeyName) bool }

// listed is a page with a list that the keyboard can be given to.
type listed interface{ enterList() }

// Window is all that the window shows. Its methods are called on the goroutine that draws.
type Window struct {
	p     Params
	kit   *kit.Kit
	ctx   context.Context
	pages [pages]page
	stale [pages]bool
	// unseen says that the state of the service is out of date.
	unseen bool
	// uncounted says that the number of things that wait for the person is out of date.
	uncounted bool
	at        int
	before    int // the page that the person came from by a link; -1 for none
	nav       *sidebar
	stage     *fyne.Container
	toast     *toast
	wait      *wait
	all       fyne.CanvasObject

	today    *todayPage
	review   *reviewPage
	timeline *timelinePage
	costs    *costsPage
	machines *machinesPage
	agents   *agentsPage
	settings *settingsPage
	context  *contextPage
	graph    *graphPage
	finder   *finder    // the search that is open; nil for none
	undo     [][]string // decisions of this window, the newest last
	core     *corePage
	projects *projectsPage
	sessions *sessionsPage
}

// New builds the window's content. Nothing is asked before Show. Questions to the service end with ctx.
func New(ctx context.Context, p Params) *Window {
	if p.Background == nil {
		p.Background = func(work func() func()) {
			go func() {
				if apply := work(); apply != nil {
					fyne.Do(apply)
				}
			}()
		}
	}
	if p.Later == nil {
		p.Later = func(d time.Duration, f func()) { time.AfterFunc(d, func() { fyne.Do(f) }) }
	}
	w := &Window{p: p, ctx: ctx, at: -1, before: -1}
	w.kit = &kit.Kit{OnKey: w.typed, OnShortcut: w.shortcut}
	w.today, w.review, w.core = newTodayPage(w), newReviewPage(w), newCorePage(w)
	w.timeline, w.projects, w.sessions, w.costs = newTimelinePage(w), newProjectsPage(w), newSessionsPage(w), newCostsPage(w)
	w.graph, w.machines, w.agents = newGraphPage(w), newMachinesPage(w), newAgentsPage(w)
	w.pages = [pages]page{PageToday: w.today, PageReview: w.review, PageTimeline: w.timeline, PageGraph: w.graph, PageCore: w.core, PageSessions: w.sessions, PageProjects: w.projects,
		PageSync: w.machines, PageCosts: w.costs, PageAgents: w.agents}
	w.settings = newSettingsPage(w)
	w.context = newContextPage(w)
	w.pages[PageSettings], w.pages[PageContext] = w.settings, w.context
	w.nav = newSidebar(w)
	w.stage = container.NewStack()
	w.toast = newToast(w)
	w.wait = newWait(w)
	w.all = &fyne.Container{Layout: beside(navWidth), Objects: []fyne.CanvasObject{w.nav.all, container.NewStack(w.stage, w.wait.all, w.toast.all)}}
	for i := range w.stale {
		w.stale[i] = true
	}
	w.unseen, w.uncounted = true, true
	return w
}

// Content is what to put into the window.
func (w *Window) Content() fyne.CanvasObject { return w.all }

// Show turns to a page.
func (w *Window) Show(at int) {
	if at < 0 || at >= pages {
		return
	}
	if at != w.at {
		w.before = -1
	}
	w.turn(at)
}

// turn shows a page and asks for it anew where it is out of date.
func (w *Window) turn(at int) {
	if at != w.at {
		w.at = at
		w.stage.Objects = []fyne.CanvasObject{w.pages[at].object()}
		w.stage.Refresh()
		w.nav.choose(at)
		w.p.Parent.Canvas().Unfocus()
	}
	if w.unseen { // the sidebar shows it on every page
		w.unseen = false
		ask(w, w.p.Presenter.Status, w.nav.show)
	}
	if w.stale[at] {
		w.stale[at] = false
		w.pages[at].load()
	}
	w.count()
}

// count shows in the sidebar how much waits for the person, where that may have changed.
func (w *Window) count() {
	if !w.uncounted {
		return
	}
	w.uncounted = false
	ask(w, w.p.Presenter.Waiting, func(n int) { w.nav.waiting(n) })
}

// Open shows a turn of a session, from wherever the person is. Escape leads back there.
func (w *Window) Open(to model.Place) {
	from := w.at
	w.turn(PageSessions)
	if from != PageSessions {
		w.before = from
	}
	w.sessions.open(to)
}

// Update takes a change of the service: what is shown and out of date is asked for anew.
func (w *Window) Update(u model.Update) {
	for i, p := range w.pages {
		if p.touched(u) {
			w.stale[i] = true
		}
	}
	w.unseen = w.unseen || u.Topics&(model.TopicStatus|model.TopicClock) != 0
	w.uncounted = w.uncounted || u.Topics&model.TopicMemory != 0
	if w.at < 0 {
		return
	}
	w.turn(w.at)
}

// Refresh asks for everything anew.
func (w *Window) Refresh() {
	w.Update(model.Update{Up: true, Topics: model.TopicAll | model.TopicClock})
}

// ask runs a question to the service in the background and shows its answer.
func ask[T any](w *Window, question func(context.Context) T, show func(T)) {
	answered := w.wait.begin()
	w.p.Background(func() func() {
		answer := question(w.ctx)
		return func() {
			if w.ctx.Err() == nil {
				answered()
				show(answer)
			}
		}
	})
	w.wait.soon()
}

// act is ask for something that changes things: what came of it is told, and everything is asked for anew.
func (w *Window) act(do func(context.Context) model.Notice, done func()) {
	ask(w, do, func(n model.Notice) {
		if done != nil {
			done()
		}
		w.toast.show(n)
		w.Refresh()
	})
}
