package distill

import (
	"context"
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
	b := d.newBatch(kind)
	done := map[string]bool{}
	for i, s := range todo {
		if err := ctx.Err(); err != nil {
			return res, fmt.Errorf("distil session %s: %w", s.ID, err)
		}
		if err := b.session(s.ID, all, done); err != nil {
			res.Failed = append(res.Failed, Failure{s.ID, err})
		}
		done[s.ID] = true
		if len(b.decisions) >= d.o.BatchDecisions || i == len(todo)-1 {
			if err := b.flush(&res.Counts); err != nil {
				return res, err
			}
		}
		if d.o.Progress != nil {
			d.o.Progress(i+1, len(todo), s.ID)
		}
	}
	return res, d.project(&res)
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
