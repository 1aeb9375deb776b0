package distill

import (
	"slices"

	"dormouse/store/memory"
)

// run is one run of a command by which the turn tried whether something works: one of the project's, or one that it ran again.
type run struct {
	line string
	node int
	ok   bool
}

// addRuns notes what a command tried.
func (s *scan) addRuns(i int) {
	n := &s.nodes[i]
	cmd := command(n)
	if cmd == "" || n.Metadata.Status == memory.StatusInterrupted {
		return
	}
	ok, tried := succeeded(n), false
	for part := range splitCommands(cmd) {
		if line, _ := projectCommand(part); line != "" {
			s.runs, tried = append(s.runs, run{line, i, ok}), true
		}
	}
	if !tried {
		s.runs = append(s.runs, run{cmd, i, ok})
	}
}

// proof is what the structure of the turn says of a finding in a message: how much for it (or, negative, against it), and whether it was
// proven. It was when a command failed before the message, files were changed after it, and the same command then ran well. What failed only
// after the turn had changed files was its own slip, and nothing to remember.
func (s *scan) proof(node int) (weight float64, proven bool) {
	at := slices.IndexFunc(s.changes, func(c int) bool { return c > node })
	if at < 0 || s.changes[at] > node+maxFixAfter {
		return 0, false
	}
	changed := s.changes[at]
	for _, after := range s.runs {
		if after.node <= changed {
			continue
		}
		before := slices.ContainsFunc(s.runs, func(r run) bool {
			return r.node < min(node, s.changes[0]) && r.line == after.line && !r.ok
		})
		switch {
		case before && after.ok:
			return 1, true
		case before:
			return -0.8, false // the change that followed from it did not help
		}
	}
	return 0, false
}

// maxFixAfter is within how many nodes after a finding a file is changed because of it.
const maxFixAfter = 8
