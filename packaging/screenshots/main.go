// Command screenshots draws every page of the window into PNG files, by day and by night, without a display: it runs the
// service on the demo's sessions and draws with Fyne's software driver.
//
// It never touches a memory of the person's own: the demo lies in a temporary folder.
package main

import (
	"context"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"

	"dormouse/app/lang"
	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view"
)

func main() {
	out := flag.String("out", "docs/screenshots", "the folder to write into")
	only := flag.String("only", "", "draw the scenes alone whose names begin so")
	tongue := flag.String("lang", "en", "the language of the pictures")
	flag.Parse()
	lang.Use(*tongue)
	if err := run(*out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		os.Exit(1)
	}
}

// now is the time in the pictures, some weeks after the demo's newest session, so that every run draws the same.
func now() time.Time { return time.Date(2026, 7, 9, 9, 41, 0, 0, time.UTC) }

func run(out, only string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	demo, stop, err := startDemo(ctx)
	if err != nil {
		return err
	}
	a := test.NewApp()
	defer a.Quit()
	for name, variant := range map[string]fyne.ThemeVariant{"light": base.VariantLight, "dark": base.VariantDark} {
		a.Settings().SetTheme(theme.Held(variant))
		for _, s := range scenes(demo) {
			if !strings.HasPrefix(s.name, only) {
				continue
			}
			for _, scale := range s.scales {
				if err := draw(ctx, out, name, s, scale); err != nil {
					return err
				}
			}
		}
	}
	return stop()
}

// draw draws one scene into a file.
func draw(ctx context.Context, out, variant string, s scene, scale float32) error {
	win := test.NewWindow(nil)
	defer win.Close()
	win.SetPadded(false)
	w := view.New(ctx, view.Params{
		Presenter:  model.New(model.Options{Backend: func() model.Backend { return s.backend }, Now: now, User: s.user}),
		Start:      func(context.Context) error { return nil },
		Parent:     win,
		Background: func(work func() func()) { work()() },
		Later: func(d time.Duration, f func()) {
			if d == 0 {
				f()
			}
		},
	})
	win.SetContent(w.Content())
	win.Canvas().(test.WindowlessCanvas).SetScale(scale)
	win.Resize(fyne.NewSize(1180, 760))
	s.act(w, win)
	name := fmt.Sprintf("%s-%s.png", s.name, variant)
	if scale != 1 {
		name = fmt.Sprintf("%s-%s@%gx.png", s.name, variant, scale)
	}
	f, err := os.Create(filepath.Join(out, name))
	if err != nil {
		return err
	}
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, win.Canvas().Capture()); err != nil {
		return fmt.Errorf("write %s: %w", f.Name(), err)
	}
	return f.Close()
}
