package view

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"dormouse/app/model"
)

func TestCostsAreShownForTheTimeThatIsChosen(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageCosts)
	s.says(t, "$0.02 · 900 tokens · 2 calls in 30 days", "haiku", "Learning from sessions", "Your agents' own calls are not in it.")
	s.costs.chooser.SetSelected("90 days")
	if !asked(s, "cost day 2026-02-04") {
		t.Errorf("asked %q", s.f.asked)
	}
	s.says(t, "in 90 days")
}

func TestADayOfTheCostsIsPointedAtByKeyAndMouse(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageCosts)
	s.says(t, model.PointHint.Text())
	press(s, fyne.KeyF)
	s.says(t, "Today · 4 May: $0.02")
	typeKey(s, fyne.KeyRight) // there is no tomorrow
	typeKey(s, fyne.KeyLeft)
	s.says(t, "Yesterday · 3 May: nothing")
	s.win.Canvas().Unfocus()
	s.says(t, model.PointHint.Text())
	at := func(x float32) *desktop.MouseEvent {
		return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 40)}}
	}
	s.costs.days.MouseIn(at(2))
	s.says(t, "Sunday · 5 April: nothing")
	s.costs.days.MouseMoved(at(s.costs.days.Size().Width - 2))
	s.says(t, "Today · 4 May: $0.02")
	s.costs.days.MouseOut()
	test.TapAt(s.costs.days, fyne.NewPos(2, 40))
	s.says(t, "Sunday · 5 April: nothing")
}
