package index

import (
	"context"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"dormouse/store/index/words"
	"dormouse/store/memory"
)

// look is one search: the documents that it may find, and what each side of the index has to say.
type look struct {
	ix    *Index
	txn   *badger.Txn
	limit int
	allow [][]uint64 // by piece, one bit a document; nil where there is none

	words []Word
	docs  int    // of which the words' weights are
	asked *asked // nil where the query has no vector
	byCos []*match
	byBM  []*match
	also  []*match
	text  tally
	far   Spread
}

// match is a document that one side found.
type match struct {
	near
	score float64 // BM25
	words uint64  // terms of the query that it has, one bit each
	has   bool    // a vector
}

// byVector finds what is near.
func (s *look) byVector(ctx context.Context, vector []float32, view memory.View) error {
	g := s.ix.gens[serving]
	if vector == nil || g == nil {
		return nil
	}
	if len(vector) == s.ix.formerDims && len(vector) != g.entry.Dims {
		return nil // made just before another model took over: the text answers
	}
	if err := checkVector(vector, g.entry.Dims); err != nil {
		return fmt.Errorf("the query's vector must be one of the model %s: %w", g.entry.Model, err)
	}
	if s.asked = newAsked(vector); s.asked == nil {
		return nil
	}
	list, spread, err := s.scan().nearest(ctx, view, s.limit)
	if err != nil {
		return err
	}
	s.far = spread
	for _, n := range list {
		s.byCos = append(s.byCos, &match{near: n, has: true})
	}
	return nil
}

func (s *look) scan() *scan {
	return &scan{ix: s.ix, txn: s.txn, asked: s.asked, allow: slices.Clone(s.allow)}
}

// byText finds what holds the terms, and the scores of what is near.
func (s *look) byText(ctx context.Context, terms []words.Term) error {
	rank := s.ix.rankerWithin(s.allow)
	s.docs = rank.docs
	asked, err := s.ix.lookup(s.txn, terms, &rank, s.allow)
	if err != nil || len(asked) == 0 {
		return err
	}
	best := newBest(s.limit)
	job := &job{ranker: rank, asked: asked, best: best, also: slices.Concat(s.byCos, s.also), tally: &s.text}
	for _, t := range asked {
		w := rank.weights(t.df, t.share)
		s.words = append(s.words, Word{Term: t.term, Docs: t.df, Weight: w.idf})
		job.weights = append(job.weights, w)
		job.postings += t.df
	}
	for i, p := range s.ix.pieces {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.allow[i] == nil {
			continue
		}
		if err := job.piece(i, p, s.allow[i]); err != nil {
			return fmt.Errorf("segment %d: %w", p.id, err)
		}
	}
	for _, c := range best.sorted() {
		s.byBM = append(s.byBM, &match{near: s.scan().at(c.piece, c.place), score: c.score, words: c.words})
	}
	return nil
}

// byID takes documents in that the query names, where it may find them.
func (s *look) byID(ids []string) error {
	nums, err := numbersOf(s.txn, ids)
	if err != nil {
		return err
	}
	for _, num := range nums {
		if i, place, ok := s.ix.find(num); ok && s.allow[i] != nil && s.allow[i][place>>6]>>(place&63)&1 != 0 {
			s.also = append(s.also, &match{near: s.scan().at(i, place)})
		}
	}
	return nil
}

// measure fills in the cosines of what the text and the ids found.
func (s *look) measure() error {
	if s.asked == nil {
		return nil
	}
	var with []near
	found := slices.Concat(s.byBM, s.also)
	for _, m := range found {
		c := s.ix.pieces[m.piece].vecs[serving]
		if m.has = c != nil && c.hasOne(m.place); m.has {
			with = append(with, m.near)
		}
	}
	if err := s.scan().measure(with); err != nil {
		return err
	}
	cosines := make(map[uint32]float64, len(with))
	for _, n := range with {
		cosines[n.num] = n.cosine
	}
	for _, m := range found {
		m.cosine = cosines[m.num]
	}
	return nil
}

// answer reads the documents that either side found.
func (s *look) answer() (Answer, error) {
	a := Answer{Text: s.text.spread(), Cosine: s.far, Words: s.words, Docs: s.docs}
	if s.docs > 0 {
		a.Rarest, a.Once = idf(s.docs, 0), idf(s.docs, 1)
	}
	seen := map[uint32]bool{}
	for _, m := range slices.Concat(s.byBM, s.byCos, s.also) {
		if seen[m.num] {
			continue
		}
		seen[m.num] = true
		d, err := s.ix.record(s.txn, m.num)
		if err != nil {
			return Answer{}, err
		}
		a.Hits = append(a.Hits, Hit{Doc: d, Score: m.score, Words: m.words, Cosine: m.cosine, HasVector: m.has})
	}
	return a, nil
}
