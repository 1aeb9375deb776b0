package view

import (
	"context"
	"net/url"
	"path/filepath"

	"fyne.io/fyne/v2"

	"dormouse/app/model"
	"dormouse/app/view/kit"
)

// acts are what can be done with the session that is open, each with its key.
func (r *reader) acts() fyne.CanvasObject {
	k, pin, show := r.w.kit, model.ActPin.Text(), model.ShowHistory.Text()
	if r.page.Pinned {
		pin = model.ActUnpin.Text()
	}
	if r.past != nil {
		show = model.ShowTurns.Text()
	}
	return kit.Flow(6, k.Key(show, "H", false, r.toggleHistory), k.Key(pin, "P", false, r.pin), k.Key(model.SessionRename.Text(), "T", false, r.retitle),
		k.Key(model.SessionFolder.Text(), "O", false, r.folder), k.Key(model.SessionDelete.Text(), "D", false, r.remove))
}

// key acts on the single keys of the page.
func (p *sessionsPage) key(name fyne.KeyName) bool {
	r := p.reader
	if name == fyne.KeyU && r.deleted != "" {
		id := r.deleted
		r.deleted = ""
		r.w.act(func(ctx context.Context) model.Notice { return r.w.p.Presenter.UndeleteSession(ctx, id) }, nil)
		return true
	}
	act := map[fyne.KeyName]func(){fyne.KeyH: r.toggleHistory, fyne.KeyP: r.pin, fyne.KeyT: r.retitle, fyne.KeyO: r.folder, fyne.KeyD: r.remove}[name]
	if act == nil || !r.page.CanAct || r.at.Session == "" {
		return false
	}
	act()
	return true
}

// toggleHistory shows how the session branched, or its turns again.
func (r *reader) toggleHistory() {
	if r.past != nil {
		r.past = nil
		r.draw()
		return
	}
	r.past = newHistory(r)
	r.draw()
	r.past.load()
}

func (r *reader) pin() {
	id, on := r.page.ID, !r.page.Pinned
	r.change(func(ctx context.Context) model.Notice { return r.w.p.Presenter.PinSession(ctx, id, on) })
}

// change has something of the session changed, and shows it anew.
func (r *reader) change(do func(context.Context) model.Notice) {
	r.w.act(do, func() { r.stale = true })
}

func (r *reader) retitle() {
	draft, id := kit.NewDraft(r.page.Title, 2), r.page.ID
	r.w.prompt(model.RetitleTitle.Text(), model.RetitleHint.Text(), draft, draft, func() {
		title := draft.Text
		r.change(func(ctx context.Context) model.Notice { return r.w.p.Presenter.Retitle(ctx, id, title) })
	})
}

// folder has the session's files written out, and shows them in the system's file manager.
func (r *reader) folder() {
	type folder struct {
		dir  string
		told model.Notice
	}
	id := r.page.ID
	ask(r.w, func(ctx context.Context) folder {
		dir, told := r.w.p.Presenter.SessionFolder(ctx, id)
		return folder{dir, told}
	}, func(f folder) {
		r.w.toast.show(f.told)
		if f.dir != "" {
			_ = fyne.CurrentApp().OpenURL(fileURL(f.dir)) // where no file manager is there, the notice says where it lies
		}
	})
}

// fileURL is the address of a folder.
func fileURL(dir string) *url.URL {
	path := filepath.ToSlash(dir)
	if path != "" && path[0] != '/' { // a drive
		path = "/" + path
	}
	return &url.URL{Scheme: "file", Path: path}
}

// remove asks first, and says what stays and what then leads nowhere.
func (r *reader) remove() {
	page := r.page
	ask(r.w, func(ctx context.Context) model.Question { return r.w.p.Presenter.AskDelete(ctx, page) }, func(q model.Question) {
		r.w.confirm(q, true, func() {
			r.w.act(func(ctx context.Context) model.Notice { return r.w.p.Presenter.DeleteSession(ctx, page.ID) }, func() {
				r.deleted = page.ID
				r.clear()
			})
		})
	})
}
