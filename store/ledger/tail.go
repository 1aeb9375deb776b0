package ledger

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"
	"slices"

	"dormouse/store/memory"
)

// marks are how far the logs of other machines were read, by file. A log only grows, so what follows on that is all that a sync has brought.
type marks map[string]mark

// mark is how far a file was read.
type mark struct {
	info  os.FileInfo
	end   int64  // behind the last whole line
	lines int    // until there
	sum   uint64 // of the bytes until there
}

// sumSeed makes sums that nobody can aim at.
var sumSeed = maphash.MakeSeed()

// errOther says that a file does not go on from what was read of it.
var errOther = errors.New("it is another file than the one that was read")

// same reports whether a file was not written to since.
func (m *mark) same(info os.FileInfo) bool {
	return m.info != nil && os.SameFile(m.info, info) && info.Size() == m.end && info.ModTime().Equal(m.info.ModTime())
}

// readOn calls use for each whole line of a file behind a mark, with its number from 1, and returns where it ended: what lies behind that is a
// torn tail. The error is errOther where the bytes before the mark are not those that were read.
func readOn(path string, from mark, use func(n int, line []byte)) (to mark, err error) {
	f, err := os.Open(path)
	if err != nil {
		return to, fmt.Errorf("read log: %w", err)
	}
	defer f.Close() //nolint:errcheck // opened for reading
	var sum maphash.Hash
	sum.SetSeed(sumSeed)
	if to = from; from.end > 0 {
		if _, err := io.CopyN(&sum, f, from.end); errors.Is(err, io.EOF) || err == nil && sum.Sum64() != from.sum {
			return from, errOther
		} else if err != nil {
			return from, fmt.Errorf("read log: %w", err)
		}
	}
	if to.info, err = f.Stat(); err != nil {
		return from, fmt.Errorf("read log: %w", err)
	}
	r := bufio.NewReaderSize(f, 1<<16)
	for {
		line, err := readLine(r)
		if errors.Is(err, io.EOF) {
			to.sum = sum.Sum64()
			return to, nil
		}
		to.lines++
		if err != nil {
			return to, fmt.Errorf("read log %s, line %d: %w", path, to.lines, err)
		}
		_, _ = sum.Write(line) // never fails
		to.end += int64(len(line))
		if line = bytes.TrimSpace(line); len(line) > 0 {
			use(to.lines, line)
		}
	}
}

// readNew reads what follows in the logs of other machines on what was read of them. ok is false where one of them does not go on from that.
func readNew(dir, own string, had marks) (fresh contents, ok bool, err error) {
	fresh, seen := newContents(), 0
	machines, err := machineDirs(dir)
	if err != nil {
		return fresh, false, err
	}
	for _, m := range machines {
		if m == own {
			continue
		}
		files, err := logFiles(filepath.Join(dir, "log", m))
		if err != nil {
			return fresh, false, err
		}
		grown := false // from here on all is new
		for _, f := range files {
			path := filepath.Join(dir, "log", m, f.String())
			was, known := had[path]
			if known {
				seen++
			}
			if known && grown {
				return fresh, false, nil
			}
			info, err := os.Stat(path)
			if err == nil && known && was.same(info) {
				fresh.marks[path] = was
				continue
			}
			now, err := readOn(path, was, func(n int, line []byte) { fresh.take(path, n, line, m) })
			if errors.Is(err, errOther) {
				return fresh, false, nil
			}
			if err != nil {
				return fresh, false, err
			}
			fresh.marks[path] = now
			grown = grown || !known || now.end > was.end
		}
	}
	mixed := slices.ContainsFunc(fresh.shelves, func(s *shelf) bool { return s.mixed })
	return fresh, seen == len(had) && !mixed, nil
}

// mostAtOnce is how many new decisions are added up while readers wait.
var mostAtOnce = 5000 // tests set another

// fits reports whether new lines can be put behind what was read of the logs of other machines: nobody has read them anew meanwhile, no text is
// to be erased, and they are in order; mu is held.
func (l *Ledger) fits(had marks, fresh *contents) bool {
	return l.gone.Len() == 0 && erasuresOf(fresh.shelves).Len() == 0 && sameMarks(had, l.theirs.marks) && !l.theirs.behind(fresh)
}

// with is what is known of other machines and new lines behind that, as contents of their own.
func (l *Ledger) with(had marks, fresh contents) (out contents, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if !l.fits(had, &fresh) {
		return out, false
	}
	out = newContents()
	for _, s := range l.theirs.shelves {
		now := *s
		now.heads, now.packs, now.open, now.rulings = slices.Clip(s.heads), slices.Clip(s.packs), slices.Clip(s.open), slices.Clip(s.rulings)
		out.shelves = append(out.shelves, &now)
	}
	for _, s := range fresh.shelves {
		if !slices.ContainsFunc(out.shelves, func(was *shelf) bool { return was.machine == s.machine }) {
			out.shelves = append(out.shelves, s)
			continue
		}
		for d := range s.all() {
			if err := out.shelf(s.machine).add(d); err != nil {
				return out, false
			}
		}
	}
	out.runs = slices.Concat(l.theirs.runs, fresh.runs)
	out.covered.join(l.theirs.covered)
	out.covered.join(fresh.covered)
	out.lamport = max(l.theirs.lamport, fresh.lamport)
	out.problems = slices.Concat(l.theirs.problems, fresh.problems)
	out.marks = fresh.marks
	return out, true
}

// takeNew takes in what follows on what was read of the logs of other machines, while readers wait. ok is false, and nothing is taken, where it
// does not fit, or is too much for that.
func (l *Ledger) takeNew(had marks, fresh contents) (received int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := l.lastDecided()
	if fresh.size() > mostAtOnce || !l.fits(had, &fresh) {
		return 0, false
	}
	var all []memory.Decision
	for d := range inOrder(fresh.shelves) {
		all = append(all, d)
	}
	for i := range all {
		if err := l.theirs.shelf(all[i].Machine).add(all[i]); err != nil {
			return 0, false
		}
	}
	l.theirs.runs = append(l.theirs.runs, fresh.runs...)
	l.theirs.covered.join(fresh.covered)
	l.theirs.lamport = max(l.theirs.lamport, fresh.lamport)
	l.theirs.problems = append(l.theirs.problems, fresh.problems...)
	l.theirs.marks = fresh.marks
	l.take(l.mine, l.theirs)
	if len(all) > 0 && (all[0].Lamport <= last || slices.ContainsFunc(all, func(d memory.Decision) bool { return memory.ReachesBack(&d) })) {
		l.fold()
		return len(all) + len(fresh.runs), true
	}
	for i := range all {
		l.state.Apply(&all[i])
	}
	l.state.Settle()
	return len(all) + len(fresh.runs), true
}

// lastDecided is the greatest counter of a decision that is known; mu is held.
func (l *Ledger) lastDecided() (last uint64) {
	for _, s := range l.shelves() {
		if n := len(s.heads); n > 0 {
			last = max(last, s.heads[n-1].lamport)
		}
	}
	return last
}

// behind reports whether new decisions of a machine come before ones that are there.
func (c *contents) behind(fresh *contents) bool {
	for _, s := range fresh.shelves {
		for _, was := range c.shelves {
			if old := was.heads; was.machine == s.machine && len(old) > 0 && s.heads[0].lamport < old[len(old)-1].lamport {
				return true
			}
		}
	}
	return false
}

func sameMarks(a, b marks) bool {
	if len(a) != len(b) {
		return false
	}
	for path, m := range a {
		if n, ok := b[path]; !ok || n.end != m.end || n.sum != m.sum {
			return false
		}
	}
	return true
}
