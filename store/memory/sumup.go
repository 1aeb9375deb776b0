package memory

import (
	"cmp"
	"slices"
)

// MaxSegment is how long the summary of a segment is at most by rules, in bytes.
const MaxSegment = 400

// sumUp finds the segments that stand, and draws up their summaries from what is remembered of their turns. So a summary never says
// what was refused, forgotten, erased or replaced, and says what the person made of it.
func (s *State) sumUp() {
	s.hideSegments()
	for _, g := range s.Segments {
		if len(g.turns) == 0 || s.edited[g.Ref()] {
			continue
		}
		lines, gone := s.linesOf(g)
		if g.Summary = g.told; g.told == "" || gone {
			g.Summary = JoinLines(lines, MaxSegment)
		}
		if len(lines) == 0 && (gone || g.told == "") { // nothing is remembered of it any more
			g.by = Ref(g.ID)
		}
		bytes := 0
		for _, t := range g.turns {
			bytes += t.Bytes
		}
		// In ten-thousandths, so that every machine writes the same digits.
		g.Ratio = float64(10000*len(g.Summary)/max(1, bytes)) / 10000
	}
}

// linesOf are the lines that are remembered of a segment's turns: the first of each turn, then the second of each, and so on. gone
// reports whether one is no longer.
func (s *State) linesOf(g *Segment) (lines []string, gone bool) {
	var turns [][]string
	most := 0
	for _, t := range g.turns {
		var said []string
		for _, id := range t.Records {
			if l := s.lineOf(id); l != "" {
				said = append(said, l)
			}
			gone = gone || !s.tells(id)
		}
		turns, most = append(turns, said), max(most, len(said))
	}
	for n := range most {
		for _, said := range turns {
			if n < len(said) {
				lines = append(lines, said[n])
			}
		}
	}
	return lines, gone
}

// Remembered are the lines of segments, in the order of these, at most so many, and the ids of the records that say them.
func (s *State) Remembered(segs []*Segment, most int) (lines, ids []string) {
	for _, g := range segs {
		for _, t := range g.turns {
			for _, id := range t.Records {
				if len(lines) < most {
					if l := s.lineOf(id); l != "" {
						lines, ids = append(lines, l), append(ids, id)
					}
				}
			}
		}
	}
	return lines, ids
}

// tells reports whether an event or fact of this id is there, for all who see what it was seen in: one that was given another scope
// is told there, or to nobody, and no longer in summaries.
func (s *State) tells(id string) bool {
	switch e, f := s.Events[id], s.Facts[id]; {
	case e != nil:
		return s.moves[e.Ref()].decision == ""
	case f != nil:
		return s.moves[f.Ref()].decision == ""
	}
	return false
}

// lineOf is what a record that stands says; empty where none of this id does.
func (s *State) lineOf(id string) string {
	if !s.tells(id) {
		return ""
	}
	switch e, f := s.Events[id], s.Facts[id]; {
	case e != nil && e.SupersededBy == "":
		return e.Summary
	case f != nil && f.SupersededBy == "" && f.Subject == SubjectPerson:
		return f.Object
	case f != nil && f.SupersededBy == "":
		return f.Text()
	}
	return ""
}

// hideSegments says of segments which other one took their place. A segment of the newest turns of a session is open: when the
// conversation goes on about the same, a longer one takes its place, and when its last turn itself goes on, one that tells all of
// that turn does. All others are closed and never change. It follows from the segments alone, in any order:
//   - one whose last turn another one tells to its end is out of date;
//   - of the rest, one whose turns are the first ones of another one is part of that.
func (s *State) hideSegments() {
	type end struct {
		scope    Scope
		node, to string
	}
	wentOn := map[end]string{}
	for _, g := range s.Segments {
		g.by = ""
		for _, t := range g.turns {
			for _, to := range t.Ended {
				wentOn[end{g.Scope, t.Node, to}] = max(wentOn[end{g.Scope, t.Node, to}], g.ID)
			}
		}
	}
	from := map[Key][]*Segment{}
	for _, g := range s.Segments {
		if len(g.turns) == 0 {
			continue
		}
		last := g.turns[len(g.turns)-1]
		if g.by = Ref(wentOn[end{g.Scope, last.Node, last.To}]); g.by == "" {
			k := Key{g.Scope, g.turns[0].Node}
			from[k] = append(from[k], g)
		}
	}
	for _, list := range from {
		slices.SortFunc(list, func(a, b *Segment) int {
			return cmp.Or(cmp.Compare(len(a.turns), len(b.turns)), cmp.Compare(a.ID, b.ID))
		})
		for i, g := range list {
			for _, longer := range list[i+1:] {
				if g.by == "" && g.beginsLike(longer) {
					g.by = Ref(longer.ID)
				}
			}
		}
	}
}

// beginsLike reports whether a segment's turns are the first ones of another one, which has more.
func (s *Segment) beginsLike(longer *Segment) bool {
	return len(s.turns) < len(longer.turns) && slices.EqualFunc(s.turns, longer.turns[:len(s.turns)], func(a, b SegmentTurn) bool {
		return a.Node == b.Node && a.To == b.To
	})
}
