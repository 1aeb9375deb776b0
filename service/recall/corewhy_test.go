package recall

import (
	"math"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func TestEachLineOfACoreSaysWhyItIsThere(t *testing.T) {
	text, lines := ExplainedCore(shop(), CoreInfo{Project: "p", Name: "shop", At: *at(13)})
	if strings.Count(text, "↪") != len(lines) || len(lines) < 5 {
		t.Fatalf("%d reasons for\n%s", len(lines), text)
	}
	sum := 0
	for _, l := range lines {
		product := 1e6
		for _, p := range l.Parts {
			product *= p.Value
		}
		if math.Abs(product-float64(l.Score)) > 0.02*product+20 {
			t.Errorf("%s: the parts %v make %.0f, the score is %d", l.Text, l.Parts, product, l.Score)
		}
		if l.Record == "" || l.Kind == "" || l.Scope == "" || !strings.Contains(text, l.Text) {
			t.Errorf("line %+v", l)
		}
		sum += l.Bytes
	}
	if sum >= len(text) {
		t.Errorf("lines of %d bytes in a text of %d", sum, len(text))
	}
}

func TestACoreStaysTheSameWhileNothingOfItsProjectChanges(t *testing.T) {
	w := shop()
	info := CoreInfo{Project: "p", Name: "shop"}
	was := Core(w, info)
	addEvent(w, "ev_elsewhere", "Renamed the other thing", func(e *memory.Event) {
		e.Scope = memory.ProjectScope("q")
		e.Provenance.IngestionTime += 40 * 86400
	})
	if got := Core(w, info); got != was {
		t.Errorf("a record of another project changed the core to\n%s\nwas\n%s", got, was)
	}
	addEvent(w, "ev_here", "Chose pnpm for the workspace", func(e *memory.Event) { e.Provenance.IngestionTime += 40 * 86400 })
	if got := Core(w, info); got == was || !strings.Contains(got, "pnpm") {
		t.Errorf("what was learned is not in the core:\n%s", got)
	}
}
