package recall

import (
	"strings"
	"testing"

	"dormouse/store/index"
)

func TestWhatWasSaidCountsMoreThanNamesUnlessANameWasAskedFor(t *testing.T) {
	hit := func(kind index.Kind, id, title string, score float64) index.Hit {
		return index.Hit{Doc: index.Doc{ID: id, Kind: kind, Title: title}, Score: score}
	}
	order := func(text string, hits ...index.Hit) string {
		var ids []string
		r := ranking{w: defaultWeights, asked: &asked{}, text: index.Spread{N: 3, Mean: 5, Dev: 2}}
		for _, h := range r.rank(hits, text) {
			ids = append(ids, h.Doc.ID)
		}
		return strings.Join(ids, " ")
	}
	entity, event, turn := hit(index.KindEntity, "entity", "lint.yml", 9), hit(index.KindEvent, "event", "", 6), hit(index.KindTurn, "turn", "", 7)
	if got := order("lint comments", entity, turn, event); got != "event turn entity" {
		t.Errorf("for words: %s", got)
	}
	if got := order(" LINT.yml ", entity, turn, event); got != "entity event turn" {
		t.Errorf("for a name: %s", got)
	}
	a, b := hit(index.KindTurn, "a", "", 5), hit(index.KindTurn, "b", "", 5)
	if got := order("x", a, b); got != "a b" {
		t.Errorf("equal hits change places: %s", got)
	}
}
