package view

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/view/kit"
)

// prompt asks for something to be filled in. Enter in the draft, where there is one, hands it in. It opens once the key that
// asked for it has been dealt with, which would be typed into it otherwise.
func (w *Window) prompt(title, hint string, field fyne.CanvasObject, draft *kit.Draft, do func()) {
	w.p.Later(0, func() {
		text := widget.NewLabel(hint)
		text.Wrapping = fyne.TextWrapWord
		d := dialog.NewCustomConfirm(title, model.Save, model.GiveUp, container.NewBorder(text, nil, nil, nil, field), func(yes bool) {
			if yes {
				do()
			}
		}, w.p.Parent)
		d.Resize(fyne.NewSize(520, 10))
		d.Show()
		if draft != nil {
			draft.OnSubmitted = func(string) { d.Hide(); do() }
			draft.GivenUp = d.Hide
			w.p.Parent.Canvas().Focus(draft)
			draft.CursorColumn = len([]rune(draft.Text))
		}
	})
}
