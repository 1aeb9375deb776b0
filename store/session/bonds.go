package session

import (
	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

// bond is a node's place in the DAG, in few bytes: a session has one for each of its nodes in memory.
type bond struct {
	turn             int32
	parent, calledBy int32 // places of nodes; none; or below none a name: see far
	agent            int32 // the place of the sub-agent's name in names, from 1; 0 on the main conversation
}

// bonds are those of a session's nodes, in the order of their places, with the names that they use. Both are only appended to.
type bonds struct {
	list  []bond
	names []string         // of sub-agents, and of nodes that did not come before those that name them
	known map[string]int32 // places of names; made by the one who adds
}

// far is how a bond refers to a name, and the reverse.
func far(i int32) int32 { return none - 1 - i }

// name is the place of a name, which is added where it is not known.
func (b *bonds) name(s string) int32 {
	if b.known == nil {
		b.known = make(map[string]int32, len(b.names)+1)
		for i, n := range b.names {
			b.known[n] = int32(i)
		}
	}
	i, ok := b.known[s]
	if !ok {
		i = int32(len(b.names))
		b.names = append(b.names, s)
		b.known[s] = i
	}
	return i
}

// add appends the bond of a node with this header. find gives the places of nodes.
func (b *bonds) add(h *header, find func(id string) (int, bool)) {
	at := func(ref memory.Ref) int32 {
		if ref == "" {
			return none
		}
		if i, ok := find(string(ref)); ok && i < len(b.list) {
			return int32(i)
		}
		return far(b.name(string(ref)))
	}
	out := bond{turn: int32(h.turn), parent: at(h.parent), calledBy: at(h.calledBy)}
	if h.agent != "" {
		out.agent = b.name(h.agent) + 1
	}
	b.list = append(b.list, out)
}

// ref is the id that a bond refers to.
func (b *bonds) ref(at int32, entries []entry) memory.Ref {
	switch {
	case at >= 0:
		return memory.Ref(entries[at].id())
	case at == none:
		return ""
	}
	return memory.Ref(b.names[far(at)])
}

// agent is the sub-agent of a node; empty for one of the main conversation.
func (b *bonds) agent(i int) string {
	if at := b.list[i].agent; at > 0 {
		return b.names[at-1]
	}
	return ""
}

// header is the header of a node, as far as the DAG needs it.
func (b *bonds) header(i int, entries []entry) header {
	x := b.list[i]
	return header{parent: b.ref(x.parent, entries), calledBy: b.ref(x.calledBy, entries), agent: b.agent(i), turn: int(x.turn)}
}

// mark is a commit of ours: what it is called, and what it added.
type mark struct {
	oid    gitrepo.OID
	parent int32 // its place among the marks; none
	turn   int32 // that its message names
	newest int32 // place of the newest node that it added
}
