package view

import (
	"context"
	"errors"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
	"dormouse/service/api"

	base "fyne.io/fyne/v2/theme"
)

func press(s *stand, key fyne.KeyName) {
	s.win.Canvas().(interface{ TypedShortcut(fyne.Shortcut) }).TypedShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault})
}

func typeKey(s *stand, key fyne.KeyName) {
	if f := s.win.Canvas().Focused(); f != nil {
		f.TypedKey(&fyne.KeyEvent{Name: key})
		return
	}
	s.win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: key})
}

func TestPagesAreReachedByKeyAndByClick(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageToday)
	says := []string{"Running since", "3 to decide", "2 memories", "4 names", "to the byte", "Choose a session", "2 projects", "Last exchange", "their providers directly", "By purpose", "on this machine", "Whose sessions are read"}
	if len(says) != pages || len(model.Pages()) != pages {
		t.Fatalf("%d pages, %d names", pages, len(model.Pages()))
	}
	for i, want := range says[:min(pages, model.KeyedPages)] {
		press(s, fyne.KeyName(rune('1'+i)))
		s.says(t, want)
	}
	for i, want := range says {
		test.Tap(s.nav.items[i].row)
		s.says(t, want)
	}
	s.Show(-1)
	s.Show(pages)
	if s.at != pages-1 {
		t.Errorf("a page that is not there was shown: %d", s.at)
	}
}

func TestEveryPageSaysThatTheServiceIsDownAndOffersToStartIt(t *testing.T) {
	for at := range pages {
		f := newFake()
		f.down = true
		s := newStand(t, f)
		s.Show(at)
		s.says(t, "Dormouse is not running", "Your agents work as usual", "Not running")
		test.Tap(s.button(t, model.StartService.Text()))
		if s.started != 1 {
			t.Fatalf("page %d: started %d times", at, s.started)
		}
		s.saysNot(t, "Dormouse is not running")
		s.says(t, "In trouble", "Dormouse is running.") // sidebar and notice
	}
}

func TestTheOfferToStartTakesTheKeyboard(t *testing.T) {
	f := newFake()
	f.down = true
	s := newStand(t, f)
	s.Show(PageToday)
	s.soon()
	typeKey(s, fyne.KeyReturn)
	if s.started != 1 {
		t.Errorf("Enter started it %d times", s.started)
	}
	s.soon() // the offer is gone: nothing takes the keyboard
}

func TestAStartThatFailsIsTold(t *testing.T) {
	f := newFake()
	f.down = true
	s := newStand(t, f)
	s.p.Start = func(context.Context) error { return errors.New("the program dormouse is nowhere") }
	s.Show(PageToday)
	test.Tap(s.button(t, model.StartService.Text()))
	s.says(t, "could not be started: The program dormouse is nowhere.", "Dormouse is not running")
	test.Tap(s.button(t, model.TryAgain.Text()))
	s.soon() // the notice goes by itself
	s.saysNot(t, "could not be started")
}

func TestEmptyPagesSayWhatToDo(t *testing.T) {
	f := newFake()
	f.empty = true
	f.status.Counts.Sessions, f.status.Sync = 0, api.Sync{}
	s := newStand(t, f)
	for at, want := range []string{"First steps", "Nothing waits for you", "Nothing was learned yet", "Nothing is connected yet", "Nothing to tell yet", "No session yet", "No project yet", "stays on this machine", "No project is known yet", "Nothing was spent", "1 agent", "/m/config.toml"} {
		s.Show(at)
		s.says(t, want)
	}
}

