package capture

import (
	"sort"
	"time"
)

// Problem is something that could not be captured and is tried again.
type Problem struct {
	Agent string    `json:"agent"`
	Where string    `json:"where"` // file, folder or session
	What  string    `json:"what"`
	Times int       `json:"times"`
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	Next  time.Time `json:"next"` // not tried before
}

// Pauses between two attempts: they double from the first to the last.
const (
	firstPause = 5 * time.Second
	lastPause  = 15 * time.Minute
)

// trouble notes that something failed.
func (e *Engine) trouble(agent, where string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.o.Now()
	p := e.problems[where]
	if p == nil {
		p = &Problem{Agent: agent, Where: where, First: now}
		e.problems[where] = p
	}
	p.What, p.Last = err.Error(), now
	pause := firstPause << min(p.Times, 10)
	p.Next = now.Add(min(pause, lastPause))
	p.Times++
	e.o.Log.Warn("capture failed", "component", "capture", "agent", agent, "where", where, "times", p.Times, "error", err)
}

// fine notes that it works again.
func (e *Engine) fine(where string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.problems, where)
}

// paused reports whether it is too early to try again.
func (e *Engine) paused(where string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.problems[where]
	return p != nil && e.o.Now().Before(p.Next)
}

func (e *Engine) troubled(where string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.problems[where] != nil
}

// problemList is sorted by place. Callers hold e.mu.
func (e *Engine) problemList() []Problem {
	out := make([]Problem, 0, len(e.problems))
	for _, p := range e.problems {
		out = append(out, *p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Where < out[j].Where })
	return out
}
