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

// Policy is a policy by its name.
type Policy struct {
	Name string
	Run  func(*Replay) Result
}

// Policies are those that are set side by side: no policy, results dropped at an age at every request and at every tenth one, and
// the product's engine with its default settings.
func Policies() []Policy {
	return []Policy{
		{"none", (*Replay).None},
		{"fifo", func(r *Replay) Result { return r.FIFO(4, 500, 1) }},
		{"fifo-10", func(r *Replay) Result { return r.FIFO(4, 500, 10) }},
		{"dormouse", func(r *Replay) Result { return r.Engine(pager.Default()) }},
	}
}

// Names are the policies' names, in their order.
func Names() (out []string) {
	for _, p := range Policies() {
		out = append(out, p.Name)
	}
	return out
}
