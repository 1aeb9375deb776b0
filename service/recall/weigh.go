package recall

import (
	"slices"
	"strings"

	"dormouse/store/index"
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
	return found
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
