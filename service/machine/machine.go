// Package machine is what the machine tells of itself: for how long nobody touched it, what it is busy with, whether it runs on battery
// and whether its network costs by what is sent.
//
// It never keeps or sends anything, never sees what was typed, and never guesses: what the system does not tell is unknown. It loads
// no C, so some things stay unknown on macOS.
package machine

import (
	"context"
	"os"
	"runtime"
	"sync"
	"time"
)

// Known is a yes or no that may be unknown.
type Known int

// The answers.
const (
	Unknown Known = iota
	No
	Yes
)

func known(yes bool) Known {
	if yes {
		return Yes
	}
	return No
}

func (k Known) String() string { return [...]string{"unknown", "no", "yes"}[k] }

// Reading is what the machine tells at a moment.
type Reading struct {
	// Idle is how long ago a key, a button or the pointer was last touched; nil where that is not told.
	Idle *time.Duration
	// IdleFrom names who told it.
	IdleFrom string
	Locked   Known
	// Load is how much of all processors others than this process used since the last reading, from 0 to 1. The first reading takes
	// the system's load average instead, where there is one. Nil where neither is told.
	Load *float64
	// OnBattery says that no mains is there. Charge is then the battery's, in percent; nil where that is not told.
	OnBattery Known
	Charge    *int
	Metered   Known
}

// Options say where a Probe looks. The zero value is this machine.
type Options struct {
	Env func(string) string // default: os.Getenv
	// Root is where /proc and /sys lie; default: /.
	Root string
	// Session and System are the addresses of the message buses; empty takes the environment's, then the usual ones. Linux alone.
	Session, System string
}

// Probe asks the machine. Its methods are safe for concurrent use; readings follow one another.
type Probe struct {
	o Options

	mu    sync.Mutex
	times times // of the last reading that had some
	load  *float64
	slow  Reading // Metered and what else is asked for rarely
	at    time.Time
	sys   system
}

// times is how long processors ran up to a moment: all of them together, how much of that was work, and how much of that this
// process's.
type times struct{ all, busy, own time.Duration }

// between is the least time between two readings of the processors' times: over less, they tell nothing.
const between = 300 * time.Millisecond

// rarely is how often it is asked for what seldom changes.
const rarely = 20 * time.Second

// New is a probe that has asked nothing yet.
func New(o Options) *Probe {
	if o.Env == nil {
		o.Env = os.Getenv
	}
	if o.Root == "" {
		o.Root = "/"
	}
	return &Probe{o: o}
}

// Read asks for everything. It takes some milliseconds; what does not answer in time is unknown.
func (p *Probe) Read(ctx context.Context) Reading {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at.IsZero() || time.Since(p.at) >= rarely {
		p.at = time.Now()
		p.slow = Reading{Metered: p.metered(ctx)}
		p.slow.OnBattery, p.slow.Charge = p.battery(ctx)
	}
	r := p.slow
	r.Idle, r.IdleFrom, r.Locked = p.input(ctx)
	r.Load = p.work()
	return r
}

// Close ends the connections that readings have opened. The probe can be used again.
func (p *Probe) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sys.close()
}

// work is the load since the last reading.
func (p *Probe) work() *float64 {
	now, ok := p.cpuTimes()
	if !ok {
		return p.average()
	}
	if p.times == (times{}) {
		p.times, p.load = now, p.average()
		return p.load
	}
	if load, ok := now.since(p.times); ok {
		p.times, p.load = now, &load
	}
	return p.load
}

// since is the share of the processors that others used between two moments; false where they are too near.
func (t times) since(before times) (float64, bool) {
	all := t.all - before.all
	if all < between*time.Duration(runtime.NumCPU()) {
		return 0, false
	}
	others := (t.busy - before.busy) - max(0, t.own-before.own)
	return min(1, max(0, float64(others)/float64(all))), true
}
