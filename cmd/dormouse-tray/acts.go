package main

import (
	"context"

	"dormouse/app/lang"
	"dormouse/app/model"
	"dormouse/app/tray"
)

// actions are what the menu does. Each runs on its own, once at a time, and tells what came of it.
func (a *app) actions(ctx context.Context) tray.Acts {
	return tray.Acts{
		Sleep: a.act(ctx, "sleep", func(ctx context.Context) model.Notice {
			n := a.presenter.SleepNow(ctx)
			if n.Tone == model.Good {
				n.Text = "" // the news of the sleep tell it
			}
			return n
		}),
		Sync:    a.act(ctx, "sync", a.presenter.SyncNow),
		GoOn:    a.act(ctx, "pause", a.presenter.GoOn),
		Proxy:   a.act(ctx, "proxy", a.presenter.FlipProxy),
		Start:   a.act(ctx, "start", a.start),
		Open:    a.open,
		Session: func(id string) { a.openWindow("--session", id) },
		Quit:    a.quit,
		Pause: func(how model.PauseFor) {
			a.act(ctx, "pause", func(ctx context.Context) model.Notice { return a.presenter.Pause(ctx, how) })()
		},
	}
}

// act makes a click of something that takes a while.
func (a *app) act(ctx context.Context, name string, do func(context.Context) model.Notice) func() {
	return func() {
		a.mu.Lock()
		busy := a.busy[name]
		a.busy[name] = true
		a.mu.Unlock()
		if busy || ctx.Err() != nil {
			return
		}
		a.tell(model.Update{Topics: model.TopicStatus})
		a.acts.Go(func() {
			n := do(ctx)
			a.mu.Lock()
			a.busy[name] = false
			a.mu.Unlock()
			a.tell(model.Update{Topics: model.TopicStatus})
			if n.Text != "" && ctx.Err() == nil {
				a.send(ctx, model.TrayMessage{Key: "act", Title: model.AppName, Body: n.Text, Urgent: n.Tone == model.Bad})
			}
		})
	}
}

// start starts the service and waits until it answers.
func (a *app) start(ctx context.Context) model.Notice {
	err := a.programs.startService(ctx)
	if err == nil {
		a.live.Hurry()
		err = model.AwaitStart(ctx, a.services, startTime)
	}
	if err != nil {
		return model.Started(err)
	}
	return model.Notice{}
}

// open opens the window, on a page where one is named.
func (a *app) open(page string) {
	if page == "" {
		a.openWindow()
		return
	}
	a.openWindow("--page", page)
}

// openWindow opens the window, which comes to the front where it is open already.
func (a *app) openWindow(args ...string) {
	a.acts.Go(func() {
		if err := a.programs.openWindow(args...); err != nil {
			a.send(context.Background(), model.TrayMessage{Key: "act", Title: model.AppName, Urgent: true,
				Body: lang.Say("The window could not be opened: {why}", model.Clean(err.Error()))})
		}
	})
}
