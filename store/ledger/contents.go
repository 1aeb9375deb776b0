package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/tidwall/gjson"

	"dormouse/store/memory"
)

// maxLamport bounds the counter of a line, so that no damaged log can bring every later one out of order. At one a
// microsecond it lasts for 285 years.
const maxLamport = 1 << 53

// contents is what was read of some logs.
type contents struct {
	shelves  []*shelf // one a machine
	runs     []memory.Run
	covered  *covering
	lamport  uint64 // the greatest
	problems []string
	marks    marks // how far the logs of other machines were read
	lines    memory.Lines
	reaches  bool // a decision reaches back
	read     int  // decisions that were read
	grow     func(decisions int)
}

func newContents() contents { return contents{covered: newCovering(), marks: marks{}} }

// shelf is where a machine's decisions go.
func (c *contents) shelf(machine string) *shelf {
	if i := slices.IndexFunc(c.shelves, func(s *shelf) bool { return s.machine == machine }); i >= 0 {
		return c.shelves[i]
	}
	c.shelves = append(c.shelves, &shelf{machine: machine, unseen: true})
	return c.shelves[len(c.shelves)-1]
}

// size is how many decisions there are.
func (c *contents) size() (n int) {
	for _, s := range c.shelves {
		n += len(s.heads)
	}
	return n
}

// addRun takes in a run and what it has dealt with.
func (c *contents) addRun(r memory.Run) {
	c.covered.add(&r)
	c.runs = append(c.runs, withoutNodes(r))
}

// seen is said of contents that others may look at from now on.
func (c *contents) seen() {
	for _, s := range c.shelves {
		s.unseen = false
	}
}

// snapshot goes on showing the decisions that are there now.
func (c *contents) snapshot() []*shelf {
	out := make([]*shelf, len(c.shelves))
	for i, s := range c.shelves {
		now := *s
		out[i] = &now
	}
	return out
}

// tidy puts what was read into the order of the fold, where a log is not in it.
func (c *contents) tidy() error {
	for _, s := range c.shelves {
		if err := s.tidy(); err != nil {
			return err
		}
	}
	return nil
}

// take reads one line. A line that cannot be read becomes a problem; one of an unknown type, of a newer version, is passed
// over.
func (c *contents) take(path string, n int, raw []byte, machine string) {
	problem := func(err error) {
		c.problems = append(c.problems, fmt.Sprintf("%s, line %d: %v", path, n, err))
	}
	fits := func(h head) bool {
		switch {
		case h.Machine != machine:
			problem(fmt.Errorf("line of machine %q in the log of %q", h.Machine, machine))
		case h.Lamport > maxLamport:
			problem(fmt.Errorf("its counter %d is out of range", h.Lamport))
		default:
			c.lamport = max(c.lamport, h.Lamport)
			return true
		}
		return false
	}
	// Decoding is most of the time that reading takes, so each line is decoded once.
	switch gjson.GetBytes(raw, "type").String() {
	case typeDecision:
		typ, d, err := c.lines.Decode(raw)
		if err != nil {
			problem(err)
		} else if typ == typeDecision && fits(head{Machine: d.Machine, Lamport: d.Lamport}) {
			if c.read++; c.grow != nil && c.read%toldEvery == 0 {
				c.grow(c.read)
			}
			c.reaches = c.reaches || memory.ReachesBack(&d)
			if err := c.shelf(machine).add(d); err != nil {
				problem(err)
			}
		}
	case typeRun:
		var r runLine
		if err := json.Unmarshal(raw, &r); err != nil {
			problem(err)
		} else if r.Type == typeRun && fits(head{Machine: r.Machine, Lamport: r.Lamport}) {
			c.addRun(r.Run)
		}
	default:
		var h head
		if err := json.Unmarshal(raw, &h); err != nil {
			problem(err)
			return
		}
		fits(h)
	}
}

// readOthers reads the logs of all other machines; held is what the ledger takes now, in bytes.
func (l *Ledger) readOthers(held int64) (contents, error) {
	c := newContents()
	c.grow = l.growing(held, readBytes)
	dir, own := l.o.Dir, l.o.Machine
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
			if c.marks[path], err = readOn(path, mark{}, func(n int, line []byte) { c.take(path, n, line, m) }); err != nil {
				return c, err
			}
		}
	}
	return c, c.tidy()
}

// How often it is told that more memory is taken, in decisions, and how much one takes about that was read, and that was added up.
const (
	toldEvery = 4096
	readBytes = 300
	foldBytes = 400
)

// growing gives a function that tells how much memory the ledger takes with so many decisions more.
func (l *Ledger) growing(from, each int64) func(decisions int) {
	return func(n int) {
		if l.o.Holding != nil {
			l.o.Holding(from + each*int64(n))
		}
	}
}

// besides is growing for what the ledger takes for a moment alone: the first of it has room enough.
func (l *Ledger) besides(from int64) func(decisions int) {
	const spare = 64 << 20
	grow := l.growing(from, 1)
	return func(n int) { grow(max(0, foldBytes*n-spare)) }
}

// told passes decisions on, and tells now and then that more memory is taken.
func told(all iter.Seq[*memory.Decision], grow func(decisions int)) iter.Seq[*memory.Decision] {
	return func(yield func(*memory.Decision) bool) {
		n := 0
		for d := range all {
			if n++; n%toldEvery == 0 {
				grow(n)
			}
			if !yield(d) {
				return
			}
		}
	}
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
