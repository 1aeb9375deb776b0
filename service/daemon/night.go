package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"dormouse/service/api"
	"dormouse/service/recall"
	"dormouse/service/sleep"
	"dormouse/store/memory"
	"dormouse/sync/gitsync"
)

// manual is the kind of a sleep that somebody asked for.
const manual = "manual"

// bigLog is from which size on the log begins anew in a night, in bytes.
const bigLog = 1 << 20

// night is a whole sleep under way.
type night struct {
	api.Night
	pass    func(context.Context) error // between two units of work
	metered bool
}

// stage is one step of a night.
type stage struct {
	name string
	// run says what it did, in words for people. Reading the sessions and drawing up the memory are the sleep itself: when they fail,
	// it has failed; the rest is housekeeping, whose failures stand in the report.
	run    func(context.Context, *night) (note string, err error)
	itself bool
}

// stages are the steps of a night, in order. Linking and reconciling are done session by session in the first: each session is held
// against all that was there before it. What counts less with time does so when the core is drawn up, in the third.
func (d *Daemon) stages() []stage {
	return []stage{
		{"backlog", d.readBacklog, true}, {"tags", d.tendTags, true}, {"memory", d.drawMemory, true},
		{"packing", d.packAll, false}, {"index", d.collectIndex, false}, {"logs", d.rotateLog, false}, {"sync", d.syncNight, false},
	}
}

// sleepThrough does what a night does. Where it pauses, or ctx ends, the next call for the same night goes on at the stage that was
// interrupted, which itself goes on where it stopped. One whole sleep runs at a time.
func (d *Daemon) sleepThrough(ctx context.Context, dec sleep.Decision, pass func(context.Context) error) (api.Night, error) {
	select {
	case d.wholeSleep <- struct{}{}:
	case <-ctx.Done():
		return api.Night{}, ctx.Err()
	}
	defer func() { <-d.wholeSleep }()
	if err := d.index.Room(); err != nil {
		return api.Night{}, fmt.Errorf("sleep is paused: %w", err)
	}
	kind, why := string(sleep.Deep), d.whyNow(dec)
	if dec.Due.IsZero() {
		kind = manual
	}
	report, err := d.nights.begin(kind, why, dec.Due, d.p.Now())
	if err != nil {
		return api.Night{}, err
	}
	n := &night{Night: report, pass: pass, metered: dec.Metered && !d.p.Config.Sleep.OnMetered}
	d.publish("sleep_started", n.ID)
	failed, err := d.goThrough(ctx, n)
	d.sleeping.working("")
	d.sum(n)
	if why, ok := sleep.PausedBy(err); ok {
		n.Pauses = append(n.Pauses, api.NightPause{At: d.p.Now().Unix(), Why: why})
		d.publish("sleep_paused", n.ID)
		return n.Night, errors.Join(err, d.nights.keep(n.Night))
	}
	if err != nil { // the service ends, or who asked has left
		if n.Due == 0 {
			n.Ended, n.Cut = d.p.Now().Unix(), true
		}
		defer d.publish("sleep_ended", "")
		return n.Night, errors.Join(err, d.nights.keep(n.Night))
	}
	n.Ended = d.p.Now().Unix()
	err = d.nights.keep(n.Night)
	d.publish("sleep_ended", n.ID)
	if failed == nil {
		d.sleeping.ok()
	}
	return n.Night, errors.Join(failed, err)
}

// whyNow is the reason why a night begins when it does.
func (d *Daemon) whyNow(dec sleep.Decision) string {
	switch {
	case dec.Due.IsZero():
		return "asked"
	case dec.Gentle:
		return "patience"
	case d.p.Now().Sub(dec.Due) < 2*time.Minute:
		return "time"
	}
	return "quiet"
}

// goThrough runs the stages that are left. failed is what failed of the sleep itself; err ends the night for now.
func (d *Daemon) goThrough(ctx context.Context, n *night) (failed, err error) {
	for _, st := range d.stages() {
		at := -1
		for i := range n.Stages {
			if n.Stages[i].Name == st.name {
				at = i
			}
		}
		if at < 0 {
			n.Stages = append(n.Stages, api.NightStage{Name: st.name})
			at = len(n.Stages) - 1
		}
		s := &n.Stages[at]
		if s.Done {
			continue
		}
		if err := n.pass(ctx); err != nil {
			return failed, err
		}
		began := time.Now()
		var note string
		err := guard(ctx, func(ctx context.Context) (err error) {
			note, err = st.run(ctx, n)
			return err
		})
		s.Milliseconds += time.Since(began).Milliseconds()
		_, paused := sleep.PausedBy(err)
		if paused || ctx.Err() != nil {
			return failed, errors.Join(err, ctx.Err())
		}
		s.Done, s.Note = true, note
		if err != nil && !capped(err) {
			s.Failure = err.Error()
			d.p.Log.Error("a stage of the night failed", "component", "sleep", "stage", st.name, "error", err)
			if st.itself && failed == nil {
				failed = err
			}
		}
		if err := d.nights.keep(n.Night); err != nil {
			return failed, err
		}
	}
	return failed, nil
}

