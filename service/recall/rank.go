package recall

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"dormouse/store/index"
	"dormouse/store/memory"
)

// weights say how much each part of a score counts. Text and vector are in standard deviations over all documents that could
// have been found, the others are shares from 0 to 1.
type weights struct {
	Vector     float64 // of the vector's part; the text has the rest
	Neighbour  float64 // what was said just before and after matches
	Covered    float64 // the share of what was asked for
	Named      float64 // the query calls it, or what it is about, by a name
	Tags       float64 // its tags are those that the query names
	Beside     float64 // it is about what lies one edge beside what the query calls by a name
	Project    float64 // it is of the reader's own project, and not of all
	Recency    float64 // the newest of what was found; half of it for each recencyHalf of age
	Identifier float64 // the share of the query's identifiers that it has letter for letter

	SessionShare   float64 // what a further turn of a session counts of the one before
	SessionCovered float64 // the share of what was asked for that all of a session has
	leastDev       float64
}

var defaultWeights = weights{Vector: 0.3, Neighbour: 0.25, Covered: 0.75, Named: 0.5, Tags: 0.5, Beside: 0.25, Project: 0.1, Recency: 0.2, Identifier: 0.3, SessionShare: 0.5, SessionCovered: 3, leastDev: leastCosineDev}

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
	named   bool
	words   uint64 // of the whole turn
	total   float64
	near    float64 // of total, what stands beside it
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
	namer *namer
	// anyNamed says that the query calls something by its name.
	anyNamed bool

	view        memory.View
	guide       *Guide // nil where there is none
	tags        tagList
	identifiers []string // of the query
	known       float64  // the share of its words that the embedding model knows
	tells       bool     // whether the model tells that share
	newest      int64    // time of what was found
	found       int      // documents that the index gave
	docs        int      // documents that the query could have found
	once        float64  // the weight of a word that one of these has
	list        []scored
	turns       map[turnKey]*turnScore
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
		r.newest = max(r.newest, h.Doc.Time)
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
	r.addBeside(text)
	slices.SortStableFunc(r.list, func(a, b scored) int { return cmp.Compare(b.total, a.total) })
	newestOfTopic(r.list)
	return r.list
}

func (r *ranking) score(s *scored, name string) {
	d := &s.Doc
	text := s.Score * factor(d, name) / r.unit
	if s.HasVector && r.far.Dev > 0 {
		s.add("text", text*(1-r.w.Vector))
		s.add("vector", r.w.Vector*(s.Cosine-r.far.Mean)/max(r.far.Dev, r.w.leastDev))
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
		s.near = r.w.Neighbour * near / r.unit
		s.add("neighbours", s.near)
	}
	s.covered = r.asked.covered(s.words)
	s.add("covered", r.w.Covered*s.covered)
	if s.named = r.namer != nil && r.namer.calls(d.Names); s.named {
		s.add("named", r.w.Named)
		r.anyNamed = true
	}
	s.add("tags", r.w.Tags*r.tags.share[d.ID])
	s.add("identifier", r.w.Identifier*identified(d, r.identifiers))
	if r.view.Project != "" && d.Scope != memory.Global {
		s.add("project", r.w.Project)
	}
	if d.Time != 0 {
		s.add("recency", r.w.Recency*math.Exp2(-float64(r.newest-d.Time)/recencyHalf))
	}
}

// recencyHalf is the age, in seconds before the newest of what was found, at which recency counts half: a month. It decides between
// what answers equally well; whoever asks for a time says so.
const recencyHalf = 30 * 86400

// addBeside adds what the graph has to say: a record about something one edge beside what the query calls by a name, and is not itself called.
func (r *ranking) addBeside(text string) {
	if r.guide == nil {
		return
	}
	beside := r.guide.beside(r.view, text)
	for i := range r.list {
		if s := &r.list[i]; !s.named && slices.ContainsFunc(s.Doc.Names, func(n string) bool { return beside[strings.ToLower(n)] }) {
			s.add("graph", r.w.Beside)
		}
	}
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
