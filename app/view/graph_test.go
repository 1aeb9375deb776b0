package view

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"dormouse/app/model"
)

func TestTheGraphIsGoneThroughByClickKeyAndRelation(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageGraph)
	s.says(t, "4 names · 3 relations", "project.shop", "has src/f1.go", "Chose SQLite")
	test.TapAt(s.graph.drawing, s.graph.drawing.Place(1))
	if !asked(s, "graph file.f0.go 2") {
		t.Fatalf("asked %q", s.f.asked)
	}
	press(s, fyne.KeyF)
	typeKey(s, fyne.KeyEscape)
	s.says(t, "project.shop")
	typeKey(s, fyne.KeyDown) // into the drawing
	if s.win.Canvas().Focused() != fyne.Focusable(s.graph.drawing) {
		t.Fatalf("the keyboard is at %T", s.win.Canvas().Focused())
	}
	for _, key := range []fyne.KeyName{fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown, fyne.KeyReturn} {
		typeKey(s, key)
	}
	s.f.asked = nil
	test.Tap(s.graph.rows[1])
	if len(s.f.asked) == 0 {
		t.Error("a relation leads nowhere")
	}
	test.Tap(s.graph.rows[0])
	if s.at != PageSessions || s.sessions.reader.at != (model.Place{Session: "cx_1", Turn: 2}) {
		t.Errorf("page %d, %+v", s.at, s.sessions.reader.at)
	}
}

func TestTheGraphIsNarrowedAndWidened(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageGraph)
	s.graph.hops.SetSelected("Three steps")
	if !asked(s, "graph project.shop 3") {
		t.Errorf("asked %q", s.f.asked)
	}
	s.graph.project.SetSelected("blog")
	if !asked(s, "graph project.blog 3") {
		t.Errorf("asked %q", s.f.asked)
	}
	press(s, fyne.KeyF)
	test.Type(s.graph.entity, "open.go")
	typeKey(s, fyne.KeyReturn)
	if !asked(s, "graph open.go 3") {
		t.Errorf("asked %q", s.f.asked)
	}
	for range 3 {
		if !s.graph.escape() {
			t.Fatal("there is no way back")
		}
	}
	if s.graph.escape() || s.graph.filter.Hops != "2" {
		t.Errorf("%+v", s.graph.filter)
	}
}

func TestTheDrawingIsMovedAndZoomed(t *testing.T) {
	s := newStand(t, newFake())
	s.Show(PageGraph)
	g := s.graph.drawing
	first, second := g.Place(0), g.Place(1)
	drag := func(from fyne.Position) {
		g.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: from.AddXY(10, 5)}, Dragged: fyne.NewDelta(10, 5)})
		g.DragEnd()
	}
	drag(second)
	if moved := g.Place(1); moved.X-second.X < 9 || g.Place(0) != first {
		t.Errorf("a node that is dragged goes from %v to %v, another from %v to %v", second, moved, first, g.Place(0))
	}
	drag(fyne.NewPos(2, 2))
	if moved := g.Place(0); moved != first.AddXY(10, 5) {
		t.Errorf("the drawing goes from %v to %v", first, moved)
	}
	before := g.Place(0)
	g.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: before}, Scrolled: fyne.NewDelta(0, 10)})
	if at := g.Place(0); at.X-before.X > 0.1 || before.X-at.X > 0.1 {
		t.Errorf("the wheel moves what is below the mouse from %v to %v", before, at)
	}
	g.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: before}, Scrolled: fyne.NewDelta(0, -10)})
	for _, r := range "+-=" {
		g.TypedRune(r)
	}
	if g.TypedRune('0'); g.Place(0) != first {
		t.Errorf("0 shows all again: %v, not %v", g.Place(0), first)
	}
	g.MouseIn(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: first}})
	g.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(1, 1)}})
	g.MouseOut()
}
