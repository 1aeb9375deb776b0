package distill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dormouse/store/memory"
)

// Extractor names the rules in the log.
const Extractor = "rules"

// Log is what the distiller asks of the ledger, and where its decisions go.
type Log interface {
	// CoveredBy is the session under which a run has dealt with a node.
	CoveredBy(nodeID string) (sessionID string, ok bool)
	// Read shows the state that all decisions add up to; it must not be kept.
	Read(use func(*memory.State))
	// Append makes decisions and their run durable together; it fills in ids, order and chain.
	Append(decisions []memory.Decision, run memory.Run) error
}

// Options are the parts of a Distiller.
type Options struct {
	Sessions Transcripts
	Log      Log
	// ProjectOf tells what is known of a session's project. Nil knows its id and folder alone.
	ProjectOf func(memory.Session) Project
	// Model reads what is worth remembering; nil leaves that to the rules.
	Model *ModelOptions
	// After are the stages of projection, run in this order once decisions were appended: render, core, index.
	After []func() error
	// Between is passed between two turns, and before a model is asked. An error ends the run at that point: what was gathered is
	// appended, and the rest is left for another run. It may be nil.
	Between func(context.Context) error
	// Progress is told of each session that is done with. It may be nil.
	Progress func(done, total int, session string)
	Now      func() time.Time
	// Started is when the sleep began that the runs belong to, in Unix seconds; 0 is when each of them does.
	Started int64
	// BatchDecisions is how many decisions are gathered before they are appended; it bounds memory. 0 means 4,000.
	BatchDecisions int
}

// Distiller distils sessions into the log. It is used by one goroutine at a time.
type Distiller struct {
	o     Options
	roots map[string]string // session -> first node

	stop    error // why the model is not to be asked any more in this run
	broken  error // why the log takes no more
	ended   error // what Between said
	misses  int   // answers in a row that could not be used
	started int64 // of this run, Unix seconds
	spent   spent // in this run
}

// extractor names what reads the sessions.
func (d *Distiller) extractor() string {
	if d.o.Model != nil {
		return ExtractorModel
	}
	return Extractor
}

// New is a distiller that has read nothing yet.
func New(o Options) *Distiller {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.BatchDecisions == 0 {
		o.BatchDecisions = 4000
	}
	if o.ProjectOf == nil {
		o.ProjectOf = func(s memory.Session) Project { return Project{ID: s.ProjectID, Root: s.Cwd, Name: base(s.Cwd)} }
	}
	return &Distiller{o: o, roots: map[string]string{}}
}

// Failure is a session that could not be distilled. None of its nodes count as dealt with.
type Failure struct {
	Session string
	Err     error
}

// Result is what a run did.
type Result struct {
	Counts memory.RunCounts
	Failed []Failure
	// Left are sessions that were not looked at, because the model is not to be asked any more; Stopped says why. The session
	// at which that was found is among Failed.
	Left    []string
	Stopped error
	// Ended is what Options.Between ended the run with; the sessions from there on are among Left.
	Ended error
	// Spent is what the model took, also where it gave nothing.
	Model                                 string
	InputTokens, OutputTokens, CostMicros int64
}

// Run distils the named sessions, or all for nil, oldest first, tends the vocabularies, and draws up what follows. kind is light, deep
// or manual. A session that fails is listed and left for the next run; an error means that the log or the projection failed, or that
// ctx ended.
func (d *Distiller) Run(ctx context.Context, ids []string, kind string) (Result, error) {
	res, err := d.Read(ctx, ids, kind)
	if err == nil && res.Counts.Nodes > 0 {
		err = d.tend(ctx, kind, &res)
	}
	if err != nil {
		return res, err
	}
	return res, d.project(&res)
}

