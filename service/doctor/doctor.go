// Package doctor looks for what is wrong with an installation of Dormouse, and says what helps.
//
// A [Check] looks at one thing and may be asked while the service runs, hangs or is down. New ones are functions that return a Check
// and that the doctor command lists.
//
// The package never repairs or writes anything, takes no lock, and never formats an answer for a person.
package doctor

import (
	"context"
	"fmt"
	"time"
)

// State says how grave a finding is.
type State string

// The states, the best first.
const (
	OK   State = "ok"
	Warn State = "warn" // something does not work as it could
	Fail State = "fail" // something is broken
)

// Finding is one thing that a check has found.
type Finding struct {
	Check  string `json:"check"` // its name
	State  State  `json:"state"`
	Text   string `json:"text"`
	Remedy string `json:"remedy,omitempty"` // what helps; empty where nothing is wrong
	// Fix is what --fix does about it; empty where nothing safe can be done.
	Fix string `json:"fix,omitempty"`
	fix func() error
}

// Check looks at one thing.
type Check struct {
	Name string
	// Look returns what it has found; at least one finding. It leaves Finding.Check to the caller.
	Look func(context.Context) []Finding
	// Limit is how long it may take; a minute when 0.
	Limit time.Duration
}

// Report is what all checks have found, in their order.
type Report struct {
	State    State     `json:"state"` // the worst
	Findings []Finding `json:"findings"`
}

// Examine runs the checks one after the other. A check that panics or finds nothing is a failure of its own and stops no other.
func Examine(ctx context.Context, checks []Check) Report {
	r := Report{State: OK, Findings: []Finding{}}
	for _, c := range checks {
		for _, f := range look(ctx, c) {
			f.Check = c.Name
			r.State = worse(r.State, f.State)
			r.Findings = append(r.Findings, f)
		}
	}
	return r
}

func look(ctx context.Context, c Check) (found []Finding) {
	limit := c.Limit
	if limit == 0 {
		limit = time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			found = []Finding{failed("report this", "the check itself went wrong: %v", v)}
		} else if len(found) == 0 {
			found = []Finding{failed("report this", "the check found nothing, not even that all is well")}
		}
	}()
	return c.Look(ctx)
}

func worse(a, b State) State {
	if b == Fail || b == Warn && a == OK {
		return b
	}
	return a
}

func fine(format string, args ...any) Finding {
	return Finding{State: OK, Text: fmt.Sprintf(format, args...)}
}

func warned(remedy, format string, args ...any) Finding {
	return Finding{State: Warn, Text: fmt.Sprintf(format, args...), Remedy: remedy}
}

func failed(remedy, format string, args ...any) Finding {
	return Finding{State: Fail, Text: fmt.Sprintf(format, args...), Remedy: remedy}
}
