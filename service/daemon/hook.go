package daemon

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"

	"dormouse/service/api"
	"dormouse/service/capture"
	"dormouse/service/spool"
)

const (
	// waitingHooks is how many reports wait to be dealt with. More are dropped: the transcripts are read anyway.
	waitingHooks = 256
	// settleHook is how long the agent gets to write what its hook told of: it writes in the background.
	settleHook = time.Second
	// spoolEvery is how often it is looked for reports that could not be delivered.
	spoolEvery = 10 * time.Second
)

// hookKind is what a hook's event means, whatever its agent calls it.
type hookKind int

const (
	otherHook hookKind = iota
	toolHook
	compactHook
	endHook
)

// hookKinds are the agents' names of events, in small letters without marks.
var hookKinds = map[string]hookKind{
	"pretooluse": toolHook, "posttooluse": toolHook, "posttoolusefailure": toolHook, "beforetool": toolHook, "aftertool": toolHook,
	"beforemodel": toolHook, "aftermodel": toolHook, "beforetoolselection": toolHook, "permissionrequest": toolHook,
	"precompact": compactHook, "precompress": compactHook,
	"sessionend": endHook,
}

func kindOfHook(event string) hookKind {
	return hookKinds[strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, event)]
}

// hooks is what the agents' hooks tell.
type hooks struct {
	queue chan spool.Report
	turns chan turnHook
	dir   string // of the spool
	mu    sync.Mutex
	count api.Hooks
}

func newHooks(run string) *hooks {
	return &hooks{queue: make(chan spool.Report, waitingHooks), turns: make(chan turnHook, waitingHooks), dir: filepath.Join(run, "spool")}
}

func (h *hooks) counts() api.Hooks {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.count
}

func (h *hooks) note(change func(*api.Hooks)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change(&h.count)
}

// hook takes a hook's report and gives what the agent is to be told. It returns at once, because an agent waits.
func (d *Daemon) hook(ctx context.Context, h api.Hook) ([]byte, error) {
	now := d.p.Now()
	d.senses.noticeHook(h.Event, now)
	r := spool.Of(h.Agent, h.Event, h.Payload, now.UnixMilli())
	if !d.isExcluded(r.Cwd) {
		d.seeBefore(h)
		d.tellTurn(r, h.Payload)
	}
	select {
	case d.hooks.queue <- r:
		d.hooks.note(func(c *api.Hooks) { c.Heard++; c.LastAt = now.Unix() })
	default:
		d.hooks.note(func(c *api.Hooks) { c.Dropped++ })
	}
	if !h.Inject {
		return nil, nil
	}
	return d.inject(ctx, r, h.Payload), nil
}

// followHooks deals with what hooks tell until ctx ends.
func (d *Daemon) followHooks(ctx context.Context) error {
	var turns sync.WaitGroup
	defer turns.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	turns.Go(func() { d.followTurns(ctx) })
	due := map[capture.Heard]time.Time{}
	var next <-chan time.Time // while something is due
	look := time.NewTicker(spoolEvery)
	defer look.Stop()
	if err := d.takeSpool(due); err != nil {
		return err
	}
	for {
		if next == nil && len(due) > 0 {
			next = time.After(settleHook)
		}
		select {
		case <-ctx.Done():
			return nil
		case r := <-d.hooks.queue:
			d.heard(ctx, r, due)
		case <-look.C:
			if err := d.takeSpool(due); err != nil {
				return err
			}
		case <-next:
			next = nil
			d.readDue(ctx, due)
		}
		d.hearing.ok()
	}
}

// takeSpool makes due what could not be delivered.
func (d *Daemon) takeSpool(due map[capture.Heard]time.Time) error {
	n, err := spool.Take(d.hooks.dir, func(r spool.Report) error {
		due[heardOf(r)] = time.Time{}
		return nil
	})
	d.hooks.note(func(c *api.Hooks) { c.Spooled += n })
	return err
}

// heard deals with one report: before a compaction the session is read at once, a tool's call is left to the transcript, and
// everything else is read when the agent has had the time to write it.
func (d *Daemon) heard(ctx context.Context, r spool.Report, due map[capture.Heard]time.Time) {
	switch kindOfHook(r.Event) {
	case toolHook:
	case compactHook:
		d.engine.Hear(ctx, heardOf(r))
	default:
		due[heardOf(r)] = time.Now().Add(settleHook)
	}
}

func heardOf(r spool.Report) capture.Heard {
	return capture.Heard{Agent: r.Agent, Path: r.Transcript, Session: r.Session, Over: kindOfHook(r.Event) == endHook && !r.Child}
}

// readDue reads the sessions whose time has come.
func (d *Daemon) readDue(ctx context.Context, due map[capture.Heard]time.Time) {
	now := time.Now()
	for h, at := range due {
		if ctx.Err() == nil && !at.After(now) {
			d.engine.Hear(ctx, h)
			delete(due, h)
		}
	}
}
