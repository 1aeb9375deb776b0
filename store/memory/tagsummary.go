package memory

import (
	"fmt"
	"maps"
	"slices"
)

const (
	summedFrom    = 3   // turns that a tag needs for a summary
	maxTagSummary = 600 // bytes
)

// MadeByRules says of a summary that no model made it.
const MadeByRules = "rules"

// summariseTags draws up the summaries of all tags for which no model made one. They follow from the segments alone and are in no
// log: what is forgotten or erased of the segments is not in them, and a tag whose summary was erased has one again.
func (s *State) summariseTags() {
	maps.DeleteFunc(s.TagSummaries, func(_ string, t *TagSummary) bool { return t.MadeBy == MadeByRules })
	of := map[Key][]*Segment{}
	for _, g := range s.Segments {
		if g.by == "" {
			for _, id := range g.found {
				of[Key{g.Scope, id}] = append(of[Key{g.Scope, id}], g)
			}
		}
	}
	for k, t := range s.Tags {
		if t.SupersededBy != "" || len(of[k]) == 0 || !s.IsTag(k) {
			continue
		}
		id := TagSummaryID(TagSummaryClaim(&TagSummary{Scope: k.Scope, Tag: k.ID}))
		if old := s.TagSummaries[id]; old != nil && s.allThere(old.from) {
			continue // a model's
		} else if old != nil {
			s.takeBack(func() { s.TagSummaries[id] = old })
		}
		delete(s.TagSummaries, id)
		if sum := SummariseTag(t, of[k]); sum != nil {
			s.TagSummaries[id] = sum
		}
	}
}

// allThere reports whether none of some records is gone.
func (s *State) allThere(ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return !s.tells(id) })
}

// SummariseTag is the summary of a tag by rules: how many turns there are, and what the newest say. It names the turns that it covers
// and the time at which it stops. Nil where there are too few to sum up.
func SummariseTag(t *Tag, segs []*Segment) *TagSummary {
	s := CoverTag(t, segs)
	if len(s.Covers) < summedFrom {
		return nil
	}
	segs = slices.SortedFunc(slices.Values(segs), compareNewest)
	sessions := map[string]bool{}
	var lines []string
	for _, g := range segs {
		sessions[g.Full.SessionID] = true
		lines = append(lines, g.Summary)
	}
	head := fmt.Sprintf("%d turns in %d sessions, the newest first: ", len(s.Covers), len(sessions))
	s.Summary, s.MadeBy = head+JoinLines(lines, maxTagSummary-len(head)), MadeByRules
	return s
}

// CoverTag is a summary of a tag without its text: the turns that it covers, where it stops and its id.
func CoverTag(t *Tag, segs []*Segment) *TagSummary {
	s := &TagSummary{Tag: t.ID, Scope: t.Scope, Provenance: t.Provenance}
	s.ID = TagSummaryID(TagSummaryClaim(s))
	covered := map[Turn]bool{}
	for _, g := range segs {
		for _, turn := range g.Turns() {
			covered[Turn{g.Full.SessionID, turn.Node}] = true
		}
		if at := g.Until(); at != nil && (s.CoversThrough == nil || *at > *s.CoversThrough) {
			s.CoversThrough = at
		}
	}
	s.Covers = slices.SortedFunc(maps.Keys(covered), func(a, b Turn) int { return compareTurns([]Turn{a}, []Turn{b}) })
	return s
}

// JoinLines are lines as one text, as many as fit whole into room bytes, and the first in any case.
func JoinLines(lines []string, room int) string {
	out := ""
	for _, l := range lines {
		if out != "" && len(out)+2+len(l) > room {
			break
		}
		if out != "" {
			out += "; "
		}
		out += l
	}
	return out
}
