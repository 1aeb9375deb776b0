package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// recallFacts asks for facts of which later ones overrule earlier ones: whether the one that is true now comes first.
func recallFacts(dir string) ([]recallRow, error) {
	facts, err := readLines[numbered](filepath.Join(dir, "facts.jsonl"))
	if err != nil {
		return nil, err
	}
	questions, err := readLines[factAsked](filepath.Join(dir, "questions.jsonl"))
	if err != nil {
		return nil, err
	}
	rows, err := factconRows(facts, questions)
	if err != nil {
		return nil, err
	}
	var out []recallRow
	for _, r := range rows {
		out = append(out, recallRow{System: "dormouse", Unit: "facts", Set: factSet(r.Set, r.Hop), Questions: r.Questions, order: factFigures,
			Figures:   map[string]float64{"newest_first": r.Newest, "R@5": r.Recall5},
			Intervals: map[string][2]float64{"newest_first": {r.Low, r.High}}})
	}
	return append(out, plainFacts(facts, questions)...), nil
}

var factFigures = []string{"newest_first", "R@5"}

func factSet(set, hop string) string { return fmt.Sprintf("%s %s", set, hop) }

// plainFacts is the baseline, which knows of no time.
func plainFacts(facts []numbered, questions []factAsked) []recallRow {
	plain, text := plainSet{}, map[string]string{}
	for _, f := range facts {
		id := fmt.Sprintf("%s/%d", f.Set, f.N)
		plain.add(f.Set, id, f.Fact)
		text[id] = f.Fact
	}
	board := newScoreboard(factFigures...)
	for _, q := range questions {
		ranked := plain.rank(q.Set, q.Question)
		at := slices.IndexFunc(ranked, func(id string) bool {
			return slices.ContainsFunc(q.Answers, func(a string) bool { return strings.Contains(strings.ToLower(text[id]), strings.ToLower(a)) })
		})
		row := scores{"newest_first": 0, "R@5": 0}
		if at == 0 {
			row["newest_first"] = 100
		}
		if at >= 0 && at < 5 {
			row["R@5"] = 100
		}
		board.add(row, factSet(q.Set, q.Hop))
	}
	return board.rows("bm25", "facts", nil)
}
