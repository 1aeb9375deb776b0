package view

import (
	"context"
	"reflect"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// chose shows what there is to say of the chosen project below the list.
func (p *projectsPage) chose(i int) {
	if !p.quiet && i < len(p.shown.Rows) {
		p.at = p.shown.Rows[i].ID
		p.loadCard()
	}
}

// mark chooses the project again that was chosen before, or none where it is gone.
func (p *projectsPage) mark() {
	if !chooseAgain(p.list, &p.quiet, p.shown.Rows, func(r model.ProjectRow) bool { return r.ID == p.at && p.at != "" }) {
		p.at = ""
	}
	p.loadCard()
}

func (p *projectsPage) chosen() (model.ProjectRow, bool) {
	i := slices.IndexFunc(p.shown.Rows, func(r model.ProjectRow) bool { return r.ID == p.at && p.at != "" })
	if i < 0 {
		return model.ProjectRow{}, false
	}
	return p.shown.Rows[i], true
}

// loadCard asks for the chosen project.
func (p *projectsPage) loadCard() {
	row, ok := p.chosen()
	if !ok {
		p.card = model.ProjectCard{}
		p.drawCard()
		return
	}
	ask(p.w, func(ctx context.Context) model.ProjectCard { return p.w.p.Presenter.Project(ctx, row) }, func(c model.ProjectCard) {
		if c.Trouble == nil && c.ID != p.at || reflect.DeepEqual(c, p.card) && len(p.foot.Objects) > 0 {
			return
		}
		p.card = c
		p.drawCard()
	})
}

func (p *projectsPage) drawCard() {
	c := p.card
	var body fyne.CanvasObject
	switch {
	case c.Trouble != nil:
		body = kit.Prose(c.Trouble.Title+". "+c.Trouble.Text, theme.ColorMuted)
	case c.ID == "":
		body = kit.Prose(model.AboutProject.Text(), theme.ColorMuted)
	default:
		body = kit.Column(10, kit.NewText(c.Title).Heading().Cut(), facts(c.Facts, 100), p.cardActs(c))
	}
	p.foot.Objects = []fyne.CanvasObject{kit.Inset(kit.Card(body), 12, 0, 0, 0)}
	p.foot.Refresh()
	p.frame.Refresh()
}

// cardActs are what can be done with the chosen project, each with its key.
func (p *projectsPage) cardActs(c model.ProjectCard) fyne.CanvasObject {
	acts := kit.Flow(6)
	k := p.w.kit
	if c.Bind != "" {
		acts.Add(k.Key(model.BindThis.Text(), "B", false, func() { p.bind(c.Bind) }))
	}
	if c.CanRename {
		acts.Add(k.Key(model.SyncRename.Text(), "T", false, p.rename))
	}
	if c.CanSwitch {
		commit, files := model.AutoCommitOn, model.FilesOn
		if c.AutoCommit {
			commit = model.AutoCommitOff
		}
		if c.Files {
			files = model.FilesOff
		}
		acts.Add(k.Key(commit.Text(), "A", false, func() { p.act(p.w.p.Presenter.SwitchAutoCommit) }))
		acts.Add(k.Key(files.Text(), "F", false, func() { p.act(p.w.p.Presenter.SwitchFiles) }))
	}
	if len(c.Sessions) > 0 {
		acts.Add(k.Key(model.RestoreFiles.Text(), "R", false, p.restore))
		acts.Add(k.Key(model.ShowSessions.Text(), "S", false, func() { p.w.ShowSessionsOf(c.ID) }))
	}
	acts.Add(k.Key(model.ShowCore.Text(), "C", false, func() { p.w.ShowCoreOf(c.ID) }))
	return acts
}

// key acts on the single keys of the page.
func (p *projectsPage) key(name fyne.KeyName) bool {
	c := p.card
	if c.ID == "" {
		return false
	}
	switch {
	case name == fyne.KeyB && c.Bind != "":
		p.bind(c.Bind)
	case name == fyne.KeyT && c.CanRename:
		p.rename()
	case name == fyne.KeyA && c.CanSwitch:
		p.act(p.w.p.Presenter.SwitchAutoCommit)
	case name == fyne.KeyF && c.CanSwitch:
		p.act(p.w.p.Presenter.SwitchFiles)
	case name == fyne.KeyR && len(c.Sessions) > 0:
		p.restore()
	case name == fyne.KeyS && len(c.Sessions) > 0, name == fyne.KeyRight && len(c.Sessions) > 0:
		p.w.ShowSessionsOf(c.ID)
	case name == fyne.KeyC:
		p.w.ShowCoreOf(c.ID)
	default:
		return false
	}
	return true
}

// act does something with the chosen project, and shows it anew.
func (p *projectsPage) act(do func(context.Context, model.ProjectCard) model.Notice) {
	c := p.card
	p.w.act(func(ctx context.Context) model.Notice { return do(ctx, c) }, p.loadCard)
}

// rename asks for the person's own name of the chosen project.
func (p *projectsPage) rename() {
	c := p.card
	draft := kit.NewDraft(c.Title, 1)
	p.w.prompt(model.ProjectTitle.Text(), model.ProjectHint.Text(), draft, draft, func() {
		p.act(func(ctx context.Context, _ model.ProjectCard) model.Notice {
			return p.w.p.Presenter.RenameProject(ctx, c, draft.Text)
		})
	})
}

// restore asks which files are to be written out, then for a folder.
func (p *projectsPage) restore() {
	sessions, sides := p.card.Sessions, model.RestoreSides()
	session, turn, side := sessions[0].ID, "", sides[0].ID
	var turns []model.Choice
	why := container.NewStack()
	turnBox := p.w.kit.Select(func(label string) { turn = idOf(turns, label) })
	look := func() {
		id := session
		ask(p.w, func(ctx context.Context) model.Restorable { return p.w.p.Presenter.Restorable(ctx, id) }, func(r model.Restorable) {
			if id != session {
				return
			}
			turns, turn = r.Turns, ""
			labels, chosen := labelsOf(turns, "")
			turnBox.Offer(labels, chosen)
			why.Objects = []fyne.CanvasObject{kit.Prose(r.Why, theme.ColorMuted)}
			why.Refresh()
		})
	}
	sessionBox := p.w.kit.Select(func(label string) { session = idOf(sessions, label); look() })
	sideBox := p.w.kit.Select(func(label string) { side = idOf(sides, label) })
	labels, chosen := labelsOf(sessions, session)
	sessionBox.Offer(labels, chosen)
	labels, chosen = labelsOf(sides, side)
	sideBox.Offer(labels, chosen)
	form := kit.Column(8, kit.Outlined(sessionBox), kit.Outlined(turnBox), kit.Outlined(sideBox), why)
	q := model.Question{Title: model.RestoreFiles.Text(), Text: model.RestoreHint.Text(), Yes: model.RestoreInto.Text(), No: model.GiveUp.Text()}
	p.w.p.Later(0, func() {
		p.w.question(q, form, func() {
			if len(turns) > 0 {
				p.restoreInto(session, turn, side)
			}
		}).Show()
		look()
	})
}

// restoreInto lets the person pick the folder that the files are written into.
func (p *projectsPage) restoreInto(session, turn, side string) {
	d := dialog.NewFolderOpen(func(dir fyne.ListableURI, err error) {
		if err == nil && dir != nil {
			p.write(session, turn, side, dir.Path())
		}
	}, p.w.p.Parent)
	d.Resize(fyne.NewSize(760, 520))
	d.Show()
}

func (p *projectsPage) write(session, turn, side, dir string) {
	p.w.act(func(ctx context.Context) model.Notice { return p.w.p.Presenter.Restore(ctx, session, turn, side, dir) }, nil)
}
