package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"dormouse/service/redact"
	"dormouse/store/memory"
	"dormouse/store/project"
	"dormouse/store/project/shadow"
	"dormouse/store/session"
)

const (
	// shadowArea is the area of the index in which is kept how far sessions are in their projects' shadow histories.
	shadowArea = "shadow"
	// shadowGather is how long is waited for more nodes of a session before its edits are recorded.
	shadowGather = time.Second
	// shadowIdle is after how long without edits the repositories are packed.
	shadowIdle = 5 * time.Minute
	// manyPacks is how many packs a repository may have until it is packed all the same.
	manyPacks = 50
)

// shadows is the keeping of the files that agents edit.
type shadows struct {
	store *shadow.Store
	// live sessions got nodes just now; older ones wait for a quiet moment.
	live, older pending
	wake        chan struct{}
	packable    map[string]bool // projects; of the goroutine that records
	unknown     atomic.Int64
}

func (d *Daemon) openShadow(r *redact.Redactor) {
	c := d.p.Config.Shadow
	d.shadow = &shadows{wake: make(chan struct{}, 1), packable: map[string]bool{}}
	d.shadow.store = shadow.New(shadow.Options{
		Dir: filepath.Join(d.p.Home.Projects(), "shadow"), Exclude: c.Exclude, MaxFile: c.MaxFile,
		Secret: func(text string) (bool, error) {
			_, found, err := r.Text(text)
			return found > 0, err
		},
	})
}

// nudge lets the recorder look.
func (s *shadows) nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// shadowChanged notes that a session got nodes. It must not block.
func (d *Daemon) shadowChanged(id string) {
	if d.p.Config.Shadow.Enabled {
		d.shadow.live.add(id)
		d.shadow.nudge()
	}
}

// followShadow records what agents edited until ctx ends: first what they edit now, then what older sessions hold, a session at a
// time and never for more than half of the time, and packs what has come to rest.
func (d *Daemon) followShadow(ctx context.Context) error {
	if !d.p.Config.Shadow.Enabled {
		<-ctx.Done()
		return nil
	}
	if err := d.shadowAll(""); err != nil {
		return err
	}
	if list, err := d.projects.List(); err == nil {
		for _, p := range list {
			if p.Shadowed() {
				d.shadow.packable[p.ID] = true
			}
		}
	}
	idle := time.NewTimer(shadowIdle)
	defer idle.Stop()
	for {
		if d.shadow.live.size() == 0 && d.shadow.older.size() == 0 {
			select {
			case <-ctx.Done():
				return nil
			case <-idle.C:
				if err := d.packShadows(1); err != nil {
					return err
				}
				continue
			case <-d.shadow.wake:
			}
		}
		if !pauseFor(ctx, shadowGather) {
			return nil
		}
		if err := d.shadowRound(ctx); err != nil {
			return err
		}
		idle.Reset(shadowIdle)
		d.shadowing.ok()
	}
}

// pauseFor waits; it is false when ctx ended meanwhile.
func pauseFor(ctx context.Context, long time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(long):
		return true
	}
}

// shadowRound records the sessions that got nodes, or else older ones until there are such. What fails is recorded later.
func (d *Daemon) shadowRound(ctx context.Context) error {
	defer d.shadowing.working("")
	live := d.shadow.live.take()
	var errs []error
	for _, id := range live {
		errs = append(errs, d.shadowOne(ctx, &d.shadow.live, id))
	}
	older := d.shadow.older.take()
	for i, id := range older {
		if ctx.Err() != nil || d.shadow.live.size() > 0 {
			for _, rest := range older[i:] {
				d.shadow.older.add(rest)
			}
			break
		}
		d.shadowing.working(fmt.Sprintf("recording what %d older sessions edited", len(older)-i))
		began := time.Now()
		errs = append(errs, d.shadowOne(ctx, &d.shadow.older, id))
		pauseFor(ctx, time.Since(began)) // others have the machine for half of the time
	}
	errs = append(errs, d.packShadows(manyPacks))
	if ctx.Err() != nil {
		return nil
	}
	return errors.Join(errs...)
}

