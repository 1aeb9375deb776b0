package session

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ready puts right what an interrupted write left behind. Callers hold x.writing.
func (x *Session) ready() error {
	if !x.there() {
		return nil
	}
	b := &Batch{x: x}
	err := b.open()
	if b.st != nil && b.st.foreign != "" {
		return nil // nothing can be appended
	}
	return err
}

// catchUp brings HEAD, index and work tree up to the branches, where a batch was interrupted between the two. HEAD follows to the
// branch of the session's head, unless the person checked another one out.
func (b *Batch) catchUp() error {
	w := worktree{repo: b.st.repo, lanes: &b.lanes, entries: b.st.entries, committed: b.st.committed}
	lane, ok, err := w.shown()
	if err != nil || !ok {
		return err
	}
	now := b.lanes.branch(b.laneOf(b.x.Meta().HeadID))
	to, there := b.lanes.byRef(now)
	if there && to != lane && !w.chosen() {
		lane, err = to, w.show(to)
	}
	if err == nil && lane != none {
		err = w.mend(lane)
	}
	b.x.mu.Lock()
	defer b.x.mu.Unlock()
	b.st.entries = w.entries
	return err
}

// mend writes the files of a shown lane anew that a power cut emptied, and the index where it lags behind, and removes the files of
// nodes that are not on the lane.
func (w *worktree) mend(lane int) error {
	on, empty := w.onto(lane), false
	for i := range on {
		if e := &w.entries[i]; on[i] && e.hot && e.stat.Size == 0 {
			w.change(i).hot, empty = false, true
		} else {
			on[i] = false
		}
	}
	if empty {
		if err := w.fill(on); err != nil {
			return err
		}
	}
	if empty || w.lags(lane) {
		if err := w.writeIndex(lane); err != nil {
			return err
		}
	}
	return w.clear(w.onto(lane), 0)
}

// chosen reports whether HEAD was set by a git command, which writes into the reflog what we do not.
func (w *worktree) chosen() bool {
	git := filepath.Join(w.repo.Dir(), ".git")
	head, err := os.Stat(filepath.Join(git, "HEAD"))
	log, logErr := os.Stat(filepath.Join(git, "logs", "HEAD"))
	return err == nil && logErr == nil && !log.ModTime().Before(head.ModTime())
}

// lags reports whether the index shows another number of files than the lane's newest commit has, or was not written since HEAD was.
// One that cannot be read does.
func (w *worktree) lags(lane int) bool {
	git := filepath.Join(w.repo.Dir(), ".git")
	rest, err := w.restFiles(&w.lanes.all[lane])
	if err != nil {
		return false // it could not be written either
	}
	n, err := indexed(filepath.Join(git, "index"))
	if err != nil {
		return true
	}
	index, err := os.Stat(filepath.Join(git, "index"))
	head, headErr := os.Stat(filepath.Join(git, "HEAD"))
	return n != w.lanes.all[lane].committed+len(rest) || err != nil || headErr == nil && index.ModTime().Before(head.ModTime())
}

// indexed is how many files an index says that it has.
func indexed(path string) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	var head [12]byte
	if _, err := io.ReadFull(f, head[:]); err != nil {
		return 0, errors.Join(fs.ErrInvalid, err)
	}
	return int(binary.BigEndian.Uint32(head[8:])), nil
}
