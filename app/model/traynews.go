package model

import (
	"time"

	"dormouse/app/lang"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// TrayMessage is one desktop notification. Title and Body are plain text.
type TrayMessage struct {
	// Key names what it is about: a later message of the same key takes its place on the screen.
	Key         string
	Title, Body string
	Urgent      bool
	// Page is the page of the window that a click opens; empty for the one that it shows first.
	Page string
}

// TrayNews decides what is worth a notification: what a sleep gave, and trouble. It tells each once. It is used by one
// goroutine.
type TrayNews struct {
	now   func() time.Time
	seen  bool   // the service was seen before
	run   string // the newest sleep that is known
	night string // the newest whole one
	told  map[string]told
	// secrets is how many were replaced when the person was told last, at secretAt.
	secrets  int
	secretAt time.Time
}

// told is a trouble that was told.
type told struct {
	failure string
	at      time.Time
	over    bool // it works again
}

// troubleRest is for how long the same trouble that comes and goes is not told again.
const troubleRest = 24 * time.Hour

// NewTrayNews knows of nothing yet; now gives the time.
func NewTrayNews(now func() time.Time) *TrayNews { return &TrayNews{now: now, told: map[string]told{}} }

// Of is what to tell after a look at the service. The sleep that a first look finds is history, a trouble is not. In quiet hours nothing is
// told, and what there was is told by the first look after them.
func (n *TrayNews) Of(l TrayLook) []TrayMessage {
	if l.Err != nil {
		return nil
	}
	var out []TrayMessage
	first, quiet := !n.seen, n.Rest(l) > 0
	if quiet && !first {
		return nil
	}
	if m, ok := n.slept(l.Status); ok {
		out = append(out, m)
	}
	if m, ok := n.found(l.Status, first); ok {
		out = append(out, m)
	}
	if quiet {
		return out
	}
	return append(out, n.troubles(l.Status)...)
}

// Rest is for how long nothing is told from now on; 0 outside of quiet hours.
func (n *TrayNews) Rest(l TrayLook) time.Duration {
	if l.Err != nil {
		return 0
	}
	return l.Status.Quiet.Until(n.now())
}

// secretRest is for how long further secrets are gathered after some were told.
const secretRest = time.Hour

// found tells of secrets that were replaced since the last look; those of the first look were there before.
func (n *TrayNews) found(s api.Status, first bool) (TrayMessage, bool) {
	more := s.Counts.Redacted - n.secrets
	switch {
	case first:
		n.secrets = s.Counts.Redacted
		return TrayMessage{}, false
	case more <= 0 || n.now().Sub(n.secretAt) < secretRest: // an import finds one after another
		return TrayMessage{}, false
	}
	n.secrets, n.secretAt = s.Counts.Redacted, n.now()
	return TrayMessage{Key: "secret", Page: "sessions", Title: lang.Count(more, "{n} secrets in a session"), Body: lang.Say("Replaced before anything was written. Your agent's " +
		"own transcript still holds what was there, and its provider may have seen it: change what you do not want known.")}, true
}

// slept tells of a new sleep of this machine: of a night, once it has ended, however often it has paused, or of a sleep that the
// person asked for. It had something to learn from, or something failed in it. Those after each session would be one notification a session.
func (n *TrayNews) slept(s api.Status) (TrayMessage, bool) {
	first := !n.seen
	n.seen = true
	title := lang.Say("Dormouse has slept")
	if s.Demo {
		title = lang.Say("Dormouse has slept (demo)")
	}
	night, run := s.LastNight, s.LastSleep
	newNight := night != nil && night.Ended != 0 && night.ID != n.night
	newRun := run != nil && run.ID != n.run
	if newNight {
		n.night = night.ID
	}
	if newRun {
		n.run = run.ID
	}
	if newNight && !first && (night.Counts.Nodes > 0 || len(night.Failures()) > 0) {
		return TrayMessage{Key: "sleep", Title: title, Body: sentence(trayNight(*night)), Page: nightPage(*night)}, true
	}
	foreign := newRun && run.Machine != "" && s.Machine != "" && run.Machine != s.Machine
	if !newRun || first || foreign || run.Kind == "light" || run.Counts.Nodes == 0 || ofNight(*run, night) {
		return TrayMessage{}, false
	}
	return TrayMessage{Key: "sleep", Title: title, Body: sentence(trayFigures(*run)), Page: "today"}, true
}

// ofNight reports whether a run is a part of a whole sleep, which tells of itself when it has ended.
func ofNight(r memory.Run, night *api.Night) bool {
	return night != nil && (r.Kind == "deep" || r.Started == night.Began)
}

// nightPage is where a person goes on after a night: to what waits for them, else to what it gave.
func nightPage(n api.Night) string {
	if n.Review > 0 {
		return "review"
	}
	return "today"
}

// trayNight is what a whole sleep gave, what waits for the person, and what failed.
func trayNight(n api.Night) string {
	out := trayFigures(memory.Run{Counts: n.Counts, CostMicros: n.CostMicros})
	if n.Review > 0 {
		out = list([]string{out, lang.Count(n.Review, "{n} waiting for your review")})
	}
	if f := n.Failures(); len(f) > 0 {
		out = lang.Say("{gains}; failed: {what}", out, stageName(f[0].Name))
	}
	return out
}

func (n *TrayNews) troubles(s api.Status) []TrayMessage {
	var out []TrayMessage
	now, open := n.now(), map[string]bool{}
	for _, t := range trayTroubles(s) {
		open[t.name] = true
		last, known := n.told[t.name]
		again := known && (!last.over || last.failure == t.failure && now.Sub(last.at) < troubleRest)
		if again {
			last.over = false
			n.told[t.name] = last
			continue
		}
		n.told[t.name] = told{failure: t.failure, at: now}
		out = append(out, TrayMessage{Key: "trouble:" + t.name, Urgent: true, Title: t.title(), Page: t.page(),
			Body: cut(sentence(t.failure), 300)})
	}
	for name, t := range n.told {
		if !open[name] {
			t.over = true
			n.told[name] = t
		}
	}
	return out
}

// trouble is a part of the service that has failed again and again.
type trouble struct {
	name, failure string
	failed        int
}

func (t trouble) title() string {
	return inTrouble(t.name, t.failed)
}

// page is where more is said of it.
func (t trouble) page() string {
	if t.name == "sync" {
		return "sync"
	}
	return "today"
}

// amberAfter is how many failures in a row make a trouble, where the service does not say so itself.
const amberAfter = 3

// trayTroubles are the parts in trouble, in the service's order, and a remote that can't be reached.
func trayTroubles(s api.Status) []trouble {
	var out []trouble
	sync := false
	for _, p := range s.Parts {
		sync = sync || p.Name == "sync"
		if p.State == "amber" {
			out = append(out, trouble{p.Name, p.Failure, p.Failed})
		}
	}
	if !sync && s.Sync.Failed >= amberAfter {
		out = append(out, trouble{"sync", s.Sync.Failure, s.Sync.Failed})
	}
	return out
}
