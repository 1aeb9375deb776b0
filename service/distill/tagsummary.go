package distill

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dormouse/store/memory"
)

const (
	summedFrom    = 3   // segments that a tag needs for a summary
	summedGrowth  = 4   // a summary is drawn up anew when what it covers has grown by one in so many
	summedMost    = 400 // turns that a summary covers at most: broader tags are to be split
	maxTagSummary = 600 // bytes
)

// summariseTag draws up the summary of a tag whose turns grew: how many there are, and what the newest say. It names the turns that
// it covers and the time at which it stops.
func (r *reconciler) summariseTag(t *memory.Tag, segs []*memory.Segment) {
	if len(segs) < summedFrom || len(segs) > summedMost {
		return
	}
	s := &memory.TagSummary{Tag: t.ID, MadeBy: Extractor, Scope: t.Scope}
	claim := memory.TagSummaryClaim(s)
	s.ID = memory.TagSummaryID(claim)
	if old := r.state.TagSummaries[s.ID]; old != nil && len(segs)-len(old.Covers) < max(1, len(old.Covers)/summedGrowth) || r.barred(claim) {
		return
	}
	times := r.segmentTimes(segs)
	segs = slices.Clone(segs)
	slices.SortFunc(segs, func(a, b *memory.Segment) int {
		return cmp.Or(cmp.Compare(times[b.ID], times[a.ID]), cmp.Compare(a.ID, b.ID))
	})
	sessions := map[string]bool{}
	var lines []string
	for _, g := range segs {
		s.Covers = append(s.Covers, memory.Turn{SessionID: g.Full.SessionID, NodeID: g.Full.FromNode})
		sessions[g.Full.SessionID] = true
		lines = append(lines, g.Summary)
	}
	slices.SortFunc(s.Covers, func(a, b memory.Turn) int {
		return cmp.Or(cmp.Compare(a.SessionID, b.SessionID), cmp.Compare(a.NodeID, b.NodeID))
	})
	if at := times[segs[0].ID]; at > 0 {
		s.CoversThrough = &at
	}
	head := fmt.Sprintf("%d turns in %d sessions, the newest first: ", len(segs), len(sessions))
	s.Summary = head + joinLines(lines, maxTagSummary-len(head))
	s.Provenance = t.Provenance
	r.add(memory.RecordTagSummary, claim, s.ID, s.Scope, s, s.CoversThrough, "rule: the turns of the tag grew")
}

// segmentTimes are the times of segments by id, in Unix seconds: those of the events whose lines their summaries begin with; 0 where
// none is known.
func (r *reconciler) segmentTimes(segs []*memory.Segment) map[string]int64 {
	if r.told == nil {
		r.told = map[string][]*memory.Event{}
		for _, e := range r.state.Events {
			r.told[e.Provenance.SessionID] = append(r.told[e.Provenance.SessionID], e)
		}
	}
	out := map[string]int64{}
	for _, g := range segs {
		for _, e := range r.told[g.Full.SessionID] {
			if at := e.Provenance.EventTime; at != nil && strings.HasPrefix(g.Summary, e.Summary) {
				out[g.ID] = max(out[g.ID], *at)
			}
		}
	}
	return out
}
