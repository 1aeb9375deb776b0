package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/theme"
)

// onWindow puts an object on a window of a size.
func onWindow(t *testing.T, o fyne.CanvasObject, width, height float32) fyne.Window {
	t.Helper()
	w := test.NewTempWindow(t, o)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, height))
	return w
}

func app(t *testing.T) {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(theme.New())
}

// drawn is what a text shows.
func drawn(t *Text) string { return test.WidgetRenderer(t).Objects()[0].(*canvas.Text).Text }

func TestATextIsCutToItsRoomAndKeepsAllOfIt(t *testing.T) {
	app(t)
	long := strings.Repeat("日本語 words ", 30)
	x := NewText(long).Cut()
	onWindow(t, x, 200, 30)
	shown := drawn(x)
	if !strings.HasSuffix(shown, "…") || !strings.HasPrefix(long, strings.TrimSuffix(shown, "…")) || len(shown) < 20 || x.String() != long {
		t.Errorf("shows %q", shown)
	}
	if w := fyne.MeasureText(shown, base.TextSize(), fyne.TextStyle{}).Width; w > 200 {
		t.Errorf("%v wide", w)
	}
	x.Set("short")
	if drawn(x) != "short" {
		t.Errorf("shows %q", drawn(x))
	}
	x.SetIn("other", base.ColorNameError)
	if whole := NewText(long); whole.MinSize().Width < 1000 || x.MinSize().Width > 100 {
		t.Errorf("%v and %v wide", whole.MinSize(), x.MinSize())
	}
}

func TestLooksOfATextAddUp(t *testing.T) {
	app(t)
	x := NewText("x").Muted().Bold().Mono().Small().Right()
	if x.color != theme.ColorMuted || !x.style.Bold || !x.style.Monospace || x.size != base.SizeNameCaptionText || x.align != fyne.TextAlignTrailing {
		t.Errorf("%+v", x)
	}
	if NewText("x").Title().MinSize().Height <= NewText("x").Heading().Center().MinSize().Height {
		t.Error("a title is no larger than a heading")
	}
}

func TestAColumnGivesWrappedTextTheHeightThatItNeeds(t *testing.T) {
	app(t)
	first, second := Prose(strings.Repeat("words and words ", 30), base.ColorNameForeground), NewText("below")
	col := Column(10, first, Space(3), second)
	scroll := container.NewVScroll(col)
	onWindow(t, scroll, 300, 400)
	scroll.Refresh()
	if first.Size().Height < 100 || second.Position().Y < first.Size().Height+20 || first.Size().Width > 300 {
		t.Errorf("first %v, second at %v", first.Size(), second.Position())
	}
	first.Hide()
	col.Refresh()
	if second.Position().Y != 13 || col.MinSize().Height > 50 {
		t.Errorf("second at %v, %v high", second.Position(), col.MinSize())
	}
}

func TestALineGivesWhatIsLeftToTheOneThatGrows(t *testing.T) {
	app(t)
	a, b, c := NewText("a"), NewText("grows"), NewText("hidden")
	c.Hide()
	l := Line(10, 1, a, b, c)
	l.Resize(fyne.NewSize(300, 50))
	if b.Size().Width != 300-10-a.MinSize().Width || a.Position().Y == 0 {
		t.Errorf("a %v at %v, b %v", a.Size(), a.Position(), b.Size())
	}
	top := TopLine(10, NoGrow, NewText("x"), NewText("y"))
	top.Resize(fyne.NewSize(300, 50))
	if top.Objects[0].Position().Y != 0 || top.Objects[1].Size().Width > 50 {
		t.Errorf("%v", top.Objects[1].Size())
	}
}

func TestColumnsAreEquallyWideAndHigh(t *testing.T) {
	app(t)
	a, b := NewText("a"), Prose(strings.Repeat("words ", 40), base.ColorNameForeground)
	cols := Columns(20, a, b)
	all := Column(0, cols)
	onWindow(t, all, 420, 300)
	if a.Size() != b.Size() || a.Size().Width != 200 || a.Size().Height < 40 || b.Position().X != 220 {
		t.Errorf("%v and %v at %v", a.Size(), b.Size(), b.Position())
	}
	if empty := Columns(5); empty.MinSize() != (fyne.Size{}) {
		t.Errorf("%v", empty.MinSize())
	}
}

func TestBoundsOfWidthHold(t *testing.T) {
	app(t)
	x := NewText("x")
	Narrow(x, 100).Resize(fyne.NewSize(500, 20))
	if x.Size().Width != 100 {
		t.Errorf("%v", x.Size())
	}
	if f := Fixed(NewText("a long text that is wider"), 40); f.MinSize().Width != 40 {
		t.Errorf("%v", f.MinSize())
	}
	if in := Inset(NewText(""), -50, -50, -50, -50).MinSize(); in.Width < 0 || in.Height < 0 {
		t.Errorf("%v", in)
	}
}

