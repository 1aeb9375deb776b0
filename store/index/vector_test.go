package index

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"dormouse/store/memory"
)

// hashWords is an embedder: each word adds a fixed random direction.
func hashWords(dims int) Vectors {
	return Vectors{Model: fmt.Sprint("hash/", dims), Dims: dims, Embed: func(_ context.Context, texts []string) ([][]float32, error) {
		var out [][]float32
		for _, t := range texts {
			out = append(out, wordVector(t, dims))
		}
		return out, nil
	}}
}

func wordVector(text string, dims int) []float32 {
	v := make([]float32, dims)
	for _, w := range strings.Fields(text) {
		for i, x := range direction(w, dims) {
			v[i] += x
		}
	}
	return unit(v)
}

type wordOf struct {
	word string
	dims int
}

var directions sync.Map // of []float32 by wordOf

// direction is the fixed direction of a word.
func direction(word string, dims int) []float32 {
	if v, ok := directions.Load(wordOf{word, dims}); ok {
		return v.([]float32)
	}
	h := fnv.New64a()
	h.Write([]byte(word))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	directions.Store(wordOf{word, dims}, v)
	return v
}

func unit(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum > 0 {
		for i := range v {
			v[i] = float32(float64(v[i]) / math.Sqrt(sum))
		}
	}
	return v
}

func cosineOf(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func answer(t *testing.T, ix *Index, q Query) Answer {
	t.Helper()
	a, err := ix.Answer(t.Context(), q)
	if err != nil {
		t.Fatalf("answer %.60q: %v", q.Text, err)
	}
	return a
}

// compareVectors holds an answer of an index with few documents against the definition of both sides.
func compareVectors(t *testing.T, ix *Index, docs map[string]Doc, q Query, dims int) {
	t.Helper()
	q.Vector = wordVector(q.Text, dims)
	cosines, scores := map[string]float64{}, map[string]float64{}
	var want tally
	for id, d := range docs {
		if admits(q, d) {
			cosines[id] = cosineOf(q.Vector, wordVector(embedded(&d), dims))
			want.add(cosines[id])
		}
	}
	all := q
	all.Limit = len(docs)
	text := naive(docs, all)
	for _, h := range text {
		scores[h.Doc.ID] = h.Score
	}
	a := answer(t, ix, q)
	best := slices.SortedFunc(maps.Values(cosines), func(a, b float64) int { return -cmpFloat(a, b) })
	byText := min(q.Limit, len(text))
	var found []float64
	for i, h := range a.Hits {
		cos, ok := cosines[h.Doc.ID]
		if !ok {
			t.Fatalf("%+v: %s may not be seen", q, h.Doc.ID)
		}
		if math.Abs(h.Cosine-cos) > 0.01 || math.Abs(h.Score-scores[h.Doc.ID]) > 1e-9 || !h.HasVector {
			t.Fatalf("%s: hit %+v, want %v and %v", q.Text, h, scores[h.Doc.ID], cos)
		}
		if i < byText && h.Doc.ID != text[i].Doc.ID {
			t.Fatalf("%s: hit %d of the text is %s, want %s", q.Text, i, h.Doc.ID, text[i].Doc.ID)
		}
		found = append(found, h.Cosine)
	}
	slices.SortFunc(found, func(a, b float64) int { return -cmpFloat(a, b) })
	for i := range min(q.Limit, len(best)) {
		if i >= len(found) || math.Abs(found[i]-best[i]) > 0.01 {
			t.Fatalf("%s: of the nearest, %v were found, want %v", q.Text, found, best[:min(q.Limit, len(best))])
		}
	}
	spread := want.spread()
	if a.Cosine.N != spread.N || len(docs) < nearVectors && (math.Abs(a.Cosine.Mean-spread.Mean) > 0.01 || math.Abs(a.Cosine.Dev-spread.Dev) > 0.01) {
		t.Fatalf("%s: cosines %+v, want %+v", q.Text, a.Cosine, spread)
	}
	if a.Text.N != len(text) {
		t.Fatalf("%s: the text knows of %d documents, want %d", q.Text, a.Text.N, len(text))
	}
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// TestCosinesAreThoseOfTheDefinition lets an index with tiny segments live, as TestScoresAreThoseOfTheDefinition does, and compares
// both sides with what each document says.
func TestCosinesAreThoseOfTheDefinition(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			dims := []int{128, 40, 64, 200}[seed]
			r := rand.New(rand.NewPCG(seed, 5))
			o := Options{Dir: t.TempDir(), HotDocs: 1 + r.IntN(20), MergeFactor: 2 + r.IntN(3), SegmentDocs: 100 + r.IntN(200), Vectors: hashWords(dims)}
			o.Vectors.Later = seed%2 == 1
			ix := open(t, o)
			docs := map[string]Doc{}
			for round := range 12 {
				change(t, r, ix, docs)
				if round%4 == 3 {
					settle(t, ix)
				}
				if err := ix.MakeVectors(t.Context()); err != nil {
					t.Fatal(err)
				}
				if round%5 == 4 {
					if err := ix.Close(); err != nil {
						t.Fatal(err)
					}
					ix = open(t, o)
				}
				if s := ix.Stats().Vectors; s.Docs != len(docs) || s.Waiting != 0 {
					t.Fatalf("%d documents have a vector, %d wait, and %d are there", s.Docs, s.Waiting, len(docs))
				}
				for range 15 {
					compareVectors(t, ix, docs, randomQuery(r), dims)
				}
			}
			settle(t, ix)
			noOrphans(t, ix)
		})
	}
}

