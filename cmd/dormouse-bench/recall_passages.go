package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/store/index"
)

// passage is one line of a set's passages.
type passage struct {
	ID   string `json:"pid"`
	Text string `json:"text"`
}

// passageAsked is one line of a set's queries; Context is what was said before the question, where that is known.
type passageAsked struct {
	Question string   `json:"question"`
	Context  string   `json:"context"`
	Gold     []string `json:"gold"`
}

const passagesSuffix = ".passages.jsonl"

// recallPassages ranks the passages of each set for its questions, and for their contexts where it has those. All sets lie in one
// index, each as a project.
func recallPassages(dir string) ([]recallRow, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	p, err := openProduct()
	if err != nil {
		return nil, err
	}
	plain := plainSet{}
	var sets []string
	for _, e := range entries {
		set, ok := strings.CutSuffix(strings.TrimSuffix(e.Name(), ".gz"), passagesSuffix)
		if !ok || slices.Contains(sets, set) {
			continue
		}
		sets = append(sets, set)
		if err := p.addPassages(dir, set, plain); err != nil {
			return nil, errors.Join(err, p.close())
		}
	}
	rows, err := scorePassages("dormouse", dir, sets, p.nodes)
	if err = errors.Join(err, p.close()); err != nil {
		return nil, err
	}
	base, err := scorePassages("bm25", dir, sets, func(set, question string) ([]string, error) { return plain.rank(set, question), nil })
	return append(rows, base...), err
}

func (p *product) addPassages(dir, set string, plain plainSet) error {
	list, err := readLines[passage](filepath.Join(dir, set+passagesSuffix))
	if err != nil {
		return err
	}
	var docs []index.Doc
	for i, x := range list {
		plain.add(set, x.ID, x.Text)
		// Passages have nothing to do with their neighbours, so each is a session of its own.
		docs = append(docs, said(set, set+"."+x.ID, i+1, x.ID, x.Text)...)
	}
	return p.index.Put(context.Background(), docs)
}

func scorePassages(system, dir string, sets []string, rank func(set, question string) ([]string, error)) ([]recallRow, error) {
	board := newRankings()
	for _, set := range sets {
		queries, err := readLines[passageAsked](filepath.Join(dir, set+".queries.jsonl"))
		if err != nil {
			return nil, err
		}
		for _, q := range queries {
			gold := map[string]bool{}
			for _, g := range q.Gold {
				gold[g] = true
			}
			asked := map[string]string{set: q.Question}
			if q.Context != "" {
				asked[set+", context"] = q.Context
			}
			for name, text := range asked {
				ranked, err := rank(set, text)
				if err != nil {
					return nil, err
				}
				board.addRanking(ranked, gold, name)
			}
		}
	}
	return board.rows(system, "passages", nil), nil
}
