package main

import (
	"context"
	"slices"

	"dormouse/store/index"
	"dormouse/store/memory"
)

// recall is how many of the ten nearest documents are found, by the vectors as the model makes them.
func (b *searchRun) recall(ctx context.Context, ix *index.Index) (float64, error) {
	queries := b.queries[:min(b.o.exact, len(b.queries))]
	if len(queries) == 0 {
		return 0, nil
	}
	best := make([][]float32, len(queries))
	err := b.docs.each(b.o.records, func(docs []index.Doc) error {
		texts := make([]string, len(docs))
		for i := range docs {
			texts[i] = docs[i].Body + "\n" + docs[i].Path
		}
		vecs, err := b.model.Embed(ctx, texts)
		if err != nil {
			return err
		}
		for q := range queries {
			for _, v := range vecs {
				best[q] = keepBest(best[q], dot(v, queries[q].vector))
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	found, all := 0, 0
	for i, q := range queries {
		hits, err := ix.Search(ctx, index.Query{Vector: q.vector, View: memory.View{All: true}})
		if err != nil {
			return 0, err
		}
		worst := best[i][len(best[i])-1]
		all += len(best[i])
		for _, h := range hits {
			v, err := b.model.Embed(ctx, []string{h.Doc.Body + "\n" + h.Doc.Path})
			if err != nil {
				return 0, err
			}
			if dot(v[0], q.vector) >= worst-1e-6 {
				found++
			}
		}
	}
	return float64(found) / float64(all), nil
}

// keepBest keeps the ten largest numbers in descending order.
func keepBest(list []float32, x float32) []float32 {
	if len(list) == 10 && x <= list[9] {
		return list
	}
	at, _ := slices.BinarySearchFunc(list, x, func(a, b float32) int {
		if a > b {
			return -1
		}
		return 1
	})
	return slices.Insert(list, at, x)[:min(10, len(list)+1)]
}

func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+3 < len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}
