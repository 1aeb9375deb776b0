package ledger

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
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
// torn tail. A line is valid until use returns. The error is errOther where the bytes before the mark are not those that were read.
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
	var room []byte
	for {
		line, err := readLine(r, room)
		room = line
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

// news is what was read behind that which was known of other machines: shelves that go on from theirs, and runs, coverage and problems of what
// is new alone.
type news struct {
	contents
	before map[string]int // decisions of a machine that were known
}

// readNew reads what follows in the logs of other machines on what was read of them. ok is false where one of them does not go on from that.
func (l *Ledger) readNew() (fresh news, ok bool, err error) {
	l.mu.RLock()
	had := l.theirs.marks
	fresh = news{contents: newContents(), before: map[string]int{}}
	for _, s := range l.theirs.shelves {
		fresh.shelves = append(fresh.shelves, s.goOn())
		fresh.before[s.machine] = len(s.heads)
	}
	fresh.grow = l.growing(l.resident(), readBytes)
	l.mu.RUnlock()
	dir, own, seen := l.o.Dir, l.o.Machine, 0
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

// heads are those of the decisions of a shelf that are new.
func (n *news) heads(s *shelf) []decided { return s.heads[n.before[s.machine]:] }

func (n *news) size() (all int) {
	for _, s := range n.shelves {
		all += len(n.heads(s))
	}
	return all
}

// fits reports whether new lines can be put behind what was read of the logs of other machines: nobody has read them anew meanwhile, and no text is
// to be erased; mu is held.
func (l *Ledger) fits(fresh *news) bool {
	for _, s := range l.theirs.shelves {
		if fresh.before[s.machine] != len(s.heads) {
			return false
		}
	}
	return l.gone.Len() == 0 && erasuresOf(fresh.shelves).Len() == 0 && len(fresh.before) == len(l.theirs.shelves)
}

// with is what is known of other machines and new lines behind that, as contents of their own.
func (l *Ledger) with(fresh news) (out contents, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if !l.fits(&fresh) {
		return out, false
	}
	out = fresh.contents
	out.runs, out.covered = slices.Concat(l.theirs.runs, fresh.runs), newCovering()
	out.covered.join(l.theirs.covered)
	out.covered.join(fresh.covered)
	out.lamport = max(l.theirs.lamport, fresh.lamport)
	out.problems = slices.Concat(l.theirs.problems, fresh.problems)
	return out, true
}

// takeNew adds up what follows on what was read of the logs of other machines, while readers wait: some microseconds a decision, however many are
// known. ok is false, and nothing is taken, where that is not enough.
func (l *Ledger) takeNew(fresh news) (received int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.fits(&fresh) || !l.addsUp(&fresh) {
		return 0, false
	}
	var open []*cursor
	for _, s := range fresh.shelves {
		open = append(open, s.from(fresh.before[s.machine], true))
	}
	next := fresh.contents
	next.runs, next.covered = append(l.theirs.runs, fresh.runs...), l.theirs.covered
	next.covered.join(fresh.covered)
	next.lamport = max(l.theirs.lamport, fresh.lamport)
	next.problems = append(l.theirs.problems, fresh.problems...)
	l.take(l.mine, next)
	for d := range told(together(open), l.growing(l.resident(), foldBytes)) {
		l.state.Apply(d)
	}
	l.state.Settle()
	return fresh.size() + len(fresh.runs), true
}

// addsUp reports whether new decisions add up with those that are known as if all had been read in their order: none reaches back, none is undone
// by one that is known, and none is of a record of which something is known that was decided later; mu is held.
func (l *Ledger) addsUp(fresh *news) bool {
	if fresh.reaches {
		return false
	}
	begin := uint64(math.MaxUint64)
	for _, s := range fresh.shelves {
		if h := fresh.heads(s); len(h) > 0 {
			begin = min(begin, h[0].lamport)
		}
	}
	later, undone := map[uint64]bool{}, map[uint64]bool{}
	for _, s := range l.shelves() {
		for i := range s.rulings {
			if u := s.rulings[i].Undoes; u != "" {
				undone[hash64(string(u))] = true
			}
		}
		from, _ := slices.BinarySearchFunc(s.heads, begin, func(h decided, at uint64) int { return cmp.Compare(h.lamport, at) })
		for _, h := range s.heads[from:] {
			later[h.record] = true
		}
	}
	if len(later)+len(undone) == 0 {
		return true
	}
	return !slices.ContainsFunc(fresh.shelves, func(s *shelf) bool {
		return slices.ContainsFunc(fresh.heads(s), func(h decided) bool { return later[h.record] || undone[h.id] })
	})
}
