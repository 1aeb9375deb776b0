package recall

import (
	"cmp"
	"slices"
	"strings"

	"dormouse/store/index"
	"dormouse/store/memory"
)

// What a hit of each kind counts, as a factor on its score. BM25 favours short documents: the name of a file would always
// beat what was decided about it, so records that say something count more than names and raw text.
const (
	eventFactor  = 1.25
	entityFactor = 0.6
	// namedFactor is for an entity whose whole name was asked for.
	namedFactor = 2
)

// weigh orders hits by their score times what their kind counts. Hits of equal weight stay in their order.
func weigh(found []index.Hit, text string) []index.Hit {
	asked := strings.ToLower(strings.Join(strings.Fields(text), " "))
	for i := range found {
		found[i].Score *= factor(&found[i].Doc, asked)
	}
	slices.SortStableFunc(found, func(a, b index.Hit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	newestOfTopic(found)
	return found
}

// nearTie is the share of the best score of a topic from which on two facts answer a question alike.
const nearTie = 0.75

// newestOfTopic puts the newest of the facts of one subject and verb at the place of the best of them, and so on: of what was so
// and what is so, the reader asks for what is. A verb that takes several objects, such as "uses", counts only among facts that
// answer nearly as well, since the question may name the object. Scores stay with the places.
func newestOfTopic(found []index.Hit) {
	topics := map[string][]int{}
	best := map[string]float64{}
	for i := range found {
		d := &found[i].Doc
		if d.Kind != index.KindFact || d.Label == "" {
			continue
		}
		key := string(d.Scope) + topicEnd + strings.ToLower(d.Label)
		best[key] = max(best[key], found[i].Score)
		_, verb, _ := strings.Cut(d.Label, topicEnd)
		if memory.SingleValued(verb) || found[i].Score >= nearTie*best[key] {
			topics[key] = append(topics[key], i)
		}
	}
	for _, places := range topics {
		docs := make([]index.Doc, len(places))
		for k, i := range places {
			docs[k] = found[i].Doc
		}
		slices.SortStableFunc(docs, func(a, b index.Doc) int { return cmp.Compare(b.Time, a.Time) })
		for k, i := range places {
			found[i].Doc = docs[k]
		}
	}
}

func factor(d *index.Doc, asked string) float64 {
	switch d.Kind {
	case index.KindEvent, index.KindFact:
		return eventFactor
	case index.KindEntity:
		if strings.ToLower(strings.TrimSpace(d.Title)) == asked {
			return namedFactor
		}
		return entityFactor
	}
	return 1
}
