package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/dgraph-io/badger/v4"

	"dormouse/store/memory"
)

// TestNearestDoNotDependOnHowTheIndexWasMade fills two indexes with so many documents that codes are compared, on different ways.
func TestNearestDoNotDependOnHowTheIndexWasMade(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	var docs []Doc
	for i := range 6000 {
		docs = append(docs, randomDoc(r, fmt.Sprintf("d%d", i)))
	}
	plain := open(t, Options{Dir: t.TempDir(), Vectors: hashWords(64)})
	put(t, plain, docs...)

	v := hashWords(64)
	v.Later = true
	devious := open(t, Options{Dir: t.TempDir(), HotDocs: 256, MergeFactor: 3, SegmentDocs: 2048, Vectors: v})
	r.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
	for chunk := range slices.Chunk(docs, 700) {
		put(t, devious, note(chunk[0].ID, "an older wording"), note("passing", "w1x"))
		put(t, devious, chunk...)
		if err := devious.MakeVectors(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := devious.Delete(t.Context(), []string{"passing"}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for range 60 {
			q := randomQuery(r)
			q.Vector = wordVector(q.Text, 64)
			a, b := answer(t, plain, q), answer(t, devious, q)
			if x, y := bytesOf(t, a.Hits), bytesOf(t, b.Hits); x != y || a.Text != b.Text || a.Cosine != b.Cosine {
				t.Fatalf("%+v:\n%s\n%s\n%+v\n%+v", q, x, y, a, b)
			}
		}
		settle(t, devious)
	}
}

// TestCodesFindTheNearest compares the ten nearest that codes find with the ten nearest, on vectors that lie in crowds.
func TestCodesFindTheNearest(t *testing.T) {
	t.Parallel()
	for _, dims := range []int{64, 300} {
		r := rand.New(rand.NewPCG(1, uint64(dims)))
		vecs := map[string][]float32{}
		crowds := make([][]float32, 60)
		for i := range crowds {
			crowds[i] = randomVector(r, dims, nil)
		}
		v := Vectors{Model: "given", Dims: dims, Embed: func(_ context.Context, texts []string) ([][]float32, error) {
			out := make([][]float32, len(texts))
			for i, text := range texts {
				out[i] = vecs[text]
			}
			return out, nil
		}}
		ix := open(t, Options{Dir: t.TempDir(), Vectors: v})
		var docs []Doc
		for i := range 6000 { // of which not all are estimated
			d := note(fmt.Sprint("d", i), fmt.Sprint("text", i))
			vecs[d.Body] = randomVector(r, dims, crowds[i%len(crowds)])
			docs = append(docs, d)
		}
		put(t, ix, docs...)
		found, spread := 0, Spread{}
		for i := range 20 {
			q := randomVector(r, dims, crowds[i])
			var all []float64
			var exact tally
			for _, d := range docs {
				c := cosineOf(q, vecs[d.Body])
				all = append(all, c)
				exact.add(c)
			}
			slices.Sort(all)
			a := answer(t, ix, Query{Vector: q})
			for _, h := range a.Hits {
				if cosineOf(q, vecs[h.Doc.Body]) >= all[len(all)-10] {
					found++
				}
			}
			spread = exact.spread()
			if a.Cosine.N != len(docs) || math.Abs(a.Cosine.Mean-spread.Mean) > spread.Dev/2 || a.Cosine.Dev < spread.Dev/2 || a.Cosine.Dev > 2*spread.Dev {
				t.Errorf("%d numbers: cosines %+v, they are %+v", dims, a.Cosine, spread)
			}
		}
		if found < 194 {
			t.Errorf("%d numbers: %d of 200 are found", dims, found)
		}
	}
}

// randomVector is a random direction, near another one where that is given.
func randomVector(r *rand.Rand, dims int, near []float32) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(r.NormFloat64()) / float32(math.Sqrt(float64(dims)))
		if near != nil {
			v[i] = v[i]*0.8 + near[i]
		}
	}
	return unit(v)
}

