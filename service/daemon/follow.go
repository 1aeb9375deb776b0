package daemon

import (
	"context"
	"fmt"
	"time"

	"dormouse/service/capture"
	"dormouse/service/recall"
	"dormouse/store/index"
	"dormouse/store/memory"
)

// gather is how long the index waits for more changes before it follows.
const gather = 500 * time.Millisecond

// sessionChanged is told by the session store of new nodes. It must not block.
func (d *Daemon) sessionChanged(id string) {
	if d.pending.add(id) {
		d.publish("session_updated", id)
	}
	select {
	case <-d.ready:
		d.senses.grew.Store(d.p.Now().UnixMilli())
	default: // catching up
	}
	d.shadowChanged(id)
	if d.keeper != nil {
		d.keeper.changed(id)
	}
	if d.titles != nil {
		d.titles.Notice(id)
	}
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// followChanges keeps the index up to date with the sessions until ctx ends. What an earlier round left undone comes first.
func (d *Daemon) followChanges(ctx context.Context) error {
	for {
		if d.pending.size() == 0 && !d.behind.Load() {
			select {
			case <-ctx.Done():
				return nil
			case <-d.wake:
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(gather):
		}
		ids := d.pending.take()
		if d.behind.Load() {
			ids = nil
		}
		if err := d.indexSessions(ctx, ids); err != nil {
			return err
		}
	}
}

// indexSessions indexes the named sessions, or all for nil. Those that could not be indexed wait for the next round.
func (d *Daemon) indexSessions(ctx context.Context, ids []string) error {
	d.indexing.working("indexing sessions")
	defer d.indexing.working("")
	d.filling.Lock()
	failed, err := d.indexer.Sync(ctx, ids)
	d.filling.Unlock()
	for _, f := range failed {
		d.p.Log.Warn("session is not indexed", "component", "index", "session", f.Session, "error", f.Err)
	}
	if err != nil {
		if ids == nil {
			d.behind.Store(true)
		}
		for _, id := range ids {
			d.pending.add(id)
		}
		return fmt.Errorf("index sessions: %w", err)
	}
	if ids == nil {
		d.behind.Store(false)
		if err := d.index.Area(rebuildArea).Delete("text"); err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		for _, f := range failed {
			d.pending.add(f.Session)
		}
		return fmt.Errorf("%d sessions are not indexed, the first is %s: %w", len(failed), failed[0].Session, failed[0].Err)
	}
	d.indexing.ok()
	d.wakeVectors()
	return nil
}

// indexRecords makes the index hold the records of the memory as it is now.
func (d *Daemon) indexRecords(ctx context.Context) error {
	var docs []index.Doc
	var guide *recall.Guide
	d.served(func(s *memory.State) { docs, guide = recall.DocsFromState(s), recall.NewGuide(s) })
	defer d.wakeVectors()
	err := d.indexer.Records(ctx, docs)
	d.searcher.SetGuide(guide)
	return err
}

// captured passes the progress of the first scan on.
func (d *Daemon) captured(p capture.Progress) {
	select {
	case <-d.ready:
	default:
		d.scanning.Store(&p)
		d.p.Report(Report{Stage: StageCapture, Capture: p})
	}
}

// firstPass catches up: what the agents wrote while the service was off is captured, indexed, and, where a session went
// idle, distilled. What fails is tried again by the parts; the pass itself always ends.
func (d *Daemon) firstPass(ctx context.Context) {
	d.step(ctx, d.capturing, func(ctx context.Context) error {
		d.capturing.working("looking through the agents' folders")
		defer d.capturing.working("")
		defer d.scanning.Store(nil)
		if err := d.engine.Scan(ctx); err != nil {
			return err
		}
		d.capturing.ok()
		return nil
	})
	d.pending.take()
	d.indexer.Progress = func(done, total int, _ string) {
		d.fitMemory()
		d.p.Report(Report{Stage: StageIndex, Done: done, Total: total})
	}
	d.step(ctx, d.indexing, func(ctx context.Context) error { return d.indexSessions(ctx, nil) })
	d.indexer.Progress = func(int, int, string) { d.fitMemory() }
	var run memory.Run
	d.step(ctx, d.sleeping, func(ctx context.Context) (err error) {
		run, err = d.firstSleep(ctx)
		return err
	})
	if ctx.Err() == nil {
		d.p.Report(Report{Stage: StageReady, Run: run})
	}
}

// step does one step of the first pass. Its failure, also a panic, is noted at the part that will try again.
func (d *Daemon) step(ctx context.Context, of *part, do func(context.Context) error) {
	if err := guard(ctx, do); err != nil && ctx.Err() == nil {
		of.failure(err)
		d.p.Log.Error("part failed", "component", of.name, "error", err)
	}
}
