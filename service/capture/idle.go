package capture

import (
	"context"
	"time"

	"dormouse/service/capture/transcript"
)

// CommitOpen commits the open turns of the sessions whose newest record is at least idle old: before they are distilled, and
// with idle 0 when the service ends. What they hold that was not read yet is read. Calls that still run are left to run.
func (e *Engine) CommitOpen(ctx context.Context, idle time.Duration) error {
	if err := e.walk(ctx); err != nil {
		return err
	}
	now := e.o.Now()
	ripe := map[sessionKey]bool{}
	e.mu.Lock()
	for key, updated := range e.open {
		if since := now.Sub(time.Unix(updated, 0)); since >= idle || since < 0 {
			ripe[key] = true
		}
	}
	e.mu.Unlock()
	if len(ripe) == 0 {
		return nil
	}
	jobs := e.plan(nil)
	var todo []job
	for _, j := range jobs {
		if ripe[j.key] {
			todo = append(todo, j)
		}
	}
	err := e.run(ctx, todo)
	if err == nil {
		err = e.readLibraries(ctx, nil, transcript.Quiet)
	}
	for key := range ripe {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if cerr := e.commitOpen(key); cerr != nil {
			e.trouble(key.agent, whereOf(key), cerr)
		}
	}
	e.saveStatus()
	return err
}

// commitOpen commits the open turn of a session as it is stored.
func (e *Engine) commitOpen(key sessionKey) error {
	defer e.locks.lock(key)()
	x, err := e.stored(key)
	if err != nil || x == nil {
		return err
	}
	return x.Begin(false).Close(true)
}
