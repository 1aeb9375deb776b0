package model

import (
	"context"
	"errors"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"dormouse/app/lang"
	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/store/memory"
)

// TrayIcon is which of the tray's icons is shown; its value names the drawing.
type TrayIcon string

// The icons.
const (
	TrayAwake   TrayIcon = "awake"
	TrayAsleep  TrayIcon = "asleep"
	TraySyncing TrayIcon = "syncing"
	TrayPaused  TrayIcon = "paused"
	TrayNeeds   TrayIcon = "needs" // the person: something waits to be decided
	TrayTrouble TrayIcon = "trouble"
	TrayOff     TrayIcon = "off"
)

// TrayState is all that the tray shows. Texts are one line each.
type TrayState struct {
	Icon      TrayIcon
	Tooltip   string
	Status    string // how the service is
	LastSleep string // what it learned last; empty when that is not known
	CoreTitle string
	Core      []string // the first lines of what agents are told; never empty
	Sleep     TrayAct
	Sync      TrayAct
	CanPause  bool
	GoOn      string // to end a pause; empty when there is none
	Proxy     string // to switch the proxy; empty while no agent goes through it
	Start     string // to start the service; empty when it runs
	Review    string // to decide on what waits; empty when the service does not run
	Recent    string // the title above Sessions
	Sessions  []TraySession
}

// TraySession is one of the sessions that were worked in last.
type TraySession struct{ ID, Label string }

// TrayAct is something to do: its words, and whether it can be done now.
type TrayAct struct {
	Label string
	On    bool
}

// TrayLook is what the tray saw of the service.
type TrayLook struct {
	Err     error // of the status; all else is empty then
	Status  api.Status
	Core    api.Core
	Project string // that Core is of; empty for what holds everywhere
	// Syncing says that an exchange is under way that this tray has begun.
	Syncing bool
	// Waiting counts what the person has to decide, Sessions are those that were worked in last, and Listed is when both were asked for.
	Waiting  int
	Sessions []api.Session
	Listed   time.Time
}

// How many sessions the tray shows, and how old what it lists may become before it is asked for again: an agent at work changes it all the time.
const (
	traySessions = 5
	trayListFor  = 30 * time.Second
)

// LookTray asks the service for what the tray shows. Without withCore, the core memory is taken over from last.
func (p *Presenter) LookTray(ctx context.Context, last TrayLook, withCore bool) TrayLook {
	b := p.o.Backend()
	out := TrayLook{Core: last.Core, Project: last.Project, Waiting: last.Waiting, Sessions: last.Sessions, Listed: last.Listed}
	if out.Status, out.Err = b.Status(ctx); out.Err != nil {
		return TrayLook{Err: out.Err}
	}
	if withCore || last.Err != nil {
		out.Core, out.Project = p.trayCore(ctx, b)
	}
	if now := p.o.Now(); withCore || last.Err != nil || now.Sub(last.Listed).Abs() >= trayListFor {
		out.Listed, out.Waiting = now, p.Waiting(ctx)
		if list, err := b.Sessions(ctx, api.SessionQuery{Limit: traySessions}); err == nil {
			out.Sessions = list
		}
	}
	return out
}

// trayCore is the core memory of the project that was worked in last or, where that has nothing to tell, of all projects.
// What can't be read counts as empty: the tray only gives a glance at it.
func (p *Presenter) trayCore(ctx context.Context, b Backend) (api.Core, string) {
	projects, err := b.Projects(ctx)
	if err != nil {
		return api.Core{}, ""
	}
	projects = slices.DeleteFunc(slices.Clone(projects), func(x api.Project) bool { return x.ID == defaultProject })
	if len(projects) > 0 {
		newest := slices.MaxFunc(projects, func(a, b api.Project) int { return int(a.LastSeen - b.LastSeen) })
		if core, err := b.Core(ctx, newest.ID); err == nil && hasItem(coreLines(core)) {
			return core, projectName(newest)
		}
	}
	core, err := b.Core(ctx, "")
	if err != nil {
		return api.Core{}, ""
	}
	return core, ""
}

