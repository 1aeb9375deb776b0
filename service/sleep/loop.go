package sleep

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// tick is how often the loop looks whether something is due.
const tick = time.Minute

// longestPause bounds the pause after failures.
const longestPause = time.Hour

// Params is what a Loop needs. All fields but Machine, Log and Changed must be set.
type Params struct {
	Settings Settings
	Now      func() time.Time
	// Look says what is waiting.
	Look func(context.Context) (Input, error)
	// Machine says how the machine is. Nil knows nothing of it.
	Machine func(context.Context) Machine
	// Sleep consolidates the sessions, or everything for a deep sleep. It passes the gate between two units of work.
	Sleep func(context.Context, Decision, *Gate) error
	// Changed is told of each new phase.
	Changed func(Phase)
	Log     *slog.Logger
}

// Loop sleeps when it is time. Its methods are safe for concurrent use.
type Loop struct {
	p Params

	mu     sync.Mutex
	phase  Phase
	failed int
	cause  error
	lastOK time.Time
	last   Decision // the newest
}

// New is a loop that has not begun.
func New(p Params) *Loop {
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	if p.Changed == nil {
		p.Changed = func(Phase) {}
	}
	if p.Machine == nil {
		p.Machine = func(context.Context) Machine { return Machine{} }
	}
	return &Loop{p: p, phase: Idle}
}

// Run looks every minute until ctx ends. A round that fails is recorded, and tried again after a pause that doubles.
func (l *Loop) Run(ctx context.Context) error {
	for {
		pause := tick
		if err := l.round(ctx); err != nil && ctx.Err() == nil {
			pause = l.backOff(err)
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-timer.C:
		}
	}
}

func (l *Loop) round(ctx context.Context) error {
	in, err := l.p.Look(ctx)
	if err != nil {
		return err
	}
	in.Now, in.Machine = l.p.Now(), l.p.Machine(ctx)
	d := Decide(in, l.p.Settings)
	l.note(d)
	if d.Action == None {
		l.enter(d.Phase)
		l.succeed()
		return nil
	}
	l.enter(Asleep)
	defer l.enter(d.Phase)
	err = l.sleep(ctx, d, in.Newest)
	if why, ok := PausedBy(err); ok {
		d.Waits = why
		l.note(d)
		err = nil
	}
	if err != nil {
		return err
	}
	l.succeed()
	return nil
}

// sleep carries a decision out. A deep sleep ends when the moment is no longer quiet.
func (l *Loop) sleep(ctx context.Context, d Decision, newest time.Time) error {
	g := NewGate(d.Gentle)
	if d.Action != Deep || d.Gentle {
		return l.p.Sleep(ctx, d, g)
	}
	watching, stop := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		watch(watching, g, func(ctx context.Context) string {
			return Unquiet(l.p.Machine(ctx), l.p.Now(), newest, l.p.Settings)
		})
	})
	defer done.Wait()
	defer stop()
	return l.p.Sleep(ctx, d, g)
}

// note keeps what was decided, for those who ask.
func (l *Loop) note(d Decision) {
	l.mu.Lock()
	changed := d.Waits != l.last.Waits
	l.last = d
	phase := l.phase
	l.mu.Unlock()
	if changed {
		l.p.Changed(phase)
	}
}

func (l *Loop) enter(p Phase) {
	l.mu.Lock()
	changed := l.phase != p
	l.phase = p
	l.mu.Unlock()
	if changed {
		l.p.Changed(p)
	}
}

func (l *Loop) succeed() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed, l.cause, l.lastOK = 0, nil, l.p.Now()
}

func (l *Loop) backOff(err error) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed++
	l.cause = err
	pause := tick << min(l.failed, 10)
	pause = min(pause, longestPause)
	l.p.Log.Warn("sleep failed", "error", err, "failures", l.failed, "next", pause)
	return pause
}

// Health is how the loop does: its phase, the failures in a row with the last one's cause, and the last good round.
type Health struct {
	Phase  Phase
	Failed int
	Cause  error
	LastOK time.Time
	// Due is the moment of a night whose deep sleep has not ended, Waits why it does not begin or go on.
	Due   time.Time
	Waits string
}

// Health reports how the loop does.
func (l *Loop) Health() Health {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Health{Phase: l.phase, Failed: l.failed, Cause: l.cause, LastOK: l.lastOK, Due: l.last.Due, Waits: l.last.Waits}
}
