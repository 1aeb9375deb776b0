package theme

import (
	"bytes"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"
)

func TestLettersOfOneWidthHaveRoomForTheirUnderscore(t *testing.T) {
	a := test.NewTempApp(t)
	measure := func(th fyne.Theme) float32 {
		a.Settings().SetTheme(th)
		return fyne.MeasureText("a_b", 13, fyne.TextStyle{Monospace: true}).Height
	}
	if was, is := measure(base.DefaultTheme()), measure(New()); is < was+0.5 {
		t.Errorf("lines are %v high, Fyne's own %v", is, was)
	}
	th := New()
	if plain := th.Font(fyne.TextStyle{}); plain != base.DefaultTheme().Font(fyne.TextStyle{}) {
		t.Error("letters of running text are other ones")
	}
	if th.Font(fyne.TextStyle{Monospace: true}) != th.Font(fyne.TextStyle{Monospace: true}) {
		t.Error("the font is made anew each time")
	}
}

func TestWhatIsNoFontStaysAsItIs(t *testing.T) {
	font := base.DefaultTheme().Font(fyne.TextStyle{Monospace: true}).Content()
	if bytes.Equal(deepen(font), font) {
		t.Fatal("the font is not changed at all")
	}
	for _, n := range []int{0, 5, 12, 40, 200} {
		if got := deepen(font[:n]); !bytes.Equal(got, font[:n]) {
			t.Errorf("%d bytes were changed", n)
		}
	}
}