// Tray is what the tray shows of a look.
func (p *Presenter) Tray(l TrayLook) TrayState {
	w := p.style()
	t := TrayState{CoreTitle: lang.Say("What agents are told"), Core: []string{lang.Say("Nothing was learned yet")},
		Sleep: TrayAct{Label: lang.Say("Sleep now")}, Sync: TrayAct{Label: lang.Say("Sync now")}}
	if l.Err != nil {
		t.Icon, t.Status, t.Start = TrayOff, lang.Say("Dormouse is not running"), StartService.Text()
		t.Core = []string{lang.Say("Not known while Dormouse is not running")}
		if !errors.Is(l.Err, client.ErrNotRunning) {
			t.Icon, t.Start = TrayTrouble, ""
			t.Status = troubleOf(l.Err).Title
			if errors.Is(l.Err, client.ErrVersion) {
				t.Status = lang.Say("The tray and the service are of different releases")
			}
			t.Core = []string{lang.Say("Not known at the moment")}
		}
		t.Tooltip = t.Status
		return t
	}
	t.Icon, t.Status = w.trayStatus(l)
	t.Tooltip = labelled(AppName, lowerFirst(t.Status))
	t.LastSleep = w.trayLastSleep(l.Status.LastSleep)
	if l.Project != "" {
		t.CoreTitle = lang.Say("What agents are told in {project}", trayLine(l.Project))
	}
	if lines := trayCoreLines(l.Core); len(lines) > 0 {
		t.Core = lines
	}
	t.Review, t.Recent = lang.Say("Review"), lang.Say("Recent sessions")
	if l.Waiting > 0 {
		t.Review = lang.Say("Review ({n})", CountBadge(l.Waiting))
	}
	for _, s := range l.Sessions {
		t.Sessions = append(t.Sessions, TraySession{ID: s.ID, Label: trayLine(dots(titleOf(s), w.day(s.UpdatedAt)))})
	}
	t.Sleep.On = !sleeping(l.Status)
	switch {
	case l.Status.Sync.Remote == "":
		t.Sync.Label = lang.Say("Sync now (not set up)")
	case l.Syncing:
		t.Sync.Label = SyncingNow.Text()
	default:
		t.Sync.On = true
	}
	t.CanPause = true
	if w.paused(l.Status) {
		t.GoOn, t.CanPause = lang.Say("Go on capturing"), false
	}
	switch l.Status.Proxy.State {
	case api.ProxyOn:
		t.Proxy = lang.Say("Take the proxy out of the path")
	case api.ProxyOff:
		t.Proxy = lang.Say("Put the proxy into the path")
	}
	return t
}

// trayStatus is the icon and the line of a service that answers: trouble before a pause, a pause before sleep.
func (w style) trayStatus(l TrayLook) (TrayIcon, string) {
	s := l.Status
	demo := ""
	if s.Demo {
		demo = lang.Say("demo")
	}
	if troubles := trayTroubles(s); len(troubles) > 0 {
		return TrayTrouble, dots(trayLine(dots(lang.Say("In trouble"), troubles[0].title())), demo)
	}
	switch {
	case s.PausedUntil == api.Indefinitely:
		return TrayPaused, dots(lang.Say("Paused until you go on"), demo)
	case w.paused(s):
		return TrayPaused, dots(lang.Say("Paused until {when}", w.day(s.PausedUntil)), demo)
	case sleeping(s):
		return TrayAsleep, dots(lang.Say("Asleep"), lang.Say("learning from what was captured"), demo)
	case l.Syncing || traySyncing(s):
		return TraySyncing, dots(lang.Say("Syncing with your other machines"), demo)
	}
	if l.Waiting > 0 {
		return TrayNeeds, dots(lang.Say("Awake"), lang.Count(l.Waiting, "{n} memories to decide on"), demo)
	}
	return TrayAwake, dots(lang.Say("Awake"), lang.Count(s.Counts.Sessions, "{what} from {n} sessions", lang.Count(s.Counts.Events, "{n} memories")), demo)
}

func traySyncing(s api.Status) bool {
	return slices.ContainsFunc(s.Parts, func(p api.Part) bool { return p.Name == "sync" && p.State == "busy" })
}

// trayLastSleep tells in one line when it slept and what that gave.
func (w style) trayLastSleep(r *memory.Run) string {
	if r == nil {
		return lang.Say("It has not slept yet")
	}
	if r.Ended == 0 {
		return trayLine(labelled(lang.Say("Slept"), trayFigures(*r)))
	}
	return trayLine(lang.Say("Slept {when}: {gains}", w.day(r.Ended), trayFigures(*r)))
}

// trayFigures are what a sleep gave: "12 learned, 3 superseded, from 4 sessions".
func trayFigures(r memory.Run) string {
	c := r.Counts
	parts := []string{lang.Say("nothing new")}
	if c.Events > 0 {
		parts[0] = lang.Count(c.Events, "{n} learned")
	}
	if c.Superseded > 0 {
		parts = append(parts, lang.Count(c.Superseded, "{n} superseded"))
	}
	if c.Refused > 0 {
		parts = append(parts, lang.Count(c.Refused, "{n} refused"))
	}
	if c.Sessions > 0 {
		parts = append(parts, lang.Count(c.Sessions, "from {n} sessions"))
	}
	if r.CostMicros > 0 {
		parts = append(parts, lang.Cents(r.CostMicros))
	}
	return list(parts)
}

// How much of a core memory the tray shows, in lines, and of any text, in characters.
const (
	trayLines = 6
	trayWidth = 64
)

// trayCoreLines are the first things remembered, without frame and pointers.
func trayCoreLines(c api.Core) []string {
	var out []string
	more := 0
	for _, l := range coreLines(c) {
		switch {
		case l.Kind != CoreItem:
		case len(out) < trayLines:
			out = append(out, trayLine(l.Text))
		default:
			more++
		}
	}
	if more > 0 {
		out = append(out, lang.Count(more, "… and {n} lines more"))
	}
	return out
}

// trayLine is a text on one line that fits a menu.
func trayLine(s string) string { return cut(Line(s), trayWidth) }

func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}