func TestARowActsOnClickEnterAndSpaceAndShowsItsState(t *testing.T) {
	app(t)
	acts, other := 0, ""
	k := &Kit{OnKey: func(e *fyne.KeyEvent) { other = string(e.Name) }}
	r := k.Row(NewText("row"), func() { acts++ })
	w := onWindow(t, r, 200, 40)
	test.Tap(r)
	w.Canvas().Focus(r)
	if r.ground.fill != base.ColorNameFocus {
		t.Errorf("focused ground %q", r.ground.fill)
	}
	for _, key := range []fyne.KeyName{fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace, fyne.KeyEscape} {
		r.TypedKey(&fyne.KeyEvent{Name: key})
	}
	r.TypedRune(' ')
	if acts != 4 || other != string(fyne.KeyEscape) {
		t.Errorf("acted %d times, %q came through", acts, other)
	}
	w.Canvas().Unfocus()
	test.MoveMouse(w.Canvas(), fyne.NewPos(10, 10))
	r.MouseMoved(nil)
	if r.ground.fill != base.ColorNameHover || r.Cursor() != desktop.PointerCursor {
		t.Errorf("hovered ground %q", r.ground.fill)
	}
	r.MouseOut()
	r.Select(true)
	if r.ground.fill != base.ColorNameSelection {
		t.Errorf("selected ground %q", r.ground.fill)
	}
	r.Select(false)
	r.Do(nil)
	test.Tap(r)
	if r.ground.fill != "" || acts != 4 {
		t.Errorf("ground %q, %d acts", r.ground.fill, acts)
	}
	(&Kit{}).key(&fyne.KeyEvent{}) // nobody listens
}

func TestFieldsLetTheWindowsKeysThrough(t *testing.T) {
	app(t)
	var keys []fyne.KeyName
	shortcuts := 0
	k := &Kit{OnKey: func(e *fyne.KeyEvent) { keys = append(keys, e.Name) }, OnShortcut: func(s fyne.Shortcut) bool {
		shortcuts++
		return s.ShortcutName() != "SelectAll"
	}}
	pressed, chosen, typed, picked := 0, "", "", -1
	b := k.Button("b", nil, func() { pressed++ })
	s := k.Select(func(v string) { chosen = v })
	s.Offer([]string{"one", "two"}, "one")
	e := k.Entry("hint", func(v string) { typed = v })
	l := k.List(func() int { return 3 }, func() fyne.CanvasObject { return NewText("") }, func(int, fyne.CanvasObject) {})
	l.OnSelected = func(i int) { picked = i }
	w := onWindow(t, container.NewVBox(b, Outlined(s), e, container.NewStack(Space(100), l)), 300, 300)
	for _, f := range []fyne.Focusable{b, s, e, l} {
		w.Canvas().Focus(f)
		f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	}
	if len(keys) != 4 {
		t.Errorf("escape came through %d times", len(keys))
	}
	b.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	s.SetSelected("two")
	test.Type(e, "ab")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if pressed != 2 || chosen != "two" || typed != "a" || picked != 1 {
		t.Errorf("pressed %d, chosen %q, typed %q, picked %d", pressed, chosen, typed, picked)
	}
	e.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.Key1, Modifier: fyne.KeyModifierControl})
	e.TypedShortcut(&fyne.ShortcutSelectAll{})
	if shortcuts != 2 || e.SelectedText() != "a" {
		t.Errorf("%d shortcuts, selected %q", shortcuts, e.SelectedText())
	}
	for _, key := range []fyne.KeyName{fyne.KeyReturn, fyne.KeyDown} {
		s.TypedKey(&fyne.KeyEvent{Name: key})
		top := w.Canvas().Overlays().Top()
		if top == nil {
			t.Fatalf("%s does not open the chooser", key)
		}
		w.Canvas().Overlays().Remove(top)
	}
}

func TestAFoldMakesItsBodyOnce(t *testing.T) {
	app(t)
	made, changed := 0, 0
	f := (&Kit{}).Fold(NewText("head"), func() fyne.CanvasObject { made++; return NewText("body") })
	f.Changed = func() { changed++ }
	onWindow(t, f, 200, 200)
	folded := f.MinSize().Height
	for range 4 {
		f.Toggle()
	}
	if made != 1 || changed != 4 || f.Open() {
		t.Errorf("made %d, changed %d, open %v", made, changed, f.Open())
	}
	f.Toggle()
	if f.MinSize().Height <= folded {
		t.Error("it is no higher unfolded")
	}
}

func TestAGaugeKeepsItsBounds(t *testing.T) {
	app(t)
	g := NewGauge()
	onWindow(t, g, 200, 10)
	for share, want := range map[float64]float32{0.25: 50, -1: 0, 7: 200} {
		g.Set(share, base.ColorNameError)
		if got := g.fill.Size().Width; got != want {
			t.Errorf("%v: %v wide", share, got)
		}
	}
}

func TestTheRestIsDrawn(t *testing.T) {
	app(t)
	s := NewSign("good", base.ColorNameSuccess, 12)
	k := &Kit{}
	all := Column(4, s, Badge("word", base.ColorNamePrimary), Card(NewText("in")), Titled("t", NewText("in")), Box(theme.ColorCode, NewText("in")), Rule(),
		Bar(theme.ColorBorder), Small("s", theme.ColorMuted), Heading("h"), Code("c"), k.Link("l", nil),
		Facts([]string{"a"}, []fyne.CanvasObject{NewText("b")}, 40), Empty("asleep", "title", "text", widget.NewButton("b", nil)), Empty("asleep", "t", "x"))
	w := onWindow(t, all, 500, 900)
	if w.Canvas().Capture() == nil || s.MinSize() != fyne.NewSquareSize(12) {
		t.Error("nothing is drawn")
	}
	s.Set("bad", base.ColorNameError)
	if s.name != "bad" {
		t.Error("the sign stays")
	}
}

func TestAChooserWithNothingToChooseIsSilent(t *testing.T) {
	test.NewTempApp(t)
	s := (&Kit{}).Select(func(string) { t.Error("told") })
	test.NewTempWindow(t, s)
	if s.Offer(nil, ""); !s.Disabled() || strings.TrimSpace(s.PlaceHolder) != "" {
		t.Errorf("disabled %v, says %q", s.Disabled(), s.PlaceHolder)
	}
	if s.Offer([]string{"a"}, "a"); s.Disabled() || s.Selected != "a" {
		t.Errorf("disabled %v, chosen %q", s.Disabled(), s.Selected)
	}
}
