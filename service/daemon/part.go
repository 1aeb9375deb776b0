package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"dormouse/service/api"
)

// amberAfter is the number of failures in a row after which a part is shown as in trouble.
const amberAfter = 3

// The pauses before a part is started again double from firstPause to lastPause.
const (
	firstPause = time.Second
	lastPause  = 5 * time.Minute
)

// part is one long-running piece of the service. It is started again when it fails, so that one flaky part never stops the
// others.
type part struct {
	name string
	run  func(context.Context) error
	now  func() time.Time
	log  *slog.Logger

	mu     sync.Mutex
	failed int
	cause  string
	doing  string
	lastOK time.Time

	lastFailed  time.Time
	lastFailure string
}

// supervise runs the part until ctx ends.
func (p *part) supervise(ctx context.Context) {
	pause := firstPause
	for ctx.Err() == nil {
		began := p.now()
		err := guard(ctx, p.run)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			err = fmt.Errorf("ended by itself")
		}
		if p.now().Sub(began) > lastPause {
			pause = firstPause
		}
		p.failure(err)
		p.log.Error("part failed", "component", p.name, "error", err, "again_in", pause)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		pause = min(2*pause, lastPause)
	}
}

// guard calls run and turns a panic into an error that names the place.
func guard(ctx context.Context, run func(context.Context) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return run(ctx)
}

// ok records a round that went well.
func (p *part) ok() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed, p.cause, p.lastOK = 0, "", p.now()
}

// failure records a round that failed.
func (p *part) failure(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed++
	p.cause = err.Error()
	p.lastFailed, p.lastFailure = p.now(), firstLine(p.cause)
}

// working says what the part is doing right now; the empty text says nothing.
func (p *part) working(doing string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing = doing
}

// report is the part's health for status.
func (p *part) report() api.Part {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := api.Part{Name: p.name, State: "ok", Doing: p.doing, Failure: p.cause, Failed: p.failed}
	switch {
	case p.failed >= amberAfter:
		out.State = "amber"
	case p.doing != "":
		out.State = "busy"
	}
	if !p.lastOK.IsZero() {
		out.LastOK = p.lastOK.Unix()
	}
	if !p.lastFailed.IsZero() {
		out.LastFailed, out.LastFailure = p.lastFailed.Unix(), p.lastFailure
	}
	return out
}
