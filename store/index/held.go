package index

import (
	lru "container/list"
	"sync"
)

// The postings of frequent terms are kept in memory, since every second query has one of them and they are long.
const (
	heldBytes = 24 << 20 // of all; those that were asked for longest ago make room
	heldFrom  = 1 << 10  // bytes of a list that is kept
)

// heldLists are the postings that are kept. Segments don't change, so neither do these.
type heldLists struct {
	mu     sync.Mutex
	lists  map[listKey]*lru.Element // of *heldList
	recent lru.List                 // last asked first
	bytes  int
}

type listKey struct {
	segment uint32
	term    string
}

type heldList struct {
	key listKey
	*postings
}

// forget drops everything: the numbers of segments may be given again.
func (h *heldLists) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lists, h.bytes = nil, 0
	h.recent.Init()
}

func (h *heldLists) get(segment uint32, term string) *postings {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.lists[listKey{segment, term}]
	if e == nil {
		return nil
	}
	h.recent.MoveToFront(e)
	return e.Value.(heldList).postings
}

func (h *heldLists) put(segment uint32, term string, p *postings) {
	if p.bytes() < heldFrom {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	key := listKey{segment, term}
	if h.lists[key] != nil { // another search was faster
		return
	}
	if h.lists == nil {
		h.lists = map[listKey]*lru.Element{}
	}
	h.lists[key] = h.recent.PushFront(heldList{key, p})
	for h.bytes += p.bytes(); h.bytes > heldBytes; {
		old := h.recent.Remove(h.recent.Back()).(heldList)
		delete(h.lists, old.key)
		h.bytes -= old.bytes()
	}
}
