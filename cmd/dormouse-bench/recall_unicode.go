package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"dormouse/service/recall"
	"dormouse/store/index"
	"dormouse/store/memory"
)

// unicodeCase is one line of unicode.tsv: whether a query matches a text.
type unicodeCase struct {
	id, topic, level, query, text string
	match                         bool
}

// recallUnicode puts each text into the index as a project of its own, and asks whether all of a query is found in it.
func recallUnicode(dir string) ([]recallRow, error) {
	cases, err := readUnicode(filepath.Join(dir, "unicode.tsv"))
	if err != nil {
		return nil, err
	}
	p, err := openProduct()
	if err != nil {
		return nil, err
	}
	var docs []index.Doc
	for i, c := range cases {
		docs = append(docs, said(c.id, c.id, i+1, c.id, c.text)...)
	}
	board, plain := newScoreboard("must", "should", "all"), newScoreboard("must", "should", "all")
	err = p.index.Put(context.Background(), docs)
	for _, c := range cases {
		if err != nil {
			break
		}
		var found bool
		found, err = p.covers(c.id, c.query)
		board.add(c.scores(found), "all", c.topic)
		plain.add(c.scores(plainCovers(c.query, c.text)), "all", c.topic)
	}
	if err = errors.Join(err, p.close()); err != nil {
		return nil, err
	}
	return append(board.shares("dormouse"), plain.shares("bm25")...), nil
}

// covers reports whether a hit has every word of the query.
func (p *product) covers(project, query string) (bool, error) {
	hits, err := p.searcher.Search(context.Background(), recall.Query{Text: query, View: memory.View{Project: project}, EveryWord: true, Limit: 1})
	return len(hits) > 0, err
}

// plainCovers is what plain words make of it.
func plainCovers(query, text string) bool {
	have := map[string]bool{}
	for _, t := range plainTerms(text) {
		have[t] = true
	}
	terms := plainTerms(query)
	for _, t := range terms {
		if !have[t] {
			return false
		}
	}
	return len(terms) > 0
}

func (c *unicodeCase) scores(found bool) scores {
	v := 0.0
	if found == c.match {
		v = 100
	}
	return scores{c.level: v, "all": v}
}

// shares are the rows of cases that were passed, each level over its own cases.
func (s *scoreboard) shares(system string) []recallRow {
	rows := s.rows(system, "cases", nil)
	for i := range rows {
		r := &rows[i]
		r.Intervals = nil
		for _, level := range s.order {
			sum, n := 0.0, 0
			for _, row := range s.sets[r.Set] {
				if v, ok := row[level]; ok {
					sum, n = sum+v, n+1
				}
			}
			if r.Figures[level] = 100; n > 0 {
				r.Figures[level] = sum / float64(n)
			}
		}
	}
	return rows
}

func readUnicode(path string) ([]unicodeCase, error) {
	f, err := openData(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	var out []unicodeCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		p := strings.Split(lines.Text(), "\t")
		if n == 1 || lines.Text() == "" {
			continue
		}
		if len(p) != 6 {
			return nil, fmt.Errorf("%s:%d: six columns are needed, there are %d", path, n, len(p))
		}
		out = append(out, unicodeCase{id: p[0], topic: p[1], level: p[2], match: p[3] == "1", query: p[4], text: p[5]})
	}
	return out, lines.Err()
}
