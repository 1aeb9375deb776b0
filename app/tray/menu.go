// Package tray is the menu of the icon in the system's tray: it is built once and follows a model.TrayState from then on.
//
// It never asks the service anything and never decides what is shown: words and states come from app/model, acts go to the
// functions that it was given. It never speaks to a tray itself but to a Bar.
package tray

import (
	"slices"
	"sync"

	"dormouse/app/lang"
	"dormouse/app/model"
)

// Bar is the system's tray. Its methods may be called from any goroutine.
type Bar interface {
	SetIcon(model.TrayIcon)
	SetTooltip(string)
	Add(label string, click func()) Item
	AddSeparator()
}

// Item is one line of the menu. The click of an item must not block.
type Item interface {
	SetLabel(string)
	Enable(bool)
	Show(bool)
	// Add puts an item into the menu behind this one.
	Add(label string, click func()) Item
}

// Acts are what the menu can do. They are called when the person clicks, and return at once.
type Acts struct {
	Sleep, Sync, GoOn, Proxy, Start, Quit func()
	// Open opens the window, on a page by its id or, for "", on the one that it shows first; Session opens one in it.
	Open, Session func(string)
	Pause         func(model.PauseFor)
}

// maxCore is how many lines of the core memory have a place: those that the model gives, and the one that counts the rest.
const maxCore = 7

// maxSessions is how many sessions have a place.
const maxSessions = 5

// Menu is the menu. Its methods may be called from any goroutine.
type Menu struct {
	bar                                                  Bar
	status, slept, core, start, sleep, sync, pause, goOn *line
	review, recent, proxy                                *line
	lines                                                [maxCore]*line
	sessions                                             [maxSessions]*line

	mu      sync.Mutex
	ids     [maxSessions]string // of sessions
	icon    model.TrayIcon
	tooltip string
}

// New builds the menu on a bar. It shows nothing of the service until Show.
func New(bar Bar, acts Acts) *Menu {
	m := &Menu{bar: bar}
	nothing := func() {}
	m.status = newLine(bar, lang.Say("Looking for Dormouse …"), nothing)
	m.slept = newLine(bar, "", nothing)
	m.core = newLine(bar, lang.Say("What agents are told"), nothing)
	for i := range m.lines {
		m.lines[i] = newLine(m.core.item, "", nothing)
	}
	m.recent = newLine(bar, lang.Say("Recent sessions"), nothing)
	for i := range m.sessions {
		m.sessions[i] = newLine(m.recent.item, "", func() { acts.Session(m.session(i)) })
	}
	bar.AddSeparator()
	m.start = newLine(bar, model.StartService.Text(), acts.Start)
	m.sleep = newLine(bar, model.SleepNow.Text(), acts.Sleep)
	m.sync = newLine(bar, model.SyncNow.Text(), acts.Sync)
	m.pause = newLine(bar, model.PauseCapture.Text(), nothing)
	for i, label := range model.PauseChoices() {
		newLine(m.pause.item, label, func() { acts.Pause(model.PauseFor(i)) })
	}
	m.goOn = newLine(bar, lang.Say("Go on capturing"), acts.GoOn)
	m.proxy = newLine(bar, "", acts.Proxy)
	bar.AddSeparator()
	m.review = newLine(bar, lang.Say("Review"), func() { acts.Open("review") })
	newLine(bar, lang.Say("Open Dormouse"), func() { acts.Open("") })
	newLine(bar, lang.Say("Settings"), func() { acts.Open("settings") })
	newLine(bar, lang.Say("Quit tray"), acts.Quit)
	for _, l := range slices.Concat([]*line{m.status, m.slept}, m.lines[:]) {
		l.enable(false)
	}
	m.hideUnknown()
	return m
}

// hideUnknown takes away what cannot be known or done before the service was seen.
func (m *Menu) hideUnknown() {
	for _, l := range []*line{m.slept, m.core, m.start, m.goOn, m.sleep, m.sync, m.pause, m.review, m.recent, m.proxy} {
		l.show(false)
	}
}

// session is the id of a session that the menu shows.
func (m *Menu) session(i int) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ids[i]
}

func (m *Menu) listSessions(s model.TrayState) {
	m.recent.text(s.Recent)
	m.recent.show(len(s.Sessions) > 0)
	for i, l := range m.sessions {
		if i < len(s.Sessions) {
			m.ids[i] = s.Sessions[i].ID
			l.textOrHide(s.Sessions[i].Label)
		} else {
			l.show(false)
		}
	}
}

// Show makes the menu what a state says. What has not changed is left alone, so that an open menu does not flicker.
func (m *Menu) Show(s model.TrayState) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.icon != s.Icon {
		m.icon = s.Icon
		m.bar.SetIcon(s.Icon)
	}
	if m.tooltip != s.Tooltip {
		m.tooltip = s.Tooltip
		m.bar.SetTooltip(s.Tooltip)
	}
	m.status.text(s.Status)
	m.slept.textOrHide(s.LastSleep)
	m.core.text(s.CoreTitle)
	for i, l := range m.lines {
		if i < len(s.Core) {
			l.textOrHide(s.Core[i])
		} else {
			l.show(false)
		}
	}
	m.review.textOrHide(s.Review)
	m.listSessions(s)
	m.start.textOrHide(s.Start)
	m.goOn.textOrHide(s.GoOn)
	m.proxy.textOrHide(s.Proxy)
	up := s.CanPause || s.GoOn != ""
	for l, act := range map[*line]model.TrayAct{m.sleep: s.Sleep, m.sync: s.Sync} {
		l.text(act.Label)
		l.enable(act.On)
		l.show(up)
	}
	m.core.show(true)
	m.pause.show(s.CanPause)
}
