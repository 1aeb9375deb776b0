package view

import (
	"context"

	"dormouse/app/model"
)

// ruled tells what came of a decision, and keeps how to take it back.
func (w *Window) ruled(r model.Ruling) {
	if r.Done() {
		w.undo = append(w.undo, r.Undo)
		r.Text = model.WithUndo(r.Text)
	}
	w.toast.show(r.Notice)
}

// undoLast takes the last decision of this window back, and calls done where there was one.
func (w *Window) undoLast(done func()) {
	var ids []string
	if n := len(w.undo); n > 0 {
		ids, w.undo = w.undo[n-1], w.undo[:n-1]
	}
	ask(w, func(ctx context.Context) model.Notice { return w.p.Presenter.Undo(ctx, ids) }, func(n model.Notice) {
		w.toast.show(n)
		if len(ids) > 0 {
			done()
		}
	})
}
