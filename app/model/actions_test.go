package model

import (
	"context"
	"errors"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/store/memory"
)

func TestWhatCameOfASleepIsTold(t *testing.T) {
	for _, tt := range []struct {
		night api.Night
		want  string
		tone  Tone
	}{
		{api.Night{}, "Nothing was waiting: all that was captured was learned from. The rest of the night's work is done.", Good},
		{api.Night{Began: 100, Ended: 175, Counts: memory.RunCounts{Nodes: 1, Sessions: 2, Events: 1}}, "Slept in 1m15s: 1 memory, 0 entities and 0 relations from 2 sessions.", Good},
		{api.Night{Counts: memory.RunCounts{Nodes: 3, Sessions: 1}}, "Slept: nothing new from 1 session.", Good},
		{api.Night{Counts: memory.RunCounts{Nodes: 3}, Stages: []api.NightStage{{Name: "memory"}, {Name: "sync", Failure: "no route"}}}, "Slept, but not all went well: Sync: no route.", Warn},
	} {
		f := &fake{slept: tt.night}
		if n := presenter(f).SleepNow(t.Context()); n.Text != tt.want || n.Tone != tt.tone {
			t.Errorf("%+v", n)
		}
		if f.asked[len(f.asked)-1] != "sleep now" {
			t.Errorf("asked for %q", f.asked)
		}
	}
}

func TestWhatCameOfASyncIsTold(t *testing.T) {
	for want, s := range map[string]api.Synced{
		"In sync: there was nothing to exchange.":                                        {},
		"In sync: what is new here was sent.":                                            {Sent: true},
		"In sync: 1 decision of other machines came in.":                                 {Received: 1},
		"In sync: 3 decisions of other machines came in, and what is new here was sent.": {Received: 3, Sent: true},
		"Sync failed: The remote refused us.":                                            {Sync: api.Sync{Failed: 1, Failure: "the remote refused us"}},
	} {
		if n := presenter(&fake{synced: s}).SyncNow(t.Context()); n.Text != want {
			t.Errorf("%+v: %q", s, n.Text)
		}
	}
}

func TestPausesLastAsLongAsTheySay(t *testing.T) {
	for how, tt := range map[PauseFor]struct{ asked, say string }{
		PauseHour:     {"pause 1777915800", "until today 19:30"},
		PauseTomorrow: {"pause 1777932000", "until tomorrow 00:00"},
		PauseOpen:     {"pause -1", "until you go on"},
	} {
		f := &fake{}
		n := presenter(f).Pause(t.Context(), how)
		if len(f.asked) != 1 || f.asked[0] != tt.asked || !strings.Contains(n.Text, tt.say) {
			t.Errorf("%s: asked %q, said %q", PauseChoices()[how], f.asked, n.Text)
		}
	}
	f := &fake{}
	if n := presenter(f).GoOn(t.Context()); f.asked[0] != "pause 0" || n.Tone != Good {
		t.Errorf("%q, %+v", f.asked, n)
	}
}

func TestWhatFailsIsSaidWithItsReason(t *testing.T) {
	for _, tt := range []struct {
		err  error
		say  string
		tone Tone
	}{
		{client.ErrNotRunning, "not possible: Dormouse is not running", Bad},
		{context.Canceled, "was given up", Plain},
		{&api.Error{Code: api.CodeBusy, Message: "another sleep goes on"}, "Another sleep goes on.", Warn},
		{errors.New("disk\x1b[1m full"), "failed: disk full", Bad},
	} {
		p := presenter(&fake{err: map[string]error{"": tt.err}})
		for name, n := range map[string]Notice{"sleep": p.SleepNow(t.Context()), "sync": p.SyncNow(t.Context()), "pause": p.Pause(t.Context(), PauseHour),
			"go on": p.GoOn(t.Context()), "bind": p.Bind(t.Context(), "/x"), "unbind": p.Unbind(t.Context(), "p")} {
			if !strings.Contains(n.Text, tt.say) || n.Tone != tt.tone {
				t.Errorf("%s: %+v, want %q", name, n, tt.say)
			}
		}
	}
	p := presenter(&fake{err: map[string]error{"": &api.Error{Code: api.CodeBadRequest, Message: "/ cannot be bound: choose the folder of one project in it"}}})
	if n := p.Bind(t.Context(), "/"); n.Tone != Warn || n.Text != "/ cannot be bound: choose the folder of one project in it." {
		t.Errorf("%+v", n)
	}
}

func TestStartingIsTold(t *testing.T) {
	if n := Started(nil); n.Tone != Good {
		t.Errorf("%+v", n)
	}
	if n := Started(errors.New("the program dormouse is not on PATH")); n.Tone != Bad || n.Text != "Dormouse could not be started: The program dormouse is not on PATH." {
		t.Errorf("%+v", n)
	}
}

func TestPageKeysAreThoseOfTheSystem(t *testing.T) {
	if PageKey(0, "linux") != "Ctrl 1" || PageKey(3, "darwin") != "⌘4" {
		t.Error(PageKey(0, "linux"), PageKey(3, "darwin"))
	}
}

func TestTheProxyIsSwitchedToTheOtherSide(t *testing.T) {
	for state, want := range map[string]string{api.ProxyOn: "switchproxy off", api.ProxyOff: "switchproxy on"} {
		f := &fake{status: api.Status{Proxy: api.Proxy{State: state}}}
		if n := presenter(f).FlipProxy(t.Context()); n.Text == "" || f.asked[len(f.asked)-1] != want {
			t.Errorf("%s: %+v, asked %v", state, n, f.asked)
		}
	}
}
