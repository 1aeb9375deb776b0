package main

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"
)

// plainBM25 is the baseline: words by \w, lower case, English stop words out, English stems, k1 1.2, b 0.75, nothing else.
type plainBM25 struct {
	ids      []string
	lengths  []int
	postings map[string]map[int]int // term -> document -> count
	total    int
}

var plainWord = regexp.MustCompile(`[\pL\pN]+`)

func plainTerms(text string) []string {
	var out []string
	for _, w := range plainWord.FindAllString(strings.ToLower(text), -1) {
		if !english.IsStopWord(w) {
			out = append(out, english.Stem(w, true))
		}
	}
	return out
}

func newPlainBM25() *plainBM25 { return &plainBM25{postings: map[string]map[int]int{}} }

func (p *plainBM25) add(id, text string) {
	doc := len(p.ids)
	terms := plainTerms(text)
	p.ids = append(p.ids, id)
	p.lengths = append(p.lengths, len(terms))
	p.total += len(terms)
	for _, t := range terms {
		if p.postings[t] == nil {
			p.postings[t] = map[int]int{}
		}
		p.postings[t][doc]++
	}
}

// rank lists the ids of the documents that match, best first, equals in the order in which they were added.
func (p *plainBM25) rank(query string) []string {
	scores := map[int]float64{}
	n, mean := float64(len(p.ids)), float64(p.total)/float64(max(1, len(p.ids)))
	for _, t := range plainTerms(query) {
		df := float64(len(p.postings[t]))
		idf := math.Log(1 + (n-df+0.5)/(df+0.5))
		for doc, count := range p.postings[t] {
			tf := float64(count)
			scores[doc] += idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*float64(p.lengths[doc])/mean))
		}
	}
	docs := make([]int, 0, len(scores))
	for doc := range scores {
		docs = append(docs, doc)
	}
	slices.SortFunc(docs, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	out := make([]string, len(docs))
	for i, doc := range docs {
		out[i] = p.ids[doc]
	}
	return out
}

// plainSet is the baseline with an index for each project.
type plainSet map[string]*plainBM25

func (s plainSet) add(project, id, text string) {
	if s[project] == nil {
		s[project] = newPlainBM25()
	}
	s[project].add(id, text)
}

func (s plainSet) rank(project, question string) []string {
	if s[project] == nil {
		return nil
	}
	return s[project].rank(question)
}
