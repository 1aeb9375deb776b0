package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// recallCuts are the numbers of hits at which recall is taken.
var recallCuts = []int{1, 5, 10, 20}

// fewQuestions is how many questions are so few that their figures are given an interval.
const fewQuestions = 700

// recallRow is the figures of one ranking over some questions. R@k is the share of the evidence among the first k hits, MRR
// the reciprocal rank of the first evidence; all figures are means over the questions, in percent.
type recallRow struct {
	System    string             `json:"system"` // dormouse, or bm25 for the plain baseline of the same run
	Unit      string             `json:"unit"`   // what is ranked: turns, sessions, passages, facts ...
	Set       string             `json:"set"`
	Questions int                `json:"questions"`
	Figures   map[string]float64 `json:"figures"`
	// Intervals are the bootstrap 95 % intervals of the figures, where the questions are few.
	Intervals map[string][2]float64 `json:"intervals,omitempty"`

	order []string // of the figures
}

// names are the names of the figures in the order in which they are printed.
func (r *recallRow) names() []string {
	if r.order != nil {
		return r.order
	}
	return slices.Sorted(maps.Keys(r.Figures))
}

// headline is the figure whose interval is printed.
func (r *recallRow) headline() string {
	for _, n := range []string{"R@5", "precision", "newest_first", "must"} {
		if _, ok := r.Figures[n]; ok {
			return n
		}
	}
	return ""
}

// scores are the figures of one question.
type scores map[string]float64

// scoreboard adds up the figures of one system and unit by set.
type scoreboard struct {
	order []string
	sets  map[string][]scores
	seen  []string // the sets in the order in which they came
}

func newScoreboard(order ...string) *scoreboard {
	return &scoreboard{order: order, sets: map[string][]scores{}}
}

// newRankings is a scoreboard of rankings: R@k for all cuts, and MRR.
func newRankings() *scoreboard {
	var order []string
	for _, k := range recallCuts {
		order = append(order, fmt.Sprintf("R@%d", k))
	}
	return newScoreboard(append(order, "MRR")...)
}

// add counts the figures of one question in each of the sets.
func (s *scoreboard) add(row scores, sets ...string) {
	for _, set := range sets {
		if _, ok := s.sets[set]; !ok {
			s.seen = append(s.seen, set)
		}
		s.sets[set] = append(s.sets[set], row)
	}
}

// addRanking scores one ranking (ids best first, each once) against its evidence and counts it in each of the sets.
func (s *scoreboard) addRanking(ranked []string, gold map[string]bool, sets ...string) {
	row := scores{"MRR": 0}
	found := 0
	for i, id := range ranked {
		if gold[id] {
			if found++; found == 1 {
				row["MRR"] = 100 / float64(i+1)
			}
		}
		for _, k := range recallCuts {
			if i < k {
				row[fmt.Sprintf("R@%d", k)] = 100 * float64(found) / float64(len(gold))
			}
		}
	}
	s.add(row, sets...)
}

// rows are the means, by set in the order in which the sets came, or in that of less.
func (s *scoreboard) rows(system, unit string, less func(a, b string) int) []recallRow {
	var out []recallRow
	for _, set := range s.seen {
		list := s.sets[set]
		r := recallRow{System: system, Unit: unit, Set: set, Questions: len(list), Figures: map[string]float64{}, order: s.order}
		all := make([]int, len(list))
		for i := range all {
			all[i] = i
		}
		for _, name := range s.order {
			values := make([]float64, len(list))
			for i, row := range list {
				values[i] = row[name]
			}
			r.Figures[name] = meanOf(values, all)
			if len(list) < fewQuestions {
				if r.Intervals == nil {
					r.Intervals = map[string][2]float64{}
				}
				low, high := interval(len(list), func(pick []int) float64 { return meanOf(values, pick) })
				r.Intervals[name] = [2]float64{low, high}
			}
		}
		out = append(out, r)
	}
	if less == nil {
		less = strings.Compare
	}
	slices.SortStableFunc(out, func(a, b recallRow) int { return less(a.Set, b.Set) })
	return out
}

// meanOf is the mean of the picked values; 0 of none.
func meanOf(values []float64, pick []int) float64 {
	if len(pick) == 0 {
		return 0
	}
	sum := 0.0
	for _, i := range pick {
		sum += values[i]
	}
	return sum / float64(len(pick))
}