// TestRecordsThatAreEquallyNear have more of them than are asked for, most outside of the time that is.
func TestRecordsThatAreEquallyNear(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir(), HotDocs: 64, Vectors: hashWords(64)})
	scope := memory.ProjectScope("p")
	var docs []Doc
	for i := range 900 {
		docs = append(docs, Doc{ID: fmt.Sprint("e", i), Kind: KindEvent, Scope: scope, Time: int64(1 + i), Body: "rotate the token"})
	}
	for i := range 40 {
		docs = append(docs, Doc{ID: fmt.Sprint("f", i), Kind: KindFact, Scope: scope, Time: 850, Body: fmt.Sprint("rotate the key ", i)})
	}
	put(t, ix, docs...)
	q := Query{Vector: wordVector("rotate the token", 64), View: memory.View{Project: "p"}, Limit: 5}
	check := func(want ...string) {
		t.Helper()
		var got []string
		for _, h := range answer(t, ix, q).Hits {
			got = append(got, h.Doc.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", q, got, want)
		}
	}
	check("e899", "e898", "e897", "e896", "e895")
	q.Until = 4
	check("e2", "e1", "e0")
	q.Until, q.Kinds = 0, []Kind{KindFact}
	if hits := answer(t, ix, q).Hits; len(hits) != 5 || hits[0].Doc.Kind != KindFact {
		t.Errorf("%d facts", len(hits))
	}
	q.Kinds = nil
	if err := ix.Delete(t.Context(), []string{"e899", "e897"}); err != nil {
		t.Fatal(err)
	}
	put(t, ix, Doc{ID: "e896", Kind: KindEvent, Scope: memory.ProjectScope("other"), Time: 1e6, Body: "rotate the token"})
	check("e898", "e895", "e894", "e893", "e892")
	settle(t, ix)
	check("e898", "e895", "e894", "e893", "e892")
}

// TestScopesMakeRoomForEachOther has more records asked for than are held at once.
func TestScopesMakeRoomForEachOther(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir(), Vectors: hashWords(32)})
	var docs []Doc
	for i := range 80 {
		for n := range 20 {
			docs = append(docs, Doc{ID: fmt.Sprint(i, "/", n), Kind: KindEvent, Scope: memory.ProjectScope(fmt.Sprint(i)), Body: fmt.Sprint("alpha ", i, " ", n)})
		}
	}
	put(t, ix, docs...)
	for round := range 2 {
		for i := range 80 {
			hits := answer(t, ix, Query{Vector: wordVector(fmt.Sprint("alpha ", i, " 7"), 32), View: memory.View{Project: fmt.Sprint(i)}, Limit: 1}).Hits
			if len(hits) != 1 || hits[0].Doc.ID != fmt.Sprint(i, "/7") {
				t.Fatalf("round %d: %+v", round, hits)
			}
			ix.records.held += 500 // as if they were more
		}
	}
	if n := ix.records.recent.Len(); n > 61 || n != len(ix.records.scopes) {
		t.Errorf("%d scopes are held, %d known", n, len(ix.records.scopes))
	}
}

func TestDamagedVectorsBreakTheIndex(t *testing.T) {
	for name, c := range map[string]struct {
		kind   byte
		atOpen bool
	}{"a block": {keyVectors, false}, "codes": {keyCodes, true}} {
		o := Options{Dir: filepath.Join(t.TempDir(), "index"), HotDocs: 4, Vectors: hashWords(64)}
		told := 0
		o.OnBroken = func(error) { told++ }
		ix := open(t, o)
		for i := range 20 {
			put(t, ix, note(fmt.Sprint("n", i), fmt.Sprint("word ", i)))
		}
		settle(t, ix)
		err := ix.db.update(func(txn *badger.Txn) error {
			return txn.Set(vecKey(c.kind, ix.gens[serving].entry.ID, 0), []byte{1, 2, 3, 4, 5})
		})
		if err != nil {
			t.Fatal(err)
		}
		if !c.atOpen {
			if _, err := ix.Answer(t.Context(), Query{Vector: wordVector("word", 64)}); !errors.Is(err, ErrBroken) || told != 1 {
				t.Errorf("%s: %v, told %d times", name, err, told)
			}
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		ix, again, err := Open(o)
		if err != nil || !again || ix.Stats().Docs != 0 {
			t.Errorf("%s: made again: %v, %v", name, again, err)
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
