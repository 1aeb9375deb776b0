package recall

import (
	"fmt"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// section is the texts of a section's lines, without their pointers.
func section(page, title string) []string {
	var out []string
	in := false
	for _, l := range strings.Split(page, "\n") {
		text, isLine := strings.CutPrefix(l, "· ")
		switch {
		case l == title:
			in = true
		case in && isLine:
			text, _, _ = strings.Cut(text, "  ↪ ")
			out = append(out, text)
		default:
			in = false
		}
	}
	return out
}

func TestOpenThreadsAreThoseThatNobodyEnded(t *testing.T) {
	w := world()
	event := func(id, summary string, kind memory.Kind, days int, entity string) {
		addEvent(w, id, summary, func(e *memory.Event) {
			e.Kind, e.Provenance.EventTime, e.Entities = kind, at(days), []string{entity}
			e.Provenance.SessionID = "cc_" + id[:1]
		})
	}
	for _, name := range []string{"#12", "#34", "#56", "#78"} {
		addEntity(w, memory.TypeIssue, name, nil)
	}
	addEntity(w, memory.TypeError, "TimeoutError", nil)
	addEntity(w, memory.TypeCommand, "npm test", nil)
	addEntity(w, memory.TypeCommand, "go test", nil)
	event("a1", "The refund of #12 rounds down, because cents are floats", memory.KindLearning, 10, "issue.#12")
	event("a2", "PR #34 was merged", memory.KindEvent, 10, "issue.#34")
	event("a3", "Reviewed PR #56: ready to merge", memory.KindWork, 10, "issue.#56")
	event("b1", "The cart ends in a TimeoutError when the stock is slow", memory.KindLearning, 10, "error.timeouterror")
	event("c1", "Tests were left failing: npm test (2 failed)", memory.KindEvent, 10, "command.npm-test")
	event("c2", "Added a cart", memory.KindWork, 10, "file.cart.js")
	event("d1", "Tests were left failing: go test", memory.KindEvent, 9, "command.go-test")
	event("d2", "Mended the cart in the same session", memory.KindWork, 11, "file.cart.go")
	got := section(Core(w, CoreInfo{Project: "p", At: *at(11)}), "[Open]")
	want := []string{
		"Tests were left failing: npm test (2 failed)",
		"The cart ends in a TimeoutError when the stock is slow",
		"The refund of #12 rounds down, because cents are floats",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := section(Core(w, CoreInfo{Project: "p", At: *at(40)}), "[Open]"); len(got) != 1 || !strings.Contains(got[0], "#12") {
		t.Errorf("a month later %q is open", got)
	}
}

func TestTheGraphShowsHowTheProjectIsWorkedOnBeforeTheNamesOfTools(t *testing.T) {
	w := world()
	addEntity(w, memory.TypeProject, "shop", func(e *memory.Entity) { e.Attrs = map[string]string{"path": "~/shop"} })
	for i, c := range []string{"go test", "make test"} {
		addEntity(w, memory.TypeCommand, c, nil)
		addEdge(w, "project.shop", "tested-by", memory.EntityID(memory.TypeCommand, c), func(e *memory.Edge) { e.Confidence = 0.6 + 0.3*float64(i) })
	}
	for i := range 6 {
		name := fmt.Sprint("tool", i)
		addEntity(w, memory.TypeTool, name, nil)
		addEdge(w, "project.shop", "uses", "tool."+name, nil)
	}
	addEntity(w, memory.TypeFile, "cart.go", nil)
	addEvent(w, "ev_1", "Split the cart", func(e *memory.Event) { e.Entities = []string{"file.cart.go"} })
	addEvent(w, "ev_2", "Mended the total", func(e *memory.Event) { e.Entities = []string{"file.cart.go"} })
	got := section(Core(w, CoreInfo{Project: "p", At: *at(1)}), "[Graph · current project]")
	want := []string{"shop at ~/shop", "shop ──tested-by──► make test", "shop ──tested-by──► go test", "cart.go (changed 2 times)"}
	if len(got) != len(want)+sameRelation || strings.Join(got[:len(want)], "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestNoKindCrowdsOutTheOthers(t *testing.T) {
	w := world()
	for i := range 40 {
		addEvent(w, fmt.Sprintf("d%02d", i), fmt.Sprintf("Ruling number %d on the shop%d and the page%d", i, i*7, i*11), func(e *memory.Event) { e.Kind = memory.KindDecision })
	}
	addEvent(w, "l", "The tax table is cached for a day, because its header says so", func(e *memory.Event) { e.Kind, e.Trust = memory.KindLearning, memory.TrustAgent })
	addEvent(w, "w", "Moved the checkout into a package of its own", func(e *memory.Event) { e.Trust = memory.TrustObserved })
	page := Core(w, CoreInfo{Project: "p", At: *at(1)})
	for _, id := range []string{"cc_l", "cc_w"} {
		if !strings.Contains(page, id) {
			t.Errorf("%s is not on the page:\n%s", id, page)
		}
	}
}
