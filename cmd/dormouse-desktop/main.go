// Command dormouse-desktop is the window: it shows what the service of this person knows, live, over the local socket.
//
// It never opens the state folder, and lives only as long as its window: what goes on behind is the service's and the tray's.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"dormouse/app/door"
	"dormouse/app/lang"
	"dormouse/app/launch"
	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view"
	"dormouse/service/client"
	"dormouse/service/config"
	"dormouse/store/home"
)

// appID names the app to the desktop. Its desktop entry has the same name.
const appID = "app.dormouse.desktop"

func main() { os.Exit(start(os.Args[1:])) }

// start shows the window until it is closed and returns the exit code.
func start(args []string) int {
	fail := func(code int, err error) int {
		_, _ = fmt.Fprintln(os.Stderr, "dormouse-desktop:", err) // nobody to tell if that fails
		return code
	}
	want, err := door.Parse(args, model.PageIDs(), os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return fail(2, err)
	}
	h, err := home.Default(os.Getenv)
	if err != nil {
		return fail(1, err)
	}
	speak(h)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	only, err := door.Take(ctx, h.Dir(), os.Getenv, want)
	if errors.Is(err, door.ErrOther) {
		return 0 // the other window has come to the front
	}
	if err != nil {
		return fail(1, err)
	}
	defer only.Close()
	release, err := screen(os.Getenv)
	if err != nil {
		return fail(1, err)
	}
	defer release()
	l, err := launch.System()
	if err != nil {
		return fail(1, err)
	}
	if err := show(ctx, h, l, only, want); err != nil {
		return fail(1, err)
	}
	return 0
}

// speak has all texts in the language that the settings name, else in the system's. Settings that cannot be read are told by the service.
func speak(h home.Home) {
	c, _ := config.Load(h.Config())
	lang.Choose(c.Window.Language)
}

// startTime is how long a started service may take until it answers.
const startTime = 20 * time.Second

// show opens the window and returns when it was closed, or ctx ends.
func show(ctx context.Context, h home.Home, l *launch.Launcher, only *door.Door, want door.Request) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := app.NewWithID(appID)
	a.SetIcon(theme.AppIcon())
	a.Settings().SetTheme(theme.New())
	win := a.NewWindow(model.AppName)
	own, demo := client.New(client.Options{Home: h.Dir()}), client.New(client.Options{Home: h.Demo().Dir()})
	services := model.NewServices(own, demo)
	presenter := model.New(model.Options{Backend: services.Current, User: l.User, LogOn: l.LogOn(h)})
	var w *view.Window
	live := model.NewLive(model.LiveOptions{Pick: services.Pick, Backend: services.Current,
		Tell: func(u model.Update) { fyne.Do(func() { w.Update(u) }) }})
	w = view.New(ctx, view.Params{Presenter: presenter, Parent: win, Start: func(ctx context.Context) error {
		if err := l.Service(ctx); err != nil {
			return err
		}
		live.Hurry()
		return model.AwaitStart(ctx, services, startTime)
	}})
	win.SetContent(w.Content())
	win.SetPadded(false)
	win.Resize(fyne.NewSize(1180, 760))
	w.Listen()
	services.Pick(ctx)
	w.Show(view.PageToday)
	w.AskLogOn()
	apply(w, want)
	only.Serve(func(r door.Request) {
		fyne.Do(func() {
			win.RequestFocus()
			apply(w, r)
		})
	})
	var blind error
	a.Lifecycle().SetOnStarted(func() {
		go live.Run(ctx)
		watch(win, func(err error) { blind = err; a.Quit() })
	})
	defer context.AfterFunc(ctx, func() { fyne.Do(a.Quit) })()
	win.ShowAndRun()
	return blind
}

// apply shows what was asked for.
func apply(w *view.Window, r door.Request) {
	if i := slices.Index(model.PageIDs(), r.Page); i >= 0 {
		w.Show(i)
	}
	if r.Session != "" {
		w.Open(model.Place{Session: r.Session, Turn: r.Turn})
	}
}
