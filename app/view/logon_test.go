package view

import (
	"context"
	"testing"

	"fyne.io/fyne/v2/test"

	"dormouse/app/model"
)

type logOn struct{ answered, installed bool }

func (l *logOn) Wanted(context.Context) bool   { return !l.answered }
func (l *logOn) Install(context.Context) error { l.installed, l.answered = true, true; return nil }
func (l *logOn) Answer() error                 { l.answered = true; return nil }

func TestTheLogOnIsAskedAboutOnTheFirstPageOnce(t *testing.T) {
	for answer, installed := range map[string]bool{"Start it at log-on": true, "Not now": false} {
		l, f := &logOn{}, newFake()
		s := newStand(t, f)
		s.p.Presenter = model.New(model.Options{Backend: func() model.Backend { return f }, LogOn: l})
		s.Show(PageToday)
		s.saysNot(t, "Start Dormouse when you log on?")
		s.AskLogOn()
		s.says(t, "Start Dormouse when you log on?")
		s.Refresh() // it stays through what goes on
		test.Tap(s.button(t, answer))
		s.saysNot(t, "Start Dormouse when you log on?")
		if l.installed != installed || !l.answered {
			t.Errorf("%s: %+v", answer, l)
		}
		if s.AskLogOn(); s.today.logOn != nil {
			t.Errorf("%s: asked again", answer)
		}
	}
}
