package daemon

import (
	"time"

	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/ledger"
)

// Verified is what a look at the logs found.
type Verified struct {
	Lines  int     `json:"lines"` // that were checked
	Faults []Fault `json:"faults"`
}

// Fault is one place where a log is not as it was written.
type Fault = ledger.Fault

// A service may be in the middle of a write: faults that are gone a moment later were none.
const (
	verifyTries = 3
	verifyPause = 300 * time.Millisecond
)

// Verify checks the logs of all machines in a state folder against their chains and against the commits of the memory repository.
// It needs no service, and changes nothing.
func Verify(h home.Home) (Verified, error) {
	repo := gitrepo.Open(h.Memory())
	l := ledger.New(ledger.Options{Dir: h.Memory(), Committed: func() ([]ledger.Committed, error) { return committedLogs(repo) }})
	var out Verified
	var err error
	for try := range verifyTries {
		if try > 0 {
			time.Sleep(verifyPause)
		}
		if out.Lines, out.Faults, err = l.Verify(); err == nil && len(out.Faults) == 0 {
			break
		}
	}
	if out.Faults == nil {
		out.Faults = []Fault{}
	}
	return out, err
}
