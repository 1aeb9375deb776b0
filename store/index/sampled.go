package index

import "sync"

// mostSampled is how many vectors of samples are kept in memory.
const mostSampled = 2048

// sampledVectors keeps the vectors that spreads are taken from: they are the same for all queries with one view and filter, and reading
// them would cost as much as a third of the vectors that a query looks for.
type sampledVectors struct {
	mu   sync.Mutex
	gen  uint32
	vecs map[uint32]scaled // by document number, whose vector never changes within a generation
}

type scaled struct {
	scale float32
	vals  []byte
}

// forget drops everything: numbers may be given again.
func (v *sampledVectors) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.vecs = nil
}

// of is the vectors that are kept of a generation; v.mu is held.
func (v *sampledVectors) of(gen uint32) map[uint32]scaled {
	if v.vecs == nil || v.gen != gen || len(v.vecs) > mostSampled {
		v.gen, v.vecs = gen, map[uint32]scaled{}
	}
	return v.vecs
}

// measureSample fills the cosines of a sample in.
func (s *scan) measureSample(list []near) error {
	g := s.ix.gens[serving]
	kept := &s.ix.sampled
	kept.mu.Lock()
	defer kept.mu.Unlock()
	vecs := kept.of(g.entry.ID)
	for i := range list {
		v, ok := vecs[list[i].num]
		if !ok {
			c, err := g.read(s.txn, list[i].num)
			if err != nil {
				return err
			}
			v = scaled{c.scale, make([]byte, len(c.vals))}
			for k, x := range c.vals {
				v.vals[k] = byte(x)
			}
			vecs[list[i].num] = v
		}
		list[i].cosine = s.asked.cosine(v.scale, v.vals)
	}
	return nil
}
