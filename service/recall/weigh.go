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

// asName is a query's text as the name of an entity would be written.
func asName(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}

// nearTie is the share of the best score of a topic from which on two facts answer a question alike.
const nearTie = 0.75

// newestOfTopic puts the newest of the facts of one subject and verb at the place of the best of them, and so on: of what was so
// and what is so, the reader asks for what is. A verb that takes several objects, such as "uses", counts only among facts that
// answer nearly as well, since the question may name the object. Scores stay with the places.
func newestOfTopic(found []scored) {
	topics := map[string][]int{}
	best := map[string]float64{}
	for i := range found {
		d := &found[i].Doc
		if d.Kind != index.KindFact || d.Label == "" {
			continue
		}
		key := string(d.Scope) + topicEnd + strings.ToLower(d.Label)
		best[key] = max(best[key], found[i].Hit.Score)
		_, verb, _ := strings.Cut(d.Label, topicEnd)
		if memory.SingleValued(verb) || found[i].Hit.Score >= nearTie*best[key] {
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
