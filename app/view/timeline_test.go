package view

import (
	"fmt"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"dormouse/app/model"
	"dormouse/app/view/kit"
	"dormouse/store/memory"
)

func TestTheTimelineStandsByDayAndOpensItsTurns(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageTimeline)
	s.says(t, "Today · 4 May", "Yesterday · 3 May", "Chose SQLite", "Moved to Go", model.ChooseMemory.Text())
	s.saysNot(t, "Tests take an hour")
	typeKey(s, fyne.KeyDown) // into the list
	typeKey(s, fyne.KeyDown) // over the title of the day
	s.says(t, "You said it.")
	if s.timeline.at != "ev_1" {
		t.Fatalf("chosen %q", s.timeline.at)
	}
	typeKey(s, fyne.KeyDown)
	if s.timeline.at != "ev_2" {
		t.Fatalf("chosen %q", s.timeline.at)
	}
	typeKey(s, fyne.KeyUp)
	typeKey(s, fyne.KeyO)
	if s.at != PageSessions || s.sessions.reader.at != (model.Place{Session: "cx_1", Turn: 2}) {
		t.Errorf("page %d, %+v", s.at, s.sessions.reader.at)
	}
	if typeKey(s, fyne.KeyEscape); s.at != PageTimeline {
		t.Errorf("escape leads to page %d", s.at)
	}
}

func TestWhatWasReplacedIsShownStruckThroughOnDemand(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageTimeline)
	test.Tap(s.timeline.old)
	s.says(t, "Tests take an hour", "Replaced by: Tests take a minute", "3 memories")
	struck := 0
	for _, i := range objects[*timelineItem](s) {
		if i.text.Struck() && i.text.String() == "Tests take an hour" {
			struck++
		}
	}
	if struck != 1 {
		t.Errorf("%d rows", struck)
	}
	s.ShowReplaced()
	s.says(t, "3 memories")
}

func TestAMemoryIsForgottenAndRefusedByKeyAndComesBack(t *testing.T) {
	for key, act := range map[fyne.KeyName]string{fyne.KeyF: "forget", fyne.KeyR: "refuse", fyne.KeyP: "pin"} {
		s := newStand(t, newFake())
		s.Show(PageTimeline)
		if s.timeline.key(key) {
			t.Error("a key acts while nothing is chosen")
		}
		s.timeline.list.Select(1)
		typeKey(s, key)
		if !asked(s, act+" ev_1") {
			t.Fatalf("asked %q", s.f.asked)
		}
		s.says(t, "U takes it back")
		typeKey(s, fyne.KeyU)
		if !asked(s, "undo de_ev_1") {
			t.Errorf("asked %q", s.f.asked)
		}
	}
}

func TestTheTimelineIsNarrowedAndWidened(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageTimeline)
	press(s, fyne.KeyF)
	test.Type(s.timeline.entity, "open.go")
	s.soon()
	s.timeline.project.SetSelected("shop")
	s.timeline.kind.SetSelected("Decisions")
	if want := "timeline entity=open.go&kinds=decision&limit=500&project=p1"; !asked(s, want) {
		t.Fatalf("asked %q", s.f.asked)
	}
	s.win.Canvas().Focus(s.timeline.entity)
	typeKey(s, fyne.KeyEscape)
	if s.timeline.filter.Narrowed() || s.timeline.entity.Text != "" || s.timeline.kind.Selected != "Every kind" {
		t.Errorf("%+v, %q", s.timeline.filter, s.timeline.entity.Text)
	}
	s.ShowDay(now)
	if !asked(s, fmt.Sprintf("timeline limit=500&since=%d&until=%d", now.Truncate(24*time.Hour).Unix(), now.Truncate(24*time.Hour).Unix()+86400)) {
		t.Errorf("asked %q", s.f.asked)
	}
	test.Tap(s.button(t, model.OneDay.Text()))
	if s.timeline.filter.Day != "" {
		t.Error("the day stays")
	}
	s.f.events = nil
	s.timeline.narrow(model.TimelineFilter{Kind: "work"})
	s.says(t, "No memory fits")
}

func TestALongTimelineDrawsWhatIsSeenAndGoesOn(t *testing.T) {
	f := newFake()
	at := now.Unix()
	for i := range 1200 {
		f.events = append(f.events, memory.Event{ID: fmt.Sprint("x", i), Summary: fmt.Sprint("memory ", i), Provenance: memory.Provenance{EventTime: &at}})
	}
	s := newStand(t, f)
	s.Show(PageTimeline)
	s.says(t, "The newest 500 of 1,202 memories")
	if n := len(objects[*timelineItem](s)); n == 0 || n > 40 {
		t.Errorf("%d rows are drawn", n)
	}
	s.timeline.list.Select(s.timeline.length() - 1)
	s.says(t, "1,202 memories")
	if s.timeline.shown.More {
		t.Error("more is offered")
	}
}

func TestAListThatFollowsStopsAtItsEnds(t *testing.T) {
	test.NewTempApp(t)
	k := &kit.Kit{}
	l := k.List(func() int { return 4 }, func() fyne.CanvasObject { return kit.NewText("") }, func(int, fyne.CanvasObject) {})
	var chosen []int
	l.Skips = func(i int) bool { return i == 0 || i == 2 }
	l.Follow(func(i int) { chosen = append(chosen, i) })
	l.Resize(fyne.NewSize(100, 200))
	for _, key := range []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyUp, fyne.KeyUp, fyne.KeyUp, fyne.KeyDown} {
		l.TypedKey(&fyne.KeyEvent{Name: key})
	}
	if got := fmt.Sprint(chosen); got != "[1 3 1 1]" {
		t.Error(got)
	}
}
