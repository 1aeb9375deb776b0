package session

import (
	"fmt"
	"path/filepath"

	"dormouse/store/disk"
	"dormouse/store/memory"
)

// Close makes the batch durable: turns that are over are committed, and so is the open one when closed says that it is over
// too. After an error some of the nodes may have become durable; they are skipped when they are appended again.
func (b *Batch) Close(closed bool) error {
	if b.done {
		return b.err
	}
	if b.err == nil && (b.st != nil || closed) {
		if err := b.open(); err != nil {
			_ = b.fail(err)
		}
	}
	if b.err != nil || b.st == nil {
		b.Abort()
		return b.err
	}
	changed, err := b.finish(closed)
	if err != nil {
		_ = b.fail(err)
		b.drop()
	}
	b.end()
	if err == nil && b.x.there() {
		b.x.store.used(b.x)
	}
	if changed && err == nil {
		b.x.store.opts.OnChange(b.x.id)
	}
	return b.err
}

// Abort drops the nodes of the batch. After Close it does nothing.
func (b *Batch) Abort() {
	if b.done {
		return
	}
	if b.st != nil && !b.bulk {
		for i := range b.entries {
			_ = disk.Remove(filepath.Join(b.dir, historyDir, b.entries[i].name))
		}
	}
	b.drop()
	b.end()
}

// drop takes back what is not part of the session yet, and has the rest read anew by whoever needs it next.
func (b *Batch) drop() {
	if b.pack != nil {
		b.pack.Abort()
	}
	if b.st != nil && b.fresh && !b.x.there() {
		_ = disk.RemoveAll(b.dir)
	}
	b.x.broken()
}

func (b *Batch) end() {
	b.done = true
	b.x.writing.Unlock()
}

// finish writes everything and publishes it. changed is false when there was nothing to do.
func (b *Batch) finish(closed bool) (changed bool, err error) {
	if closed && b.lastEnd() < b.total() {
		if err := b.endTurn(); err != nil {
			return false, err
		}
	}
	images, err := b.keepImages()
	if err != nil {
		return false, err
	}
	if len(b.entries) == 0 && len(b.ends) == 0 {
		return images, b.undoFolder()
	}
	to, err := b.commit()
	if err != nil {
		return false, err
	}
	b.noteContexts()
	if err := b.spill(); err != nil {
		return false, err
	}
	if err := b.syncTail(); err != nil {
		return false, err
	}
	to.entries = append(b.st.entries, b.entries...)
	if err := b.follow(&to); err != nil {
		return false, err
	}
	if err := b.moveIn(); err != nil {
		return false, err
	}
	if err := b.publish(to); err != nil {
		return false, err
	}
	b.tidy()
	return true, nil
}

// lastEnd is the place up to which nodes are committed, or will be.
func (b *Batch) lastEnd() int {
	if n := len(b.ends); n > 0 {
		return b.ends[n-1]
	}
	return b.st.committed
}

// keepsContexts reports whether what the models saw is stored: a small import's is read from its nodes.
func (b *Batch) keepsContexts() bool { return !b.fresh || !b.bulk || b.total() >= fewNodes }

// noteContexts stores what the models saw in the turns that were committed. It can be reconstructed, so that a failure is no
// more than a problem.
func (b *Batch) noteContexts() {
	if len(b.contexts) == 0 {
		return
	}
	if err := appendDeltas(b.dir, false, b.contexts...); err != nil {
		b.x.mu.Lock()
		defer b.x.mu.Unlock()
		b.st.problem("%v", err)
	}
}

// follow brings HEAD, index and work tree up to date.
func (b *Batch) follow(to *outcome) error {
	if to.committed == b.st.committed {
		return nil
	}
	meta := b.x.Meta()
	before := b.lanes.branch(b.laneOf(meta.HeadID))
	now := to.lanes.branch(b.laneOf(b.noted(meta).HeadID))
	w := worktree{repo: b.st.repo, lanes: &to.lanes, entries: to.entries, committed: to.committed}
	err := w.follow(before, now, b.st.committed)
	to.entries = w.entries
	return err
}

// laneOf is the lane of a node; main's for one that is not there.
func (b *Batch) laneOf(id memory.Ref) int {
	if i, ok := b.find(string(id)); ok && i < len(b.lanes.of) {
		return int(b.lanes.of[i])
	}
	return 0
}

// undoFolder removes the folder of a new session to which nothing was appended.
func (b *Batch) undoFolder() error {
	if !b.fresh {
		return nil
	}
	return disk.RemoveAll(b.dir)
}

// moveIn gives a new session its place, with its meta.json, so that it is there whole or not at all.
func (b *Batch) moveIn() error {
	if !b.fresh {
		return nil
	}
	b.written = b.noted(b.x.Meta())
	if err := writeMetaOf(b.draft, b.written); err != nil {
		return err
	}
	if err := b.draft.Settle(); err != nil {
		return err
	}
	if err := disk.SyncDir(b.dir); err != nil {
		return err
	}
	if err := b.x.appear(b.dir); err != nil {
		return fmt.Errorf("make the session's folder: %w", err)
	}
	if err := disk.SyncDir(filepath.Dir(b.x.dir())); err != nil {
		return err
	}
	return b.x.settled()
}

// appear moves the folder from to the session's place. Nobody who finds the folder there is told meanwhile that there is no such
// session.
func (x *Session) appear(from string) error {
	to := x.dir()
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := disk.Rename(from, to); err != nil {
		return err
	}
	x.exists = true
	return nil
}

// noted is meta.json with what the batch's nodes say.
func (b *Batch) noted(m memory.Session) memory.Session {
	for i := range b.entries {
		note(&m, b.entries[i].id(), b.heads[i], len(b.st.entries)+i+1)
	}
	if b.model != "" {
		m.Model = b.model
	}
	return m
}

// publish shows the batch's nodes to readers and writes meta.json.
func (b *Batch) publish(to outcome) error {
	x, st := b.x, b.st
	x.mu.Lock()
	defer x.mu.Unlock()
	meta := b.noted(x.meta)
	if len(st.entries) == 0 {
		st.bonds = &bonds{}
	}
	for i := range b.entries {
		st.ids()[b.entries[i].id()] = len(st.entries) + i
	}
	pending := append(st.pending, b.heads...)
	st.pending = append([]header(nil), pending[to.committed-st.committed:]...)
	if st.bonds != nil {
		for i := range b.heads {
			st.bonds.add(&b.heads[i], st.find)
		}
	}
	for turn, text := range b.subjects {
		if _, first := st.subjects[turn]; !first {
			st.subjects[turn] = text
		}
	}
	st.entries, st.committed, st.lanes, st.turns = to.entries, to.committed, to.lanes, b.turns
	for _, l := range st.lanes.all {
		for turn := range st.subjects {
			if turn <= l.lastTurn {
				delete(st.subjects, turn) // a commit has it
			}
		}
	}
	if b.fresh {
		st.repo = b.draft.Settled(x.dir())
	}
	st.keepMade(b.made)
	x.st, x.exists, x.failed = st, true, ""
	if meta == b.written {
		x.meta = meta
		return nil
	}
	if err := writeMeta(x.dir(), meta); err != nil {
		return err
	}
	x.meta = meta
	return nil
}
