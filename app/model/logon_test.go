package model

import (
	"context"
	"errors"
	"strings"
	"testing"

	"dormouse/service/client"
)

// logOn is a log-on that is wanted until it is answered.
type logOn struct {
	answered, installed bool
	err                 error
}

func (l *logOn) Wanted(context.Context) bool { return !l.answered }
func (l *logOn) Install(context.Context) error {
	l.installed, l.answered = l.err == nil, l.err == nil
	return l.err
}
func (l *logOn) Answer() error { l.answered = l.err == nil; return l.err }

func TestThePersonIsAskedAboutTheLogOnUntilTheyAnswer(t *testing.T) {
	f, l := &fake{}, &logOn{}
	p := New(Options{Backend: func() Backend { return f }, LogOn: l})
	if q := p.AskLogOn(t.Context()); q == nil || q.Title != "Start Dormouse when you log on?" || q.No != "Not now" {
		t.Fatalf("%+v", q)
	}
	if n := p.NotAtLogOn(t.Context()); n.Tone == Bad || l.installed || p.AskLogOn(t.Context()) != nil {
		t.Errorf("%+v", n)
	}
	l.answered = false
	if n := p.StartAtLogOn(t.Context()); n.Tone != Good || !l.installed || p.AskLogOn(t.Context()) != nil {
		t.Errorf("%+v", n)
	}
	*l = logOn{err: errors.New("no room")}
	for _, n := range []Notice{p.StartAtLogOn(t.Context()), p.NotAtLogOn(t.Context())} {
		if n.Tone != Bad || !strings.Contains(n.Text, "o room") {
			t.Errorf("%+v", n)
		}
	}
	if f.status.Demo = true; p.AskLogOn(t.Context()) != nil {
		t.Error("asked for the demo")
	}
	f.status.Demo, f.err = false, map[string]error{"": client.ErrNotRunning}
	if p.AskLogOn(t.Context()) != nil {
		t.Error("asked while nothing runs, which is said already")
	}
	if p := New(Options{Backend: func() Backend { return &fake{} }}); p.AskLogOn(t.Context()) != nil {
		t.Error("asked where there is no log-on")
	}
}
