package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"dormouse/store/memory"
)

// maxLamport bounds the counter of a line, so that no damaged log can bring every later one out of order. At one a
// microsecond it lasts for 285 years.
const maxLamport = 1 << 53

// contents is what was read of some logs.
type contents struct {
	decisions []memory.Decision
	runs      []memory.Run
	lamport   uint64 // the greatest
	problems  []string
}

// take reads one line. A line that cannot be read becomes a problem; one of an unknown type, of a newer version, is passed
// over.
func (c *contents) take(path string, n int, raw []byte, machine string) {
	problem := func(err error) {
		c.problems = append(c.problems, fmt.Sprintf("%s, line %d: %v", path, n, err))
	}
	var h head
	if err := json.Unmarshal(raw, &h); err != nil {
		problem(err)
		return
	}
	if h.Machine != machine {
		problem(fmt.Errorf("line of machine %q in the log of %q", h.Machine, machine))
		return
	}
	if h.Lamport > maxLamport {
		problem(fmt.Errorf("its counter %d is out of range", h.Lamport))
		return
	}
	c.lamport = max(c.lamport, h.Lamport)
	switch h.Type {
	case typeDecision:
		var d decisionLine
		if err := json.Unmarshal(raw, &d); err != nil {
			problem(err)
			return
		}
		c.decisions = append(c.decisions, d.Decision)
	case typeRun:
		var r runLine
		if err := json.Unmarshal(raw, &r); err != nil {
			problem(err)
			return
		}
		c.runs = append(c.runs, r.Run)
	}
}

// readOthers reads the logs of all machines but one.
func readOthers(dir, own string) (contents, error) {
	var c contents
	machines, err := machineDirs(dir)
	if err != nil {
		return c, err
	}
	for _, m := range machines {
		if m == own {
			continue
		}
		files, err := logFiles(filepath.Join(dir, "log", m))
		if err != nil {
			return c, err
		}
		for _, f := range files {
			path := filepath.Join(dir, "log", m, f.String())
			if _, err := readLines(path, func(n int, line []byte) { c.take(path, n, line, m) }); err != nil {
				return c, err
			}
		}
	}
	return c, nil
}

// machineDirs lists the machines that have a folder for their logs.
func machineDirs(dir string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(dir, "log"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("list logs: %w", err)
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

// coverage says under which session each node was dealt with; the last run in the order of the fold counts.
func coverage(runs []memory.Run) map[string]string {
	runs = slices.Clone(runs)
	slices.SortFunc(runs, memory.CompareRuns)
	out := map[string]string{}
	for _, r := range runs {
		cover(out, r)
	}
	return out
}

func cover(covered map[string]string, r memory.Run) {
	for _, c := range r.Coverage {
		for _, n := range c.NodeIDs {
			covered[n] = c.SessionID
		}
	}
}
