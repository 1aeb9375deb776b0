package recall

import (
	"cmp"
	"slices"

	"dormouse/store/index"
)

// weights say how much each part of a score counts. Text and vector are in standard deviations over all documents that could
// have been found, the others are shares from 0 to 1.
type weights struct {
	Vector    float64 // of the vector's part; the text has the rest
	Neighbour float64 // what was said just before and after matches
	Turn      float64 // the pieces of one turn have it together
	Covered   float64 // the share of what was asked for
	Recency   float64
}

var defaultWeights = weights{Vector: 0.35}

// What a standard deviation is at least, so that a few documents that are alike do not make little differences large.
const (
	leastTextDev   = 0.1 // of the best score
	leastCosineDev = 0.05
)

// scored is a hit with the parts of its score.
type scored struct {
	index.Hit
	parts   []Part
	covered float64
	words   uint64 // of the whole turn
	total   float64
}

// Part is one addend of a score.
type Part struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

func (s *scored) add(name string, value float64) {
	if value != 0 {
		s.parts = append(s.parts, Part{name, value})
		s.total += value
	}
}

// ranking orders what the index found for one query.
type ranking struct {
	w     weights
	asked *asked
	text  index.Spread
	far   index.Spread
	unit  float64 // one standard deviation of the text's scores
	list  []scored
	turns map[turnKey]*turnScore
}

type turnKey struct {
	session string
	turn    int
}

// turnScore is what the pieces of a turn have together.
type turnScore struct {
	best  float64 // BM25 of its best piece
	words uint64
}

// rank orders hits, best first; equals stay in their order.
func (r *ranking) rank(found []index.Hit, text string) []scored {
	r.turns = map[turnKey]*turnScore{}
	r.list = make([]scored, len(found))
	for i, h := range found {
		r.list[i] = scored{Hit: h, words: h.Words}
		if h.Doc.Kind != index.KindTurn {
			continue
		}
		k := turnKey{h.Doc.Session, h.Doc.Turn}
		t := r.turns[k]
		if t == nil {
			t = &turnScore{}
			r.turns[k] = t
		}
		t.best = max(t.best, h.Score)
		t.words |= h.Words
	}
	r.unit = unitOf(found, r.text)
	name := asName(text)
	for i := range r.list {
		r.score(&r.list[i], name)
	}
	slices.SortStableFunc(r.list, func(a, b scored) int { return cmp.Compare(b.total, a.total) })
	newestOfTopic(r.list)
	return r.list
}

func (r *ranking) score(s *scored, name string) {
	d := &s.Doc
	text := s.Score * factor(d, name) / r.unit
	if s.HasVector && r.far.Dev > 0 {
		s.add("text", text*(1-r.w.Vector))
		s.add("vector", r.w.Vector*(s.Cosine-r.far.Mean)/max(r.far.Dev, leastCosineDev))
	} else {
		s.add("text", text)
	}
	if d.Kind == index.KindTurn {
		t := r.turns[turnKey{d.Session, d.Turn}]
		s.words = t.words
		before, after := r.turns[turnKey{d.Session, d.Turn - 1}], r.turns[turnKey{d.Session, d.Turn + 1}]
		near := 0.0
		for _, n := range []*turnScore{before, after} {
			if n != nil {
				near = max(near, n.best)
			}
		}
		s.add("neighbours", r.w.Neighbour*near/r.unit)
		s.add("whole turn", r.w.Turn*(r.asked.covered(t.words)-r.asked.covered(s.Hit.Words)))
	}
	s.covered = r.asked.covered(s.words)
	s.add("covered", r.w.Covered*s.covered)
}

// unitOf is one standard deviation of the text's scores. Where hardly anything was found a deviation says little, and a part of the
// best score stands in.
func unitOf(found []index.Hit, text index.Spread) float64 {
	best := 0.0
	for i := range found {
		best = max(best, found[i].Score)
	}
	if best == 0 {
		return 1
	}
	return max(text.Dev, best*leastTextDev)
}
