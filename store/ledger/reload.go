package ledger

import (
	"path/filepath"
	"slices"
	"strings"
)

// Reload reads what is new in the logs of all other machines, after a sync has brought lines of theirs, and brings state and coverage
// up to date; where a log is another one than the one that was read, or what is new reaches back, they are made anew of all. A node that another machine has
// dealt with is covered here too. The own log is not read and not touched. It returns how many decisions and runs are new. After an
// error everything is as it was.
//
// What is appended meanwhile is kept. Readers wait only while the new state takes the place of the old one.
func (l *Ledger) Reload() (received int, err error) {
	l.reloading.Lock()
	defer l.reloading.Unlock()
	defer l.hold()
	if fresh, ok, err := l.readNew(); err == nil && ok {
		if received, ok = l.takeNew(fresh); ok {
			return received, nil
		}
		if others, ok := l.with(fresh); ok {
			return l.replace(others), nil
		}
	}
	return l.reloadAll()
}

// reloadAll is Reload that reads everything.
func (l *Ledger) reloadAll() (received int, err error) {
	others, err := l.readOthers(l.Resident())
	if err != nil {
		return 0, err
	}
	if gone := erasuresOf(others.shelves); gone.Len() > 0 {
		if others, err = l.eraseOthers(); err != nil {
			return 0, err
		}
	}
	return l.replace(others), nil
}

// replace takes in what is known of other machines now, and gives how much is new. It folds while others read.
func (l *Ledger) replace(others contents) (received int) {
	l.mu.RLock()
	had, own, held := l.mine.size(), l.mine.snapshot(), l.resident()
	l.mu.RUnlock()
	state := foldOf(slices.Concat(own, others.shelves), l.besides(held))

	l.mu.Lock()
	defer l.mu.Unlock()
	received = others.size() + len(others.runs) - l.theirs.size() - len(l.theirs.runs)
	l.take(l.mine, others)
	if l.mine.size() == had {
		l.state = state
		l.state.Verify(l.o.Live)
	} else {
		l.fold()
	}
	return max(0, received)
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
	if err := l.scrubAside(len(bared) > 0); err != nil {
		return others, err
	}
	own := l.logDir(l.o.Machine) + string(filepath.Separator)
	if slices.ContainsFunc(bared, func(path string) bool { return strings.HasPrefix(path, own) }) {
		mine, err := l.readOwn()
		if err != nil {
			return others, err
		}
		l.take(mine, l.theirs)
		l.fold()
		if err := l.commitOwn(true); err != nil {
			return others, err
		}
	}
	return l.readOthers(l.resident())
}

// Machines lists the machines whose logs hold something, and this one.
func (l *Ledger) Machines() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	out := []string{l.o.Machine}
	for _, s := range l.theirs.shelves {
		out = append(out, s.machine)
	}
	for _, r := range l.theirs.runs {
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
