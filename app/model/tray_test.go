package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/store/memory"
)

var trayNow = time.Date(2026, 5, 4, 18, 30, 0, 0, time.FixedZone("", 2*3600))

func trayPresenter(b Backend) *Presenter {
	return New(Options{Backend: func() Backend { return b }, Now: func() time.Time { return trayNow }, User: "/home/robin"})
}

func trayRun(c memory.RunCounts) *memory.Run {
	return &memory.Run{ID: "run_1", Kind: "deep", Ended: trayNow.Unix() - 15*3600 - 1800, Counts: c}
}

const trayCoreText = "═══ Dormouse memory ═══\n[Timeline · recent]\n· 2026-06-08 Upgraded the library  ↪ session:cc_ev_5\n" +
	"· snake_case & <b>bold</b>\x1b[31m\n[Preferences]\n· always answer in German  ↪ session:cc_g\nFor details: memory_open_session(<id>)\n"

func TestTheTraysIconAndLineSayHowTheServiceIs(t *testing.T) {
	amber := []api.Part{{Name: "capture", State: "ok"}, {Name: "index", State: "amber", Failed: 4, Failure: "disk full"}}
	counts := api.Counts{Events: 1204, Sessions: 1}
	for name, tt := range map[string]struct {
		look TrayLook
		icon TrayIcon
		line string
	}{
		"not running":     {TrayLook{Err: fmt.Errorf("%w (x)", client.ErrNotRunning)}, TrayOff, "Dormouse is not running"},
		"hung":            {TrayLook{Err: client.ErrHung}, TrayTrouble, "Dormouse does not answer"},
		"another release": {TrayLook{Err: client.ErrVersion}, TrayTrouble, "The tray and the service are of different releases"},
		"awake":           {TrayLook{Status: api.Status{Phase: "active", Counts: counts}}, TrayAwake, "Awake · 1,204 memories from 1 session"},
		"idle":            {TrayLook{Status: api.Status{Phase: "idle"}}, TrayAwake, "Awake · 0 memories from 0 sessions"},
		"demo":            {TrayLook{Status: api.Status{Phase: "idle", Demo: true}}, TrayAwake, "Awake · 0 memories from 0 sessions · demo"},
		"asleep":          {TrayLook{Status: api.Status{Phase: "asleep"}}, TrayAsleep, "Asleep · learning from what was captured"},
		"distilling":      {TrayLook{Status: api.Status{Phase: "idle", Parts: []api.Part{{Name: "sleep", Doing: "distilling"}}}}, TrayAsleep, "Asleep · learning from what was captured"},
		"paused":          {TrayLook{Status: api.Status{PausedUntil: trayNow.Unix() + 3600}}, TrayPaused, "Paused until today 19:30"},
		"paused for good": {TrayLook{Status: api.Status{PausedUntil: api.Indefinitely, Phase: "asleep"}}, TrayPaused, "Paused until you go on"},
		"pause is over":   {TrayLook{Status: api.Status{PausedUntil: trayNow.Unix() - 1}}, TrayAwake, "Awake · 0 memories from 0 sessions"},
		"syncing here":    {TrayLook{Syncing: true, Status: api.Status{Sync: api.Sync{Remote: "x"}}}, TraySyncing, "Syncing with your other machines"},
		"syncing there":   {TrayLook{Status: api.Status{Parts: []api.Part{{Name: "sync", State: "busy"}}}}, TraySyncing, "Syncing with your other machines"},
		"a part fails":    {TrayLook{Status: api.Status{Parts: amber, PausedUntil: -1}}, TrayTrouble, "In trouble · Search failed 4 times in a row"},
		"no remote":       {TrayLook{Status: api.Status{Sync: api.Sync{Remote: "x", Failed: 3}}}, TrayTrouble, "In trouble · Sync failed 3 times in a row"},
		"two failures":    {TrayLook{Status: api.Status{Sync: api.Sync{Remote: "x", Failed: 2}}}, TrayAwake, "Awake · 0 memories from 0 sessions"},
	} {
		got := trayPresenter(nil).Tray(tt.look)
		if got.Icon != tt.icon || got.Status != tt.line || !strings.Contains(strings.ToLower(got.Tooltip), strings.ToLower(got.Status)) || len(got.Core) == 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestTheTrayOffersWhatCanBeDoneNow(t *testing.T) {
	p := trayPresenter(nil)
	up := p.Tray(TrayLook{Status: api.Status{Phase: "idle", Sync: api.Sync{Remote: "git@host:me"}}})
	if !up.Sleep.On || !up.Sync.On || !up.CanPause || up.GoOn != "" || up.Start != "" {
		t.Errorf("awake: %+v", up)
	}
	for state, want := range map[string]string{api.ProxyOn: "out of the path", api.ProxyOff: "into the path", api.ProxyShut: "", "": ""} {
		if got := p.Tray(TrayLook{Status: api.Status{Proxy: api.Proxy{State: state}}}).Proxy; (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("with a proxy that is %s: %q", state, got)
		}
	}
	if s := p.Tray(TrayLook{Status: api.Status{Phase: "asleep"}}); s.Sleep.On || s.Sync.On || !strings.Contains(s.Sync.Label, "not set up") {
		t.Errorf("asleep without a remote: %+v", s)
	}
	if s := p.Tray(TrayLook{Syncing: true, Status: api.Status{Sync: api.Sync{Remote: "x"}}}); s.Sync.On || s.Sync.Label == up.Sync.Label {
		t.Errorf("syncing: %+v", s.Sync)
	}
	if s := p.Tray(TrayLook{Status: api.Status{PausedUntil: -1}}); s.CanPause || s.GoOn == "" {
		t.Errorf("paused: %+v", s)
	}
	off := p.Tray(TrayLook{Err: client.ErrNotRunning})
	if off.Start == "" || off.CanPause || off.GoOn != "" || off.Sleep.On || off.Sync.On || off.LastSleep != "" {
		t.Errorf("not running: %+v", off)
	}
	if s := p.Tray(TrayLook{Err: client.ErrHung}); s.Start != "" {
		t.Errorf("a second service is offered beside one that hangs: %+v", s)
	}
}

func TestTheLastSleepIsToldInOneLine(t *testing.T) {
	for want, run := range map[string]*memory.Run{
		"It has not slept yet": nil,
		"Slept today 03:00: 12 learned, 3 superseded, from 4 sessions": trayRun(memory.RunCounts{Events: 12, Superseded: 3, Sessions: 4}),
		"Slept today 03:00: nothing new, from 1 session":               trayRun(memory.RunCounts{Sessions: 1}),
		"Slept today 03:00: nothing new":                               trayRun(memory.RunCounts{}),
	} {
		if got := trayPresenter(nil).Tray(TrayLook{Status: api.Status{LastSleep: run}}).LastSleep; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := trayPresenter(nil).Tray(TrayLook{Status: api.Status{LastSleep: &memory.Run{}}}).LastSleep; got != "Slept: nothing new" {
		t.Errorf("at an unknown time: %q", got)
	}
	r := trayRun(memory.RunCounts{Events: 1204, Refused: 2, Sessions: 1})
	r.CostMicros = 40_000
	if got := trayFigures(*r); got != "1,204 learned, 2 refused, from 1 session, $0.04" {
		t.Error(got)
	}
}

func TestTheCorePreviewIsTheFirstThingsRememberedCleanAndShort(t *testing.T) {
	s := trayPresenter(nil).Tray(TrayLook{Project: "shop\x1b[1m", Core: api.Core{Text: trayCoreText}})
	want := []string{"· 2026-06-08 Upgraded the library", "· snake_case & <b>bold</b>", "· always answer in German"}
	if strings.Join(s.Core, "|") != strings.Join(want, "|") || s.CoreTitle != "What agents are told in shop" {
		t.Errorf("%q %q", s.CoreTitle, s.Core)
	}
	long := "[x]\n" + strings.Repeat("· "+strings.Repeat("ä", 200)+"\n", 9)
	s = trayPresenter(nil).Tray(TrayLook{Core: api.Core{Text: long}})
	if len(s.Core) != 7 || s.Core[6] != "… and 3 lines more" || len([]rune(s.Core[0])) > 64 {
		t.Errorf("%q", s.Core)
	}
	if s := trayPresenter(nil).Tray(TrayLook{}); len(s.Core) != 1 || s.Core[0] != "Nothing was learned yet" {
		t.Errorf("%q", s.Core)
	}
}

// trayBackend answers what a look needs; what it does not have fails.
type trayBackend struct {
	Backend
	status   api.Status
	err      error
	projects []api.Project
	cores    map[string]string
	asked    []string
	waits    int // things to decide on
}

func (b *trayBackend) Status(context.Context) (api.Status, error) { return b.status, b.err }

func (b *trayBackend) Projects(context.Context) ([]api.Project, error) {
	b.asked = append(b.asked, "projects")
	if b.projects == nil {
		return nil, errors.New("no")
	}
	return b.projects, nil
}

func (b *trayBackend) Review(context.Context, string, int) (api.Review, error) {
	b.asked = append(b.asked, "review")
	return api.Review{Total: b.waits}, nil
}

func (b *trayBackend) Sessions(_ context.Context, q api.SessionQuery) ([]api.Session, error) {
	b.asked = append(b.asked, fmt.Sprint("sessions ", q.Limit))
	return []api.Session{session("s1", "Fix the till", "codex", "p1", "2026-05-04 18:00")}, nil
}

func (b *trayBackend) Core(_ context.Context, project string) (api.Core, error) {
	b.asked = append(b.asked, "core "+project)
	text, ok := b.cores[project]
	if !ok {
		return api.Core{}, errors.New("no")
	}
	return api.Core{Project: project, Text: text}, nil
}

func TestTheCoreIsThatOfTheProjectWorkedInLast(t *testing.T) {
	all := []api.Project{{ID: "old", Name: "Old", LastSeen: 1}, {ID: "new", Name: "New", LastSeen: 9}, {ID: defaultProject, LastSeen: 99}}
	for name, tt := range map[string]struct {
		b       trayBackend
		project string
		text    string
	}{
		"newest":           {trayBackend{projects: all, cores: map[string]string{"new": trayCoreText, "": "x"}}, "New", trayCoreText},
		"newest is empty":  {trayBackend{projects: all, cores: map[string]string{"new": "═══\n", "": trayCoreText}}, "", trayCoreText},
		"newest is gone":   {trayBackend{projects: all, cores: map[string]string{"": trayCoreText}}, "", trayCoreText},
		"no project":       {trayBackend{projects: []api.Project{}, cores: map[string]string{"": trayCoreText}}, "", trayCoreText},
		"nothing readable": {trayBackend{projects: all}, "", ""},
		"no list":          {trayBackend{}, "", ""},
	} {
		l := trayPresenter(&tt.b).LookTray(t.Context(), TrayLook{}, true)
		if l.Err != nil || l.Project != tt.project || l.Core.Text != tt.text {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

func TestTheCoreIsReadOnlyWhenItMayHaveChanged(t *testing.T) {
	b := &trayBackend{projects: []api.Project{}, cores: map[string]string{"": trayCoreText}}
	p := trayPresenter(b)
	first := p.LookTray(t.Context(), TrayLook{}, true)
	b.asked = nil
	second := p.LookTray(t.Context(), first, false)
	if len(b.asked) != 0 || second.Core.Text != trayCoreText {
		t.Errorf("asked %v, %+v", b.asked, second)
	}
	b.err = client.ErrNotRunning
	down := p.LookTray(t.Context(), second, false)
	if !errors.Is(down.Err, client.ErrNotRunning) || down.Core.Text != "" {
		t.Errorf("%+v", down)
	}
	b.err = nil
	if again := p.LookTray(t.Context(), down, false); again.Core.Text != trayCoreText {
		t.Errorf("after a restart: %+v", again)
	}
}

func TestWhatWaitsAndTheSessionsAreListedAndKeptForAWhile(t *testing.T) {
	at := now
	b := &trayBackend{projects: []api.Project{}, waits: 3}
	p := New(Options{Backend: func() Backend { return b }, Now: func() time.Time { return at }})
	l := p.LookTray(t.Context(), TrayLook{}, true)
	s := p.Tray(l)
	if s.Icon != TrayNeeds || s.Status != "Awake · 3 memories to decide on" || s.Review != "Review (3)" || len(s.Sessions) != 1 || s.Sessions[0] != (TraySession{"s1", "Fix the till · today 18:00"}) {
		t.Errorf("%+v", s)
	}
	b.asked, b.waits = nil, 0
	at = at.Add(29 * time.Second)
	if l = p.LookTray(t.Context(), l, false); len(b.asked) != 0 || l.Waiting != 3 || len(l.Sessions) != 1 {
		t.Errorf("asked %q, %+v", b.asked, l)
	}
	at = at.Add(time.Second)
	if l = p.LookTray(t.Context(), l, false); len(b.asked) != 2 || p.Tray(l).Icon != TrayAwake || p.Tray(l).Review != "Review" {
		t.Errorf("asked %q, %+v", b.asked, p.Tray(l))
	}
}
