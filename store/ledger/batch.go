package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"dormouse/store/disk"
	"dormouse/store/memory"
)

// batch is the lines of one Append, chained but not yet written.
type batch struct {
	machine string
	lamport uint64
	prev    string
	gone    Erasures // whose text is not written again
	lines   [][]byte
	decided []memory.Decision
	ran     []memory.Run
}

// ErrTooLarge says that a decision or a run does not fit into the log.
var ErrTooLarge = errors.New("too large for the log")

// Bounds of a line, in bytes: many remotes refuse a file of more than 10 MB, and other machines take no log that is larger.
const (
	maxWritten = defaultMaxFile
	maxCovered = 2 << 20 // of the ids that one run covers
)

func (b *batch) decision(d memory.Decision) error {
	b.lamport++
	d.Lamport, d.Machine, d.PrevHash = b.lamport, b.machine, b.prev
	d.ID = memory.DecisionID(&d)
	line := decisionLine{Type: typeDecision, Decision: d}
	if d.Proposal.ClaimKey != "" {
		line.Claim = d.Proposal.ClaimKey.Hash()
	}
	if err := b.add(&line, &line.seal); err != nil {
		return err
	}
	last := &b.lines[len(b.lines)-1]
	bare, err := b.gone.bare(bytes.TrimSuffix(*last, []byte("\n")))
	if err != nil {
		return err
	}
	if bare != nil { // what says again what was erased leaves its place in the chain alone
		*last = append(bare, '\n')
		d = bareDecision(d)
	}
	b.decided = append(b.decided, d)
	return nil
}

// bareDecision is what is left of a decision whose body is erased.
func bareDecision(d memory.Decision) memory.Decision {
	d.Reason, d.Proposal, d.Before, d.After, d.EventDate = "", memory.Proposal{}, nil, nil, nil
	return d
}

// run adds a run. What it covers is told by several where it is much: the last has all else.
func (b *batch) run(r memory.Run) error {
	parts := partsOf(r.Coverage)
	for len(parts) > 1 {
		part := memory.Run{Started: r.Started, Ended: r.Ended, Kind: r.Kind, Extractor: r.Extractor, PolicyVersion: r.PolicyVersion, Model: r.Model, Coverage: parts[0]}
		if err := b.runOnce(part); err != nil {
			return err
		}
		parts = parts[1:]
	}
	if len(parts) == 1 {
		r.Coverage = parts[0]
	}
	return b.runOnce(r)
}

// partsOf cuts what a run covers into parts of which each fits into a line.
func partsOf(all []memory.Coverage) (parts [][]memory.Coverage) {
	var part []memory.Coverage
	size := 0
	for _, c := range all {
		from := 0
		for i, id := range c.NodeIDs {
			if size += len(id) + 3; size > maxCovered {
				if i > from {
					part = append(part, memory.Coverage{SessionID: c.SessionID, NodeIDs: c.NodeIDs[from:i]})
				}
				parts, part, from, size = append(parts, part), nil, i, len(id)+3
			}
		}
		part = append(part, memory.Coverage{SessionID: c.SessionID, NodeIDs: c.NodeIDs[from:]})
	}
	if len(part) > 0 {
		parts = append(parts, part)
	}
	return parts
}

func (b *batch) runOnce(r memory.Run) error {
	b.lamport++
	r.Lamport, r.Machine, r.PrevHash = b.lamport, b.machine, b.prev
	r.ID = memory.RunID(&r)
	line := runLine{Type: typeRun, Run: r}
	if err := b.add(&line, &line.seal); err != nil {
		return err
	}
	b.ran = append(b.ran, r)
	return nil
}

func (b *batch) add(v any, s *seal) error {
	raw, hash, err := sealLine(v, s)
	if err != nil {
		return err
	}
	if len(raw) >= maxWritten {
		return fmt.Errorf("%w: it takes %d bytes, and a line of the log %d at most, since remotes refuse large files; shorten its text", ErrTooLarge, len(raw), maxWritten)
	}
	b.prev = hash
	b.lines = append(b.lines, append(raw, '\n'))
	return nil
}

// write puts a batch's lines into the own log and returns the files that it touched. A batch that does not fit into the
// current file goes on in a new one. When a write fails, the files are as they were before.
func (l *Ledger) write(b *batch) (paths []string, err error) {
	w := logWriter{dir: l.logDir(l.o.Machine), max: l.o.MaxFile}
	w.cur, w.size = l.nextFile()
	for _, line := range b.lines {
		if err := w.add(line); err != nil {
			return nil, errors.Join(err, w.takeBack())
		}
	}
	if err := w.flush(); err != nil {
		return nil, errors.Join(err, w.takeBack())
	}
	l.current, l.size = w.cur, w.size
	for _, t := range w.touched {
		paths = append(paths, l.relative(t.name))
	}
	return paths, nil
}

// logWriter collects lines and appends them file by file.
type logWriter struct {
	dir     string
	max     int64 // size of a file, in bytes
	cur     logName
	size    int64 // of the current file, on disk
	buf     bytes.Buffer
	touched []touch
}

// touch is a file that was appended to, and its size before.
type touch struct {
	name logName
	size int64
}

func (w *logWriter) path(n logName) string { return filepath.Join(w.dir, n.String()) }

func (w *logWriter) add(line []byte) error {
	if at := w.size + int64(w.buf.Len()); at > 0 && at+int64(len(line)) > w.max {
		if err := w.flush(); err != nil {
			return err
		}
		w.cur, w.size = logName{w.cur.day, w.cur.n + 1}, 0
	}
	w.buf.Write(line)
	return nil
}

func (w *logWriter) flush() error {
	if w.buf.Len() == 0 {
		return nil
	}
	if err := appendTo(w.path(w.cur), w.buf.Bytes()); err != nil {
		return err
	}
	w.touched = append(w.touched, touch{w.cur, w.size})
	w.size += int64(w.buf.Len())
	w.buf.Reset()
	return nil
}

func (w *logWriter) takeBack() error {
	var errs []error
	for _, t := range w.touched {
		if t.size == 0 {
			errs = append(errs, disk.Remove(w.path(t.name)))
			continue
		}
		errs = append(errs, disk.Truncate(w.path(t.name), t.size))
	}
	return errors.Join(errs...)
}

// nextFile is the file that the next line goes to: today's, or the newest one where the clock went back.
func (l *Ledger) nextFile() (logName, int64) {
	today := logName{day: l.o.Now().UTC().Format(time.DateOnly)}
	if l.current != (logName{}) && today.day <= l.current.day {
		return l.current, l.size
	}
	return today, 0
}
