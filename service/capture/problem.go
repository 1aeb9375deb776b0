package capture

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"syscall"
	"time"

	"dormouse/service/capture/transcript"
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

	paths    []string // of a session: its files
	readOnly bool
}

// ReadOnly reports whether the disk that sessions are kept on lets nothing be written.
func (p *Problem) ReadOnly() bool { return p.readOnly }

// Paused reports whether capture as a whole is paused until this is over.
func (p *Problem) Paused() bool { return p.Where == diskPlace }

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
	p.What, p.Last, p.readOnly = err.Error(), now, errors.Is(err, syscall.EROFS)
	pause := firstPause << min(p.Times, 10)
	p.Next = now.Add(min(pause, lastPause))
	p.Times++
	e.o.Log.Warn("capture failed", "component", "capture", "agent", agent, "where", where, "times", p.Times, "error", err)
}

// lostReason is the skip of a transcript that went away before it could be captured.
const lostReason = "transcript gone before it could be captured"

// sessionTrouble notes that a session could not be captured.
func (e *Engine) sessionTrouble(j job, err error) {
	where := whereOf(j.key)
	e.trouble(j.key.agent, where, err)
	e.mu.Lock()
	defer e.mu.Unlock()
	if p := e.problems[where]; p != nil {
		p.paths = nil
		for _, f := range j.files {
			p.paths = append(p.paths, f.Path)
		}
	}
}

// settleLost ends the problems of what is not there any more and so cannot be tried again. A session that was not captured
// is counted as lost.
func (e *Engine) settleLost() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for where, p := range e.problems {
		switch {
		case len(p.paths) > 0 && !slices.ContainsFunc(p.paths, there):
			s := e.status[p.Agent]
			e.load(p.Agent, s)
			s.dirty = true
			if s.Skipped == nil {
				s.Skipped = map[string]transcript.Count{}
			}
			lost := transcript.Skip{Reason: lostReason, File: p.paths[0], Line: 1}
			s.Skipped[lostReason] = more(s.Skipped[lostReason], transcript.Count{Times: 1, Places: []transcript.Skip{lost}})
			delete(e.problems, where)
		case filepath.IsAbs(where) && !e.roots[where] && !there(where):
			delete(e.problems, where)
		}
	}
}

// there reports whether a path may still be tried.
func there(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
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
