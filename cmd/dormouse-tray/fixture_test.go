package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dormouse/app/model"
	"dormouse/app/tray"
	"dormouse/service/api"
	"dormouse/service/localapi"
	"dormouse/service/socket"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// service is a made-up service behind a state folder's real socket.
type service struct {
	home home.Home
	hub  *localapi.Hub

	mu     sync.Mutex
	status api.Status
	asked  []string
	stop   func()
}

func newService(t *testing.T) *service {
	t.Helper()
	return &service{home: home.At(filepath.Join(t.TempDir(), "h")), hub: localapi.NewHub(),
		status: api.Status{APIVersion: api.Version, Machine: "here", Phase: "idle", Counts: api.Counts{Events: 18, Sessions: 9},
			LastSleep: &memory.Run{ID: "run_1", Kind: "deep", Machine: "here", Counts: memory.RunCounts{Nodes: 5, Events: 2, Sessions: 1}}}}
}

// start begins to answer.
func (s *service) start(t *testing.T) {
	t.Helper()
	ln, err := socket.Listen(s.home.Dir())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- localapi.New(localapi.Options{Backend: s.backend(), Grace: time.Millisecond}).Run(ctx, ln)
	}()
	once := sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	s.mu.Lock()
	s.stop = once
	s.mu.Unlock()
	t.Cleanup(once)
}

func (s *service) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, what)
}

// change changes what the service says of itself, and tells its followers.
func (s *service) change(kind string, do func(*api.Status)) {
	s.mu.Lock()
	do(&s.status)
	s.mu.Unlock()
	s.hub.Publish(api.Change{Type: kind})
}

func (s *service) now() api.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

// was reports whether something was asked.
func (s *service) was(what string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(strings.Join(s.asked, "\n"), what)
}

func (s *service) backend() localapi.Backend {
	return localapi.Backend{
		Status: func(context.Context) (api.Status, error) { return s.now(), nil },
		Projects: func(context.Context) ([]api.Project, error) {
			return []api.Project{{ID: "p1", Name: "shop", LastSeen: 5}}, nil
		},
		Core: func(_ context.Context, project string) (api.Core, error) {
			s.note("core")
			return api.Core{Project: project, Text: "[Timeline]\n· snake_case & <b>bold</b> in " + project + "\n"}, nil
		},
		Night: func(_ context.Context, kind string) (api.Night, error) {
			s.note("sleep " + kind)
			run := memory.Run{ID: "run_2", Kind: "manual", Machine: "here", Started: 7, Counts: memory.RunCounts{Nodes: 9, Events: 12, Superseded: 3, Sessions: 4}}
			night := api.Night{ID: "night_2", Kind: "manual", Began: 7, Ended: 9, Counts: run.Counts}
			s.change("sleep_ended", func(st *api.Status) { st.LastSleep, st.LastNight = &run, &night })
			return night, nil
		},
		Sync: func(context.Context) (api.Synced, error) { s.note("sync"); return api.Synced{Received: 3}, nil },
		Pause: func(_ context.Context, until int64) (api.Status, error) {
			s.note("pause")
			s.change("status", func(st *api.Status) { st.PausedUntil = until })
			return s.now(), nil
		},
		Subscribe: s.hub.Subscribe,
	}
}

// bar is a tray in memory.
type bar struct {
	mu    sync.Mutex
	icon  model.TrayIcon
	tip   string
	items []*item
}

type item struct {
	bar    *bar
	label  string
	on     bool
	hidden bool
	click  func()
}

func (b *bar) SetIcon(i model.TrayIcon) { b.mu.Lock(); defer b.mu.Unlock(); b.icon = i }
func (b *bar) SetTooltip(s string)      { b.mu.Lock(); defer b.mu.Unlock(); b.tip = s }
func (b *bar) AddSeparator()            {}
func (b *bar) Add(label string, click func()) tray.Item {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := &item{bar: b, label: label, on: true, click: click}
	b.items = append(b.items, i)
	return i
}
func (i *item) SetLabel(s string)                        { i.bar.mu.Lock(); defer i.bar.mu.Unlock(); i.label = s }
func (i *item) Enable(on bool)                           { i.bar.mu.Lock(); defer i.bar.mu.Unlock(); i.on = on }
func (i *item) Show(on bool)                             { i.bar.mu.Lock(); defer i.bar.mu.Unlock(); i.hidden = !on }
func (i *item) Add(label string, click func()) tray.Item { return i.bar.Add(label, click) }

// shows reports whether a line can be seen.
func (b *bar) shows(label string) bool { return b.find(label) != nil }

func (b *bar) find(label string) *item {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, i := range b.items {
		if strings.Contains(i.label, label) && !i.hidden {
			now := *i // as it is at this moment
			return &now
		}
	}
	return nil
}

func (b *bar) press(t *testing.T, label string) {
	t.Helper()
	i := b.find(label)
	if i == nil || !i.on {
		t.Fatalf("there is no %q to press", label)
	}
	i.click()
}

// desk keeps the notifications.
type desk struct {
	mu   sync.Mutex
	sent []model.TrayMessage
	err  error
}

func (d *desk) Notify(_ context.Context, m model.TrayMessage) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sent = append(d.sent, m)
	return d.err
}

func (d *desk) Close() {}

// count is how many notifications hold a text.
func (d *desk) count(text string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := 0
	for _, m := range d.sent {
		if strings.Contains(m.Title+": "+m.Body, text) {
			n++
		}
	}
	return n
}

// await returns when ok holds; go test's own limit ends it otherwise.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for n := 0; !ok(); n++ {
		if n == 24000 { // two minutes
			t.Fatalf("it never came: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// running is a tray that follows a made-up service.
func running(t *testing.T, s *service) (*app, *bar, *desk) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	a, b, d := newApp(s.home, cancel), &bar{}, &desk{}
	a.notify, a.errs = d, io.Discard
	done := make(chan bool)
	go func() { a.run(ctx, b); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	return a, b, d
}
