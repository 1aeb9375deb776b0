package daemon

import (
	"encoding/json"
	"slices"

	"dormouse/service/recall"
	"dormouse/store/index"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// withheldArea is the area of the index that says which nodes it was made without.
const withheldArea = "withheld"

// indexedArea is that in which the indexer keeps how far each session is indexed.
const indexedArea = "indexed"

// shown are the nodes of one turn that agents may see and searches may find: none of a turn from which something private comes, and of
// others not what bore out what was erased. It leaves the nodes that it is given alone.
func (d *Daemon) shown(turn []memory.Node) (out []memory.Node) {
	d.ledger.Read(func(s *memory.State) {
		if slices.ContainsFunc(turn, func(n memory.Node) bool { return s.WithheldNode(n.ID) }) {
			return
		}
		out = slices.DeleteFunc(slices.Clone(turn), func(n memory.Node) bool { return s.ErasedNode(n.ID) })
	})
	return out
}

// privateTurns are the turns of a session from which something private comes, and all of one whose project is excluded; nil where there are
// none.
func (d *Daemon) privateTurns(x *session.Session) (turns map[int]bool) {
	if m := x.Meta(); d.hidden()[m.ProjectID] {
		turns = map[int]bool{}
		for n := range m.Turns + 1 {
			turns[n] = true
		}
		return turns
	}
	var nodes []string
	d.ledger.Read(func(s *memory.State) { nodes = s.Withheld()[x.Meta().ID] })
	for _, node := range nodes {
		if turn, ok := x.TurnOf(node); ok {
			if turns == nil {
				turns = map[int]bool{}
			}
			turns[turn] = true
		}
	}
	return turns
}

// hiddenHit reports whether what the index found of a session is not to be found any more: the index may be a moment behind.
func (d *Daemon) hiddenHit(h recall.Hit) (hidden bool) {
	d.ledger.Read(func(s *memory.State) {
		hidden = slices.ContainsFunc(h.Nodes, func(node string) bool { return s.ErasedNode(node) || s.WithheldNode(node) })
	})
	if hidden || h.What != index.KindTurn {
		return hidden
	}
	x, err := d.sessions.Open(h.Session)
	return err == nil && d.privateTurns(x)[h.Turn]
}

// withhold has the sessions indexed again whose nodes may be found no more, or again: what is private changed. Their old documents go
// when that is done; until then no answer shows them.
func (d *Daemon) withhold() error {
	var now map[string][]string
	d.ledger.Read(func(s *memory.State) { now = s.Withheld() })
	area := d.index.Area(withheldArea)
	raw, _, err := area.Get("nodes")
	if err != nil {
		return err
	}
	had := map[string][]string{}
	if len(raw) > 0 && json.Unmarshal(raw, &had) != nil {
		had = map[string][]string{} // those sessions are indexed again when something changes
	}
	var again []string
	for _, some := range []map[string][]string{now, had} {
		for id := range some {
			if !slices.Equal(now[id], had[id]) && !slices.Contains(again, id) {
				again = append(again, id)
			}
		}
	}
	if len(again) == 0 {
		return nil
	}
	d.filling.Lock()
	defer d.filling.Unlock()
	for _, id := range again {
		if err := d.index.Area(indexedArea).Delete(id); err != nil {
			return err
		}
	}
	if raw, err = json.Marshal(now); err != nil {
		return err
	}
	if err := area.Put("nodes", raw); err != nil {
		return err
	}
	d.behind.Store(true)
	select {
	case d.wake <- struct{}{}:
	default:
	}
	return nil
}