// readBacklog distils every session that has something new.
func (d *Daemon) readBacklog(ctx context.Context, n *night) (string, error) {
	if n.metered && d.paid() {
		n.Waits = append(n.Waits, "sessions wait for the model: the network costs by what is sent")
		return "left: the network costs by what is sent", nil
	}
	idle := time.Duration(d.p.Config.Sleep.IdleAfter)
	if n.Kind == manual {
		idle = 0
	}
	run, err := d.learn(ctx, learning{kind: n.Kind, idle: idle, pass: n.pass, began: time.Unix(n.Began, 0), part: true})
	if err != nil {
		if _, paused := sleep.PausedBy(err); !paused && ctx.Err() == nil {
			n.Waits = append(n.Waits, err.Error())
		}
		return "", err
	}
	if run.Counts.Nodes == 0 {
		return "nothing was waiting", nil
	}
	return counted(run.Counts.Sessions, "session") + ", " + counted(run.Counts.Nodes, "node"), nil
}

// tendTags looks after the vocabularies: tags that cover too much are proposed to be split.
func (d *Daemon) tendTags(ctx context.Context, n *night) (string, error) {
	d.asleep.Lock()
	defer d.asleep.Unlock()
	d.sleeping.working("tending the tags")
	dist := d.distiller(ctx, n.pass, n.Began)
	if n.metered && d.paid() {
		dist = d.distillerByRules(ctx, n.pass, n.Began)
	}
	res, err := dist.Tend(ctx, n.Kind)
	if err == nil {
		err = res.Ended
	}
	if d.ledgerGrew(n) {
		d.stale.Store(true)
	}
	return "", err
}

// ledgerGrew reports whether this night wrote anything.
func (d *Daemon) ledgerGrew(n *night) bool { return len(d.runsOf(n)) > 0 }

// runsOf are the runs that a night wrote into the log, over all its pauses.
func (d *Daemon) runsOf(n *night) (out []memory.Run) {
	for _, r := range d.ownRuns() {
		if r.Started == n.Began && r.Kind == n.Kind {
			out = append(out, r)
		}
	}
	return out
}

// sum takes over what the night's runs did and took.
func (d *Daemon) sum(n *night) {
	n.Counts, n.InputTokens, n.OutputTokens, n.CostMicros = memory.RunCounts{}, 0, 0, 0
	for _, r := range d.runsOf(n) {
		n.Counts = n.Counts.Plus(r.Counts)
		n.InputTokens, n.OutputTokens, n.CostMicros = n.InputTokens+r.InputTokens, n.OutputTokens+r.OutputTokens, n.CostMicros+r.CostMicros
		if r.Model != "" {
			n.Model = r.Model
		}
	}
	suggested := d.suggestions()
	d.ledger.Read(func(s *memory.State) {
		n.Review = len(recall.Review(s, view(""), func(id string) (memory.Decision, bool) { dec, ok := suggested[id]; return dec, ok }))
	})
}

// drawMemory draws up everything that follows from the log, whether it changed or not: what counts less with time does so here.
func (d *Daemon) drawMemory(ctx context.Context, n *night) (string, error) {
	d.asleep.Lock()
	defer d.asleep.Unlock()
	d.sleeping.working("drawing up the memory")
	if n.Kind == string(sleep.Deep) && !d.ledgerGrew(n) {
		if err := d.noteQuietNight(time.Unix(n.Began, 0)); err != nil {
			return "", err
		}
	}
	return "", d.project(ctx)
}

// packAll packs the sessions that nobody works with.
func (d *Daemon) packAll(ctx context.Context, n *night) (string, error) {
	before := d.keeper.report()
	err := d.keeper.roundBy(ctx, d.packing.working, func(ctx context.Context, _ time.Duration) error { return n.pass(ctx) })
	after := d.keeper.report()
	return fmt.Sprintf("%s packed, %d KB less", counted(after.Packed-before.Packed, "session"), (after.Freed-before.Freed)/1000), err
}

// collectIndex has the index give back what its database no longer needs.
func (d *Daemon) collectIndex(ctx context.Context, n *night) (string, error) {
	d.sleeping.working("collecting the index")
	files, err := d.index.Collect(ctx, n.pass)
	return counted(files, "file") + " of values written anew", err
}

// rotateLog begins a new log where the old one is large.
func (d *Daemon) rotateLog(context.Context, *night) (string, error) {
	if d.p.RotateLog == nil {
		return "this service writes no log file", nil
	}
	info, err := os.Stat(d.p.Home.Log()) // what was rotated away before lies beside it and counts no more
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("look at the log: %w", err)
	}
	if err != nil || info.Size() < bigLog {
		return "the log is small", nil
	}
	if err := d.p.RotateLog(); err != nil {
		return "", fmt.Errorf("begin a new log: %w", err)
	}
	return "a new log was begun", nil
}

// syncNight exchanges with the remote.
func (d *Daemon) syncNight(ctx context.Context, n *night) (string, error) {
	if n.metered {
		n.Waits = append(n.Waits, "the exchange with other machines waits: the network costs by what is sent")
		return "left: the network costs by what is sent", nil
	}
	res, err := d.exchange(ctx, d.exchangeAll(false))
	switch {
	case errors.Is(err, gitsync.ErrOff):
		return "no remote is set", nil
	case err != nil:
		n.Waits = append(n.Waits, "the exchange with other machines waits: "+err.Error())
		return "", err
	}
	if res.Received == 0 {
		return "nothing new came in", nil
	}
	return counted(res.Received, "line") + " of other machines' logs came in", nil
}

// counted is a number with what it counts.
func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
