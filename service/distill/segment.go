package distill

import (
	"maps"
	"slices"
	"strings"

	"dormouse/service/distill/tagging"
	"dormouse/store/memory"
)

const (
	maxSpan    = 8        // turns of one segment
	maxGap     = 2 * 3600 // seconds between the beginnings of two turns of one segment
	segmentWhy = "rule: turns with something to remember, about one subject"
)

// spans are the segments that a walk has made so far.
type spans struct {
	by        map[int]span // by the turn that they end with
	continued map[int]bool // turns whose segment goes on in a later turn
}

// span is a segment while it may still go on.
type span struct {
	scope memory.Scope
	turns []memory.SegmentTurn
}

// offerTurn takes a turn of which records are remembered into a segment: that of the turn before on its branch, where it goes on about
// the same, else a new one. What a segment is depends on the branch up to its last turn alone.
func (w *walk) offerTurn(r *reconciler, f *turnFound, records []string) {
	ex := &f.ex
	for _, s := range ex.SameTags {
		r.sameTag(s, w.provenance([]string{s.node}, ex.Full.at, nil, r.now))
	}
	if len(records) == 0 || ex.Full.from == "" {
		return
	}
	p := w.provenance([]string{ex.Full.from, ex.Full.to}, ex.Full.at, nil, r.now)
	terms := tagging.TermsOf(ex.About)
	turn := memory.SegmentTurn{Node: ex.Full.from, To: ex.Full.to, At: ex.Full.at, Bytes: ex.Full.bytes,
		Tags: tagIDs(terms.Shown), Said: tagIDs(terms.Said), Records: records}
	for _, id := range w.outline.nodes[f.n] {
		if !w.partly[f.n] {
			break // nobody has looked at the turn before
		}
		if s, ok := r.endingWith(id); ok && id != turn.To && s.turns[len(s.turns)-1].Node == turn.Node {
			turn.Ended = append(turn.Ended, id)
		}
	}
	now := span{scope: memory.ProjectScope(p.ProjectID), turns: []memory.SegmentTurn{turn}}
	if before, n := w.spanBefore(r, f.n); before.scope == now.scope && goesOn(before.turns, &turn) {
		now.turns = append(slices.Clone(before.turns), turn)
		w.spans.continued[n] = true
	}
	w.spans.by[f.n] = now
	r.countHits(now.scope, p.SessionID, terms.Shown)
}

// goesOn reports whether a turn is about what the turns before it were about: they worked on or said something of the same name, and
// no long time lies between them.
func goesOn(before []memory.SegmentTurn, turn *memory.SegmentTurn) bool {
	if len(before) == 0 || len(before) >= maxSpan {
		return false
	}
	last := before[len(before)-1]
	if last.At != nil && turn.At != nil && *turn.At-*last.At > maxGap {
		return false
	}
	for _, t := range before {
		if slices.ContainsFunc(turn.Tags, func(id string) bool { return slices.Contains(t.Tags, id) }) {
			return true
		}
	}
	return slices.ContainsFunc(turn.Tags, func(id string) bool { return slices.Contains(last.Said, id) }) ||
		slices.ContainsFunc(last.Tags, func(id string) bool { return slices.Contains(turn.Said, id) })
}

// spanBefore is the segment of the nearest turn before one on its branch, and that turn's number.
func (w *walk) spanBefore(r *reconciler, n int) (span, int) {
	for p := w.outline.parent[n]; p >= 0; p = w.outline.parent[p] {
		if s, ok := w.spans.by[p]; ok {
			return s, p
		}
		if w.changed[p] {
			continue
		}
		nodes := w.outline.nodes[p]
		for _, id := range slices.Backward(nodes) {
			if s, ok := r.endingWith(id); ok && slices.Contains(nodes, s.turns[len(s.turns)-1].Node) {
				return s, p
			}
		}
	}
	return span{}, -1
}

// endingWith is a known segment up to the turn whose last node is this one.
func (r *reconciler) endingWith(node string) (span, bool) {
	if r.spans == nil {
		r.spans = map[string]span{}
		for _, s := range []*memory.State{r.state, r.batch} {
			for _, id := range slices.Sorted(maps.Keys(s.Segments)) {
				g := s.Segments[id]
				for i, t := range g.Turns() {
					if _, known := r.spans[t.To]; !known || g.SupersededID() == "" {
						r.spans[t.To] = span{g.Scope, g.Turns()[:i+1]}
					}
				}
			}
		}
	}
	s, ok := r.spans[node]
	return s, ok
}

// closeSpans proposes the segments of a walk that go on in none of its turns.
func (w *walk) closeSpans(r *reconciler) {
	for _, n := range w.outline.turns {
		s, ok := w.spans.by[n]
		if !ok || w.spans.continued[n] {
			continue
		}
		first, last := s.turns[0], s.turns[len(s.turns)-1]
		p := w.provenance([]string{first.Node, last.Node, last.To}, first.At, nil, r.now)
		r.segment(&memory.Segment{PrimaryTag: memory.MiscTag, Scope: s.scope, MadeBy: r.maker(), LogTurns: s.turns,
			Full: memory.Span{SessionID: p.SessionID, FromNode: first.Node, ToNode: last.To}}, first.At)
	}
}

func (r *reconciler) segment(s *memory.Segment, at *int64) {
	claim := memory.SegmentClaim(s)
	s.ID = memory.SegmentID(claim)
	if r.barred(claim) || r.state.Segments[s.ID] != nil || r.batch.Segments[s.ID] != nil {
		return
	}
	r.counts.Segments++
	r.add(memory.RecordSegment, claim, s.ID, s.Scope, s, at, segmentWhy)
}

// repointSegments is repoint for segments: those of a younger session that lie wholly in the older one, of which only the newest turns
// may have been dealt with under the younger.
func (r *reconciler) repointSegments(from, to string, nodes map[string]bool) {
	for _, id := range slices.Sorted(maps.Keys(r.state.Segments)) {
		s := r.state.Segments[id]
		if s.Full.SessionID != from || !inside([]string{s.Full.FromNode, s.Full.ToNode}, nodes) {
			continue
		}
		c := s.AsProposed()
		c.Full.SessionID = to
		r.edit(memory.RecordSegment, r.state.ClaimOf(s), s.ID, s.Scope, s.AsProposed(), c, nil)
	}
}

// maker is what makes summaries: the rules, or a model.
func (r *reconciler) maker() string {
	if m := strings.TrimSpace(strings.TrimPrefix(r.model, "model ")); m != "" {
		return m
	}
	return Extractor
}
