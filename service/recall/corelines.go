package recall

import (
	"cmp"
	"maps"
	"slices"

	"dormouse/store/memory"
)

// summaryBytes is how long a text in a line of core.md is at most.
const summaryBytes = 200

// Weights of importance.
var (
	kindWeight = map[memory.Kind]int64{
		memory.KindDecision: 10, memory.KindLearning: 10, memory.KindWork: 5, memory.KindEvent: 3,
	}
	trustWeight = map[memory.Trust]int64{memory.TrustPerson: 10, memory.TrustObserved: 9, memory.TrustAgent: 6}
)

const preferenceWeight = 100

// timeline are the events of the view that stand and that nobody but a tool or a page says.
func (c *core) timeline() []line {
	var out []line
	for _, e := range c.events() {
		date := "undated"
		if e.Provenance.EventTime != nil {
			date = day(*e.Provenance.EventTime)
		}
		text := plain(e.Summary, summaryBytes)
		if text == "" {
			continue
		}
		l := line{text: date + " " + text, from: e.Provenance, at: e.Provenance.EventTime, id: e.ID}
		out = append(out, c.because(l, memory.RecordEvent, e.ID, e.Scope,
			CorePart{string(e.Kind), float64(kindWeight[e.Kind])}, CorePart{"from " + string(e.Trust), float64(trustWeight[e.Trust])}))
	}
	return varied(rank(out), c.kinds())
}

// kinds are the kinds of the events by their ids.
func (c *core) kinds() map[string]memory.Kind {
	out := map[string]memory.Kind{}
	for _, e := range c.events() {
		out[e.ID] = e.Kind
	}
	return out
}

// sameKind and sameSession are by how many hundredths the next line of a kind, or of a session, is worth less than the one
// before: a page of rulings alone, or of one day, helps less than one that shows some of each.
const (
	sameKind    = 30
	sameSession = 12
)

// varied ranks lines anew so that no kind and no session crowds out the others.
func varied(lines []line, kinds map[string]memory.Kind) []line {
	ofKind, ofSession := map[memory.Kind]int64{}, map[string]int64{}
	for i := range lines {
		l := &lines[i]
		k := kinds[l.id]
		l.lessFor(100 + sameKind*ofKind[k] + sameSession*ofSession[l.from.SessionID])
		ofKind[k]++
		ofSession[l.from.SessionID]++
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(b.score, a.score), compareNewest(a.at, b.at), cmp.Compare(a.id, b.id))
	})
	return lines
}

// events are those that may enter core.md. Trust that this version does not know counts as quoted.
func (c *core) events() []*memory.Event {
	list, _ := Timeline(c.state, TimelineQuery{View: c.view})
	return slices.DeleteFunc(list, func(e *memory.Event) bool { return trustWeight[e.Trust] == 0 || c.unsettled(e) })
}

// entities are those of the view that stand.
func (c *core) entities() map[string]*memory.Entity {
	all := visibleEntities(c.state, c.view)
	maps.DeleteFunc(all, func(_ string, e *memory.Entity) bool { return e.SupersededBy != "" || c.unsettled(e) })
	return all
}

// edges are those of the view that stand.
func (c *core) edges() []*memory.Edge {
	return slices.DeleteFunc(c.state.EdgeList(), func(e *memory.Edge) bool {
		return !showsEdge(c.state, c.view, e) || e.SupersededBy != "" || c.unsettled(e)
	})
}

// unsettled reports whether a record waits for the person: such records enter no core.md.
func (c *core) unsettled(r memory.Record) bool {
	_, candidate := c.state.IsCandidate(r)
	return candidate
}

// facts are those that hold, are settled, and that somebody else than a tool or a page says.
func (c *core) facts() []*memory.Fact {
	return slices.DeleteFunc(c.state.Serving(c.info.Now), func(f *memory.Fact) bool {
		return !c.view.Sees(f.Scope) || trustWeight[f.Trust] == 0 || c.unsettled(f)
	})
}

// preferences are the standing wishes of the person.
func (c *core) preferences() []line {
	var out []line
	for _, f := range c.facts() {
		if !f.Wish() || f.Trust != memory.TrustPerson {
			continue
		}
		text := f.Object
		if f.ValidUntil != nil {
			text += " (until " + lastDay(*f.ValidUntil) + ")"
		}
		l := line{text: plain(text, summaryBytes), from: f.Provenance, at: f.Provenance.EventTime, id: f.ID}
		out = append(out, c.because(l, memory.RecordFact, f.ID, f.Scope, CorePart{"a standing wish", preferenceWeight}))
	}
	for _, e := range c.entities() { // as an older version kept them
		if e.Type == memory.TypePreference {
			l := line{text: plain(e.Name, summaryBytes), from: e.Provenance, at: e.Provenance.EventTime, id: e.ID}
			out = append(out, c.because(l, memory.RecordEntity, e.ID, e.Scope, CorePart{"a standing wish", preferenceWeight}))
		}
	}
	return rank(out)
}

// lastDay is the last day of a window that is closed before a time.
func lastDay(until int64) string { return day(until - 1) }
