package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"dormouse/app/lang"
	"dormouse/app/model"
	"dormouse/app/tray"
	"dormouse/service/client"
	"dormouse/store/home"
)

// app follows the service and keeps menu and notifications up to date.
type app struct {
	services  *model.Services
	presenter *model.Presenter
	live      *model.Live
	news      *model.TrayNews
	notify    notifier
	programs  programs
	errs      io.Writer
	quit      func() // ends the context of run

	updates chan model.Update
	acts    sync.WaitGroup

	mu      sync.Mutex
	menu    *tray.Menu
	follows bool            // the service's events come in
	busy    map[string]bool // acts under way
	waiting model.Topic     // what has changed since the last look
	rests   bool            // a timer waits for the end of quiet hours
}

// newApp wires the tray for a state folder. It does no I/O. quit ends the context that run is given.
func newApp(h home.Home, quit func()) *app {
	own, demo := client.New(client.Options{Home: h.Dir()}), client.New(client.Options{Home: h.Demo().Dir()})
	a := &app{services: model.NewServices(own, demo), news: model.NewTrayNews(time.Now), programs: systemPrograms(), errs: os.Stderr,
		quit: quit, updates: make(chan model.Update, 1), busy: map[string]bool{}}
	user, _ := os.UserHomeDir() // without it paths are shown whole
	a.presenter = model.New(model.Options{Backend: a.services.Current, User: user})
	a.live = model.NewLive(model.LiveOptions{Pick: a.services.Pick, Backend: a.services.Current, Tell: a.followed})
	a.notify = newNotifier(a.open)
	return a
}

// followed takes what the follower of the service's events tells.
func (a *app) followed(u model.Update) {
	a.mu.Lock()
	a.follows = u.Up
	a.mu.Unlock()
	a.tell(u)
}

// tell notes what changed and wakes run.
func (a *app) tell(u model.Update) {
	a.mu.Lock()
	a.waiting |= u.Topics
	a.mu.Unlock()
	select {
	case a.updates <- u:
	default: // run is woken already
	}
}

// run follows the service until ctx ends. bar is the system's tray; nil where there is none.
func (a *app) run(ctx context.Context, bar tray.Bar) {
	if bar != nil {
		menu := tray.New(bar, a.actions(ctx))
		a.mu.Lock()
		a.menu = menu
		a.mu.Unlock()
	}
	var live sync.WaitGroup
	live.Go(func() { a.live.Run(ctx) })
	var look model.TrayLook
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-a.updates:
			look = a.look(ctx, look)
			a.lookAgain(look)
		}
	}
	live.Wait()
	a.acts.Wait()
	a.notify.Close()
}

// look asks the service, shows what it says, and tells what is news.
func (a *app) look(ctx context.Context, last model.TrayLook) model.TrayLook {
	a.mu.Lock()
	topics := a.waiting
	a.waiting = 0
	syncing := a.busy["sync"]
	a.mu.Unlock()
	l := a.presenter.LookTray(ctx, last, topics&model.TopicCore != 0)
	if ctx.Err() != nil {
		return last
	}
	l.Syncing = syncing
	a.show(a.presenter.Tray(l))
	for _, m := range a.news.Of(l) {
		a.send(ctx, m)
	}
	a.lookAfter(a.news.Rest(l))
	return l
}

// lookAfter looks again when quiet hours are over, after a time; 0 is none. The time may jump or the machine be suspended meanwhile: it is
// looked in between.
func (a *app) lookAfter(rest time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if rest == 0 || a.rests {
		return
	}
	a.rests = true
	time.AfterFunc(min(rest, longestRest), func() {
		a.mu.Lock()
		a.rests = false
		a.mu.Unlock()
		a.tell(model.Update{Topics: model.TopicStatus})
	})
}

// longestRest is after what time of quiet it is looked again whether they last.
const longestRest = 15 * time.Minute

// againTime is how soon a service that answers is looked at again while its events do not come in yet: it may be gone by then,
// and nobody else would tell.
const againTime = time.Second

func (a *app) lookAgain(l model.TrayLook) {
	a.mu.Lock()
	follows := a.follows
	a.mu.Unlock()
	if l.Err == nil && !follows {
		a.live.Hurry()
		time.AfterFunc(againTime, func() { a.tell(model.Update{Topics: model.TopicStatus}) })
	}
}

func (a *app) show(s model.TrayState) {
	a.mu.Lock()
	menu := a.menu
	a.mu.Unlock()
	if menu != nil {
		menu.Show(s)
	}
}

// sendTime is how long a notification may take.
const sendTime = 10 * time.Second

// send notifies the person. That it could not is said where a terminal may show it, and nothing else depends on it.
func (a *app) send(ctx context.Context, m model.TrayMessage) {
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	if err := a.notify.Notify(ctx, m); err != nil {
		a.say("no notification: " + err.Error())
	}
}

func (a *app) say(text string) { _, _ = fmt.Fprintln(a.errs, "dormouse-tray:", text) } // nobody to tell if that fails

// withoutTray says once that there is no tray, and that nothing is lost by it.
func (a *app) withoutTray(ctx context.Context, why string) {
	rest := lang.Say("Dormouse notifies you as before; open its window with dormouse-desktop, or ask on the command line: dormouse status")
	a.say(why + " " + rest)
	a.send(ctx, model.TrayMessage{Key: "no-tray", Title: lang.Say("Dormouse has no tray here"), Body: rest + "."})
}
