package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Fault is one place where a log is not as it was written.
type Fault struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

func (f Fault) String() string { return fmt.Sprintf("%s, line %d: %s", f.File, f.Line, f.Reason) }

// Verify checks every line of every log against the chain, and against what was committed: a changed, removed, added or moved
// line is a fault. It returns the number of lines that it checked. A fault is reported once; the check goes on from the line as
// it is. It needs no Open and changes nothing.
func (l *Ledger) Verify() (lines int, faults []Fault, err error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	machines, err := machineDirs(l.o.Dir)
	if err != nil {
		return 0, nil, err
	}
	gone, err := erasuresIn(l.o.Dir)
	if err != nil {
		return 0, nil, err
	}
	for _, m := range machines {
		n, f, err := verifyMachine(l.logDir(m), gone)
		if err != nil {
			return 0, nil, err
		}
		lines += n
		faults = append(faults, f...)
	}
	more, err := l.verifyCommitted(gone)
	return lines, append(faults, more...), err
}

func verifyMachine(dir string, gone Erasures) (lines int, faults []Fault, err error) {
	files, err := logFiles(dir)
	if err != nil {
		return 0, nil, err
	}
	prev := ""
	for _, f := range files {
		path, last := filepath.Join(dir, f.String()), 0
		end, err := readLines(path, func(n int, raw []byte) {
			lines, last = lines+1, n
			hash, bad := checkLine(raw, prev, gone)
			if bad != nil {
				faults = append(faults, Fault{File: path, Line: n, Reason: bad.Error()})
			}
			prev = hash
		})
		if err != nil {
			return lines, faults, err
		}
		if info, err := os.Stat(path); err == nil && info.Size() > end {
			faults = append(faults, Fault{File: path, Line: last + 1, Reason: "the last line is torn"})
		}
	}
	return lines, faults, nil
}

// verifyCommitted finds what a chain cannot vouch for: lines that are missing at the end of a log, and whole logs.
func (l *Ledger) verifyCommitted(gone Erasures) (faults []Fault, err error) {
	if l.o.Committed == nil {
		return nil, nil
	}
	files, err := l.o.Committed()
	if err != nil {
		return nil, fmt.Errorf("compare the logs with the memory repository: %w", err)
	}
	for _, f := range files {
		path := filepath.Join(l.o.Dir, filepath.FromSlash(f.Path))
		disk, err := os.ReadFile(path)
		switch {
		case errors.Is(err, os.ErrNotExist):
			faults = append(faults, Fault{File: path, Line: 1, Reason: "the log is gone; the memory repository has it"})
			continue
		case err != nil:
			return faults, fmt.Errorf("read log: %w", err)
		case f.Same(disk):
			continue
		}
		want, err := f.Read()
		if err != nil {
			return faults, fmt.Errorf("%s: read what was committed: %w", path, err)
		}
		if n, ok := goesOn(want, disk, gone); !ok {
			faults = append(faults, Fault{File: path, Line: n, Reason: "from here on it is not what was committed to the memory repository"})
		}
	}
	return faults, nil
}
