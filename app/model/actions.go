package model

import (
	"context"
	"time"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// PauseFor says how long capture is paused.
type PauseFor int

// The pauses that are offered.
const (
	PauseHour PauseFor = iota
	PauseTomorrow
	PauseOpen // until the person says
)

// PauseChoices are the pauses as they are offered, in the order of their values.
func PauseChoices() []string {
	return []string{lang.Say("For 1 hour"), lang.Say("Until tomorrow"), lang.Say("Until I say")}
}

// SleepNow has the service do all that a night does, and returns when that is done.
func (p *Presenter) SleepNow(ctx context.Context) Notice {
	n, err := p.o.Backend().Night(ctx, api.NightNow)
	if err != nil {
		return failed(lang.Say("Sleeping"), err)
	}
	if f := n.Failures(); len(f) > 0 {
		return Notice{Tone: Warn, Text: lang.Say("Slept, but not all went well: {why}", sentence(labelled(stageName(f[0].Name), f[0].Failure)))}
	}
	if n.Counts.Nodes == 0 {
		return Notice{Tone: Good, Text: lang.Say("Nothing was waiting: all that was captured was learned from. The rest of the night's work is done.")}
	}
	took := time.Duration(max(0, n.Ended-n.Began)) * time.Second
	if took < time.Second {
		return Notice{Tone: Good, Text: lang.Say("Slept: {gains}.", gains(n.Counts, n.CostMicros))}
	}
	return Notice{Tone: Good, Text: lang.Say("Slept in {time}: {gains}.", took.String(), gains(n.Counts, n.CostMicros))}
}

// SyncNow exchanges memories with the remote, and returns when that is done.
func (p *Presenter) SyncNow(ctx context.Context) Notice {
	s, err := p.o.Backend().Sync(ctx)
	switch {
	case err != nil:
		return failed(lang.Say("Syncing"), err)
	case s.Sync.Failed > 0:
		return Notice{Tone: Warn, Text: lang.Say("Sync failed: {why}", sentence(s.Sync.Failure))}
	case s.Received == 0 && !s.Sent:
		return Notice{Tone: Good, Text: lang.Say("In sync: there was nothing to exchange.")}
	case s.Received == 0:
		return Notice{Tone: Good, Text: lang.Say("In sync: what is new here was sent.")}
	}
	if s.Sent {
		return Notice{Tone: Good, Text: lang.Count(s.Received, "In sync: {n} decisions of other machines came in, and what is new here was sent.")}
	}
	return Notice{Tone: Good, Text: lang.Count(s.Received, "In sync: {n} decisions of other machines came in.")}
}

// Pause stops capture for a while.
func (p *Presenter) Pause(ctx context.Context, how PauseFor) Notice {
	w := p.style()
	until := w.now.Add(time.Hour).Unix()
	switch how {
	case PauseTomorrow:
		until = time.Date(w.now.Year(), w.now.Month(), w.now.Day()+1, 0, 0, 0, 0, w.now.Location()).Unix()
	case PauseOpen:
		until = api.Indefinitely
	}
	s, err := p.o.Backend().Pause(ctx, until)
	if err != nil {
		return failed(lang.Say("Pausing"), err)
	}
	return Notice{Text: w.pause(s.PausedUntil)}
}

// FlipProxy takes the proxy out of the path of agents, or puts it there again.
func (p *Presenter) FlipProxy(ctx context.Context) Notice {
	s, err := p.o.Backend().Status(ctx)
	switch {
	case err != nil:
		return failed(lang.Say("Switching the proxy"), err)
	case s.Proxy.State == api.ProxyOn:
		return p.SwitchProxy(ctx, api.ProxyOff)
	}
	return p.SwitchProxy(ctx, api.ProxyOn)
}

// GoOn ends a pause.
func (p *Presenter) GoOn(ctx context.Context) Notice {
	if _, err := p.o.Backend().Pause(ctx, 0); err != nil {
		return failed(lang.Say("Going on"), err)
	}
	return Notice{Tone: Good, Text: lang.Say("Capturing again, beginning with what was written meanwhile.")}
}