func TestOnlyWhatChangedIsAskedForAgain(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageProjects)
	s.f.asked = nil
	s.Update(model.Update{Up: true, Topics: model.TopicCore})
	if len(s.f.asked) != 0 {
		t.Errorf("a page that is not shown was asked for: %q", s.f.asked)
	}
	s.Update(model.Update{Up: true, Topics: model.TopicProjects | model.TopicStatus})
	if want := []string{"status", "projects"}; !slices.Equal(s.f.asked, want) {
		t.Errorf("asked %q", s.f.asked)
	}
	s.f.asked = nil
	s.Show(PageCore)
	if want := []string{"projects", "core "}; !slices.Equal(s.f.asked, want) {
		t.Errorf("then %q", s.f.asked)
	}
	press(s, fyne.KeyR)
	if len(s.f.asked) < 5 {
		t.Errorf("refreshed: %q", s.f.asked)
	}
}

func TestAWindowThatWasNotShownYetAsksForNothing(t *testing.T) {
	s := newStand(t, newFake())
	s.Update(model.Update{Up: true, Topics: model.TopicAll})
	if len(s.f.asked) != 0 {
		t.Errorf("asked %q", s.f.asked)
	}
}

func TestAnUnchangedPageIsNotDrawnAgain(t *testing.T) {
	s := newStand(t, newFake())
	for _, at := range []int{PageToday, PageCore} { // the others are lists, which draw rows anew by themselves
		s.Show(at)
		before := objects[*kit.Text](s)
		s.Refresh()
		for _, o := range objects[*kit.Text](s) {
			if !slices.Contains(before, o) {
				t.Errorf("page %d: %q was drawn again", at, o)
			}
		}
	}
}

func TestTheServiceThatGoesAwayIsSaidAndComesBack(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageSessions)
	s.f.down = true
	s.Update(model.Update{Topics: model.TopicAll})
	s.says(t, "Dormouse is not running")
	s.f.down = false
	s.Update(model.Update{Up: true, Topics: model.TopicAll})
	s.says(t, "Fix the flaky test")
	s.saysNot(t, "Dormouse is not running")
}

func TestAnAnswerThatComesAfterTheWindowWasClosedIsDropped(t *testing.T) {
	s := newStand(t, newFake())
	ctx, cancel := context.WithCancel(t.Context())
	s.ctx = ctx
	var late func()
	s.p.Background = func(work func() func()) { late = work() }
	s.Show(PageToday)
	cancel()
	late()
	s.saysNot(t, "Running since")
}

func TestColoursFollowTheSystem(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageToday)
	light := s.win.Canvas().Capture().At(600, 5)
	fyne.CurrentApp().Settings().SetTheme(theme.Held(base.VariantDark))
	dark := s.win.Canvas().Capture().At(600, 5)
	if light == dark {
		t.Errorf("the page stays %v", light)
	}
	if card := s.win.Canvas().Capture().At(1000, 150); card == light {
		t.Errorf("a card stays light")
	}
}

func TestNoticesGoByEscapeAndByClick(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageToday)
	for _, end := range []func(){func() { typeKey(s, fyne.KeyEscape) }, func() {
		rows := objects[*kit.Row](s)
		test.Tap(rows[len(rows)-1])
	}} {
		s.toast.show(model.Notice{Text: "It was done.", Tone: model.Good})
		s.says(t, "It was done.")
		end()
		s.saysNot(t, "It was done.")
	}
	s.toast.show(model.Notice{})
	s.toast.show(model.Notice{Text: "first"})
	s.toast.show(model.Notice{Text: "second"})
	s.later[0]() // the time of the first one
	s.says(t, "second")
}

func shortcutOf(key fyne.KeyName) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}
}

func TestTheEntryOfThePageIsSeenInALowWindow(t *testing.T) {
	s := newStand(t, newFake())
	s.win.Resize(fyne.NewSize(800, 480))
	for _, at := range []int{PageSettings, PageToday, PageAgents} {
		s.Show(at)
		row, list := s.nav.items[at].row, s.nav.list
		if y := row.Position().Y - list.Offset.Y; y < 0 || y+row.Size().Height > list.Size().Height {
			t.Errorf("page %d: its entry is at %v of %v", at, y, list.Size().Height)
		}
	}
}
