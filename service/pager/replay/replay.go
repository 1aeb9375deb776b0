package replay

import "dormouse/service/pager"

// Replay is a trace that is ready to be run through policies.
type Replay struct {
	ID, Agent string
	r         *ready
}

// New makes a trace ready.
func New(t *Trace) *Replay { return &Replay{ID: t.ID, Agent: t.Agent, r: prepare(t)} }

func (p *Replay) run(make func() policy) Result {
	res := Result{ID: p.ID, ByTool: map[string]int{}}
	for _, w := range p.r.windows {
		runWindow(p.r, w, make(), &res)
	}
	return res
}

// None runs the trace without a policy.
func (p *Replay) None() Result { return p.run(func() policy { return none{} }) }

// FIFO runs the trace with the baseline policy: results of at least least bytes go once they are tau user messages old, at every
// every-th request (1 for each).
func (p *Replay) FIFO(tau, least, every int) Result {
	return p.run(func() policy { return fifo{tau, least, every} })
}

// Engine runs the trace through the product's engine.
func (p *Replay) Engine(o pager.Options) Result {
	return p.run(func() policy { return engine{pager.New(o)} })
}