// shadowOne records one session where its project is kept. One that cannot be recorded goes back to those that wait.
func (d *Daemon) shadowOne(ctx context.Context, back *pending, id string) error {
	x, err := d.sessions.Open(id)
	if errors.Is(err, session.ErrNotFound) {
		return nil
	}
	if err == nil {
		err = d.recordShadow(ctx, x)
	}
	if err != nil {
		back.add(id)
		return fmt.Errorf("shadow history of session %s: %w", id, err)
	}
	return nil
}

func (d *Daemon) recordShadow(ctx context.Context, x *session.Session) error {
	m := x.Meta()
	p, err := d.projects.Get(m.ProjectID)
	if errors.Is(err, project.ErrNotFound) || err == nil && !p.Shadowed() {
		return nil
	}
	if err != nil {
		return err
	}
	cursors := d.index.Area(shadowArea)
	if had, _, err := cursors.Get(m.ID); err != nil || d.shadowDone(m, string(had)) {
		return err
	}
	roots := append([]string{p.Path}, p.Roots...)
	got, err := d.shadow.store.Record(ctx, shadow.Session{ID: m.ID, Agent: m.Agent, Cwd: m.Cwd, ProjectID: p.ID, Roots: roots, History: x})
	if err != nil {
		return err
	}
	d.shadow.unknown.Add(int64(got.Unknown))
	if got.Turns > 0 {
		d.shadow.packable[p.ID] = true
		d.publish("shadow", m.ID)
	}
	return cursors.Put(m.ID, []byte(shadowCursor(m, got.Turns+got.Kept > 0)))
}

// shadowCursor is what a session's recorded state is known by.
func shadowCursor(m memory.Session, edited bool) string {
	return fmt.Sprintf("%d %s %s %t", m.Nodes, m.ProjectID, shadow.Rules, edited)
}

// shadowDone reports whether a session with this cursor is recorded: nothing new is in it, and what it edited was not deleted.
func (d *Daemon) shadowDone(m memory.Session, cursor string) bool {
	if cursor == shadowCursor(m, true) {
		_, err := os.Stat(d.shadow.store.Dir(m.ProjectID))
		return err == nil
	}
	return cursor == shadowCursor(m, false)
}

// shadowAll lets the sessions of a project, or of all for "", be recorded as far as they are not.
func (d *Daemon) shadowAll(projectID string) error {
	if !d.p.Config.Shadow.Enabled {
		return nil
	}
	all, _, err := d.sessions.List()
	if err != nil {
		return err
	}
	cursors := d.index.Area(shadowArea)
	kept := map[string]bool{}
	list, err := d.projects.List()
	if err != nil {
		return nil //nolint:nilerr // status tells of a registry that cannot be read
	}
	for _, p := range list {
		kept[p.ID] = p.Shadowed() && (projectID == "" || p.ID == projectID)
	}
	for _, m := range all {
		if had, _, err := cursors.Get(m.ID); kept[m.ProjectID] && (err != nil || !d.shadowDone(m, string(had))) {
			d.shadow.older.add(m.ID)
		}
	}
	d.shadow.nudge()
	return nil
}

// forgetShadow removes what is kept of the files that a deleted session edited.
func (d *Daemon) forgetShadow(m memory.Session) error {
	if m.ProjectID == "" {
		return nil
	}
	if err := d.shadow.store.Forget(m.ProjectID, m.ID); err != nil {
		return fmt.Errorf("session %s is deleted, but not the files that it edited: %w", m.ID, err)
	}
	return d.index.Area(shadowArea).Put(m.ID, nil)
}

// packShadows packs the repositories that were written to and have more than so many packs.
func (d *Daemon) packShadows(packs int) error {
	for id := range d.shadow.packable {
		did, err := d.shadow.store.Pack(id, packs)
		if err != nil {
			return fmt.Errorf("pack the shadow history of project %s: %w", id, err)
		}
		if did || packs <= 1 {
			delete(d.shadow.packable, id)
		}
	}
	return nil
}
