package main

import (
	"math"
	"strings"

	"dormouse/service/embed"
	"dormouse/store/index/words"
)

// bm25 ranks by words, with the terms of the product's index.
type bm25 struct {
	cut     *words.Analyzer
	docs    []map[string]float64
	lengths []float64
	mean    float64
	df      map[string]float64
}

func newWords(docs []string) *bm25 {
	b := &bm25{cut: words.New(), df: map[string]float64{}}
	for _, text := range docs {
		counts, length := map[string]float64{}, 0.0
		b.cut.Text(text, func(term string, base bool) {
			counts[term]++
			if base {
				length++
			}
		})
		for term := range counts {
			b.df[term]++
		}
		b.docs, b.lengths, b.mean = append(b.docs, counts), append(b.lengths, length), b.mean+length/float64(len(docs))
	}
	return b
}

func (b *bm25) scores(query string) []float64 {
	const k1, flat = 1.2, 0.75
	out := make([]float64, len(b.docs))
	for _, term := range b.cut.Query(query) {
		idf := math.Log(1 + (float64(len(b.docs))-b.df[term]+0.5)/(b.df[term]+0.5))
		for i, d := range b.docs {
			if tf := d[term]; tf > 0 {
				out[i] += idf * (k1 + 1) * tf / (tf + k1*(1-flat+flat*b.lengths[i]/b.mean))
			}
		}
	}
	return out
}

// chunk is how much of a document one vector stands for, in bytes.
const chunk = 1200

// vectors ranks by the nearest piece of each document.
type vectors struct {
	table *embed.Table
	docs  [][][]float32
}

func newVectors(t *embed.Table, docs []string) *vectors {
	v := &vectors{table: t}
	for _, text := range docs {
		var list [][]float32
		for _, piece := range chunks(text) {
			list = append(list, t.Vector(piece))
		}
		v.docs = append(v.docs, list)
	}
	return v
}

// chunks cuts a text at the ends of lines, or of words where a line is too long.
func chunks(text string) []string {
	var out []string
	for len(text) > chunk {
		at := strings.LastIndexByte(text[:chunk], '\n')
		if at < chunk/2 {
			at = max(strings.LastIndexByte(text[:chunk], ' '), chunk/2)
		}
		out = append(out, text[:at])
		text = text[at:]
	}
	return append(out, text)
}

func (v *vectors) scores(query string) []float64 {
	q := v.table.Vector(query)
	out := make([]float64, len(v.docs))
	for i, list := range v.docs {
		best := -1.0
		for _, d := range list {
			best = max(best, float64(dot(q, d)))
		}
		out[i] = best
	}
	return out
}
