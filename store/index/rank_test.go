package index

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dormouse/store/memory"
)

// TestScoresAreThoseOfTheDefinition lets an index with tiny segments live through puts, replacements, deletions, merges and
// restarts, and compares it with BM25 computed document by document.
func TestScoresAreThoseOfTheDefinition(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			o := Options{Dir: t.TempDir(), HotDocs: 1 + r.IntN(20), MergeFactor: 2 + r.IntN(3), SegmentDocs: 100 + r.IntN(200)}
			ix := open(t, o)
			docs := map[string]Doc{}
			for round := range 12 {
				change(t, r, ix, docs)
				if round%4 == 3 {
					settle(t, ix)
				}
				if round%5 == 4 {
					if err := ix.Close(); err != nil {
						t.Fatal(err)
					}
					ix = open(t, o)
				}
				for range 15 {
					compare(t, ix, docs, randomQuery(r))
				}
			}
		})
	}
}

// change puts new documents, puts some again with other words, and deletes some.
func change(t *testing.T, r *rand.Rand, ix *Index, docs map[string]Doc) {
	t.Helper()
	var batch []Doc
	for range r.IntN(60) {
		d := randomDoc(r, fmt.Sprintf("d%d", r.IntN(400)))
		batch = append(batch, d)
		docs[d.ID] = d
	}
	put(t, ix, batch...)
	var gone []string
	for _, id := range slices.Sorted(maps.Keys(docs)) {
		if r.IntN(8) == 0 {
			gone = append(gone, id)
			delete(docs, id)
		}
	}
	if err := ix.Delete(t.Context(), append(gone, "never there")); err != nil {
		t.Fatal(err)
	}
	if s := ix.Stats(); s.Docs != len(docs) {
		t.Fatalf("the index counts %d documents, %d are there", s.Docs, len(docs))
	}
}

func compare(t *testing.T, ix *Index, docs map[string]Doc, q Query) {
	t.Helper()
	got, want := search(t, ix, q), naive(docs, q)
	if len(got) != len(want) {
		t.Fatalf("%+v: %d hits, want %d", q, len(got), len(want))
	}
	for i := range got {
		if got[i].Doc.ID != want[i].Doc.ID || math.Abs(got[i].Score-want[i].Score) > 1e-9 {
			t.Fatalf("%+v: hit %d is %s %v, want %s %v", q, i, got[i].Doc.ID, got[i].Score, want[i].Doc.ID, want[i].Score)
		}
	}
}

// TestAnswersDoNotDependOnHowTheIndexWasMade fills two indexes with the same documents on different ways.
func TestAnswersDoNotDependOnHowTheIndexWasMade(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var docs []Doc
	for i := range 700 {
		docs = append(docs, randomDoc(r, fmt.Sprintf("d%d", i)))
	}
	plain := open(t, Options{Dir: t.TempDir()})
	put(t, plain, docs...)

	devious := open(t, Options{Dir: t.TempDir(), HotDocs: 16, MergeFactor: 3, SegmentDocs: 128})
	r.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
	for chunk := range slices.Chunk(docs, 37) {
		for _, d := range chunk {
			put(t, devious, note(d.ID, "w1x w2x an older wording"))
		}
		put(t, devious, chunk...)
		put(t, devious, note("passing", "w1x"))
	}
	if err := devious.Delete(t.Context(), []string{"passing"}); err != nil {
		t.Fatal(err)
	}
	for round := range 2 {
		for range 200 {
			q := randomQuery(r)
			if a, b := bytesOf(t, search(t, plain, q)), bytesOf(t, search(t, devious, q)); a != b {
				t.Fatalf("round %d, %+v:\n%s\n%s", round, q, a, b)
			}
		}
		settle(t, devious)
	}
	if s := devious.Stats(); s.Segments < 2 {
		t.Errorf("only %d segments: nothing was compared", s.Segments)
	}
}

func TestEqualsAreOrderedByTimeThenAlwaysAlike(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir()})
	for i := range 50 {
		d := note(fmt.Sprintf("n%d", i), "the same words")
		d.Time = int64(1 + i%5)
		put(t, ix, d)
	}
	hits := search(t, ix, Query{Text: "words", Limit: 7})
	for i, h := range hits {
		if h.Doc.Time != 5 {
			t.Errorf("hit %d is of time %d, and newer ones score the same", i, h.Doc.Time)
		}
	}
	if again := search(t, ix, Query{Text: "words", Limit: 7}); bytesOf(t, hits) != bytesOf(t, again) {
		t.Error("the same query has another answer")
	}
}

func TestTitlesWeighMore(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir()})
	put(t, ix, note("body", "retry budget of the parser"),
		Doc{ID: "title", Kind: KindEvent, Scope: memory.Global, Title: "retry", Body: "budget of the parser"})
	if got := found(t, ix, Query{Text: "retry"}); !slices.Equal(got, []string{"title", "body"}) {
		t.Errorf("found %v", got)
	}
}

// TestAWordInOneFormAloneCountsWhole holds that of the forms of a word those that nobody ever wrote take no part of its weight.
func TestAWordInOneFormAloneCountsWhole(t *testing.T) {
	weights := func(bodies ...string) map[string]float64 {
		ix := open(t, Options{Dir: t.TempDir()})
		for i, body := range bodies {
			put(t, ix, note(fmt.Sprint("d", i), body))
		}
		a, err := ix.Answer(t.Context(), Query{Text: "Welche Häuser wurden verkauft?"})
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]float64{}
		for _, w := range a.Words {
			out[w.Term] = w.Weight / idf(len(bodies), w.Docs)
		}
		return out
	}
	if got := weights("a hauser, without a language", "other"); math.Abs(got["hauser"]-1) > 1e-9 {
		t.Errorf("what is written in one form weighs %v", got)
	}
	got := weights("Die Häuser, die wir sehen, sind alt", "other")
	if sum := got["haus"] + got["hauser"] + got["häuser"]; len(got) != 3 || math.Abs(sum-1) > 1e-9 || got["haus"] == 0 {
		t.Errorf("what is written in three forms weighs %v", got)
	}
}
