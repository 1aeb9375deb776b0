package daemon

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"dormouse/service/api"
	"dormouse/store/memory"
	"dormouse/store/session"
)

const (
	keepEvery = time.Minute
	// listEvery is how often the list of sessions is kept for the next start, which a kill may make the one after this.
	listEvery = 30 * time.Minute
	// thawedFor is how long a session's files stay that were written out for somebody.
	thawedFor = 24 * time.Hour
	// grownBy is how many nodes a session that is going on has to have more before it is weighed again.
	grownBy = 64
	// restShare is how many times as long as a session took nothing is done after it, so that packing takes a fifth of a CPU at most.
	restShare = 4
	longRest  = 5 * time.Second
)

// keeper packs the sessions that nobody works with, one after the other, and moves those of bound projects into their folders.
type keeper struct {
	sessions *session.Store
	idle     time.Duration
	now      func() time.Time

	rounds  sync.Mutex // one round at a time: what one has seen is forgotten by no other
	mu      sync.Mutex
	weights map[string]weighed
	touched map[string]bool // since they were weighed
	figures api.Packing
	listed  time.Time // when the list was kept last
}

// weighed is a session's weight when it had so many nodes.
type weighed struct {
	nodes int
	done  bool // it was packed, or need not be
	session.Weight
}

func newKeeper(sessions *session.Store, idle time.Duration, now func() time.Time) *keeper {
	return &keeper{sessions: sessions, idle: idle, now: now, weights: map[string]weighed{}, touched: map[string]bool{}}
}

// keep packs sessions until ctx ends.
func (d *Daemon) keep(ctx context.Context) error {
	for {
		err := d.keeper.round(ctx, d.packing.working)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			d.packing.failure(err)
			d.p.Log.Warn("sessions are not packed", "component", "packing", "error", err)
		default:
			d.packing.ok()
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(keepEvery):
		}
	}
}

// round looks at all sessions once and packs what is due, a little at a time.
func (k *keeper) round(ctx context.Context, doing func(string)) error {
	return k.roundBy(ctx, doing, func(ctx context.Context, took time.Duration) error {
		restFor(ctx, min(restShare*took, longRest))
		return nil
	})
}

// roundBy is round with a pause of the caller's after each session, whose error ends the round. A session that cannot be packed keeps
// the others from nothing.
func (k *keeper) roundBy(ctx context.Context, doing func(string), rest func(ctx context.Context, took time.Duration) error) error {
	k.rounds.Lock()
	defer k.rounds.Unlock()
	defer doing("")
	errs := []error{k.sessions.SweepMoved(), k.sessions.Note()}
	all, _, err := k.sessions.List()
	if err != nil {
		return err
	}
	if now := k.now(); now.Sub(k.listed).Abs() >= listEvery {
		k.listed = now
		errs = append(errs, k.sessions.KeepList())
	}
	var due []memory.Session
	for _, m := range all {
		if k.due(m) {
			due = append(due, m)
		}
	}
	for i, m := range due {
		k.waiting(len(due) - i)
		if ctx.Err() != nil {
			return nil
		}
		began := time.Now()
		doing("packing session " + m.ID)
		errs = append(errs, k.one(m))
		if err := rest(ctx, time.Since(began)); err != nil {
			k.waiting(len(due) - i - 1)
			return err
		}
	}
	k.waiting(0)
	k.forget(all)
	return errors.Join(errs...)
}

// due reports whether a session has to be looked at. While it is going on, that is only when it has grown much.
func (k *keeper) due(m memory.Session) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	w, known := k.weights[m.ID]
	if k.isIdle(m) {
		return !known || w.nodes != m.Nodes || !w.done || k.touched[m.ID] || k.sessions.Misplaced(m)
	}
	return m.Nodes-w.nodes >= grownBy
}

func (k *keeper) isIdle(m memory.Session) bool {
	now := k.now()
	return now.Sub(k.sessions.GrewAt(m, now)) >= k.idle
}

// one packs a session if it is to be packed, and moves it if it belongs elsewhere.
func (k *keeper) one(m memory.Session) error {
	k.mu.Lock()
	delete(k.touched, m.ID)
	k.mu.Unlock()
	x, err := k.sessions.Open(m.ID)
	if errors.Is(err, session.ErrNotFound) || errors.Is(err, session.ErrUnreachable) {
		return nil
	}
	if err != nil {
		return err
	}
	before, err := x.Weigh()
	if err == nil && before.Stale > 0 {
		if err = x.Sweep(); err == nil {
			before, err = x.Weigh()
		}
	}
	if err != nil {
		return err
	}
	if before.Packs == 0 && before.Loose == 0 && m.Nodes > 0 {
		_ = x.Len() // its repository was moved away: meta.json follows, by which capture knows that the transcript is to be read again
	}
	after, idle := before, k.isIdle(m)
	thawed := k.now().Sub(x.Thawed()) < thawedFor
	if !thawed && !before.Cold() && (idle || before.Full()) {
		if err = x.Compact(); err == nil {
			after, err = x.Weigh()
		}
	}
	moved := false
	if err == nil && idle {
		moved, err = k.sessions.Settle(m.ID)
	}
	k.note(m, before, after, weighed{nodes: m.Nodes, done: !thawed, Weight: after}, moved)
	if err != nil {
		return fmt.Errorf("pack session %s: %w", m.ID, err)
	}
	return nil
}

func (k *keeper) note(m memory.Session, before, after session.Weight, w weighed, moved bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.weights[m.ID] = w
	if before != after {
		k.figures.Packed++
		k.figures.Freed += before.Bytes - after.Bytes
		k.figures.At = k.now().Unix()
	}
	if moved {
		k.figures.Moved++
	}
}

// changed notes that a session got something, such as an image of a node that it had before.
func (k *keeper) changed(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.touched[id] = true
}

// thawed has a session packed again when its time is over.
func (k *keeper) thawed(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.weights, id)
}

// forget drops what is known of sessions that are gone.
func (k *keeper) forget(all []memory.Session) {
	there := map[string]bool{}
	for _, m := range all {
		there[m.ID] = true
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for id := range k.weights {
		if !there[id] {
			delete(k.weights, id)
		}
	}
	for id := range k.touched {
		if !there[id] {
			delete(k.touched, id)
		}
	}
}

func (k *keeper) waiting(n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.figures.Waiting = n
}

// report is what packing did since the service began, and what the sessions take.
func (k *keeper) report() api.Packing {
	k.mu.Lock()
	defer k.mu.Unlock()
	out := k.figures
	for _, w := range k.weights {
		out.Files += w.Files
		out.Bytes += w.Bytes
		if w.Cold() {
			out.Cold++
		}
	}
	return out
}

// restFor waits, unless ctx ends.
func restFor(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
