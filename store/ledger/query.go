package ledger

import (
	"iter"
	"slices"

	"dormouse/store/memory"
)

// Read calls use with the state that all logs add up to. The state must not be changed or kept after use returns.
func (l *Ledger) Read(use func(*memory.State)) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	use(l.state)
}

// Resident is about how many bytes of memory the ledger takes, of which the garbage collector gets nothing back.
func (l *Ledger) Resident() (n int64) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.resident()
}

// resident is Resident while mu is held.
func (l *Ledger) resident() (n int64) {
	for _, c := range []*contents{&l.mine, &l.theirs} {
		n += coveredBytes * int64(c.covered.len())
		for _, s := range c.shelves {
			n += s.held()
		}
	}
	return n + l.state.Resident()
}

// hold tells how much memory the ledger takes now.
func (l *Ledger) hold() { l.growing(l.Resident(), 0)(0) }

// CoveredBy is the session under which a run has dealt with a node; false where none has.
func (l *Ledger) CoveredBy(nodeID string) (sessionID string, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	a, b := l.mine.covered.find(nodeID), l.theirs.covered.find(nodeID)
	if a == nil || b != nil && b.run.compare(a.run) > 0 {
		a = b
	}
	if a == nil {
		return "", false
	}
	return a.session, true
}

// Covered is the number of nodes that runs have dealt with.
func (l *Ledger) Covered() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.mine.covered.len() + l.theirs.covered.len() - l.mine.covered.common(l.theirs.covered)
}

// Runs lists all runs of all machines in the order of the fold. Their coverage names the sessions and not the nodes, of which
// CoveredBy knows.
func (l *Ledger) Runs() []memory.Run {
	l.mu.RLock()
	defer l.mu.RUnlock()
	out := slices.Concat(l.mine.runs, l.theirs.runs)
	slices.SortFunc(out, memory.CompareRuns)
	return out
}

// Decisions lists all decisions of all machines in the order of the fold. All of a large log takes a second and more memory than
// all else that is known of it: About, After and Newest find what is mostly wanted.
func (l *Ledger) Decisions() []memory.Decision { return slices.Collect(l.EachDecision()) }

// EachDecision yields all decisions of all machines that are there now, in the order of the fold, without having more than some of
// them in memory.
func (l *Ledger) EachDecision() iter.Seq[memory.Decision] { return inOrder(l.shown()) }

func (l *Ledger) shown() []*shelf {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.shelves()
}

// About lists the decisions whose own id, the id of whose record, or the id of the decision that they undo is one of ids, in the
// order of the fold.
func (l *Ledger) About(ids ...string) []memory.Decision {
	wanted := map[uint64]bool{}
	for _, id := range ids {
		if id != "" {
			wanted[hash64(id)] = true
		}
	}
	out := l.matching(func(h decided) bool { return wanted[h.id] || wanted[h.record] || wanted[h.undoes] })
	return slices.DeleteFunc(out, func(d memory.Decision) bool {
		return !slices.ContainsFunc(ids, func(id string) bool {
			return id != "" && (id == d.ID || id == d.Proposal.RecordID || id == string(d.Undoes))
		})
	})
}

// After lists the decisions with a greater Lamport counter than the given one, in the order of the fold.
func (l *Ledger) After(lamport uint64) []memory.Decision {
	return l.matching(func(h decided) bool { return h.lamport > lamport })
}

// Newest lists the last n decisions in the order of the fold, and tells how many there are in all.
func (l *Ledger) Newest(n int) (newest []memory.Decision, total int) {
	shelves := l.shown()
	var lamports []uint64
	for _, s := range shelves {
		for _, h := range s.heads {
			lamports = append(lamports, h.lamport)
		}
	}
	total = len(lamports)
	if n = min(n, total); n == 0 {
		return nil, total
	}
	slices.Sort(lamports)
	from := lamports[total-n]
	newest = matching(shelves, func(h decided) bool { return h.lamport >= from })
	return newest[len(newest)-n:], total
}

func (l *Ledger) matching(wanted func(decided) bool) []memory.Decision {
	return matching(l.shown(), wanted)
}

func matching(shelves []*shelf, wanted func(decided) bool) (out []memory.Decision) {
	for _, s := range shelves {
		out = append(out, s.matching(wanted)...)
	}
	slices.SortFunc(out, memory.CompareDecisions)
	return out
}

// Problems lists what could not be read, each with its file, line and reason.
func (l *Ledger) Problems() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return slices.Concat(l.problems, l.foreignProblems, l.state.Problems)
}
