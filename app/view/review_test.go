package view

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/view/kit"
)

func TestTheQueueShowsEachThingWithItsEvidence(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageReview)
	s.says(t, "3 to decide", "The cache is Redis", "Is this so?", "reply **2**", "Accept", "Refuse", "Edit", "Undo")
	s.review.list.Select(1)
	s.says(t, "Do both mean the same thing?", "backend", "They are the same", "Keep them apart")
	typeKey(s, fyne.KeyUp) // into the list, whose first row is the chosen one then
	s.saysNot(t, "Nothing waits")
	s.review.list.Select(0)
	typeKey(s, fyne.KeyO)
	if s.at != PageSessions || s.sessions.reader.at != (model.Place{Session: "cx_1", Turn: 2}) {
		t.Errorf("page %d, %+v", s.at, s.sessions.reader.at)
	}
	typeKey(s, fyne.KeyEscape)
	if s.at != PageReview {
		t.Errorf("escape leads to page %d", s.at)
	}
}

func TestOneKeyDecidesAndTheNextThingFollows(t *testing.T) {
	for _, focused := range []bool{false, true} {
		s := newStand(t, newFake())
		s.Show(PageReview)
		if focused {
			typeKey(s, fyne.KeyDown)
			if s.win.Canvas().Focused() != fyne.Focusable(s.review.list) {
				t.Fatalf("the keyboard is at %T", s.win.Canvas().Focused())
			}
		}
		typeKey(s, fyne.KeyA)
		if !asked(s, "accept ev_1") || s.review.at != "de_9" {
			t.Fatalf("asked %q, chosen %s", s.f.asked, s.review.at)
		}
		s.says(t, "2 to decide", "Accepted: about ev_1. U takes it back.")
		typeKey(s, fyne.KeyM) // carries out what is suggested
		typeKey(s, fyne.KeyR)
		if !asked(s, "accept de_9") || !asked(s, "refuse service.x") {
			t.Fatalf("asked %q", s.f.asked)
		}
		s.says(t, "Nothing waits for you")
		typeKey(s, fyne.KeyU)
		typeKey(s, fyne.KeyU)
		typeKey(s, fyne.KeyU)
		if !asked(s, "undo de_service.x") || !asked(s, "undo de_ev_1") {
			t.Fatalf("asked %q", s.f.asked)
		}
		typeKey(s, fyne.KeyU)
		s.says(t, "nothing to take back")
		if typeKey(s, fyne.KeyZ); s.review.key(fyne.KeyZ) {
			t.Error("a key without a meaning is taken")
		}
	}
}

func TestTheNumberOfWhatWaitsIsInTheSidebar(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageToday)
	item := s.nav.items[PageReview]
	if !item.count.Visible() || item.number.String() != "3" {
		t.Errorf("visible %v, %q", item.count.Visible(), item.number.String())
	}
	s.f.review = nil
	s.Update(model.Update{Up: true, Topics: model.TopicStatus})
	if !item.count.Visible() {
		t.Error("it was asked for without a reason")
	}
	s.Update(model.Update{Up: true, Topics: model.TopicMemory})
	if item.count.Visible() {
		t.Error("it counts what is gone")
	}
}

func TestWhatTheServiceRefusesComesBack(t *testing.T) {
	s := newStand(t, newFake())
	s.f.refuses = true
	s.Show(PageReview)
	typeKey(s, fyne.KeyA)
	s.says(t, "That is so already.", "3 to decide")
	if s.review.at == "" || len(s.undo) != 0 {
		t.Errorf("%+v", s.review)
	}
}

func TestADecisionLeavesTheListBeforeTheServiceHasAnswered(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageReview)
	var late []func() func()
	s.p.Background = func(work func() func()) { late = append(late, work) }
	typeKey(s, fyne.KeyA)
	s.saysNot(t, "Is this so?")
	s.says(t, "Do both mean the same thing?", "2 to decide")
	s.saysNot(t, model.Loading.Text())
	s.soon() // a while later
	s.says(t, model.Loading.Text())
	for len(late) > 0 {
		work := late[0]
		late = late[1:]
		work()()
	}
	s.saysNot(t, model.Loading.Text())
}

// typed types into the draft of the dialog that is open and presses Enter.
func typed(t *testing.T, s *stand, text string) {
	t.Helper()
	s.soon()
	draft, ok := s.win.Canvas().Focused().(*kit.Draft)
	if !ok {
		t.Fatalf("the keyboard is at %T", s.win.Canvas().Focused())
	}
	draft.SetText(text)
	draft.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if s.win.Canvas().Overlays().Top() != nil {
		t.Error("the dialog is still open")
	}
}

func TestEditingMergingAndSplittingAskForWords(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageReview)
	typeKey(s, fyne.KeyM)
	s.says(t, "Merge makes no sense here")
	typeKey(s, fyne.KeyS)
	s.says(t, "Split makes no sense here")
	typeKey(s, fyne.KeyE)
	s.soon()
	s.win.Canvas().Unfocus()
	if typeKey(s, fyne.KeyA); asked(s, "accept ev_1") {
		t.Error("what lies below a dialog acts")
	}
	for _, o := range test.LaidOutObjects(s.win.Canvas().Overlays().Top()) {
		if draft, ok := o.(*kit.Draft); ok {
			draft.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		}
	}
	if s.win.Canvas().Overlays().Top() != nil || asked(s, "edit") {
		t.Error("escape does not give it up")
	}
	typeKey(s, fyne.KeyE)
	typed(t, s, "The cache is memory")
	if !asked(s, `edit ev_1{"summary":"The cache is memory"}`) {
		t.Errorf("asked %q", s.f.asked)
	}
	s.review.list.Select(0) // the merge
	typeKey(s, fyne.KeyE)
	s.says(t, "Edit makes no sense here")
	s.review.list.Select(1)
	typeKey(s, fyne.KeyM)
	typed(t, s, "y")
	if !asked(s, "merge service.xy") {
		t.Errorf("asked %q", s.f.asked)
	}
	s = newStand(t, newFake())
	s.Show(PageReview)
	s.review.list.Select(2)
	typeKey(s, fyne.KeyS)
	s.soon()
	for _, o := range test.LaidOutObjects(s.win.Canvas().Overlays().Top()) {
		switch v := o.(type) {
		case *widget.CheckGroup:
			v.SetSelected([]string{"ex"})
		case *widget.Button:
			if v.Text == model.Save.Text() {
				defer test.Tap(v)
			}
		}
	}
	t.Cleanup(func() {
		if !asked(s, "split service.xex") {
			t.Errorf("asked %q", s.f.asked)
		}
	})
}
