package view

import (
	"context"
	"reflect"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// history draws how a session branched, in place of its turns.
type history struct {
	r    *reader
	list *kit.List
	page model.HistoryPage
}

func newHistory(r *reader) *history {
	h := &history{r: r}
	h.list = r.w.kit.List(func() int { return len(h.page.Rows) }, func() fyne.CanvasObject { return newHistoryItem() },
		func(i int, o fyne.CanvasObject) { o.(*historyItem).set(h.page.Rows[i], h.page.Lanes) })
	h.list.OnSelected = func(i int) {
		h.list.UnselectAll()
		h.choose(h.page.Rows[i])
	}
	return h
}

// load asks for the history of the session that is open.
func (h *history) load() {
	session := h.r.page
	ask(h.r.w, func(ctx context.Context) model.HistoryPage { return h.r.w.p.Presenter.History(ctx, session) }, func(page model.HistoryPage) {
		if session.ID == h.r.page.ID && !reflect.DeepEqual(page, h.page) {
			h.page = page
			h.r.draw()
			h.list.Refresh()
		}
	})
}

// choose shows a turn; one of another branch is shown with its branch.
func (h *history) choose(row model.HistoryRow) {
	if row.Switch == "" {
		h.r.past = nil
		h.r.open(model.Place{Session: h.r.at.Session, Turn: row.Turn}, true)
		return
	}
	id := h.r.at.Session
	h.r.w.act(func(ctx context.Context) model.Notice { return h.r.w.p.Presenter.SwitchTo(ctx, id, row.Switch) }, func() {
		h.r.stale = true
		h.load()
	})
}

func (h *history) object() fyne.CanvasObject {
	if h.page.Trouble != nil {
		return h.r.w.trouble(h.page.Trouble)
	}
	return kit.Inset(h.list, 0, 12, 12, 12)
}

// historyItem is one row of the history.
type historyItem struct {
	widget.BaseWidget
	all                 *fyne.Container
	lanes               *kit.Lanes
	label, when, branch *kit.Text
}

func newHistoryItem() *historyItem {
	i := &historyItem{lanes: kit.NewLanes(), label: kit.NewText("").Cut(), when: kit.NewText("").Small().Muted(), branch: kit.NewText("").Small().Bold()}
	text := kit.Inset(kit.Line(10, 0, i.label, i.branch, i.when), 7, 8, 7, 0)
	i.all = kit.Side(10, i.lanes, text)
	i.ExtendBaseWidget(i)
	return i
}

func (i *historyItem) set(row model.HistoryRow, lanes int) {
	i.lanes.Set(kit.Knot{Lane: row.Lane, Above: row.Above, Past: row.Past, Below: row.Below, Strong: row.Shown, Small: row.Sub}, lanes)
	ink := base.ColorNameForeground
	if !row.Shown {
		ink = theme.ColorMuted
	}
	if row.Sub {
		ink = theme.ColorAsleep
	}
	i.label.SetIn(row.Label, ink)
	i.when.Set(row.When)
	i.branch.SetIn(row.Branch, base.ColorNamePrimary)
	i.all.Refresh()
}

// CreateRenderer is Fyne's.
func (i *historyItem) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(i.all) }
