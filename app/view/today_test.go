package view

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/view/kit"
	"dormouse/service/api"
	"dormouse/store/memory"
)

func TestTodayShowsEverythingThatTheServiceTells(t *testing.T) {
	s := newStand(t, newFake())
	s.f.status.Demo = true
	s.Show(PageToday)
	s.says(t, "In trouble", "No room: free some.", "Failed 3 times in a row", "Capture", "memories", "one waits", "no JSON", "f:1", "git@host:m.git", "Codex", "This is the demo", model.DemoBadge.Text())
}

func TestTheButtonsOfTodayAct(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageToday)
	test.Tap(s.button(t, model.SleepNow.Text()))
	s.says(t, "Nothing was waiting")
	test.Tap(s.button(t, model.SyncNow.Text()))
	s.says(t, "there was nothing to exchange")
	test.Tap(s.button(t, model.PauseCapture.Text()))
	menu, ok := s.win.Canvas().Focused().(*widget.PopUpMenu)
	if !ok || len(menu.Items) != len(model.PauseChoices()) {
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
	test.Tap(s.button(t, model.GoOn.Text()))
	if s.f.status.PausedUntil != 0 {
		t.Errorf("asked %q", s.f.asked)
	}
	s.button(t, model.PauseCapture.Text())
}

func TestNoSecondSleepIsStartedWhileOneGoesOn(t *testing.T) {
	s := newStand(t, newFake())
	s.f.status.Phase = "asleep"
	s.Show(PageToday)
	if b := s.button(t, model.SleepingNow.Text()); !b.Disabled() {
		t.Error("it can be pressed")
	}
	s.f.status.Phase, s.f.status.Sync = "idle", api.Sync{}
	s.Refresh()
	if b := s.button(t, model.SleepNow.Text()); b.Disabled() {
		t.Error("it cannot be pressed")
	}
	if s.today.sync.Visible() {
		t.Error("sync is offered without a remote")
	}
}

func TestTodaysSessionsAndWhatWaitsAreOneClickAway(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageToday)
	s.says(t, "Fix the flaky test", "3 things to decide", "Last night", "The year")
	for _, r := range objects[*kit.Row](s) {
		if strings.Contains(rowText(r), "Fix the flaky test") {
			test.Tap(r)
		}
	}
	if s.at != PageSessions || s.sessions.reader.at.Session != "cx_1" {
		t.Fatalf("page %d, %+v", s.at, s.sessions.reader.at)
	}
	typeKey(s, fyne.KeyEscape)
	for _, r := range objects[*kit.Row](s) {
		if strings.Contains(rowText(r), "3 things to decide") {
			test.Tap(r)
			break
		}
	}
	if s.at != PageReview {
		t.Errorf("page %d", s.at)
	}
	s.f.sessions = nil
	s.Show(PageToday)
	s.Refresh()
	s.says(t, "No session yet today")
}

func TestTheCalendarTellsOfADayAndOpensIt(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageToday)
	s.says(t, "5 sessions and 9 memories in a year")
	c := s.today.calendar
	s.win.Canvas().Focus(c)
	s.says(t, "Today · 4 May: 4 sessions, 8 memories")
	for _, key := range []fyne.KeyName{fyne.KeyRight, fyne.KeyDown, fyne.KeyLeft, fyne.KeyUp} { // there is no tomorrow; then a week back, and a day
		typeKey(s, key)
	}
	s.says(t, "Sunday · 26 April: nothing")
	typeKey(s, fyne.KeyReturn)
	if s.at != PageTimeline || s.timeline.filter.Day != "2026-04-26" {
		t.Fatalf("page %d, %+v", s.at, s.timeline.filter)
	}
	s.Show(PageToday)
	s.saysNot(t, "Sunday · 26 April")
	test.TapAt(c, cellAt(c, 52*7)) // the Monday of this week
	if s.at != PageTimeline || s.timeline.filter.Day != "2026-05-04" {
		t.Errorf("page %d, %+v", s.at, s.timeline.filter)
	}
	s.Show(PageToday)
	s.today.counts.SetSelected("Memories")
	s.says(t, "in a year")
	test.TapAt(c, fyne.NewPos(1, 1)) // beside all cells
	if s.at != PageToday {
		t.Error("a click beside the cells opens a day")
	}
}

// cellAt is a place in a cell of the calendar, found by moving over it.
func cellAt(c *kit.Calendar, want int) fyne.Position {
	told := c.Pointed
	defer func() { c.Pointed = told }()
	got := -1
	c.Pointed = func(i int) { got = i }
	for x := float32(30); x < c.Size().Width; x += 3 {
		for y := float32(18); y < c.Size().Height; y += 3 {
			at := fyne.NewPos(x, y)
			if c.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}}); got == want {
				c.MouseOut()
				return at
			}
		}
	}
	return fyne.Position{}
}

func TestFirstStepsAreListedUntilTheyAreDone(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageToday)
	s.says(t, model.CardSteps.Text(), "Let your agents remember")
	for button, page := range map[string]int{"Connect agents": PageAgents, "Choose a folder": PageProjects} {
		test.Tap(s.button(t, button))
		if s.at != page {
			t.Errorf("%s leads to page %d", button, s.at)
		}
		s.Show(PageToday)
	}
	s.saysNot(t, "Set up sync") // which is done here
	s.f.status.LastNight = &api.Night{ID: "n", Ended: now.Unix() - 3600, Counts: memory.RunCounts{Events: 12, Sessions: 3}}
	s.Refresh()
	s.saysNot(t, model.CardSteps.Text())
	s.says(t, "12 memories learned, from 3 sessions")
}

func TestTheFirstStepsWarnOfAnAgentThatDeletesSoon(t *testing.T) {
	f := newFake()
	for i := range f.status.Agents {
		f.status.Agents[i].AtRisk = api.AtRisk{}
	}
	s := newStand(t, f)
	s.Show(PageToday)
	s.saysNot(t, "At risk: 4 transcripts, 7.0 kB, not captured yet and gone within 7 days; the first may go any time. It deletes by itself what was not changed for 30 days.")
	f.status.Agents = append(f.status.Agents, api.Agent{Name: "gemini", Found: true, AtRisk: api.AtRisk{KeptDays: 30, Files: 4, Bytes: 7000, Next: 1}})
	s.Refresh()
	s.says(t, "At risk: 4 transcripts, 7.0 kB, not captured yet and gone within 7 days; the first may go any time. It deletes by itself what was not changed for 30 days.")
}
