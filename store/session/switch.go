package session

import (
	"fmt"

	"dormouse/store/memory"
)

// Switch makes a node of the main conversation the head: HEAD, the index and the work tree show the branch that it is on. A
// hot session gets the files of that branch, a cold one stays cold. The head moves on with the next node that is appended.
// It waits for an open batch. The error wraps ErrNoNode when the session does not have the node.
func (x *Session) Switch(node string) (err error) {
	x.writing.Lock()
	defer x.writing.Unlock()
	defer x.brokenBy(&err)
	b := &Batch{x: x}
	if err := b.open(); err != nil {
		return fmt.Errorf("switch session %s: %w", x.id, err)
	}
	at, ok := b.find(node)
	if !ok {
		return fmt.Errorf("switch: %w: %s in session %s", ErrNoNode, node, x.id)
	}
	h, err := b.headAt(at)
	if err != nil {
		return fmt.Errorf("switch session %s: %w", x.id, err)
	}
	if h.agent != "" {
		return fmt.Errorf("switch session %s: node %s is a sub-agent's; only the main conversation has branches", x.id, node)
	}
	if err := b.show(b.lanes.branch(int(b.lanes.of[at]))); err != nil {
		return fmt.Errorf("switch session %s: %w", x.id, err)
	}
	_, err = x.update(func(m *memory.Session) { m.HeadID = memory.Ref(node) })
	if err == nil {
		x.store.opts.OnChange(x.id)
	}
	return err
}

// follow shows the branch of a new head, when that of the old one is shown.
func (x *Session) follow(old, head memory.Ref) (err error) {
	x.writing.Lock()
	defer x.writing.Unlock()
	defer x.brokenBy(&err)
	b := &Batch{x: x}
	if err := b.open(); err != nil {
		return err
	}
	from, to := b.lanes.branch(b.laneOf(old)), b.lanes.branch(b.laneOf(head))
	if from == to {
		return nil
	}
	shown, err := b.st.repo.Head()
	if err != nil || shown != from {
		return err
	}
	return b.show(to)
}

// show checks a branch out, unless it is there already. Before the first commit there is nothing to show.
func (b *Batch) show(branch string) error {
	lane, ok := b.lanes.byRef(branch)
	if !ok {
		return nil
	}
	shown, err := b.st.repo.Head()
	if err != nil || shown == branch {
		return err
	}
	w := worktree{repo: b.st.repo, lanes: &b.lanes, entries: b.st.entries, committed: b.st.committed}
	err = w.show(lane)
	b.x.mu.Lock()
	defer b.x.mu.Unlock()
	b.st.entries = w.entries
	return err
}
