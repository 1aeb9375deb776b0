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
	case d.wake <- struct{}{}:
	default:
	}
}

// followChanges keeps the index up to date with the sessions until ctx ends.
func (d *Daemon) followChanges(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-d.wake:
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(gather):
		}
		if err := d.indexSessions(ctx, d.pending.take()); err != nil {
			return err
		}
	}
}

// indexSessions indexes the named sessions, or all for nil.
func (d *Daemon) indexSessions(ctx context.Context, ids []string) error {
	d.indexing.working("indexing sessions")
	defer d.indexing.working("")
	failed, err := d.indexer.Sync(ctx, ids)
	for _, f := range failed {
		d.p.Log.Warn("session is not indexed", "component", "index", "session", f.Session, "error", f.Err)
	}
	if err != nil {
		for _, id := range ids {
			d.pending.add(id)
		}
		return fmt.Errorf("index sessions: %w", err)
	}
	if len(failed) > 0 {
		d.indexing.failure(fmt.Errorf("%d sessions are not indexed, the first is %s: %w", len(failed), failed[0].Session, failed[0].Err))
		return nil
	}
	d.indexing.ok()
	return nil
}

// indexRecords makes the index hold the records of the memory as it is now.
func (d *Daemon) indexRecords(ctx context.Context) error {
	var docs []index.Doc
	d.ledger.Read(func(s *memory.State) { docs = recall.DocsFromState(s) })
	return d.indexer.Records(ctx, docs)
}

// captured passes the progress of the first scan on.
func (d *Daemon) captured(p capture.Progress) {
	select {
	case <-d.ready:
	default:
		d.p.Report(Report{Stage: StageCapture, Capture: p})
	}
}

// firstPass catches up: what the agents wrote while the service was off is captured, indexed, and, where a session went
// idle, distilled. What fails is tried again by the parts; the pass itself always ends.
func (d *Daemon) firstPass(ctx context.Context) {
	d.capturing.working("looking through the agents' folders")
	if err := d.engine.Scan(ctx); err != nil && ctx.Err() == nil {
		d.capturing.failure(err)
	} else {
		d.capturing.ok()
	}
	d.capturing.working("")
	d.pending.take()
	d.indexer.Progress = func(done, total int, _ string) { d.p.Report(Report{Stage: StageIndex, Done: done, Total: total}) }
	if err := d.indexSessions(ctx, nil); err != nil && ctx.Err() == nil {
		d.indexing.failure(err)
	}
	d.indexer.Progress = nil
	run, err := d.firstSleep(ctx)
	if err != nil && ctx.Err() == nil {
		d.sleeping.failure(err)
	}
	d.p.Report(Report{Stage: StageReady, Run: run})
}
