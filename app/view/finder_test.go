package view

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"dormouse/app/model"
)

// overlayItems are the rows of what lies over the pages.
func overlayItems(s *stand) (out []*foundItem) {
	for _, o := range test.LaidOutObjects(s.win.Canvas().Overlays().Top()) {
		if i, ok := o.(*foundItem); ok {
			out = append(out, i)
		}
	}
	return out
}

func TestSearchOpensOverEveryPageAndGoesToWhatItFinds(t *testing.T) {
	s := newStand(t, newFake())
	for at := range pages {
		s.Show(at)
		press(s, fyne.KeyK)
		if s.finder == nil || s.win.Canvas().Focused() != fyne.Focusable(s.finder.field) {
			t.Fatalf("page %d: the keyboard is at %T", at, s.win.Canvas().Focused())
		}
		typeKey(s, fyne.KeyEscape)
		if s.finder != nil || s.win.Canvas().Overlays().Top() != nil {
			t.Fatal("escape does not close it")
		}
	}
	s.Show(PageToday)
	press(s, fyne.KeyK)
	if n := len(overlayItems(s)); n == 0 {
		t.Fatal("without words the pages are not offered")
	}
	typeKey(s, fyne.KeyDown) // the second page
	typeKey(s, fyne.KeyReturn)
	if s.at != PageReview || s.finder != nil {
		t.Fatalf("page %d", s.at)
	}
	press(s, fyne.KeyK)
	test.Type(s.finder.field, "deep")
	s.soon()
	typeKey(s, fyne.KeyUp) // there is nothing above the first one
	typeKey(s, fyne.KeyReturn)
	if s.at != PageSessions || s.sessions.reader.at != (model.Place{Session: "cx_2", Turn: 2}) {
		t.Fatalf("page %d, %+v", s.at, s.sessions.reader.at)
	}
	if typeKey(s, fyne.KeyEscape); s.at != PageReview {
		t.Errorf("escape leads to page %d", s.at)
	}
}

func TestSearchIsClosedByAClickBesideItAndByItsKey(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageToday)
	for _, end := range []func(){
		func() { test.TapAt(s.finder, fyne.NewPos(3, 3)) }, func() { s.finder.field.TypedShortcut(shortcutOf(fyne.KeyK)) },
		func() { s.finder.field.TypedShortcut(shortcutOf(fyne.Key2)) },
	} {
		test.Tap(s.nav.find)
		if s.finder == nil {
			t.Fatal("a click in the sidebar does not open it")
		}
		test.TapAt(s.finder, s.finder.card.Position().AddXY(9, 9))
		if s.finder == nil {
			t.Fatal("a click on it closes it")
		}
		if end(); s.finder != nil || s.win.Canvas().Overlays().Top() != nil {
			t.Error("it stays")
		}
	}
	if s.at != PageReview {
		t.Errorf("page %d", s.at)
	}
	press(s, fyne.KeyK)
	test.Type(s.finder.field, "nowhere")
	s.f.down = true
	s.soon()
	if s.finder.found.Note == "" {
		t.Error("a search that fails says nothing")
	}
}

func TestANameLeadsToItsPlaceInTheGraph(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageToday)
	press(s, fyne.KeyK)
	s.finder.show(model.Found{Rows: []model.FoundRow{{Group: "Names"}, {Title: "open.go", To: model.FoundPlace{Entity: "file.open.go"}}}})
	items := overlayItems(s)
	test.Tap(items[0]) // a title leads nowhere
	test.Tap(items[1])
	if s.at != PageGraph || !asked(s, "graph file.open.go 2") {
		t.Errorf("page %d, asked %q", s.at, s.f.asked)
	}
}
