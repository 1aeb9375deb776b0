package ledger

import (
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

// Verify checks every line of every log against the chain: a changed, removed, added or moved line is a fault. It returns
// the number of lines that it checked. A fault is reported once; the check goes on from the line as it is.
func (l *Ledger) Verify() (lines int, faults []Fault, err error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	machines, err := machineDirs(l.o.Dir)
	if err != nil {
		return 0, nil, err
	}
	for _, m := range machines {
		n, f, err := verifyMachine(l.logDir(m))
		if err != nil {
			return 0, nil, err
		}
		lines += n
		faults = append(faults, f...)
	}
	return lines, faults, nil
}

func verifyMachine(dir string) (lines int, faults []Fault, err error) {
	files, err := logFiles(dir)
	if err != nil {
		return 0, nil, err
	}
	prev := ""
	for _, f := range files {
		path, last := filepath.Join(dir, f.String()), 0
		end, err := readLines(path, func(n int, raw []byte) {
			lines, last = lines+1, n
			hash, bad := checkLine(raw, prev)
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
