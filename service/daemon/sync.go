package daemon

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"time"

	"dormouse/service/api"
	"dormouse/store/gitrepo"
	"dormouse/store/memory"
	"dormouse/sync/gitsync"
)

// syncGather is how long an exchange waits after a sleep, since sleeps may come one after the other.
const syncGather = 2 * time.Second

// firstSyncPause is the pause after a failed exchange; it doubles with each further one, up to the time between two exchanges.
const firstSyncPause = 30 * time.Second

// exchanger is the daemon's side of the exchange with other machines.
type exchanger struct {
	*gitsync.Syncer
	repo *gitrepo.Repo
	soon chan struct{} // something was learned
}

// openSync builds the exchange on the memory's repository. It reaches nothing.
func (d *Daemon) openSync(repo *gitrepo.Repo) {
	d.sync = exchanger{soon: make(chan struct{}, 1), repo: repo, Syncer: gitsync.New(gitsync.Options{
		Repo: repo, Machine: d.machine, Commit: d.ledger.Commit, Erasures: d.ledger.Erasures, Joined: d.takeIn, Now: d.p.Now,
		Connect:       func(url string) gitsync.Remote { return d.connect(repo, url) },
		ConnectSealed: func(sealed *gitrepo.Repo, url string) gitsync.Remote { return d.connect(sealed, url) },
		Keys:          filepath.Join(d.p.Home.Dir(), keysFile), Name: machineName(),
	})}
}

// takeIn reads the logs of other machines again and draws up what follows from them. It waits for a sleep that goes on, so
// that what counts as dealt with does not change below it.
func (d *Daemon) takeIn(ctx context.Context) (received int, err error) {
	d.asleep.Lock()
	defer d.asleep.Unlock()
	if received, err = d.ledger.Reload(); err != nil {
		return 0, err
	}
	if err := d.eraseFromIndex(); err != nil {
		return received, err
	}
	d.stale.Store(true)
	return received, d.drawUp(ctx)
}

// drawUp is project, unless nothing has changed since the last one. d.asleep is held.
func (d *Daemon) drawUp(ctx context.Context) error {
	if !d.stale.Load() {
		return nil
	}
	return d.project(ctx)
}

// followRemote exchanges when the service begins, after each sleep, and from time to time, as long as a remote is set, and never by
// itself over a network that costs by what is sent.
func (d *Daemon) followRemote(ctx context.Context) error {
	defer d.cargo.begin(ctx)()
	for {
		var err error
		if d.machineNow(ctx); !d.frugal() {
			_, err = d.exchange(ctx, d.exchangeAll(false))
			if url, _ := d.sync.Remote(); err == nil && url != "" && !d.contact.knows(url) {
				d.lookWhoReads(ctx, url)
			}
		}
		if errors.Is(err, gitsync.ErrOff) {
			err = nil
		}
		if !d.awaitSync(ctx, spread(d.pauseAfter(err), rand.Float64())) {
			return nil
		}
	}
}

// pauseAfter is the time until the next exchange, by how the last one went.
func (d *Daemon) pauseAfter(err error) time.Duration {
	every := time.Duration(d.p.Config.Sync.Every)
	if err == nil {
		return every
	}
	failed := d.contact.failures()
	pause := min(firstSyncPause<<min(max(failed-1, 0), 10), every)
	if errors.Is(err, gitrepo.ErrOffline) && failed > 1 { // said once: a laptop is offline half of its life
		return pause
	}
	d.p.Log.Warn("sync failed", "component", "sync", "error", err, "failures", failed, "next", pause)
	return pause
}

// spread draws a pause from nine to eleven tenths of it, so that machines which were switched on together do not always meet. by is
// from 0 to 1.
func spread(pause time.Duration, by float64) time.Duration {
	return time.Duration(float64(pause) * (0.9 + 0.2*by))
}

// awaitSync returns when the next exchange is due; false when ctx ended first.
func (d *Daemon) awaitSync(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	case <-d.sync.soon:
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(syncGather):
		return true
	}
}

// syncSoon asks for an exchange. It never blocks.
func (d *Daemon) syncSoon() {
	select {
	case d.sync.soon <- struct{}{}:
	default:
	}
}

// exchange makes one exchange by run, and keeps how it went for health and for those who follow.
func (d *Daemon) exchange(ctx context.Context, run func(context.Context) (gitsync.Result, error)) (gitsync.Result, error) {
	var res gitsync.Result
	url, err := d.sync.Remote()
	if err == nil && url != "" {
		err = d.tellOfMyself()
	}
	d.syncing.working("exchanging with the remote")
	if err == nil {
		res, err = run(ctx)
	}
	d.syncing.working("")
	err = d.goOnAsNew(err)
	switch {
	case err == nil && d.stale.Load(): // an earlier exchange brought something that could not be drawn up
		d.asleep.Lock()
		err = d.drawUp(ctx)
		d.asleep.Unlock()
	case errors.Is(err, gitsync.ErrOff), ctx.Err() != nil:
		return res, err
	}
	d.contact.note(err, d.p.Now())
	if errors.Is(err, gitrepo.ErrOffline) {
		d.publish("status", "sync")
		return res, err
	}
	if err != nil {
		d.syncing.failure(err)
		d.publish("status", "sync")
		return res, err
	}
	d.syncing.ok()
	d.publish("synced", "")
	return res, nil
}

func (d *Daemon) syncNow(ctx context.Context) (api.Synced, error) {
	return d.synced(ctx, d.exchangeAll(true))
}

// synced answers with what an exchange did.
func (d *Daemon) synced(ctx context.Context, run func(context.Context) (gitsync.Result, error)) (api.Synced, error) {
	res, err := d.exchange(ctx, run)
	if err != nil {
		return api.Synced{}, toSettle(err)
	}
	return api.Synced{Sync: d.syncState(), Received: res.Received, Sent: res.Sent}, nil
}

// syncProblems are the logs of other machines that were not taken.
func (d *Daemon) syncProblems() []string {
	list, err := d.sync.Asides()
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	for _, a := range list {
		out = append(out, a.String())
	}
	return out
}

// ownRuns are the runs of this machine: when it sleeps does not depend on when others did, nor on their clocks.
func (d *Daemon) ownRuns() []memory.Run {
	var out []memory.Run
	for _, r := range d.ledger.Runs() {
		if r.Machine == d.machine {
			out = append(out, r)
		}
	}
	return out
}

// nameIn is a project's name as the memory has it, so that every machine writes the same, whatever it calls the project
// itself; where the memory does not name it, this machine's name for it.
func (d *Daemon) nameIn(s *memory.State, projectID string) string {
	var best *memory.Entity
	for _, e := range s.EntityList() {
		if id, ok := e.Scope.Project(); !ok || id != projectID || e.Type != memory.TypeProject || e.Attrs["path"] == "" {
			continue
		}
		if best == nil || e.Provenance.Compare(best.Provenance) < 0 {
			best = e
		}
	}
	if best != nil && best.Name != "" {
		return best.Name
	}
	return d.projectName(projectID)
}
