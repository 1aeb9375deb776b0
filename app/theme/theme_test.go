package theme

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"
)

// luminance is the relative luminance of WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(v uint32) float64 {
		s := float64(v) / 0xffff
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// contrast is the contrast ratio of WCAG 2, from 1 to 21.
func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

var variants = map[string]fyne.ThemeVariant{"light": base.VariantLight, "dark": base.VariantDark}

func TestTextIsReadableOnEverythingItStandsOn(t *testing.T) {
	grounds := []fyne.ThemeColorName{base.ColorNameBackground, ColorSidebar, ColorCard, ColorSaid, ColorCode, ColorCaution,
		base.ColorNameInputBackground, base.ColorNameMenuBackground, base.ColorNameOverlayBackground}
	texts := []fyne.ThemeColorName{base.ColorNameForeground, ColorMuted, base.ColorNamePlaceHolder, base.ColorNamePrimary, base.ColorNameHyperlink,
		ColorAsleep, base.ColorNameSuccess, base.ColorNameWarning, base.ColorNameError}
	for name, v := range variants {
		for _, ground := range grounds {
			for _, text := range texts {
				if c := contrast(New().Color(text, v), New().Color(ground, v)); c < 4.5 {
					t.Errorf("%s: %s on %s has a contrast of %.2f, less than 4.5", name, text, ground, c)
				}
			}
		}
		for text, ground := range map[fyne.ThemeColorName]fyne.ThemeColorName{
			base.ColorNameForegroundOnPrimary: base.ColorNamePrimary, base.ColorNameForegroundOnSuccess: base.ColorNameSuccess,
			base.ColorNameForegroundOnWarning: base.ColorNameWarning, base.ColorNameForegroundOnError: base.ColorNameError,
			base.ColorNameForeground: base.ColorNameButton,
		} {
			if c := contrast(New().Color(text, v), New().Color(ground, v)); c < 4.5 {
				t.Errorf("%s: %s on %s has a contrast of %.2f, less than 4.5", name, text, ground, c)
			}
		}
	}
}

func TestBothVariantsNameTheSameColours(t *testing.T) {
	for name := range light() {
		if dark()[name] == nil {
			t.Errorf("dark has no %s", name)
		}
	}
	if len(light()) != len(dark()) {
		t.Errorf("light has %d colours, dark %d", len(light()), len(dark()))
	}
}

func TestAHeldThemeDoesNotFollowTheSystem(t *testing.T) {
	held := Held(base.VariantDark)
	if held.Color(ColorCard, base.VariantLight) != New().Color(ColorCard, base.VariantDark) {
		t.Error("it followed")
	}
	if New().Color(ColorCard, base.VariantLight) == New().Color(ColorCard, base.VariantDark) {
		t.Error("light and dark are the same")
	}
}

func TestWhatIsNotOurOwnIsFynes(t *testing.T) {
	test.NewTempApp(t)
	th := New()
	if th.Size("unknown") != base.DefaultTheme().Size("unknown") || th.Color("unknown", base.VariantDark) != base.DefaultTheme().Color("unknown", base.VariantDark) {
		t.Error("a size or colour is made up")
	}
	if th.Font(fyne.TextStyle{Bold: true}) == nil || th.Icon(base.IconNameHome) == nil || th.Size(SizeGap) == 0 {
		t.Error("something is missing")
	}
}

func TestEveryPageStateAndTheAppHaveASign(t *testing.T) {
	test.NewTempApp(t)
	for _, page := range []string{"status", "review", "timeline", "graph", "core", "projects", "sessions", "today", "sync", "agents", "costs", "settings", "search", "open", "good", "busy", "asleep", "warn", "bad", "off", "paused"} {
		if len(Sign(page, base.ColorNameForeground).Content()) == 0 {
			t.Errorf("%s has none", page)
		}
	}
	if len(AppIcon().Content()) == 0 {
		t.Error("the app has none")
	}
}
