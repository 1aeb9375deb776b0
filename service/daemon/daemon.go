package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"dormouse/service/api"
	"dormouse/service/capture"
	"dormouse/service/config"
	"dormouse/service/connect"
	"dormouse/service/cost"
	"dormouse/service/inject"
	"dormouse/service/localapi"
	"dormouse/service/machine"
	"dormouse/service/recall"
	"dormouse/service/redact"
	"dormouse/service/sleep"
	"dormouse/service/socket"
	"dormouse/service/title"
	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/index"
	"dormouse/store/ledger"
	"dormouse/store/memory"
	"dormouse/store/project"
	"dormouse/store/session"
)

// Params is what a service is built of. Home and Config must be set.
type Params struct {
	Home    home.Home
	Config  config.Config
	Version string // of the program
	// Demo marks the demo's memory in what the service says of itself.
	Demo bool
	Env  func(string) string // default: os.Getenv
	Now  func() time.Time    // default: time.Now
	Log  *slog.Logger        // default: none
	// MemoryLimit is what the garbage collector aims at, in bytes, beside what the memory and the index hold all the time: without that it
	// would collect without rest once they are large. 0 leaves its limit alone.
	MemoryLimit int64
	// Temps are the folders that never hold a session. Default: those that the system empties.
	Temps []string
	// Titles names sessions; nil where no language model is configured.
	Titles title.Model
	// Embedding is the table of the default embedding model, see assets; nil has search go by words alone, unless the settings name
	// another model.
	Embedding []byte
	// Machine tells of the machine, for the nightly sleep to find a quiet moment; nil knows nothing of it. See service/machine.
	Machine func(context.Context) machine.Reading
	// RotateLog begins a new log file; nil where there is none.
	RotateLog func() error
	// Anyone asks whether a web address of a repository can be read without a login; default: gitrepo.Anyone.
	Anyone func(ctx context.Context, url string) (bool, error)
	// wait pauses between two calls of a language model; nil is a timer. Tests set it.
	wait func(context.Context, time.Duration) error
	// Links are what agents are connected with; nil offers nothing of the kind.
	Links *connect.Setup
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
	dealt    *dealt
	sessions *session.Store
	projects *project.Registry
	ledger   *ledger.Ledger
	footing  footing
	engine   *capture.Engine
	indexer  *recall.Indexer
	searcher *recall.Searcher
	loop     *sleep.Loop
	hub      *localapi.Hub
	redact   func(*memory.Node) (int, error)
	titles   *title.Maker // nil without a model
	redactor *redact.Redactor
	language *language
	meter    *cost.Meter // what models took
	embedded *embedded
	keeper   *keeper

	answering *part   // agents over HTTP
	mcp       mcpDoor // where they are answered
	proxied   proxied // what agents ask their providers
	known     knownObjects
	record    recording

	capturing, indexing, vectoring, serving, sleeping, syncing, packing, hearing, shadowing, modelling, remembering, committing, proxying *part

	sync    exchanger
	contact contact // with the remote
	cargo   cargo   // sessions that travel

	committer *project.Committer // of what agents changed in a turn

	notes []string // what was found damaged and mended, since the service began
	wake  chan struct{}

	healthKept atomic.Int64 // when the health of the parts was written down last, Unix seconds
	vectorWake chan struct{}
	modelless  bool // the embedding model that the settings name could not be had yet; of followVectors

	pause      *pause
	hooks      *hooks
	told       inject.Told // what sessions were told
	shelf      *lateShelf  // where that is kept
	shadow     *shadows
	pending    pending
	behind     atomic.Bool // the index has to look at all sessions
	hiding     hiding
	stale      atomic.Bool // what follows from the log has to be drawn up again
	asleep     sync.Mutex  // one that distils at a time
	nights     *nights
	senses     senses
	wholeSleep chan struct{} // one whole sleep at a time
	deciding   sync.Mutex    // one decision of the person at a time
	filling    sync.Mutex    // held while sessions are put into the index, and while it is emptied
	ruled      atomic.Int64  // decisions of the person
	stop       context.CancelFunc
	abandon    context.CancelCauseFunc // ends this life, so that another begins
	copied     atomic.Int32            // how often it went on under a new id
	ready      chan struct{}           // closed after the first pass
	// scanning is how far the first look through the agents' folders is; nil when it is over.
	scanning atomic.Pointer[capture.Progress]
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
	if p.Anyone == nil {
		p.Anyone = gitrepo.Anyone
	}
	if p.Report == nil {
		p.Report = func(Report) {}
	}
	d := &Daemon{p: p, hub: localapi.NewHub(), wake: make(chan struct{}, 1), vectorWake: make(chan struct{}, 1), wholeSleep: make(chan struct{}, 1)}
	d.pause = newPause(p.Home, p.Now)
	d.proxied.changed = make(chan struct{}, 1)
	d.hooks = newHooks(p.Home.Run())
	d.meter = cost.At(p.Home.Cost())
	d.embedded = &embedded{meter: d.meter, now: p.Now, log: p.Log, written: p.Now(), caps: d.embedCaps(), hold: d.holdEmbedding}
	for name, at := range map[string]**part{"capture": &d.capturing, "index": &d.indexing, "vectors": &d.vectoring, "api": &d.serving, "sleep": &d.sleeping, "sync": &d.syncing,
		"packing": &d.packing, "hooks": &d.hearing, "shadow": &d.shadowing, "mcp": &d.answering,
		"model": &d.modelling, "memory": &d.remembering, "git": &d.committing, "proxy": &d.proxying} {
		*at = &part{name: name, now: p.Now, log: p.Log}
	}
	return d
}

