package session

import (
	"errors"

	"dormouse/store/memory"
)

// weave gives the next node its lane and turn. Both depend on the nodes before it alone, never on what is committed, so that
// equal nodes in equal order make equal branches:
//
//   - A node of the main conversation goes on with the lane of its parent when nothing of the main conversation followed on
//     the parent yet; else it begins a lane that forks there. A prompt without a parent begins one that shares nothing.
//   - A node whose parent is not in the session goes on with the lane of the node before it.
//   - A node that came after one that names it as its parent goes where that one is.
//   - A sub-agent's node goes with the call that started it, on the lane that is followed now if that call is on it, else on
//     the call's own. So what comes late never makes a lane.
//   - A prompt begins a turn; everything else belongs to the turn of what it follows on. A node that is stored keeps its own.
func (b *Batch) weave(id string, h *header, stored bool) error {
	if len(b.lanes.all) == 0 {
		b.lanes.all = append(b.lanes.all, newLane(none, 0))
	}
	at, known := b.anchor(h)
	to, late, err := b.laneFor(id, h, at, known)
	if err != nil {
		return err
	}
	if !stored {
		if h.turn, err = b.turnFor(h, at, known); err != nil {
			return err
		}
	}
	if h.agent == "" && !late {
		l := &b.lanes.all[to]
		l.last, l.turn = len(b.lanes.of), h.turn
		b.active = to
	}
	b.lanes.add(to)
	return nil
}

// turnFor is the turn of a new node.
func (b *Batch) turnFor(h *header, at int, known bool) (int, error) {
	if h.prompt {
		b.turns++
		return b.turns, nil
	}
	if !known {
		return b.turns, nil
	}
	return b.turnAt(at)
}

// anchor is the place of the node that a new one follows on.
func (b *Batch) anchor(h *header) (place int, known bool) {
	refs := []memory.Ref{h.parent}
	if h.agent != "" {
		refs = []memory.Ref{h.calledBy, h.parent}
	}
	for _, ref := range refs {
		if at, ok := b.find(string(ref)); ok && at < len(b.lanes.of) {
			return at, true
		}
	}
	return none, false
}

// laneFor is the lane of a new node. A late one goes there, but the conversation does not go on from it.
func (b *Batch) laneFor(id string, h *header, at int, known bool) (lane int, late bool, err error) {
	switch {
	case h.agent != "" && (!known || b.lanes.holds(b.active, at)):
		return b.active, false, nil
	case h.agent != "":
		return int(b.lanes.of[at]), false, nil
	case h.prompt && h.parent == "" && b.lanes.all[b.active].last != none:
		return b.fork(none, 0), false, nil
	case !known:
		return b.active, false, nil
	}
	owner := int(b.lanes.of[at])
	switch last := b.lanes.all[owner].last; {
	case at == last:
		return owner, false, nil
	case at > last:
		before, err := b.headAt(at)
		return owner, before.agent == "" && !h.prompt && last != none, err
	}
	shared, next, err := b.cut(owner, at)
	if err != nil {
		return owner, false, err
	}
	if !h.prompt && b.waits(next, id) {
		return owner, true, nil
	}
	return b.fork(owner, shared), false, nil
}

// waits reports whether a node came before the one that it follows on: this one, or one that is not there yet.
func (b *Batch) waits(next header, id string) bool {
	at, known := b.find(string(next.parent))
	return next.parent != "" && (!known || at >= len(b.lanes.of) || string(next.parent) == id)
}

func (b *Batch) fork(parent, shared int) int {
	l := newLane(parent, shared)
	l.from = b.active
	b.lanes.all = append(b.lanes.all, l)
	return len(b.lanes.all) - 1
}

// cut is how many nodes of a lane a fork after one of its own shares: up to the next node of the main conversation.
func (b *Batch) cut(lane, place int) (n int, next header, err error) {
	l := &b.lanes.all[lane]
	for n = l.until(place) + 1; n < l.len(); n++ {
		next, err = b.headAt(int(l.own[n-l.shared]))
		if err != nil || next.agent == "" {
			return n, next, err
		}
	}
	return n, header{}, nil
}

// turnAt is a node's turn.
func (b *Batch) turnAt(place int) (int, error) {
	if l := &b.lanes.all[b.lanes.of[place]]; l.last == place {
		return l.turn, nil
	}
	h, err := b.headAt(place)
	return h.turn, err
}

// headAt is the header of any node of the session.
func (b *Batch) headAt(i int) (header, error) {
	if i >= b.st.committed {
		return *b.head(i), nil
	}
	b.x.mu.Lock()
	defer b.x.mu.Unlock()
	if b.st.bonds != nil {
		return b.st.bonds.header(i, b.st.entries), nil
	}
	r := b.st.repo.Reader()
	h, err := b.st.readHeader(r, i)
	return h, errors.Join(err, r.Close())
}
