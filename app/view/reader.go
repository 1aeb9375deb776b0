package view

import (
	"context"
	"reflect"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"

	"dormouse/app/model"
	"dormouse/app/view/kit"
)

// reader shows the turns of one session. It draws the turns around the chosen one, and more when they are asked for.
type reader struct {
	w       *Window
	all     *fyne.Container
	at      model.Place // that is shown or asked for; no session for none
	page    model.TranscriptPage
	stale   bool
	from    int // index of the first turn that is drawn
	to      int // after the last one
	column  *fyne.Container
	scroll  *container.Scroll
	chooser *kit.Select
	drawn   map[int]drawnTurn // by index
	past    *history          // that is shown in place of the turns; nil for none
	deleted string            // the session that was deleted last, which can be taken back
}

// drawnTurn is a turn with what was drawn of it.
type drawnTurn struct {
	turn model.Turn
	view *turnView
}

// enough is how many entries are drawn before the person has to ask for more turns.
const enough = 24

func newReader(w *Window) *reader {
	r := &reader{w: w, all: container.NewStack()}
	r.clear()
	return r
}

// clear shows no session.
func (r *reader) clear() {
	r.at, r.page, r.past = model.Place{}, model.TranscriptPage{}, nil
	r.all.Objects = []fyne.CanvasObject{kit.Empty("sessions", model.ChooseOne.Text(), model.ChooseHint.Text())}
	r.all.Refresh()
}

// touched marks the session as out of date when it grew.
func (r *reader) touched(u model.Update) {
	if u.Sessions[r.at.Session] || u.Topics == model.TopicAll || !u.Up {
		r.stale = true
	}
}

// reload asks for the session anew where it is out of date.
func (r *reader) reload() {
	if r.stale && r.at.Session != "" {
		r.open(r.at, false)
	}
}

// open asks for a session and shows a turn of it. With jump, it is shown from that turn on; without, what is on the screen
// stays where it is.
func (r *reader) open(to model.Place, jump bool) {
	if r.at.Session != to.Session {
		r.past = nil
	}
	r.at, r.stale = to, false
	if jump && r.page.ID == to.Session && r.page.Trouble == nil && len(r.page.Turns) > 0 {
		r.jump(r.page.Near(to.Turn))
	}
	ask(r.w, func(ctx context.Context) model.TranscriptPage { return r.w.p.Presenter.Session(ctx, to.Session) }, func(page model.TranscriptPage) {
		if r.at.Session == to.Session {
			r.show(page, jump)
		}
	})
}

func (r *reader) show(page model.TranscriptPage, jump bool) {
	if reflect.DeepEqual(page, r.page) {
		return
	}
	same := page.ID == r.page.ID && r.page.Trouble == nil
	follows := same && r.to == len(r.page.Turns) // the newest turn is on the screen
	r.page = page
	switch {
	case page.Trouble != nil:
		r.all.Objects = []fyne.CanvasObject{r.w.trouble(page.Trouble)}
		r.all.Refresh()
	case page.Empty != nil:
		r.all.Objects = []fyne.CanvasObject{framed(r.header(), kit.Empty("sessions", page.Empty.Title, page.Empty.Text))}
		r.all.Refresh()
	case same && !jump:
		if follows {
			r.to = len(page.Turns)
		}
		r.to = min(r.to, len(page.Turns))
		r.build(r.scroll.Offset)
	default:
		r.drawn = map[int]drawnTurn{}
		r.jump(page.Near(r.at.Turn))
	}
}

// jump draws from a turn on.
func (r *reader) jump(turn int) {
	r.from, r.to = turn, turn
	for entries := 0; r.to < len(r.page.Turns) && (r.to == turn || entries < enough); r.to++ {
		entries += len(r.page.Turns[r.to].Entries)
	}
	r.build(fyne.Position{})
}

// build draws what is to be seen and scrolls to a place.
func (r *reader) build(at fyne.Position) {
	r.column = kit.Column(18)
	if r.from > 0 {
		r.column.Add(r.more(model.EarlierTurn(r.page.Turns[r.from-1]), "up", func() { r.from--; r.build(fyne.Position{}) }))
	}
	for i := r.from; i < r.to; i++ {
		r.column.Add(r.turn(i).all)
	}
	if r.to < len(r.page.Turns) {
		r.column.Add(r.more(model.LaterTurn(r.page.Turns[r.to]), "down", func() { r.to++; r.build(r.scroll.Offset) }))
	}
	r.scroll = container.NewVScroll(kit.Inset(kit.Narrow(r.column, 860), 4, 20, 28, 20))
	r.draw()
	spread(r.scroll)
	r.scroll.ScrollToOffset(at)
}

// draw shows the turns that were built, or how the session branched.
func (r *reader) draw() {
	var body fyne.CanvasObject = r.scroll
	if r.past != nil {
		body = r.past.object()
	}
	r.all.Objects = []fyne.CanvasObject{framed(r.header(), body)}
	r.all.Refresh()
}

// more offers to draw another turn.
func (r *reader) more(label, sign string, act func()) fyne.CanvasObject {
	return r.w.kit.Row(kit.Inset(kit.Line(8, 1, kit.NewSign(sign, base.ColorNamePrimary, 12), kit.NewText(label).In(base.ColorNamePrimary).Cut()), 7, 8, 7, 8), act)
}

// turn is a turn as it was drawn, or drawn now.
func (r *reader) turn(i int) *turnView {
	d, ok := r.drawn[i]
	if !ok || !reflect.DeepEqual(d.turn, r.page.Turns[i]) {
		d = drawnTurn{r.page.Turns[i], newTurnView(r.w, r.page.Turns[i], func() { spread(r.scroll) })}
		r.drawn[i] = d
	}
	return d.view
}

// header is the session's title and a chooser of its turns.
func (r *reader) header() fyne.CanvasObject {
	head := kit.Column(6, kit.Heading(r.page.Title))
	for _, f := range r.page.Facts {
		head.Add(kit.NewText(f).Small().Muted().Cut())
	}
	if r.page.CanAct {
		head.Add(kit.Space(2))
		head.Add(r.acts())
	}
	if r.past != nil {
		head.Add(kit.NewText(r.past.page.Summary).Small().Muted())
		return head
	}
	if len(r.page.Turns) < 2 {
		return head
	}
	r.chooser = r.w.kit.Select(nil)
	labels := make([]string, len(r.page.Turns))
	for i, t := range r.page.Turns {
		labels[i] = t.Choice
	}
	r.chooser.Offer(labels, labels[r.from])
	r.chooser.OnChanged = func(label string) {
		if i := slices.Index(labels, label); i >= 0 {
			r.at.Turn = r.page.Turns[i].N
			r.jump(i)
		}
	}
	head.Add(kit.Space(2))
	head.Add(kit.Outlined(r.chooser))
	return head
}