// noOrphans makes sure that nothing is stored for documents that are gone from all segments.
func noOrphans(t *testing.T, ix *Index) {
	t.Helper()
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.garbage = nil
	if err := ix.openVectors(); err != nil {
		t.Fatal(err)
	}
	if len(ix.garbage) > 0 {
		t.Errorf("%d vectors are left of documents that are gone", len(ix.garbage))
	}
}

// TestVectorsNeverShowAnotherProject seeds records of other scopes that are the nearest of all.
func TestVectorsNeverShowAnotherProject(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir(), HotDocs: 16, SegmentDocs: 64, Vectors: hashWords(64)})
	for i := range 200 {
		d := Doc{ID: fmt.Sprintf("d%d", i), Kind: KindEvent, Time: int64(100 + i), Scope: memory.ProjectScope("theirs"), Body: "rotate the token"}
		if i%4 == 0 {
			d.Scope, d.Body = memory.ProjectScope("mine"), fmt.Sprintf("many other words %d in a line", i)
		}
		put(t, ix, d)
	}
	for range 2 {
		q := Query{Text: "rotate token", Vector: wordVector("rotate the token", 64), View: memory.View{Project: "mine"}, Since: 100, Until: 400, Limit: 1000}
		a := answer(t, ix, q)
		if len(a.Hits) != 50 || a.Cosine.N != 50 || a.Text.N != 0 {
			t.Errorf("%d hits, and 50 may be seen; %+v", len(a.Hits), a.Cosine)
		}
		for _, h := range a.Hits {
			if h.Doc.Scope != memory.ProjectScope("mine") {
				t.Errorf("%s of scope %s is shown", h.Doc.ID, h.Doc.Scope)
			}
		}
		q.View = memory.View{}
		if n := len(answer(t, ix, q).Hits); n != 0 {
			t.Errorf("a reader without a project sees %d", n)
		}
		settle(t, ix)
	}
}

// TestAFailingEmbedderLosesNoDocument has an embedder that fails for a while.
func TestAFailingEmbedderLosesNoDocument(t *testing.T) {
	v := hashWords(64)
	good, down := v.Embed, true
	v.Embed = func(ctx context.Context, texts []string) ([][]float32, error) {
		if down {
			return nil, errors.New("the endpoint is down")
		}
		return good(ctx, texts)
	}
	o := Options{Dir: t.TempDir(), HotDocs: 8, Vectors: v}
	ix := open(t, o)
	for i := range 40 {
		put(t, ix, note(fmt.Sprint("n", i), fmt.Sprint("alpha number", i)))
	}
	if got := found(t, ix, Query{Text: "alpha", Limit: 100}); len(got) != 40 {
		t.Fatalf("%d of 40 documents are found", len(got))
	}
	if err := ix.MakeVectors(t.Context()); err == nil || !strings.Contains(err.Error(), "endpoint is down") {
		t.Fatalf("made vectors: %v", err)
	}
	if s := ix.Stats().Vectors; s.Waiting != 40 || s.Docs != 0 || !strings.Contains(s.Error, "endpoint is down") {
		t.Errorf("%+v", s)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	ix = open(t, o)
	down = false
	if err := ix.MakeVectors(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := ix.Stats().Vectors; s.Waiting != 0 || s.Docs != 40 || s.Error != "" {
		t.Errorf("%+v", s)
	}
	a := answer(t, ix, Query{Vector: wordVector("alpha number17", 64), Limit: 1})
	if len(a.Hits) != 1 || a.Hits[0].Doc.ID != "n17" {
		t.Errorf("%+v", a.Hits)
	}
}

func TestVectorsThatCannotBeComparedAreRefused(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir(), Vectors: hashWords(64)})
	put(t, ix, note("a", "word"), note("empty", ""))
	for name, v := range map[string][]float32{"another length": make([]float32, 63), "no number": append(make([]float32, 63), float32(math.NaN()))} {
		if _, err := ix.Answer(t.Context(), Query{Text: "word", Vector: v}); err == nil || errors.Is(err, ErrBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	a := answer(t, ix, Query{Text: "word", Vector: make([]float32, 64)})
	if len(a.Hits) != 1 || a.Hits[0].HasVector {
		t.Errorf("a vector of zeros: %+v", a.Hits)
	}
	a = answer(t, ix, Query{Vector: wordVector("word", 64)})
	if len(a.Hits) != 1 || a.Hits[0].Doc.ID != "a" || a.Hits[0].Cosine < 0.99 {
		t.Errorf("a document without a word is near something: %+v", a.Hits)
	}
	for _, v := range []Vectors{{Model: "x"}, {Model: "x", Dims: 5000, Embed: hashWords(1).Embed}, {Embed: hashWords(1).Embed, Dims: 1}} {
		if _, _, err := Open(Options{Dir: t.TempDir(), Vectors: v}); err == nil {
			t.Errorf("opened with %+v", v)
		}
	}
	bad := hashWords(64)
	bad.Dims = 32
	ix = open(t, Options{Dir: t.TempDir(), Vectors: bad})
	put(t, ix, note("a", "word"))
	if s := ix.Stats(); s.Docs != 1 || s.Vectors.Waiting != 1 || !strings.Contains(s.Vectors.Error, "64 numbers") {
		t.Errorf("%+v", s)
	}
}
