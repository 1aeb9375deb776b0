package recall

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"dormouse/service/distill/tagging"
	"dormouse/store/index"
	"dormouse/store/memory"
)

// Guide is what the records of a memory say of a query before anything is looked for: which tags it names, and what lies beside an entity
// in the graph. It is made once for a state and does not change; it may be used by several goroutines. It calls no model.
type Guide struct {
	names *tagging.Vocabulary
	tags  map[string][]memory.Key // of a name what it stands for now
	docs  map[memory.Key][]string // documents of a tag: its summary, and the segments that are about it, the newest first
	of    map[memory.Scope]int    // tagged documents of a scope
	near  map[string][]neighbour  // by the name of an entity in lower case
	// entities are the names that near knows.
	entities *tagging.Vocabulary
}

// neighbour is an entity one edge away, in the scope of the edge.
type neighbour struct {
	scope memory.Scope
	name  string // in lower case
}

// mostTagged is how many documents the tags of a query bring at most.
const mostTagged = 60

// NewGuide reads the tags, their segments and the edges of a state.
func NewGuide(s *memory.State) *Guide {
	g := &Guide{tags: map[string][]memory.Key{}, docs: map[memory.Key][]string{}, of: map[memory.Scope]int{}, near: map[string][]neighbour{}}
	var names []tagging.Name
	keys := map[memory.Key]bool{}
	for _, n := range s.TagNames(memory.View{All: true}) {
		names = append(names, tagging.Name{Name: n.Name})
		g.tags[n.Name] = n.Tags
		for _, k := range n.Tags {
			keys[k] = true
		}
	}
	g.names = tagging.NewVocabulary(names)
	seen := map[memory.Scope]map[string]bool{}
	for k := range keys {
		g.docs[k] = taggedDocs(s, k)
		if seen[k.Scope] == nil {
			seen[k.Scope] = map[string]bool{}
		}
		for _, id := range g.docs[k] {
			seen[k.Scope][id] = true
		}
	}
	for scope, ids := range seen {
		g.of[scope] = len(ids)
	}
	g.readEdges(s)
	names = nil
	for _, name := range slices.Sorted(maps.Keys(g.near)) {
		names = append(names, tagging.Name{Name: name})
	}
	g.entities = tagging.NewVocabulary(names)
	return g
}

// taggedDocs are the ids of a tag's documents.
func taggedDocs(s *memory.State, k memory.Key) (ids []string) {
	if t := s.Tags[k]; t != nil {
		if sum := summaryOf(s, t); sum != nil && sum.SupersededBy == "" {
			ids = append(ids, tagSummaryPrefix+sum.ID)
		}
	}
	for _, seg := range s.SegmentsOf([]memory.Key{k}) {
		ids = append(ids, segmentPrefix+seg.ID)
	}
	return ids
}

// readEdges notes who lies beside whom. What something private bears out is left out, since a guide serves agents too.
func (g *Guide) readEdges(s *memory.State) {
	for _, e := range s.EdgeList() {
		if e = ends(s, e); e.SupersededBy != "" || e.From == e.To || !e.Scope.Valid() || !showsEdge(s, memory.View{Project: projectOf(e.Scope)}, e) {
			continue
		}
		from, to := namesOf(s, e.Scope, e.From), namesOf(s, e.Scope, e.To)
		g.join(e.Scope, from, to)
		g.join(e.Scope, to, from)
	}
}

func projectOf(s memory.Scope) string {
	p, _ := s.Project()
	return p
}

func (g *Guide) join(scope memory.Scope, from, to []string) {
	for _, a := range from {
		a = strings.ToLower(a)
		for _, b := range to {
			if n := (neighbour{scope, strings.ToLower(b)}); !slices.Contains(g.near[a], n) {
				g.near[a] = append(g.near[a], n)
			}
		}
	}
}

// beside are the names one edge away from what a text calls by its name, for a view, in lower case.
func (g *Guide) beside(view memory.View, text string) map[string]bool {
	out := map[string]bool{}
	for _, f := range g.entities.Tag(text) {
		for _, n := range g.near[f.Name] {
			if f.Weight == 1 && view.Sees(n.scope) {
				out[n.name] = true
			}
		}
	}
	return out
}

// tagList is what the tags of a query bring.
type tagList struct {
	share map[string]float64 // by document: 1 for the best, less for what has fewer or less telling ones of the query's tags
	words int                // words of the query that name tags
}

// ids are the documents, the best first.
func (t *tagList) ids() []string {
	return slices.SortedFunc(maps.Keys(t.share), func(a, b string) int { return cmp.Or(cmp.Compare(t.share[b], t.share[a]), cmp.Compare(a, b)) })
}

// tagged finds the tags that a query names and ranks their documents: each tag counts by how surely it is named and by how few
// documents have it.
func (g *Guide) tagged(view memory.View, text string) (t tagList) {
	t.share = map[string]float64{}
	weight := map[memory.Key]float64{}
	for _, f := range g.names.Tag(text) {
		known := false
		for _, k := range g.tags[f.Name] {
			if view.Sees(k.Scope) && len(g.docs[k]) > 0 {
				weight[k], known = max(weight[k], f.Weight), true
			}
		}
		if known {
			t.words = max(t.words, len(plainWords(f.Name)))
		}
	}
	place := map[string]int{} // the newest of equals come first
	best := 0.0
	for k, w := range weight {
		docs := g.docs[k]
		w *= math.Log(1 + float64(g.of[k.Scope])/float64(len(docs)))
		for i, id := range docs[:min(len(docs), mostTagged)] {
			t.share[id] += w
			place[id] = max(place[id], i)
			best = max(best, t.share[id])
		}
	}
	list := slices.SortedFunc(maps.Keys(t.share), func(a, b string) int {
		return cmp.Or(cmp.Compare(t.share[b], t.share[a]), cmp.Compare(place[a], place[b]), cmp.Compare(a, b))
	})
	for i, id := range list {
		if i >= mostTagged {
			delete(t.share, id)
			continue
		}
		t.share[id] /= best
	}
	return t
}

// Filed is what is filed under some tags.
type Filed struct {
	ids   []string // of documents of records
	turns []memory.SegmentTurn
	in    []string // by turn, its session
}

// FiledUnder is what is filed under some tags: their summaries, their segments, the records that come from the turns of these, and these
// turns themselves.
func FiledUnder(s *memory.State, tags []memory.Key) Filed {
	f := Filed{ids: []string{}}
	for _, k := range tags {
		f.ids = append(f.ids, taggedDocs(s, k)...)
	}
	segs := s.SegmentsOf(tags)
	for id := range recordsOf(segs) {
		f.ids = append(f.ids, eventPrefix+id, factPrefix+id)
	}
	for _, g := range segs {
		for _, t := range g.Turns() {
			f.turns, f.in = append(f.turns, t), append(f.in, g.Full.SessionID)
		}
	}
	return f
}

// IDs are the ids of its documents in an index. turnOf tells the turn of a node, 0 where it is unknown.
func (f *Filed) IDs(ix *index.Index, turnOf func(session, node string) int) ([]string, error) {
	out := slices.Clone(f.ids)
	for i, t := range f.turns {
		n := turnOf(f.in[i], t.Node)
		if n == 0 {
			continue
		}
		ids, err := ix.IDs(turnDocs(f.in[i], n))
		if err != nil {
			return nil, err
		}
		out = append(out, ids...)
	}
	return out, nil
}
