//go:build cgo || windows

package main

import (
	"context"
	"sync"

	"github.com/getlantern/systray"

	"dormouse/app/lang"
	"dormouse/app/model"
	"dormouse/app/tray"
	"dormouse/assets"
)

// runBar shows the tray's icon and runs the app behind it until ctx ends. It has to be called on the first thread. Nothing but
// this file knows the library, which is no longer developed.
//
// It waits until the desktop shows trays: an icon that comes before its panel is shown twice by those that know both kinds.
// Where no tray comes, that is said, and the icon is there for one that comes later.
func runBar(ctx context.Context, a *app) {
	if !awaitHost(ctx, hostTime) {
		a.withoutTray(ctx, lang.Say("No tray shows its icon here, for instance because plain GNOME has none."))
	}
	sparing()
	bar := &systrayBar{icons: map[model.TrayIcon][2][]byte{}, ctx: ctx}
	done := make(chan struct{})
	ready := func() {
		go func() {
			defer close(done)
			a.run(ctx, bar)
		}()
		<-ctx.Done()
		<-done
		systray.Quit()
	}
	systray.Run(ready, nil)
}

// systrayBar is the system's tray.
type systrayBar struct {
	ctx context.Context

	mu sync.Mutex
	// icons keeps every picture that was ever shown: the library reads its bytes later, on another thread.
	icons map[model.TrayIcon][2][]byte
}

func (b *systrayBar) SetIcon(icon model.TrayIcon) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.icons[icon]; !ok {
		png, ico, template := assets.TrayIcon(string(icon))
		b.icons[icon] = [2][]byte{template, pictureOf(png, ico)}
	}
	systray.SetTemplateIcon(b.icons[icon][0], b.icons[icon][1])
}

func (b *systrayBar) SetTooltip(s string) { systray.SetTooltip(s) }

func (b *systrayBar) AddSeparator() { systray.AddSeparator() }

func (b *systrayBar) Add(label string, click func()) tray.Item {
	return b.item(systray.AddMenuItem(menuText(label), ""), click)
}

// item hands on the clicks of a menu item. The library drops a click when nobody waits for it.
func (b *systrayBar) item(i *systray.MenuItem, click func()) tray.Item {
	go func() {
		for {
			select {
			case <-b.ctx.Done():
				return
			case <-i.ClickedCh:
				click()
			}
		}
	}()
	return systrayItem{b, i}
}

type systrayItem struct {
	bar *systrayBar
	i   *systray.MenuItem
}

func (s systrayItem) SetLabel(label string) { s.i.SetTitle(menuText(label)) }

func (s systrayItem) Enable(on bool) {
	if on {
		s.i.Enable()
	} else {
		s.i.Disable()
	}
}

func (s systrayItem) Show(on bool) {
	if on {
		s.i.Show()
	} else {
		s.i.Hide()
	}
}

func (s systrayItem) Add(label string, click func()) tray.Item {
	return s.bar.item(s.i.AddSubMenuItem(menuText(label), ""), click)
}
