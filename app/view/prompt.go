package view

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/view/kit"
)

// promptWidth is the width of questions, in pixels at scale 1.
const promptWidth = 520

// prompt asks for something to be filled in. Enter in the draft, where there is one, hands it in. It opens once the key that
// asked for it has been dealt with, which would be typed into it otherwise.
func (w *Window) prompt(title, hint string, field fyne.CanvasObject, draft *kit.Draft, do func()) {
	w.p.Later(0, func() {
		d := w.question(model.Question{Title: title, Text: hint, Yes: model.Save.Text(), No: model.GiveUp.Text()}, field, do)
		d.Show()
		if draft != nil {
			draft.OnSubmitted = func(string) { d.Hide(); do() }
			draft.GivenUp = d.Hide
			w.p.Parent.Canvas().Focus(draft)
			draft.CursorColumn = len([]rune(draft.Text))
		}
	})
}

// confirm asks before something is done; what cannot simply be taken back is asked in the colour of danger.
func (w *Window) confirm(q model.Question, danger bool, do func()) {
	d := w.question(q, nil, do)
	if danger {
		d.SetConfirmImportance(widget.DangerImportance)
	}
	d.Show()
}

// question is a question with an answer that does something, and maybe a field; it is not shown yet.
func (w *Window) question(q model.Question, field fyne.CanvasObject, do func()) *dialog.ConfirmDialog {
	text := widget.NewLabel(q.Text)
	text.Wrapping = fyne.TextWrapWord
	var body fyne.CanvasObject = text
	if field != nil {
		body = container.NewBorder(text, nil, nil, nil, field)
	}
	d := dialog.NewCustomConfirm(q.Title, q.Yes, q.No, body, func(yes bool) {
		if yes {
			do()
		}
	}, w.p.Parent)
	d.Resize(fyne.NewSize(promptWidth, 10))
	return d
}
