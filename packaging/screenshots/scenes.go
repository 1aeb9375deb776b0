package main

import (
	"context"

	"fyne.io/fyne/v2"

	"dormouse/app/model"
	"dormouse/app/view"
	"dormouse/service/api"
	"dormouse/service/client"
)

// scene is one picture.
type scene struct {
	name    string
	scales  []float32
	backend model.Backend
	user    string
	act     func(*view.Window, fyne.Window) // brings the window into the state to be drawn
}

// press presses keys in a window.
func press(w *view.Window, win fyne.Window, keys ...fyne.KeyName) {
	w.Listen()
	for _, key := range keys {
		if f := win.Canvas().Focused(); f != nil {
			f.TypedKey(&fyne.KeyEvent{Name: key})
		} else {
			win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: key})
		}
	}
}

func show(page int) func(*view.Window, fyne.Window) {
	return func(w *view.Window, _ fyne.Window) { w.Show(page) }
}

// scenes are all pictures: every page with the demo's data, and how they look without data and without a service.
func scenes(demo *client.Client) []scene {
	all := []scene{
		{name: "today", backend: made{steady{demo}}, scales: []float32{1, 2}, act: show(view.PageToday)},
		{name: "today-whole", backend: made{steady{demo}}, act: func(w *view.Window, win fyne.Window) {
			win.Resize(fyne.NewSize(1180, 1380))
			w.Show(view.PageToday)
		}},
		{name: "review", backend: made{steady{demo}}, scales: []float32{1, 2}, act: show(view.PageReview)},
		{name: "review-names", backend: made{steady{demo}}, act: func(w *view.Window, win fyne.Window) {
			w.Show(view.PageReview)
			press(w, win, fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeySpace)
		}},
		{name: "review-edit", backend: made{steady{demo}}, act: func(w *view.Window, win fyne.Window) {
			w.Show(view.PageReview)
			press(w, win, fyne.KeyE)
		}},
		{name: "timeline", backend: made{steady{demo}}, scales: []float32{1, 2}, act: func(w *view.Window, win fyne.Window) {
			w.Show(view.PageTimeline)
			press(w, win, fyne.KeyDown, fyne.KeyDown, fyne.KeyDown)
		}},
		{name: "timeline-replaced", backend: made{steady{demo}}, act: func(w *view.Window, win fyne.Window) { w.ShowReplaced() }},
		{name: "graph", scales: []float32{1, 2}, act: func(w *view.Window, win fyne.Window) { w.ShowEntity("project.agentv") }},
		{name: "graph-near", act: func(w *view.Window, win fyne.Window) {
			w.ShowEntity("biome.json")
			press(w, win, fyne.KeyDown, fyne.KeyRight)
		}},
		{name: "graph-empty", backend: empty{}, act: show(view.PageGraph)},
		{name: "core", act: func(w *view.Window, win fyne.Window) {
			w.ShowCoreOf(projectNamed(demo, "mise"))
			press(w, win, fyne.KeyDown, fyne.KeyDown)
		}},
		{name: "core-global", act: show(view.PageCore)},
		{name: "projects", act: func(w *view.Window, win fyne.Window) {
			w.Show(view.PageProjects)
			press(w, win, fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn)
		}},
		{name: "sessions", act: func(w *view.Window, _ fyne.Window) { w.Open(model.Place{Session: newest(demo), Turn: 3}) }},
		{name: "sessions-none-chosen", act: show(view.PageSessions)},
		{name: "sessions-history", backend: made{steady{demo}}, act: func(w *view.Window, win fyne.Window) {
			w.Open(model.Place{Session: newest(demo), Turn: 3})
			press(w, win, fyne.KeyH)
		}},
		{name: "sessions-delete", backend: made{steady{demo}}, act: func(w *view.Window, win fyne.Window) {
			w.Open(model.Place{Session: newest(demo), Turn: 3})
			press(w, win, fyne.KeyD)
		}},
		{name: "costs", backend: made{steady{demo}}, scales: []float32{1, 2}, act: show(view.PageCosts)},
		{name: "search", backend: made{steady{demo}}, act: func(w *view.Window, win fyne.Window) {
			w.Show(view.PageToday)
			w.Find()
			for _, r := range "biome config" {
				win.Canvas().Focused().TypedRune(r)
			}
			w.FindNow()
		}},
		{name: "search-pages", backend: made{steady{demo}}, act: func(w *view.Window, win fyne.Window) {
			w.Show(view.PageToday)
			w.Find()
		}},
		{name: "sync", backend: made{steady{demo}}, scales: []float32{1, 2}, act: show(view.PageSync)},
		{name: "sync-code", backend: made{steady{demo}}, act: func(w *view.Window, win fyne.Window) {
			w.Show(view.PageSync)
			press(w, win, fyne.KeyI)
		}},
		{name: "sync-setup", backend: empty{}, act: func(w *view.Window, win fyne.Window) {
			w.Show(view.PageSync)
			press(w, win, fyne.KeyReturn)
		}},
		{name: "sync-empty", backend: empty{}, act: show(view.PageSync)},
		{name: "agents", backend: made{steady{demo}}, scales: []float32{1, 2}, act: show(view.PageAgents)},
		{name: "agents-connect", backend: made{steady{demo}}, act: func(w *view.Window, win fyne.Window) {
			w.Show(view.PageAgents)
			press(w, win, fyne.KeyDown)
			win.Canvas().FocusNext()
			press(w, win, fyne.KeyReturn)
		}},
		{name: "agents-empty", backend: empty{}, act: show(view.PageAgents)},
		{name: "settings", backend: made{steady{demo}}, scales: []float32{1, 2}, act: show(view.PageSettings)},
		{name: "settings-sleep", backend: made{steady{demo}}, act: func(w *view.Window, win fyne.Window) {
			w.Show(view.PageSettings)
			press(w, win, fyne.KeyDown, fyne.KeyDown, fyne.KeyDown)
		}},
		{name: "settings-tables", backend: made{steady{demo}}, act: func(w *view.Window, win fyne.Window) {
			w.Show(view.PageSettings)
			w.FindSetting("prices")
		}},
		{name: "settings-found", act: func(w *view.Window, win fyne.Window) {
			w.Show(view.PageSettings)
			w.FindSetting("night")
		}},
		{name: "context", backend: made{steady{demo}}, scales: []float32{1, 2}, act: func(w *view.Window, win fyne.Window) { w.ShowSent(projectNamed(demo, "mise")) }},
		{name: "context-empty", backend: empty{}, act: show(view.PageContext)},
		{name: "core-new", backend: made{steady{demo}}, act: func(w *view.Window, win fyne.Window) { w.ShowCoreOf(projectNamed(demo, "mise")) }},
		{name: "costs-empty", backend: empty{}, act: show(view.PageCosts)},
		{name: "not-running", backend: client.New(client.Options{Home: "/nonexistent/dormouse"}), act: show(view.PageToday)},
		{name: "today-empty", backend: empty{}, act: show(view.PageToday)},
		{name: "review-empty", backend: empty{}, act: show(view.PageReview)},
		{name: "timeline-empty", backend: empty{}, act: show(view.PageTimeline)},
		{name: "core-empty", backend: empty{}, act: show(view.PageCore)},
		{name: "projects-empty", backend: empty{}, act: show(view.PageProjects)},
		{name: "sessions-empty", backend: empty{}, act: show(view.PageSessions)},
	}
	for i := range all {
		s := &all[i]
		s.user = user()
		if s.backend == nil {
			s.backend = steady{demo}
		}
		if s.scales == nil {
			s.scales = []float32{1}
		}
	}
	return all
}

func projectNamed(c *client.Client, name string) string {
	list, err := c.Projects(context.Background())
	if err != nil {
		return ""
	}
	for _, p := range list {
		if p.Name == name {
			return p.ID
		}
	}
	return ""
}

func newest(c *client.Client) string {
	list, err := c.Sessions(context.Background(), api.SessionQuery{Limit: 1})
	if err != nil || len(list) == 0 {
		return ""
	}
	return list[0].ID
}
