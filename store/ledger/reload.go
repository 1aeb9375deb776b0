package ledger

import (
	"path/filepath"
	"slices"
	"strings"

	"dormouse/store/memory"
)

// Reload reads the logs of all other machines again, after a sync has brought lines of theirs, and makes state and coverage
// anew: a node that another machine has dealt with is covered here too. The own log is not read and not touched. It returns
// how many decisions and runs are new. After an error everything is as it was.
//
// What is appended meanwhile is kept. Readers wait only while the new state takes the place of the old one.
func (l *Ledger) Reload() (received int, err error) {
	others, err := readOthers(l.o.Dir, l.o.Machine)
	if err != nil {
		return 0, err
	}
	if erasuresOf(others.decisions).Len() > 0 {
		if others, err = l.eraseOthers(); err != nil {
			return 0, err
		}
	}
	l.mu.RLock()
	decisions, runs := l.own()
	l.mu.RUnlock()
	state := memory.Fold(slices.Concat(decisions, others.decisions))

	l.mu.Lock()
	defer l.mu.Unlock()
	if d, r := l.own(); len(d) != len(decisions) || len(r) != len(runs) {
		decisions, runs = d, r
		state = memory.Fold(slices.Concat(decisions, others.decisions))
	}
	received = len(others.decisions) + len(others.runs) - (len(l.decisions) - len(decisions)) - (len(l.runs) - len(runs))
	l.state = state
	l.decisions = slices.Concat(decisions, others.decisions)
	l.runs = slices.Concat(runs, others.runs)
	l.gone = erasuresOf(l.decisions)
	l.covered = coverage(l.runs)
	l.lamport = max(l.lamport, others.lamport)
	l.foreignProblems = others.problems
	return max(0, received), nil
}

// eraseOthers carries out the erase decisions of other machines and reads their logs again. The own log is read again as well where
// it lost a body.
func (l *Ledger) eraseOthers() (others contents, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	bared, err := eraseIn(l.o.Dir)
	if err != nil {
		return others, err
	}
	own := l.logDir(l.o.Machine) + string(filepath.Separator)
	if slices.ContainsFunc(bared, func(path string) bool { return strings.HasPrefix(path, own) }) {
		mine, err := l.readOwn()
		if err != nil {
			return others, err
		}
		theirs := slices.DeleteFunc(slices.Clone(l.decisions), func(d memory.Decision) bool { return d.Machine == l.o.Machine })
		l.decisions = slices.Concat(mine.decisions, theirs)
		if err := l.commitOwn(true); err != nil {
			return others, err
		}
	}
	return readOthers(l.o.Dir, l.o.Machine)
}

// own are the decisions and runs of this machine.
func (l *Ledger) own() (ds []memory.Decision, rs []memory.Run) {
	for _, d := range l.decisions {
		if d.Machine == l.o.Machine {
			ds = append(ds, d)
		}
	}
	for _, r := range l.runs {
		if r.Machine == l.o.Machine {
			rs = append(rs, r)
		}
	}
	return ds, rs
}

// Machines lists the machines whose logs hold something, and this one.
func (l *Ledger) Machines() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	out := []string{l.o.Machine}
	for _, d := range l.decisions {
		if d.Machine != out[len(out)-1] {
			out = append(out, d.Machine)
		}
	}
	for _, r := range l.runs {
		if r.Machine != out[len(out)-1] {
			out = append(out, r.Machine)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Commit commits what lies in the own log and is not yet committed, such as after a failed commit or in a new repository.
// It never runs beside an Append, so that it sees whole lines only.
func (l *Ledger) Commit() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.commitOwn(!l.committed)
}