// Run is the service's life: it takes the state folder, opens what is there, answers the local API, catches up with what the
// agents wrote, and goes on until ctx ends or a client asks it to stop. When the index turns out to be broken, or its socket was
// deleted, it begins anew, which makes them again. It returns after everything was put away in order; an error says why it could
// not begin or what could not be put away.
func (d *Daemon) Run(ctx context.Context) error {
	ctx, d.stop = context.WithCancel(ctx)
	defer d.stop()
	d.started = d.p.Now()
	for lives := (renewals{}); ; {
		began := d.p.Now()
		why, err := d.live(ctx)
		switch {
		case errors.Is(why, errHomeGone):
			return fmt.Errorf("%w: %s", why, d.p.Home.Dir())
		case why == nil || ctx.Err() != nil:
			return err
		case !lives.again(d.p.Now().Sub(began)):
			return fmt.Errorf("the service began anew %d times; is the disk with %s all right? %w", maxRenewals, d.p.Home.Dir(), why)
		}
		d.p.Log.Error("the service begins anew", "error", why, "put_away", err)
		d.p.Report = func(Report) {} // the first pass was told of
	}
}

// A service begins anew at most maxRenewals times in a row, each within this time. More than that is no accident.
const (
	maxRenewals    = 10
	renewalsWithin = time.Hour
)

// renewals counts how often a service began anew.
type renewals struct{ n int }

// again reports whether it may once more, after a life that lasted so long.
func (r *renewals) again(lasted time.Duration) bool {
	if lasted > renewalsWithin {
		r.n = 0
	}
	r.n++
	return r.n <= maxRenewals
}

// live is one life of the service. why is set when it ended so that another begins.
func (d *Daemon) live(ctx context.Context) (why, err error) {
	outer := ctx
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	gone := false
	defer func() {
		switch {
		case gone:
			why = errHomeGone
		case outer.Err() == nil:
			why = causeOf(ctx)
		}
	}()
	d.ready = make(chan struct{})
	d.abandon = end
	if err := d.open(); err != nil {
		return nil, errors.Join(withRemedy(err, d.p.Home.Dir()), d.close())
	}
	defer func() { err = errors.Join(err, d.close()) }()
	ln, err := socket.Listen(d.p.Home.Dir())
	if err != nil {
		return nil, fmt.Errorf("open the service's socket: %w", err)
	}
	defer ln.Close() //nolint:errcheck // the server closes it first
	server := localapi.New(localapi.Options{Backend: d.backend(), Log: d.p.Log})
	d.serving.run = func(ctx context.Context) error { return server.Run(ctx, ln) }

	serveCtx, stopServing := context.WithCancel(context.WithoutCancel(ctx))
	var serving sync.WaitGroup
	serving.Go(func() { d.serving.supervise(serveCtx) })
	d.proxying.run = d.passOn
	serving.Go(func() { d.proxying.supervise(serveCtx) }) // from the beginning, since agents may wait for it, to the end
	in := standing(d.p.Home.Dir())
	serving.Go(func() { d.watchDoor(ctx, in) })
	d.work(ctx)
	if in.gone() {
		gone = true
	} else {
		d.drain()
	}
	stopServing()
	serving.Wait()
	return nil, nil
}

// causeOf is why a life was ended from within; nil where it was not.
func causeOf(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, index.ErrBroken) || errors.Is(cause, errDoor) || errors.Is(cause, errCopied) {
		return cause
	}
	return nil
}

// work does the first pass and then runs the parts until ctx ends.
func (d *Daemon) work(ctx context.Context) {
	d.firstPass(ctx)
	close(d.ready)
	debug.FreeOSMemory() // catching up took more than watching needs
	d.capturing.run = d.capture
	d.indexing.run = d.followChanges
	d.vectoring.run = d.followVectors
	d.sleeping.run = d.loop.Run
	d.syncing.run = d.followRemote
	d.packing.run = d.keep
	d.hearing.run = d.followHooks
	d.shadowing.run = d.followShadow
	var parts sync.WaitGroup
	for _, p := range []*part{d.capturing, d.indexing, d.vectoring, d.sleeping, d.syncing, d.packing, d.hearing, d.shadowing} {
		parts.Go(func() { p.supervise(ctx) })
	}
	if d.mcpWanted() {
		d.answering.run = d.answerHTTP
		parts.Go(func() { d.answering.supervise(ctx) })
	}
	if d.titles != nil {
		parts.Go(func() { _ = d.titles.Run(ctx) })
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
	if d.committer != nil {
		d.committer.Close(commitTime)
	}
	if d.lock != nil {
		d.embedded.flush()
		d.keepHealth(true)
	}
	if d.sessions != nil {
		if err := d.sessions.KeepList(); err != nil { // the next start takes longer, and that is all
			d.p.Log.Warn("the list of sessions is not kept", "error", err)
		}
		errs = append(errs, d.sessions.Close())
	}
	if d.shelf != nil {
		d.shelf.wait()
		d.shelf = nil
	}
	if d.index != nil {
		errs = append(errs, d.index.Close())
	}
	if d.lock != nil {
		errs = append(errs, d.lock.Unlock())
	}
	d.sessions, d.index, d.lock = nil, nil, nil
	return errors.Join(errs...)
}

func (d *Daemon) publish(kind, id string) {
	d.hub.Publish(api.Change{Type: kind, ID: id, At: d.p.Now().Unix()})
}
