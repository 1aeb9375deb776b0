package assets

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// trayStates are the states that have a drawing.
func trayStates(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("tray/*.svg")
	if err != nil || len(found) < 6 {
		t.Fatalf("%v %v", found, err)
	}
	for i, f := range found {
		found[i] = strings.TrimSuffix(filepath.Base(f), ".svg")
	}
	return found
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func TestTrayIconsHaveTheSizesThatTraysAskFor(t *testing.T) {
	for _, state := range trayStates(t) {
		picture, ico, template := TrayIcon(state)
		if s := decode(t, picture).Bounds().Size(); s != image.Pt(48, 48) {
			t.Errorf("%s is %v", state, s)
		}
		if s := decode(t, template).Bounds().Size(); s != image.Pt(32, 32) {
			t.Errorf("%s for macOS is %v", state, s)
		}
		if binary.LittleEndian.Uint16(ico[2:]) != 1 {
			t.Fatalf("%s.ico is none", state)
		}
		sizes := map[byte]bool{}
		for i := range binary.LittleEndian.Uint16(ico[4:]) {
			sizes[ico[6+16*int(i)]] = true
		}
		for _, want := range []byte{16, 20, 24, 32, 48} {
			if !sizes[want] {
				t.Errorf("%s.ico has no picture of %d pixels: %v", state, want, sizes)
			}
		}
	}
}

// luminance is relative luminance as WCAG 2 defines it, from 0 to 1.
func luminance(c color.Color) float64 {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	lin := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(n.R) + 0.7152*lin(n.G) + 0.0722*lin(n.B)
}

// TestTrayIconsStandOutOnAnyPanel asks for the contrast of 3 to 1 that WCAG 2.1 (1.4.11) wants of signs, for every full pixel.
func TestTrayIconsStandOutOnAnyPanel(t *testing.T) {
	contrast := func(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }
	white, dark := 1.0, luminance(color.NRGBA{R: 0x1e, G: 0x1e, B: 0x1e, A: 255})
	for _, state := range trayStates(t) {
		picture, _, template := TrayIcon(state)
		img, full := decode(t, picture), 0
		for y := range 48 {
			for x := range 48 {
				c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
				if c.A < 255 {
					continue
				}
				full++
				if l := luminance(c); contrast(l, white) < 3 || contrast(l, dark) < 3 {
					t.Fatalf("%s: the colour %v at %d,%d has a contrast of %.1f to white and %.1f to dark grey", state, c, x, y, contrast(l, white), contrast(l, dark))
				}
			}
		}
		if full < 150 {
			t.Errorf("%s has only %d full pixels", state, full)
		}
		img = decode(t, template)
		for y := range 32 {
			for x := range 32 {
				if c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA); c.A > 0 && int(c.R)+int(c.G)+int(c.B) > 30 {
					t.Fatalf("%s for macOS is not black at %d,%d: %v", state, x, y, c)
				}
			}
		}
	}
}

// TestTrayIconsDifferInShape compares what is there and what is not, without any colour: at least an eighth of what either of
// two icons covers belongs to one alone, also at a third of the size.
func TestTrayIconsDifferInShape(t *testing.T) {
	const n = 16
	shape := func(state string) (out [n * n]float64) {
		picture, _, _ := TrayIcon(state)
		img := decode(t, picture)
		for y := range 48 {
			for x := range 48 {
				_, _, _, a := img.At(x, y).RGBA()
				out[y/3*n+x/3] += float64(a) / 0xffff / 9
			}
		}
		return out
	}
	states := trayStates(t)
	for i, a := range states {
		for _, b := range states[:i] {
			x, y := shape(a), shape(b)
			var differ, either float64
			for k := range x {
				differ += math.Abs(x[k] - y[k])
				either += max(x[k], y[k])
			}
			if differ/either < 0.125 {
				t.Errorf("%s and %s differ by only %.0f %% of what they cover", a, b, 100*differ/either)
			} else {
				t.Logf("%s, %s: %.0f %%", a, b, 100*differ/either)
			}
		}
	}
}
