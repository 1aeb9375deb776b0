package view

import (
	"context"
	"reflect"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// machinesPage shows the exchange with other machines.
type machinesPage struct {
	w                       *Window
	all                     *fyne.Container
	scroll                  *container.Scroll
	setup, sync, off, entry *kit.Button
	shown                   model.SyncPage
}

func newMachinesPage(w *Window) *machinesPage {
	p := &machinesPage{w: w, all: container.NewStack()}
	p.setup = w.kit.Button(model.SyncSetup.Text(), nil, func() { p.setUp(model.RemoteChoice{}) })
	p.off = w.kit.Button(model.SyncOff.Text(), nil, func() {
		w.confirm(model.AskForget(), false, func() { w.act(w.p.Presenter.ForgetRemote, nil) })
	})
	p.entry = w.kit.Button(model.SyncInvite.Text(), nil, p.invite)
	p.sync = w.kit.Button(model.SyncNow.Text(), nil, p.syncNow)
	p.sync.Importance = widget.HighImportance
	return p
}

func (p *machinesPage) object() fyne.CanvasObject { return p.all }

func (p *machinesPage) touched(u model.Update) bool {
	return u.Topics&(model.TopicStatus|model.TopicClock) != 0
}

func (p *machinesPage) find() {
	if p.shown.On {
		p.w.p.Parent.Canvas().Focus(p.sync)
	} else {
		p.w.p.Parent.Canvas().Focus(p.setup)
	}
}

func (p *machinesPage) escape() bool { return false }

// key acts on the single keys of the page.
func (p *machinesPage) key(name fyne.KeyName) bool {
	if name != fyne.KeyI || !p.shown.CanInvite {
		return false
	}
	p.invite()
	return true
}

func (p *machinesPage) load() { ask(p.w, p.w.p.Presenter.SyncPage, p.show) }

func (p *machinesPage) show(page model.SyncPage) {
	if len(p.all.Objects) > 0 && reflect.DeepEqual(page, p.shown) {
		return
	}
	p.shown = page
	if p.w.inTrouble(p.all, page.Trouble) {
		return
	}
	name := kit.NewText(model.Pages()[PageSync].Name).Title()
	if page.Empty != nil {
		p.setup.Importance = widget.HighImportance
		p.all.Objects = []fyne.CanvasObject{framed(kit.TopLine(12, 0, name), kit.Empty("sync", page.Empty.Title, page.Empty.Text, p.setup))}
		p.all.Refresh()
		p.w.lead(p.setup)
		return
	}
	toggle(p.entry, page.CanInvite)
	about := kit.Column(4, name, kit.Line(8, 1, sign(page.Tone, 13), kit.NewText(page.Title).In(toneColor(page.Tone)).Bold(), kit.NewText("")))
	head := kit.TopLine(12, 0, about, kit.Line(8, kit.NoGrow, p.off, p.entry, p.sync))
	p.scroll = scrolled(p.body(page))
	p.all.Objects = []fyne.CanvasObject{framed(head, p.scroll)}
	p.all.Refresh()
	spread(p.scroll)
}

func (p *machinesPage) body(page model.SyncPage) fyne.CanvasObject {
	all := kit.Column(p.w.gap())
	said := kit.Column(12, kit.Prose(page.Detail, base.ColorNameForeground), facts(page.Facts, 104))
	if page.Failure != "" {
		said.Add(kit.Box(theme.ColorCaution, kit.Prose(page.Failure, base.ColorNameForeground)))
	}
	all.Add(kit.Card(said))
	if len(page.Aside) > 0 {
		all.Add(kit.Titled(model.SyncAside.Text(), problems(page.Aside)))
	}
	list := kit.Column(14)
	for i, m := range page.Machines {
		if i > 0 {
			list.Add(kit.Rule())
		}
		list.Add(p.machine(m))
	}
	all.Add(kit.Titled(model.CardMachines.Text(), list))
	return all
}

// machine is one machine and what can be done with it.
func (p *machinesPage) machine(m model.MachineRow) fyne.CanvasObject {
	head := kit.Line(10, kit.NoGrow, kit.NewText(m.Name).Bold())
	if m.Badge != "" {
		head.Add(kit.Badge(m.Badge, toneColor(m.Tone)))
	}
	said := kit.Column(4, head, kit.NewText(m.Seen).Small().Muted().Cut())
	for _, n := range m.Notes {
		said.Add(kit.Small(n.Text, toneColor(n.Tone)))
	}
	acts := kit.Line(2, kit.NoGrow)
	act := func(on bool, word string, do func()) {
		if on {
			b := p.w.kit.Button(word, nil, do)
			b.Importance = widget.LowImportance
			acts.Add(b)
		}
	}
	change := func(do func(context.Context, string) model.Notice) {
		p.w.act(func(ctx context.Context) model.Notice { return do(ctx, m.ID) }, nil)
	}
	act(true, model.SyncRename.Text(), func() { p.rename(m) })
	act(m.CanRetire, model.SyncRetire.Text(), func() { change(p.w.p.Presenter.RetireMachine) })
	act(m.CanReturn, model.SyncReturn.Text(), func() { change(p.w.p.Presenter.ReturnMachine) })
	act(m.CanRevoke, model.SyncRevoke.Text(), func() {
		p.w.confirm(model.AskRevoke(m), true, func() { change(p.w.p.Presenter.RevokeMachine) })
	})
	return kit.TopLine(12, 1, kit.Inset(kit.NewSign("status", theme.ColorMuted, 18), 2, 0, 0, 0), said, acts)
}

func (p *machinesPage) rename(m model.MachineRow) {
	draft := kit.NewDraft(m.Name, 1)
	p.w.prompt(model.SyncRenameTitle.Text(), model.SyncRenameHint.Text(), draft, draft, func() {
		p.w.act(func(ctx context.Context) model.Notice { return p.w.p.Presenter.RenameMachine(ctx, m.ID, draft.Text) }, nil)
	})
}

func (p *machinesPage) syncNow() {
	p.sync.SetText(model.SyncingNow.Text())
	p.sync.Disable()
	p.w.act(p.w.p.Presenter.SyncNow, func() {
		p.sync.SetText(model.SyncNow.Text())
		p.sync.Enable()
	})
}

// invite shows a code that lets a machine in.
func (p *machinesPage) invite() {
	ask(p.w, p.w.p.Presenter.Invite, func(code model.InviteCode) {
		if code.Code == "" {
			p.w.toast.show(code.Notice)
			return
		}
		copyIt := p.w.kit.Button(model.CopyText.Text(), base.ContentCopyIcon(), func() { p.w.copy(code.Code) })
		shown := kit.Inset(kit.Line(14, kit.NoGrow, kit.NewText(code.Code).Sized(theme.SizeFigure).Mono().Bold(), copyIt), 10, 0, 10, 0)
		d := dialog.NewCustom(model.SyncInviteTitle.Text(), model.Close.Text(), container.NewBorder(nil, kit.Prose(code.Text, theme.ColorMuted), nil, nil, shown), p.w.p.Parent)
		d.Resize(fyne.NewSize(promptWidth, 10))
		open := true
		d.SetOnClosed(func() { open = false })
		d.Show()
		p.await(code, &open, d.Hide)
	})
}

// inviteEvery is how often it is looked for a machine that used the code that is shown.
const inviteEvery = 4 * time.Second

// await waits for the machine that uses a code, as long as that is shown.
func (p *machinesPage) await(code model.InviteCode, open *bool, done func()) {
	p.w.p.Later(inviteEvery, func() {
		if !*open {
			return
		}
		p.w.p.Background(func() func() {
			told := p.w.p.Presenter.LetIn(p.w.ctx, code)
			return func() {
				if told.Text == "" {
					p.await(code, open, done)
					return
				}
				done()
				p.w.toast.show(told)
				p.w.Refresh()
			}
		})
	})
}

// setUp asks for the remote and how to use it; what was filled in is c.
func (p *machinesPage) setUp(c model.RemoteChoice) {
	address, code := p.w.kit.Entry(model.SyncAddress.Text(), func(s string) { c.URL = s }), p.w.kit.Entry(model.SyncCode.Text(), func(s string) { c.Code = s })
	address.SetText(c.URL)
	code.SetText(c.Code)
	box := func(label string, to *bool) fyne.CanvasObject {
		b := p.w.kit.Check(label, func(on bool) { *to = on })
		b.Checked = *to
		return b
	}
	form := kit.Column(6, kit.Outlined(address), kit.Outlined(code), box(model.SyncEncrypt.Text(), &c.Encrypt), box(model.SyncKnow.Text(), &c.Know), box(model.SyncRestore.Text(), &c.Restore))
	q := model.Question{Title: model.SyncSetupTitle.Text(), Text: model.SyncSetupHint.Text(), Yes: model.SyncDo.Text(), No: model.GiveUp.Text()}
	d := p.w.question(q, form, func() { p.choose(c) })
	d.Show()
	p.w.p.Parent.Canvas().Focus(address)
}

// choose sets the remote up, and asks what the person has to settle first.
func (p *machinesPage) choose(c model.RemoteChoice) {
	type outcome struct {
		told  model.Notice
		asked *model.Asked
	}
	ask(p.w, func(ctx context.Context) outcome {
		told, asked := p.w.p.Presenter.ChooseRemote(ctx, c)
		return outcome{told, asked}
	}, func(o outcome) {
		p.w.toast.show(o.told)
		switch {
		case o.asked == nil:
			p.w.Refresh()
		case o.asked.Token:
			p.login(*o.asked)
		default:
			p.w.confirm(o.asked.Question, false, func() { p.choose(o.asked.Next) })
		}
	})
}

// login asks for a token and goes on with the set-up.
func (p *machinesPage) login(a model.Asked) {
	token := widget.NewPasswordEntry()
	token.SetPlaceHolder(model.SyncToken.Text())
	p.w.question(a.Question, token, func() {
		ask(p.w, func(ctx context.Context) model.Notice { return p.w.p.Presenter.Login(ctx, a.Next.URL, token.Text) }, func(n model.Notice) {
			p.w.toast.show(n)
			if n.Text == "" {
				p.choose(a.Next)
			}
		})
	}).Show()
	p.w.p.Parent.Canvas().Focus(token)
}
