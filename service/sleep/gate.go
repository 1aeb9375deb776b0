package sleep

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Paused is the error of a sleep that stopped because the person is back, or the machine has something else to do. It goes on
// at a later quiet moment.
type Paused struct{ Why string }

func (p *Paused) Error() string { return "sleep has paused: " + p.Why }

// PausedBy is why a sleep has paused; ok is false for every other error.
func PausedBy(err error) (why string, ok bool) {
	var p *Paused
	if errors.As(err, &p) {
		return p.Why, true
	}
	return "", false
}

// A gentle sleep rests restShare times as long as it worked, so that it takes a fifth of a processor at most.
const (
	restShare = 4
	longRest  = 5 * time.Second
)

// Gate is what a sleep passes between two units of its work: it stops a sleep that is to pause, and slows a gentle one down. The
// zero value lets everything pass. Its methods are safe for concurrent use.
type Gate struct {
	mu     sync.Mutex
	why    string
	gentle bool
	passed time.Time
}

// NewGate is an open gate. One that is gentle makes the sleep rest.
func NewGate(gentle bool) *Gate { return &Gate{gentle: gentle} }

// Pause stops the sleep at its next unit. The first reason counts.
func (g *Gate) Pause(why string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.why == "" {
		g.why = why
	}
}

// Pass is called between two units of work. The error is that of ctx, or a *Paused.
func (g *Gate) Pass(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g.mu.Lock()
	why, gentle, since := g.why, g.gentle, g.passed
	g.mu.Unlock()
	if why != "" {
		return &Paused{Why: why}
	}
	if !gentle {
		return nil
	}
	if !since.IsZero() {
		rest := time.NewTimer(min(restShare*time.Since(since), longRest))
		defer rest.Stop()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-rest.C:
		}
	}
	g.mu.Lock()
	g.passed = time.Now()
	g.mu.Unlock()
	return nil
}

// look is how often the machine is looked at during a sleep: two looks, which load takes, and a unit of work end within a second of the
// person's coming back.
const look = 300 * time.Millisecond

// watch closes the gate when the moment is no longer quiet, until ctx ends. Load has to be seen twice in a row: a single peak may
// be anybody's.
func watch(ctx context.Context, g *Gate, unquiet func(context.Context) string) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	loaded := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		why := unquiet(ctx)
		if ctx.Err() != nil {
			return
		}
		if peak := why == WaitLoad && !loaded; why != "" && !peak {
			g.Pause(why)
			return
		}
		loaded = why == WaitLoad
	}
}
