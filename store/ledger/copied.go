package ledger

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dormouse/store/disk"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// A state folder that was copied to a second machine, or brought back from a backup while the other one went on, has two writers of
// one log. What they have in common stays that log; what this side wrote after it becomes the beginning of a log of its own.

// placed is a line with the file that it stands in.
type placed struct {
	file string
	line []byte // with its newline
}

// linesOf are the lines of a log's files as they were written. A last line without an end is none.
func linesOf(files map[string][]byte) (out []placed) {
	names := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		x, _ := parseLogName(a)
		y, _ := parseLogName(b)
		return cmp.Or(x.compare(y), cmp.Compare(a, b))
	})
	for _, name := range names {
		for line := range bytes.Lines(files[name]) {
			if bytes.HasSuffix(line, []byte("\n")) {
				out = append(out, placed{name, line})
			}
		}
	}
	return out
}

// Fork compares what two sides hold of one machine's log, as the contents of its files by their names. ok says that they have one
// beginning and that the other side goes on from it as the machine itself would have: line by line in one chain, and by at least one line.
// Then common is how many bytes of each of our files belong to the beginning. known is what is erased; what the other side
// erased counts as well.
func Fork(machine string, ours, theirs map[string][]byte, known Erasures) (common map[string]int64, ok bool) {
	gone := known.Plus(Erasures{})
	for _, log := range theirs {
		gone.Note(log)
	}
	mine, other := linesOf(ours), linesOf(theirs)
	common = map[string]int64{}
	n, prev := 0, ""
	for n < min(len(mine), len(other)) && mine[n].file == other[n].file && (bytes.Equal(mine[n].line, other[n].line) || erased(mine[n].line, other[n].line, gone)) {
		common[mine[n].file] += int64(len(mine[n].line))
		n++
	}
	if n == len(other) {
		return nil, false
	}
	if n > 0 {
		var err error
		if prev, err = lineHash(mine[n-1].line); err != nil {
			return nil, false
		}
	}
	for _, p := range other[n:] {
		var h head
		hash, err := checkLine(p.line, prev, gone)
		if err != nil || json.Unmarshal(p.line, &h) != nil || h.Machine != machine {
			return nil, false
		}
		prev = hash
	}
	return common, true
}

// Copied is how a machine whose state folder is a copy goes on under a new id.
type Copied struct {
	Old string `json:"old"`
	New string `json:"new"`
	// Common is how many bytes of each file of the old log both sides have.
	Common map[string]int64 `json:"common"`
	// Files are those of the old log when the new one had been written in whole; none before.
	Files []string `json:"files,omitempty"`
}

// Move writes what stands behind the common part of the old log into the new one, under the new machine's id and in the same place of the
// order of the fold. What is there of the new log is taken for what an interrupted move has left. It returns the number of lines, and notes
// the files of the old log, which stay as they are: see Leave.
func (c *Copied) Move(dir string, now time.Time) (lines int, err error) {
	to := filepath.Join(dir, "log", c.New)
	if err := disk.RemoveAll(to); err != nil {
		return 0, fmt.Errorf("move the lines of this machine: %w", err)
	}
	if err := home.Mkdir(to); err != nil {
		return 0, err
	}
	m := mover{c: *c, ids: map[string]string{}}
	w := logWriter{dir: to, max: defaultMaxFile, cur: logName{day: now.UTC().Format(time.DateOnly)}}
	files, err := logFiles(filepath.Join(dir, "log", c.Old))
	if err != nil {
		return 0, err
	}
	for _, f := range files {
		raw, err := os.ReadFile(filepath.Join(dir, "log", c.Old, f.String()))
		if err != nil {
			return 0, fmt.Errorf("move the lines of this machine: %w", err)
		}
		for line := range bytes.Lines(raw[min(c.Common[f.String()], int64(len(raw))):]) {
			moved, err := m.line(bytes.TrimSuffix(line, []byte("\n")))
			if err != nil {
				return lines, fmt.Errorf("move the lines of this machine from %s: %w", f, err)
			}
			if moved == nil {
				continue
			}
			if err := w.add(append(moved, '\n')); err != nil {
				return lines, err
			}
			lines++
		}
	}
	if err := w.flush(); err != nil {
		return lines, err
	}
	c.Files = nil
	for _, f := range files {
		c.Files = append(c.Files, f.String())
	}
	return lines, nil
}

