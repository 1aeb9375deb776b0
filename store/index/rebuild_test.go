package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"dormouse/store/memory"
)

// TestAnotherModelsVectorsAreMadeBesideThoseThatServe changes the model, and ends the making of its vectors again and again, while
// documents come and go.
func TestAnotherModelsVectorsAreMadeBesideThoseThatServe(t *testing.T) {
	old, next := hashWords(64), hashWords(40)
	o := Options{Dir: t.TempDir(), HotDocs: 16, MergeFactor: 2, SegmentDocs: 256, Vectors: old}
	r := rand.New(rand.NewPCG(2, 2))
	ix := open(t, o)
	docs := map[string]Doc{}
	for range 12 {
		change(t, r, ix, docs)
	}
	if err := ix.Area("kept").Put("key", []byte("value")); err != nil {
		t.Fatal(err)
	}
	o.Vectors = next
	o.Former = func(model string) (Vectors, bool) { return old, model == old.Model }
	for round := 0; ; round++ {
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		ix = open(t, o)
		s := ix.Stats().Vectors
		if s.NextModel == "" {
			break
		}
		if s.Model != old.Model || s.NextModel != next.Model || s.Docs != len(docs) || s.NextDocs+s.NextWaiting != len(docs) || round > 20 {
			t.Fatalf("round %d: %+v, and %d documents are there", round, s, len(docs))
		}
		for range 5 {
			q := randomQuery(r)
			compareVectors(t, ix, docs, q, 64)
			v, err := ix.Embed(t.Context(), []string{q.Text})
			if err != nil || len(v) != 1 || len(v[0]) != 64 {
				t.Fatalf("a query has the wrong vector: %v", err)
			}
		}
		change(t, r, ix, docs)
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		ix.gens[building].vectors.Embed = func(ctx context.Context, texts []string) ([][]float32, error) {
			if calls++; calls == 3 {
				cancel()
			}
			return next.Embed(ctx, texts)
		}
		if err := ix.MakeVectors(ctx); err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
		cancel()
	}
	s := ix.Stats().Vectors
	if s.Model != next.Model || s.Docs != len(docs) || s.Waiting != 0 {
		t.Errorf("%+v", s)
	}
	if err := ix.Rebuild(); err != nil { // of the same model
		t.Fatal(err)
	}
	if s := ix.Stats().Vectors; s.NextModel != next.Model || s.NextWaiting != len(docs) {
		t.Errorf("%+v", s)
	}
	if err := ix.MakeVectors(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		compareVectors(t, ix, docs, randomQuery(r), 40)
	}
	settle(t, ix)
	noOrphans(t, ix)
	if v, ok, err := ix.Area("kept").Get("key"); err != nil || !ok || string(v) != "value" {
		t.Errorf("an area is lost: %q %v", v, err)
	}
}

