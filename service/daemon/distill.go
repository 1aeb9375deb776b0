package daemon

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"dormouse/service/distill"
	"dormouse/service/recall"
	"dormouse/service/sleep"
	"dormouse/store/memory"
)

// look says what waits for sleep. Before that it draws up what an earlier round could not.
func (d *Daemon) look(ctx context.Context) (sleep.Input, error) {
	d.keepHealth(false)
	if err := d.projectAgain(ctx); err != nil {
		return sleep.Input{}, err
	}
	all, _, err := d.sessions.List()
	if err != nil {
		return sleep.Input{}, fmt.Errorf("see what waits for sleep: %w", err)
	}
	now := d.p.Now()
	in := sleep.Input{Night: d.nights.slept(d.ownRuns(), now, d.settings())}
	_, due := sleep.Due(now, in.Night, d.settings())
	if in.Wanted, err = d.nights.wanted(due, now); err != nil {
		return sleep.Input{}, err
	}
	unpaid := d.frugal() && d.paid()
	for _, s := range all {
		grew := d.sessions.GrewAt(s, now)
		if grew.After(in.Newest) {
			in.Newest = grew
		}
		if !d.distilled(s) && !unpaid && !(d.modelled() && d.language.held(s, d.nightOf(now))) {
			in.Sessions = append(in.Sessions, sleep.Waiting{ID: s.ID, Grew: grew})
		}
	}
	return in, nil
}

// sleepOn carries out what the loop decided.
func (d *Daemon) sleepOn(ctx context.Context, dec sleep.Decision, g *sleep.Gate) (err error) {
	if dec.Action == sleep.Deep {
		_, err = d.sleepThrough(ctx, dec, g.Pass)
	} else {
		_, err = d.sleep(ctx, string(dec.Action), dec.Sessions, time.Duration(d.p.Config.Sleep.IdleAfter))
	}
	if capped(err) {
		return nil // as it is meant to be; the rest waits for the next night, and status says so
	}
	return err
}

// firstSleep distils the idle sessions among those that wait when the service begins, and makes sure that what follows from
// the log is there.
func (d *Daemon) firstSleep(ctx context.Context) (memory.Run, error) {
	in, err := d.look(ctx)
	if err != nil {
		return memory.Run{}, err
	}
	in.Now = d.p.Now()
	dec := sleep.Decide(in, d.settings())
	var run memory.Run
	if len(dec.Sessions) > 0 && !d.modelled() { // a model takes its time; the loop begins with it in a moment
		if run, err = d.sleep(ctx, string(sleep.Light), dec.Sessions, time.Duration(d.p.Config.Sleep.IdleAfter)); err != nil {
			return run, err
		}
	}
	if run.Counts.Nodes > 0 {
		return run, nil
	}
	// Nothing new, but the index may be a new one, or files may have been lost.
	return run, d.project(ctx)
}

// sleep distils sessions, or all for nil, and draws up anew what follows from the log. Open turns of sessions that are idle
// for the given time are closed first.
func (d *Daemon) sleep(ctx context.Context, kind string, ids []string, idle time.Duration) (memory.Run, error) {
	d.publish("sleep_started", "")
	defer d.publish("sleep_ended", "")
	defer d.syncSoon()
	run, err := d.learn(ctx, learning{kind: kind, ids: ids, idle: idle, began: d.p.Now()})
	if err == nil {
		d.sleeping.ok()
	}
	return run, err
}

// learning is what a sleep takes in.
type learning struct {
	kind string
	ids  []string                    // of the sessions; nil is all
	idle time.Duration               // after which an open turn is closed
	pass func(context.Context) error // between two units; may be nil
	// began is when the sleep did that this belongs to.
	began time.Time
	part  bool // of a whole sleep, which does the rest itself
}

// learn distils. One does at a time.
func (d *Daemon) learn(ctx context.Context, l learning) (memory.Run, error) {
	d.asleep.Lock()
	defer d.asleep.Unlock()
	d.sleeping.working("distilling")
	defer d.sleeping.working("")
	if err := d.index.Room(); err != nil {
		return memory.Run{}, fmt.Errorf("sleep is paused: %w", err)
	}
	if err := d.engine.CommitOpen(ctx, l.idle); err != nil {
		return memory.Run{}, err
	}
	before, err := d.waitingNodes(l.ids)
	if err != nil {
		return memory.Run{}, err
	}
	dist := d.distiller(ctx, l.pass, l.began.Unix())
	read := dist.Run
	if l.part {
		read = dist.Read
	}
	res, err := read(ctx, l.ids, l.kind)
	if l.part && res.Counts.Nodes > 0 {
		d.stale.Store(true) // whatever comes between, it is drawn up
	}
	if err != nil {
		return memory.Run{}, err
	}
	if d.modelled() {
		d.language.slept(res, before, d.nightOf(l.began))
	}
	if err := d.remember(before, res); err != nil {
		return memory.Run{}, err
	}
	run := memory.Run{Kind: l.kind, Started: l.began.Unix(), Ended: d.p.Now().Unix(), Extractor: d.extractor(),
		PolicyVersion: memory.PolicyVersion, Counts: res.Counts, Machine: d.machine,
		Model: res.Model, InputTokens: res.InputTokens, OutputTokens: res.OutputTokens, CostMicros: res.CostMicros}
	return run, left(res)
}

