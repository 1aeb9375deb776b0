package ledger

import (
	"slices"

	"dormouse/store/memory"
)

// Read calls use with the state that all logs add up to. The state must not be changed or kept after use returns.
func (l *Ledger) Read(use func(*memory.State)) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	use(l.state)
}

// CoveredBy is the session under which a run has dealt with a node; false where none has.
func (l *Ledger) CoveredBy(nodeID string) (sessionID string, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	sessionID, ok = l.covered[nodeID]
	return sessionID, ok
}

// Covered is the number of nodes that runs have dealt with.
func (l *Ledger) Covered() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return len(l.covered)
}

// Runs lists all runs of all machines in the order of the fold.
func (l *Ledger) Runs() []memory.Run {
	l.mu.RLock()
	defer l.mu.RUnlock()
	out := slices.Clone(l.runs)
	slices.SortFunc(out, memory.CompareRuns)
	return out
}

// Decisions lists all decisions of all machines in the order of the fold.
func (l *Ledger) Decisions() []memory.Decision {
	l.mu.RLock()
	defer l.mu.RUnlock()
	out := slices.Clone(l.decisions)
	slices.SortFunc(out, memory.CompareDecisions)
	return out
}

// Problems lists what could not be read, each with its file, line and reason.
func (l *Ledger) Problems() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return slices.Concat(l.problems, l.foreignProblems, l.state.Problems)
}
