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
	// Progress is told of each session that is done with. It may be nil.
	Progress func(done, total int, session string)
	Now      func() time.Time
	// BatchDecisions is how many decisions are gathered before they are appended; it bounds memory. 0 means 4,000.
	BatchDecisions int
}

// Distiller distils sessions into the log. It is used by one goroutine at a time.
type Distiller struct {
	o     Options
	roots map[string]string // session -> first node

	stop   error // why the model is not to be asked any more in this run
	broken error // why the log takes no more
	misses int   // answers in a row that could not be used
	spent  spent // in this run
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
	// Spent is what the model took, also where it gave nothing.
	Model                                 string
	InputTokens, OutputTokens, CostMicros int64
}

// Run distils the named sessions, or all for nil, oldest first. kind is light, deep or manual. A session that fails is
// listed and left for the next run; an error means that the log or the projection failed, or that ctx ended.
func (d *Distiller) Run(ctx context.Context, ids []string, kind string) (Result, error) {
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
	d.stop, d.broken, d.misses, d.spent = nil, nil, 0, spent{}
	b := d.newBatch(kind)
	err = d.all(ctx, b, todo, all, &res)
	res.Model, res.InputTokens, res.OutputTokens, res.CostMicros = d.spent.model, d.spent.input, d.spent.output, d.spent.costMicros
	if err != nil {
		return res, err
	}
	if err := b.tend(&res.Counts); err != nil {
		return res, err
	}
	if err := b.sumUpTags(ctx, &res); err != nil {
		return res, err
	}
	return res, d.project(&res)
}

// all distils sessions one after the other.
func (d *Distiller) all(ctx context.Context, b *batch, todo, all []memory.Session, res *Result) error {
	done := map[string]bool{}
	for i, s := range todo {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("distil session %s: %w", s.ID, err)
		}
		if err := b.session(ctx, s.ID, all, done, &res.Counts); err != nil {
			switch {
			case d.broken != nil:
				return d.broken
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
