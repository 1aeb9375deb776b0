package ledger

import (
	"cmp"
	"strconv"

	"dormouse/store/memory"
)

// covering says which run has dealt with each node, and under which session. There may be millions of nodes: one takes some 25
// bytes.
type covering struct {
	by     []coveredBy
	nodes  map[uint64]uint32 // an id of 16 hex digits, as nodes have it -> place in by
	others map[string]uint32 // any other id
}

// coveredBytes is what a node takes.
const coveredBytes = 25

// coveredBy is one session of one run.
type coveredBy struct {
	session string
	run     runOrder
}

// runOrder is what orders runs.
type runOrder struct {
	lamport     uint64
	machine, id string
}

func (a runOrder) compare(b runOrder) int {
	return cmp.Or(cmp.Compare(a.lamport, b.lamport), cmp.Compare(a.machine, b.machine), cmp.Compare(a.id, b.id))
}

func newCovering() *covering {
	return &covering{nodes: map[uint64]uint32{}, others: map[string]uint32{}}
}

// packedID reads a node's id as a number; false where it is not 16 digits in lower case, so that the number would stand for another
// id as well.
func packedID(id string) (uint64, bool) {
	if len(id) != 16 {
		return 0, false
	}
	for i := range len(id) {
		if c := id[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(id, 16, 64)
	return n, err == nil
}

// add takes in what a run has dealt with. Of two runs that dealt with a node the later one in the order of the fold counts.
func (c *covering) add(r *memory.Run) {
	order := runOrder{r.Lamport, r.Machine, r.ID}
	for _, cov := range r.Coverage {
		at := uint32(len(c.by))
		c.by = append(c.by, coveredBy{cov.SessionID, order})
		for _, id := range cov.NodeIDs {
			if n, ok := packedID(id); ok {
				put(c, c.nodes, n, at)
			} else {
				put(c, c.others, id, at)
			}
		}
	}
}

func put[K comparable](c *covering, m map[K]uint32, k K, at uint32) {
	if old, ok := m[k]; !ok || c.by[old].run.compare(c.by[at].run) <= 0 {
		m[k] = at
	}
}

// join takes in what another one has.
func (c *covering) join(o *covering) {
	base := uint32(len(c.by))
	c.by = append(c.by, o.by...)
	for id, at := range o.nodes {
		put(c, c.nodes, id, base+at)
	}
	for id, at := range o.others {
		put(c, c.others, id, base+at)
	}
}

// find says what has dealt with a node; nil if nothing.
func (c *covering) find(id string) *coveredBy {
	at, ok := c.others[id]
	if n, packed := packedID(id); packed {
		at, ok = c.nodes[n]
	}
	if !ok {
		return nil
	}
	return &c.by[at]
}

func (c *covering) len() int { return len(c.nodes) + len(c.others) }

// common counts the nodes that both know.
func (c *covering) common(o *covering) (n int) {
	for id := range c.nodes {
		if _, ok := o.nodes[id]; ok {
			n++
		}
	}
	for id := range c.others {
		if _, ok := o.others[id]; ok {
			n++
		}
	}
	return n
}

// withoutNodes is a run whose coverage names its sessions alone.
func withoutNodes(r memory.Run) memory.Run {
	var out []memory.Coverage
	for _, c := range r.Coverage {
		out = append(out, memory.Coverage{SessionID: c.SessionID})
	}
	r.Coverage = out
	return r
}