// Leave cuts the old log down to what both sides have, and returns the files of both logs, also those that are gone, relative to dir. It may
// be done again.
func (c Copied) Leave(dir string) (paths []string, err error) {
	for _, name := range c.Files {
		path := filepath.Join(dir, "log", c.Old, name)
		paths = append(paths, "log/"+c.Old+"/"+name)
		n := c.Common[name]
		switch info, err := os.Stat(path); {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, fmt.Errorf("leave the log of the machine that this one was copied from: %w", err)
		case n == 0:
			if err := disk.Remove(path); err != nil {
				return nil, fmt.Errorf("leave the log of the machine that this one was copied from: %w", err)
			}
		case info.Size() > n:
			if err := disk.Truncate(path, n); err != nil {
				return nil, fmt.Errorf("leave the log of the machine that this one was copied from: %w", err)
			}
		}
	}
	files, err := logFiles(filepath.Join(dir, "log", c.New))
	for _, f := range files {
		paths = append(paths, "log/"+c.New+"/"+f.String())
	}
	return paths, err
}

// mover writes lines of one log anew as lines of another.
type mover struct {
	c    Copied
	prev string
	ids  map[string]string // of decisions: the new ones by the old
}

// line is a line as the new machine would have written it; nil where there is nothing left of it. What this program does not know of it stays.
func (m *mover) line(raw []byte) ([]byte, error) {
	all, err := fields(raw)
	if err != nil {
		return nil, err
	}
	var h head
	if err := json.Unmarshal(raw, &h); err != nil {
		return nil, err
	}
	if h.Salt == "" { // its text was erased, and nothing refers to it
		return nil, nil
	}
	set := func(name string, v any) {
		if b, e := memory.Encode(v); e == nil {
			all[name] = b
		} else {
			err = errors.Join(err, e)
		}
	}
	set("machine", m.c.New)
	set("prev_hash", m.prev)
	switch h.Type {
	case typeDecision:
		if e := m.decision(raw, all, h.ID, set); e != nil {
			return nil, e
		}
	case typeRun:
		var r memory.Run
		if e := json.Unmarshal(raw, &r); e != nil {
			return nil, e
		}
		if r.Device != nil && r.Device.ID == m.c.Old && r.Extractor == memory.ByRule { // what it called itself
			delete(all, "device")
		}
		r.Machine, r.PrevHash = m.c.New, m.prev
		set("id", memory.RunID(&r))
	}
	draft, e := memory.Encode(all)
	if err = errors.Join(err, e); err != nil {
		return nil, err
	}
	digest, err := bodyDigest(draft, h.Salt)
	if err != nil {
		return nil, err
	}
	set("digest", digest)
	out, e := memory.Encode(all)
	if err = errors.Join(err, e); err != nil {
		return nil, err
	}
	m.prev, err = lineHash(out)
	return out, err
}

// decision gives a decision its new id, and those that it names theirs.
func (m *mover) decision(raw []byte, all map[string]json.RawMessage, id string, set func(string, any)) error {
	var d memory.Decision
	if err := json.Unmarshal(raw, &d); err != nil {
		return err
	}
	if now := m.ids[string(d.Undoes)]; now != "" {
		d.Undoes = memory.Ref(now)
		set("undoes", now)
	}
	if slices.ContainsFunc(d.Proposal.Erases, func(id string) bool { return m.ids[id] != "" }) {
		var p map[string]json.RawMessage
		if err := json.Unmarshal(all["proposal"], &p); err != nil {
			return err
		}
		erases := slices.Clone(d.Proposal.Erases)
		for _, id := range d.Proposal.Erases {
			if now := m.ids[id]; now != "" {
				erases = append(erases, now)
			}
		}
		b, err := memory.Encode(erases)
		if err != nil {
			return err
		}
		p["erases"] = b
		set("proposal", p)
	}
	d.Machine, d.PrevHash = m.c.New, m.prev
	m.ids[id] = memory.DecisionID(&d)
	set("id", m.ids[id])
	return nil
}