// left is why a run did not deal with everything.
func left(res distill.Result) error {
	switch {
	case res.Ended != nil:
		return res.Ended
	case res.Stopped != nil:
		return fmt.Errorf("%d sessions wait for the next sleep: %w", len(res.Failed)+len(res.Left), res.Stopped)
	case len(res.Failed) > 0:
		f := res.Failed[0]
		return fmt.Errorf("%d sessions could not be distilled and wait for the next sleep; the first is %s: %w", len(res.Failed), f.Session, f.Err)
	}
	return nil
}

// noteQuietNight writes a deep sleep that found nothing new into the log, so that it is not due again before the next night.
func (d *Daemon) noteQuietNight(began time.Time) error {
	return d.ledger.Append(nil, memory.Run{Kind: string(sleep.Deep), Started: began.Unix(), Ended: d.p.Now().Unix(),
		Extractor: d.extractor(), PolicyVersion: memory.PolicyVersion})
}

// waitingNodes is the number of nodes of each of the sessions, or of all for nil, before they are distilled.
func (d *Daemon) waitingNodes(ids []string) (map[string]int, error) {
	all, _, err := d.sessions.List()
	if err != nil {
		return nil, fmt.Errorf("list the sessions to distil: %w", err)
	}
	out := map[string]int{}
	for _, s := range all {
		if ids == nil || slices.Contains(ids, s.ID) {
			out[s.ID] = s.Nodes
		}
	}
	return out, nil
}

// remember notes how far the sessions were distilled.
func (d *Daemon) remember(nodes map[string]int, res distill.Result) error {
	for _, f := range res.Failed {
		delete(nodes, f.Session)
	}
	for _, id := range res.Left {
		delete(nodes, id)
	}
	for id, n := range nodes {
		if err := d.dealt.note(id, n); err != nil {
			return err
		}
	}
	return nil
}

// distiller reads by what the settings name. between is passed between two units of its work, and may be nil.
func (d *Daemon) distiller(ctx context.Context, between func(context.Context) error, began int64) *distill.Distiller {
	return distill.New(d.distilling(ctx, between, began))
}

// distillerByRules asks no model.
func (d *Daemon) distillerByRules(ctx context.Context, between func(context.Context) error, began int64) *distill.Distiller {
	o := d.distilling(ctx, between, began)
	o.Model = nil
	return distill.New(o)
}

func (d *Daemon) distilling(ctx context.Context, between func(context.Context) error, began int64) distill.Options {
	return distill.Options{
		Sessions: distill.Store{Sessions: d.sessions},
		Log:      d.ledger,
		ProjectOf: func(s memory.Session) distill.Project {
			return distill.Project{ID: s.ProjectID, Name: d.filedUnder(s.ProjectID), Root: d.projectPath(s)}
		},
		After:   []func() error{func() error { return d.project(ctx) }},
		Between: between,
		Progress: func(done, total int, _ string) {
			d.report(Report{Stage: StageDistill, Done: done, Total: total})
		},
		Now:     d.p.Now,
		Started: began,
		Model:   d.reading(),
	}
}

// report passes the progress of the first pass on.
func (d *Daemon) report(r Report) {
	select {
	case <-d.ready:
	default:
		d.p.Report(r)
	}
}

// project draws up what follows from the log: the published files, every core.md, and the index of records.
func (d *Daemon) project(ctx context.Context) (err error) {
	defer func() { d.remembering.noted(ctx, err) }()
	ruled := d.ruled.Load()
	d.stale.Store(true)
	d.ledger.Reassess()
	if err := d.withhold(); err != nil {
		return fmt.Errorf("take what is private out of the index: %w", err)
	}
	if _, err := d.ledger.Render(); err != nil {
		return fmt.Errorf("render the memory: %w", err)
	}
	if err := d.publishCores(); err != nil {
		return err
	}
	if err := d.indexRecords(ctx); err != nil {
		return fmt.Errorf("index the memory: %w", err)
	}
	d.stale.Store(d.ruled.Load() != ruled) // what the person decided meanwhile is drawn up in the next round
	return nil
}

// projectAgain is project where the last time failed.
func (d *Daemon) projectAgain(ctx context.Context) error {
	d.asleep.Lock()
	defer d.asleep.Unlock()
	if !d.stale.Load() {
		return nil
	}
	return d.project(ctx)
}

// publishCores writes core.md and core/<project>.md.
func (d *Daemon) publishCores() error {
	infos := map[string]recall.CoreInfo{"core.md": {Now: d.p.Now().Unix()}}
	text := map[string]string{}
	d.served(func(s *memory.State) {
		for _, id := range projectsOf(s) {
			infos["core/"+id+".md"] = d.coreInfo(s, id)
		}
		for name, info := range infos {
			text[name] = recall.Core(s, info)
		}
	})
	var errs []error
	for name, t := range text {
		_, err := d.ledger.Publish(name, []byte(t))
		errs = append(errs, err)
	}
	_, err := d.ledger.Withdraw("core", ".md", slices.Collect(maps.Keys(text)))
	return errors.Join(append(errs, err)...)
}

func (d *Daemon) coreInfo(s *memory.State, projectID string) recall.CoreInfo {
	return recall.CoreInfo{Project: projectID, Name: d.nameIn(s, projectID), Now: d.p.Now().Unix()}
}

// projectsOf lists the projects that have a record, sorted.
func projectsOf(s *memory.State) []string {
	var out []string
	for r := range s.Records() {
		if id, ok := r.InScope().Project(); ok {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
