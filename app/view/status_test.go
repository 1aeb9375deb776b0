package view

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/service/api"
)

func TestTheStatusPageShowsEverythingThatTheServiceTells(t *testing.T) {
	s := newStand(t, newFake())
	s.f.status.Demo = true
	s.Show(PageStatus)
	s.says(t, "In trouble", "No room: free some.", "Failed 3 times in a row", "Capture", "memories", "one waits", "no JSON", "f:1", "git@host:m.git", "Codex", "This is the demo", model.DemoBadge)
}

func TestTheButtonsOfTheStatusPageAct(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageStatus)
	test.Tap(s.button(t, model.SleepNow))
	s.says(t, "Nothing was waiting")
	test.Tap(s.button(t, model.SyncNow))
	s.says(t, "there was nothing to exchange")
	test.Tap(s.button(t, model.PauseCapture))
	menu, ok := s.win.Canvas().Focused().(*widget.PopUpMenu)
	if !ok || len(menu.Items) != len(model.PauseChoices) {
		t.Fatalf("no menu has the keyboard: %T", s.win.Canvas().Focused())
	}
	typeKey(s, fyne.KeyDown)
	typeKey(s, fyne.KeyDown)
	typeKey(s, fyne.KeyDown)
	typeKey(s, fyne.KeyReturn)
	if s.f.status.PausedUntil != api.Indefinitely {
		t.Fatalf("asked %q", s.f.asked)
	}
	s.says(t, "until you go on")
	test.Tap(s.button(t, model.GoOn))
	if s.f.status.PausedUntil != 0 {
		t.Errorf("asked %q", s.f.asked)
	}
	s.button(t, model.PauseCapture)
}

func TestNoSecondSleepIsStartedWhileOneGoesOn(t *testing.T) {
	s := newStand(t, newFake())
	s.f.status.Phase = "asleep"
	s.Show(PageStatus)
	if b := s.button(t, model.SleepingNow); !b.Disabled() {
		t.Error("it can be pressed")
	}
	s.f.status.Phase, s.f.status.Sync = "idle", api.Sync{}
	s.Refresh()
	if b := s.button(t, model.SleepNow); b.Disabled() {
		t.Error("it cannot be pressed")
	}
	if s.status.sync.Visible() {
		t.Error("sync is offered without a remote")
	}
}
