package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"dormouse/service/api"
	"dormouse/service/capture"
	"dormouse/service/config"
	"dormouse/service/localapi"
	"dormouse/service/recall"
	"dormouse/service/sleep"
	"dormouse/service/socket"
	"dormouse/store/home"
	"dormouse/store/index"
	"dormouse/store/ledger"
	"dormouse/store/memory"
	"dormouse/store/project"
	"dormouse/store/session"
)

// Params is what a service is built of. Home and Config must be set.
type Params struct {
	Home   home.Home
	Config config.Config
	// Demo marks the demo's memory in what the service says of itself.
	Demo bool
	Env  func(string) string // default: os.Getenv
	Now  func() time.Time    // default: time.Now
	Log  *slog.Logger        // default: none
	// Report is told how the first pass over what is there already goes. It may be nil.
	Report func(Report)
}

// Report is one step of the first pass.
type Report struct {
	// Stage is capture, index, distill or ready; a stage ends where the next one begins.
	Stage string
	// Capture is set in the stage capture.
	Capture capture.Progress
	// Done of Total sessions are dealt with, in the other stages.
	Done, Total int
	// Run is set in the stage ready: what was distilled, with zero counts when nothing was.
	Run memory.Run
}

// The stages of the first pass.
const (
	StageCapture = "capture"
	StageIndex   = "index"
	StageDistill = "distill"
	StageReady   = "ready"
)

// Daemon is the service.
type Daemon struct {
	p       Params
	machine string
	started time.Time

	lock     *home.Lock
	index    *index.Index
	sessions *session.Store
	projects *project.Registry
	ledger   *ledger.Ledger
	engine   *capture.Engine
	indexer  *recall.Indexer
	searcher *recall.Searcher
	loop     *sleep.Loop
	hub      *localapi.Hub

	capturing, indexing, serving, sleeping *part

	changed chan string // ids of sessions that the index has to follow
	wake    chan struct{}
	pending pending
	asleep  sync.Mutex // one sleep at a time
	stop    context.CancelFunc
	ready   chan struct{} // closed after the first pass
}

// New is a service that has not begun. It does no I/O.
func New(p Params) *Daemon {
	if p.Env == nil {
		p.Env = os.Getenv
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	if p.Report == nil {
		p.Report = func(Report) {}
	}
	d := &Daemon{p: p, hub: localapi.NewHub(), wake: make(chan struct{}, 1), ready: make(chan struct{})}
	for name, at := range map[string]**part{"capture": &d.capturing, "index": &d.indexing, "api": &d.serving, "sleep": &d.sleeping} {
		*at = &part{name: name, now: p.Now, log: p.Log}
	}
	return d
}

// Run is the service's life: it takes the state folder, opens what is there, answers the local API, catches up with what the
// agents wrote, and goes on until ctx ends or a client asks it to stop. It returns after everything was put away in order;
// an error says why it could not begin or what could not be put away.
func (d *Daemon) Run(ctx context.Context) (err error) {
	ctx, d.stop = context.WithCancel(ctx)
	defer d.stop()
	d.started = d.p.Now()
	if err := d.open(); err != nil {
		return errors.Join(err, d.close())
	}
	defer func() { err = errors.Join(err, d.close()) }()
	ln, err := socket.Listen(d.p.Home.Dir())
	if err != nil {
		return fmt.Errorf("open the service's socket: %w", err)
	}
	defer ln.Close() //nolint:errcheck // the server closes it first
	server := localapi.New(localapi.Options{Backend: d.backend(), Log: d.p.Log})
	d.serving.run = func(ctx context.Context) error { return server.Run(ctx, ln) }

	serveCtx, stopServing := context.WithCancel(context.WithoutCancel(ctx))
	var serving sync.WaitGroup
	serving.Go(func() { d.serving.supervise(serveCtx) })
	d.work(ctx)
	d.drain()
	stopServing()
	serving.Wait()
	return nil
}

// work does the first pass and then runs the parts until ctx ends.
func (d *Daemon) work(ctx context.Context) {
	d.firstPass(ctx)
	close(d.ready)
	debug.FreeOSMemory() // catching up took more than watching needs
	d.capturing.run = d.engine.Run
	d.indexing.run = d.followChanges
	d.sleeping.run = d.loop.Run
	var parts sync.WaitGroup
	for _, p := range []*part{d.capturing, d.indexing, d.sleeping} {
		parts.Go(func() { p.supervise(ctx) })
	}
	parts.Wait()
}

// drainTime bounds what is done after the service was told to stop.
const drainTime = 20 * time.Second

// drain reads what agents wrote last and commits the open turns, so that a stop loses nothing that was on the disk.
func (d *Daemon) drain() {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	if err := d.engine.CommitOpen(ctx, 0); err != nil {
		d.p.Log.Error("commit the open turns", "error", err)
	}
}

// close puts away what open has opened, in the opposite order.
func (d *Daemon) close() error {
	var errs []error
	if d.sessions != nil {
		errs = append(errs, d.sessions.Close())
	}
	if d.index != nil {
		errs = append(errs, d.index.Close())
	}
	if d.lock != nil {
		errs = append(errs, d.lock.Unlock())
	}
	return errors.Join(errs...)
}

func (d *Daemon) publish(kind, id string) {
	d.hub.Publish(api.Change{Type: kind, ID: id, At: d.p.Now().Unix()})
}
