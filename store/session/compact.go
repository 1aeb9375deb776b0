package session

import (
	"fmt"
	"path/filepath"
	"time"

	"dormouse/store/disk"
	"dormouse/store/gitrepo"
)

// manyPacks is how many packs a session may have before the newest are folded into one. A turn that is committed live makes
// a pack.
const manyPacks = 32

// Compact makes a session cold: one pack, and no files in history/ but those of the open turn. It waits for an open
// batch.
func (x *Session) Compact() (err error) {
	x.writing.Lock()
	defer x.writing.Unlock()
	defer x.brokenBy(&err)
	if err := x.ready(); err != nil {
		return fmt.Errorf("compact session %s: %w", x.id, err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.exists {
		return nil
	}
	st, err := x.loaded(true)
	if err != nil {
		return err
	}
	if err := st.repo.Init(excluded); err != nil {
		return err
	}
	if err := st.fold(func(older, newer int) bool { return true }); err != nil {
		return fmt.Errorf("compact session %s: %w", x.id, err)
	}
	if err := st.gather(); err != nil {
		return fmt.Errorf("compact session %s: %w", x.id, err)
	}
	if err := st.chill(); err != nil {
		return fmt.Errorf("compact session %s: %w", x.id, err)
	}
	if err := st.repo.RemoveTemps(); err != nil {
		return fmt.Errorf("compact session %s: %w", x.id, err)
	}
	x.thawed = time.Time{}
	return nil
}

// chill removes the files of committed nodes from the work tree, and marks them in the index first. While the work tree shows
// a branch that is not ours, it is let be.
func (st *state) chill() error {
	w := worktree{repo: st.repo, lanes: &st.lanes, entries: st.entries, committed: st.committed}
	lane, ok, err := w.shown()
	if err != nil || !ok || lane == none {
		return err
	}
	var doomed []string
	for i := range w.committed {
		if w.entries[i].hot {
			doomed = append(doomed, filepath.Join(st.repo.Dir(), historyDir, w.entries[i].name))
			e := w.change(i)
			e.hot, e.stat = false, gitrepo.Stat{}
		}
	}
	if len(doomed) == 0 {
		return nil
	}
	if err := w.writeIndex(lane); err != nil {
		return err
	}
	for _, path := range doomed {
		if err := disk.Remove(path); err != nil {
			return err
		}
	}
	st.entries = w.entries
	_ = disk.Remove(filepath.Join(st.repo.Dir(), historyDir)) // when it is empty
	return nil
}

// tidy folds the newest packs when there are many. Each is folded with those that are not much larger, so a node is packed
// again a few times only, however long its session grows.
func (b *Batch) tidy() {
	if len(b.ends) == 0 {
		return
	}
	if b.st.repo.PackCount() <= manyPacks {
		return
	}
	if err := b.st.fold(func(older, newer int) bool { return older <= 2*newer }); err != nil { // nothing is lost by it, and the next turn tries again
		b.x.mu.Lock()
		defer b.x.mu.Unlock()
		b.st.problem("fold packs: %v", err)
	}
}
