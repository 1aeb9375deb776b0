package index

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dgraph-io/badger/v4"
)

// TestNibblesAreNearlyTheVector bounds the error of what is estimated by the numbers' four bits.
func TestNibblesAreNearlyTheVector(t *testing.T) {
	for _, dims := range []int{48, 64, 127, 128} {
		r := rand.New(rand.NewPCG(7, uint64(dims)))
		n := newNibbles(dims, 3)
		for range 200 {
			q, v := randomVector(r, dims, nil), randomVector(r, dims, nil)
			for i := range v { // from unlike to alike
				v[i] += q[i] * float32(r.Float64()*2)
			}
			_, vals := quantize(unit(v))
			n.set(1, bytesOfSteps(vals))
			got := float64(n.cosine(nibbleTables(q), 1))
			if want := cosineOf(q, v); math.Abs(got-want) > 0.06 {
				t.Fatalf("%d numbers: %v, it is %v", dims, got, want)
			}
		}
		n.unset(1)
		if got := n.cosine(nibbleTables(randomVector(r, dims, nil)), 1); got != 0 {
			t.Errorf("%d numbers: nothing has the cosine %v", dims, got)
		}
	}
	for x := -127; x <= 127; x++ {
		if got := nibble(int8(x)); got != int(math.Round(float64(x)*7/127)) {
			t.Errorf("%d is %d of 7", x, got)
		}
	}
}

// nibblesByNumber are those that the index has in memory, after a query that needs them.
func nibblesByNumber(t *testing.T, ix *Index) map[uint32]string {
	t.Helper()
	out := map[uint32]string{}
	err := ix.view(func(txn *badger.Txn) error {
		s := &scan{ix: ix, txn: txn}
		for _, p := range ix.pieces {
			n, err := s.nibblesOf(p)
			if err != nil {
				return err
			}
			for place, num := range p.cols.nums {
				if has := p.vecs[serving].hasOne(place); has != (n.scale[place] != 0) {
					return fmt.Errorf("document %d has a vector: %v; its nibbles count %v", num, has, n.scale[place])
				} else if has {
					out[num] = fmt.Sprint(n.scale[place], n.vals[place*n.width():(place+1)*n.width()])
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNibblesAreThoseOfTheVectors holds those that were kept up through puts, deletions and merges against those read after opening.
func TestNibblesAreThoseOfTheVectors(t *testing.T) {
	dir := t.TempDir()
	o := Options{Dir: dir, HotDocs: 64, MergeFactor: 3, SegmentDocs: 1024, Vectors: hashWords(64)}
	ix := open(t, o)
	r := rand.New(rand.NewPCG(5, 5))
	for round := range 12 {
		var docs []Doc
		for i := range 100 {
			body := fmt.Sprint("w", r.IntN(50), " w", r.IntN(50))
			if i%9 == 0 {
				body = "" // a vector of zeros
			}
			docs = append(docs, note(fmt.Sprint("d", (round*70+i)%900), body))
		}
		put(t, ix, docs...)
		if err := ix.Delete(t.Context(), []string{docs[3].ID, docs[50].ID}); err != nil {
			t.Fatal(err)
		}
	}
	settle(t, ix)
	kept := nibblesByNumber(t, ix)
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	ix = open(t, o)
	for _, p := range ix.pieces {
		if p.vecs[serving].nibbles() != nil {
			t.Error("opening reads all vectors")
		}
	}
	read := nibblesByNumber(t, ix)
	if len(kept) < 500 || len(kept) != len(read) {
		t.Fatalf("%d were kept and %d read", len(kept), len(read))
	}
	for num, v := range kept {
		if read[num] != v {
			t.Fatalf("document %d: %s was kept and %s read", num, v, read[num])
		}
	}
}

// TestAVectorThatIsGoneIsSeen takes a block of vectors away below the index.
func TestAVectorThatIsGoneIsSeen(t *testing.T) {
	o := Options{Dir: t.TempDir(), HotDocs: 64, Vectors: hashWords(64)}
	ix := open(t, o)
	var docs []Doc
	for i := range 600 { // more than are measured one by one
		docs = append(docs, note(fmt.Sprint("d", i), fmt.Sprint("w", i)))
	}
	put(t, ix, docs...)
	settle(t, ix)
	g := ix.gens[serving].entry
	if err := ix.db.update(func(txn *badger.Txn) error { return txn.Delete(vecKey(keyVectors, g.ID, 9)) }); err != nil {
		t.Fatal(err)
	}
	for _, p := range ix.pieces {
		p.vecs[serving].forgetNibbles()
	}
	err := ix.view(func(txn *badger.Txn) (err error) {
		for _, p := range ix.pieces {
			_, one := (&scan{ix: ix, txn: txn}).nibblesOf(p)
			err = errors.Join(err, one)
		}
		return err
	})
	if err == nil {
		t.Error("the nibbles are made without it")
	}
	if _, err := ix.Search(t.Context(), Query{Vector: wordVector("w1", 64)}); err == nil {
		t.Error("a search goes on without it")
	}
}

// TestNibblesAreMadeOnce asks from several sides at once just after opening.
func TestNibblesAreMadeOnce(t *testing.T) {
	o := Options{Dir: t.TempDir(), HotDocs: 64, Vectors: hashWords(64)}
	ix := open(t, o)
	var docs []Doc
	for i := range 500 {
		docs = append(docs, note(fmt.Sprint("d", i), fmt.Sprint("w", i%40, " w", i%7)))
	}
	put(t, ix, docs...)
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	ix = open(t, o)
	answers := make(chan string)
	for range 4 {
		go func() {
			hits, err := ix.Search(t.Context(), Query{Vector: wordVector("w3 w4", 64)})
			var ids []string
			for _, h := range hits {
				ids = append(ids, h.Doc.ID)
			}
			answers <- fmt.Sprint(ids, err)
		}()
	}
	put(t, ix, note("other", "w99")) // meanwhile
	var got []string
	for range 4 {
		got = append(got, <-answers)
	}
	slices.Sort(got)
	if got = slices.Compact(got); len(got) != 1 {
		t.Errorf("answers differ: %q", got)
	}
}