// Read distils as Run does and leaves the rest.
func (d *Distiller) Read(ctx context.Context, ids []string, kind string) (Result, error) {
	all, err := d.o.Sessions.List()
	if err != nil {
		return Result{}, fmt.Errorf("list sessions to distil: %w", err)
	}
	slices.SortFunc(all, older)
	todo := all
	if ids != nil {
		todo = slices.DeleteFunc(slices.Clone(all), func(s memory.Session) bool { return !slices.Contains(ids, s.ID) })
	}
	var res Result
	d.begin()
	b := d.newBatch(kind)
	b.started = d.started
	err = d.all(ctx, b, todo, all, &res)
	res.Ended = d.ended
	res.account(d.spent)
	return res, err
}

// Tend looks after the vocabularies, whether something is new or not: what an interrupted run has left undone is done here. Nothing to
// do writes nothing. A model that Read was not to ask any more is not asked here either.
func (d *Distiller) Tend(ctx context.Context, kind string) (Result, error) {
	var res Result
	d.ended, d.spent, d.started = nil, spent{}, d.now()
	err := d.tend(ctx, kind, &res)
	res.Ended = d.ended
	return res, err
}

func (d *Distiller) begin() {
	d.stop, d.broken, d.ended, d.misses, d.spent = nil, nil, nil, 0, spent{}
	d.started = d.now()
}

// now is when runs that begin now count as begun.
func (d *Distiller) now() int64 {
	if d.o.Started != 0 {
		return d.o.Started
	}
	return d.o.Now().Unix()
}

func (d *Distiller) tend(ctx context.Context, kind string, res *Result) error {
	b := d.newBatch(kind)
	b.started = d.started
	if err := b.tend(&res.Counts); err != nil {
		return err
	}
	return b.sumUpTags(ctx, res)
}

// account notes what calls took.
func (r *Result) account(s spent) {
	r.Model, r.InputTokens, r.OutputTokens, r.CostMicros = s.model, s.input, s.output, s.costMicros
}

// pass asks Between whether to go on.
func (d *Distiller) pass(ctx context.Context) error {
	if d.o.Between == nil {
		return nil
	}
	err := d.o.Between(ctx)
	if err != nil && ctx.Err() == nil {
		d.ended = err
	}
	return err
}

// all distils sessions one after the other.
func (d *Distiller) all(ctx context.Context, b *batch, todo, all []memory.Session, res *Result) error {
	done := map[string]bool{}
	for i, s := range todo {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("distil session %s: %w", s.ID, err)
		}
		err := d.pass(ctx)
		if err == nil {
			err = b.session(ctx, s.ID, all, done, &res.Counts)
		}
		if err != nil {
			switch {
			case d.broken != nil:
				return d.broken
			case d.ended != nil:
				for _, left := range todo[i:] {
					res.Left = append(res.Left, left.ID)
				}
				return b.flush(&res.Counts)
			case ctx.Err() != nil:
				return errors.Join(fmt.Errorf("distil session %s: %w", s.ID, ctx.Err()), b.flush(&res.Counts))
			}
			res.Failed = append(res.Failed, Failure{s.ID, err})
		}
		done[s.ID] = true
		if len(b.decisions) >= d.o.BatchDecisions || i == len(todo)-1 || d.stop != nil {
			if err := b.flush(&res.Counts); err != nil {
				return err
			}
		}
		if d.o.Progress != nil {
			d.o.Progress(i+1, len(todo), s.ID)
		}
		if d.stop != nil {
			res.Stopped = errors.Unwrap(d.stop)
			for _, left := range todo[i+1:] {
				res.Left = append(res.Left, left.ID)
			}
			return nil
		}
	}
	return nil
}

// project runs the last stage: what is derived from the log is drawn up again where the log changed.
func (d *Distiller) project(res *Result) error {
	if res.Counts.Nodes == 0 {
		return nil
	}
	for _, f := range d.o.After {
		if err := f(); err != nil {
			return fmt.Errorf("project the memory after distilling: %w", err)
		}
	}
	return nil
}