// TestAResetDuringARebuildLetsNothingBack empties the index while the vector of a document is being made.
func TestAResetDuringARebuildLetsNothingBack(t *testing.T) {
	v := hashWords(64)
	good := v.Embed
	v.Later = true
	var ix *Index
	reset := false
	v.Embed = func(ctx context.Context, texts []string) ([][]float32, error) {
		if reset {
			reset = false
			if err := ix.Reset(); err != nil {
				t.Error(err)
			}
			put(t, ix, note("new", "zebra")) // gets the number of a document that is gone
		}
		return good(ctx, texts)
	}
	o := Options{Dir: t.TempDir(), Vectors: v}
	ix = open(t, o)
	put(t, ix, note("secret", "quagga"))
	if err := ix.MakeVectors(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := ix.Rebuild(); err != nil {
		t.Fatal(err)
	}
	reset = true
	if err := ix.MakeVectors(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		a := answer(t, ix, Query{Vector: wordVector("quagga", 64), View: memory.View{All: true}})
		if len(a.Hits) != 1 || a.Hits[0].Doc.ID != "new" || a.Hits[0].Cosine > 0.9 {
			t.Errorf("%+v", a.Hits)
		}
		if s := ix.Stats(); s.Docs != 1 || s.Vectors.Docs != 1 || s.Vectors.NextModel != "" || s.Vectors.Model != v.Model {
			t.Errorf("%+v", s)
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		ix = open(t, o)
	}
}

// TestANumberThatIsGivenAgainHasNoOldVector deletes the documents with the highest numbers, which the next start gives again.
func TestANumberThatIsGivenAgainHasNoOldVector(t *testing.T) {
	o := Options{Dir: t.TempDir(), HotDocs: 8, Vectors: hashWords(64)}
	ix := open(t, o)
	var gone []string
	for i := range 24 {
		id := fmt.Sprint("n", i)
		if put(t, ix, note(id, "quagga "+id)); i >= 4 {
			gone = append(gone, id)
		}
	}
	if err := ix.Delete(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	settle(t, ix)
	ix.mu.Lock()
	ix.garbage = nil // as if it had been killed before it took them away
	ix.mu.Unlock()
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	o.Vectors.Later = true
	ix = open(t, o)
	for i := range 8 {
		put(t, ix, note(fmt.Sprint("z", i), "zebra"))
	}
	settle(t, ix)
	if s := ix.Stats().Vectors; s.Docs != 4 || s.Waiting != 8 {
		t.Errorf("%+v: a new document has the vector of an old one", s)
	}
	if err := ix.MakeVectors(t.Context()); err != nil {
		t.Fatal(err)
	}
	a := answer(t, ix, Query{Vector: wordVector("zebra", 64), Limit: 8})
	for _, h := range a.Hits {
		if h.Doc.Body != "zebra" || h.Cosine < 0.99 {
			t.Errorf("%+v", h)
		}
	}
}

func TestVectorsGoAndComeWithTheSetting(t *testing.T) {
	o := Options{Dir: t.TempDir(), Vectors: hashWords(64)}
	ix := open(t, o)
	put(t, ix, note("a", "word"))
	reopen := func(change func(*Options)) VectorStats {
		t.Helper()
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		o := o
		change(&o)
		ix = open(t, o)
		return ix.Stats().Vectors
	}
	if s := reopen(func(o *Options) { o.Vectors, o.KeepVectors = Vectors{}, true }); s.Model != "hash/64" || s.Docs != 1 {
		t.Errorf("a model that can't be had now: %+v", s)
	}
	if v, err := ix.Embed(t.Context(), []string{"word"}); v != nil || err != nil {
		t.Errorf("a query without a model: %v %v", v, err)
	}
	if err := ix.SetVectors(hashWords(64)); err != nil {
		t.Fatal(err)
	}
	if a := answer(t, ix, Query{Vector: wordVector("word", 64)}); len(a.Hits) != 1 {
		t.Errorf("%+v", a)
	}
	if s := reopen(func(o *Options) { o.Vectors = Vectors{} }); s != (VectorStats{}) {
		t.Errorf("without vectors: %+v", s)
	}
	if n, err := ix.Sizes(); err != nil || n.Vectors != 0 || n.Text == 0 || n.Shown == 0 || n.IDs == 0 {
		t.Errorf("%+v %v", n, err)
	}
	if s := reopen(func(*Options) {}); s.Model != "hash/64" || s.Waiting != 1 {
		t.Errorf("with vectors again: %+v", s)
	}
}

// TestAllAtOnce has writers, readers, late vectors and rebuilds meet.
func TestAllAtOnce(t *testing.T) {
	v := hashWords(64)
	ix := open(t, Options{Dir: t.TempDir(), HotDocs: 16, MergeFactor: 2, SegmentDocs: 256, Vectors: v})
	docs := map[string]Doc{}
	stop := make(chan struct{})
	var others sync.WaitGroup
	also := func(do func() error) {
		others.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := do(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	r := rand.New(rand.NewPCG(9, 9))
	queries := make(chan Query, 100)
	for range 100 {
		q := randomQuery(r)
		q.Vector = wordVector(q.Text, 64)
		queries <- q
	}
	also(func() error {
		q := <-queries
		_, err := ix.Answer(t.Context(), q)
		queries <- q
		return err
	})
	also(func() error { return ix.MakeVectors(t.Context()) })
	also(ix.Rebuild)
	also(func() error { ix.Stats(); _, err := ix.Embed(t.Context(), []string{"w1x"}); return err })
	for range 12 {
		change(t, r, ix, docs)
	}
	close(stop)
	others.Wait()
	if err := ix.MakeVectors(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		compareVectors(t, ix, docs, randomQuery(r), 64)
	}
	settle(t, ix)
	noOrphans(t, ix)
}

// TestAQueryThatWasEmbeddedBeforeTheSwapIsAnsweredByItsText has the new model take over between the two.
func TestAQueryThatWasEmbeddedBeforeTheSwapIsAnsweredByItsText(t *testing.T) {
	o := Options{Dir: t.TempDir(), Vectors: hashWords(64)}
	ix := open(t, o)
	put(t, ix, note("a", "word"))
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	o.Vectors = hashWords(40)
	ix = open(t, o)
	q := Query{Text: "word", Vector: wordVector("word", 64)}
	if err := ix.MakeVectors(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := answer(t, ix, q); len(a.Hits) != 1 || a.Hits[0].HasVector {
		t.Errorf("%+v", a.Hits)
	}
}
