package capture

import (
	"dormouse/store/memory"
	"dormouse/store/session"
)

// knownNodes lets a parser ask for the nodes that were stored before it began.
type knownNodes struct {
	e    *Engine
	key  sessionKey
	x    *session.Session
	none bool // there were none; later ones come from the parser itself
}

// any reports whether there are nodes of the session.
func (k *knownNodes) any() bool {
	if k.x == nil && !k.none {
		x, err := k.e.stored(k.key)
		k.x, k.none = x, err != nil || x == nil
	}
	return !k.none
}

func (k *knownNodes) get(id string) (memory.Node, bool) {
	if !k.any() || !k.x.Has(id) {
		return memory.Node{}, false
	}
	n, err := k.x.Node(id)
	return n, err == nil
}
