package index

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// frequentDocs makes documents of which each has some of a few words, so that lists of postings are long.
func frequentDocs(r *rand.Rand, n int) []Doc {
	docs := make([]Doc, n)
	for i := range docs {
		var text []string
		for range 1 + r.IntN(25) {
			text = append(text, fmt.Sprintf("w%dx", int(math.Pow(r.Float64(), 4)*60)))
		}
		d := randomDoc(r, fmt.Sprintf("d%d", i))
		d.Body = strings.Join(text, " ")
		docs[i] = d
	}
	return docs
}

func frequentQuery(r *rand.Rand) Query {
	q := randomQuery(r)
	q.Text = ""
	for range 1 + r.IntN(6) {
		q.Text += fmt.Sprintf("w%dx ", r.IntN(60))
	}
	return q
}

// TestPassingOverFindsTheSame asks an index that reads all postings and one that passes over what can't be found, cut otherwise and with
// dead documents among the living.
func TestPassingOverFindsTheSame(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 3))
	docs := frequentDocs(r, 7000)
	plain := open(t, Options{Dir: t.TempDir(), Vectors: hashWords(32), rules: rules{exhaustive: math.MaxInt}})
	brief := open(t, Options{Dir: t.TempDir(), HotDocs: 600, MergeFactor: 3, SegmentDocs: 4000, Vectors: hashWords(32), rules: rules{exhaustive: 1}})
	put(t, plain, docs...)
	for i := range 300 {
		put(t, brief, note(docs[i*20].ID, "w1x w2x an older wording"))
	}
	put(t, brief, docs...)
	for _, ix := range []*Index{plain, brief} {
		settle(t, ix)
		if err := ix.Delete(t.Context(), []string{"d5", "d600", "d601", "d6999"}); err != nil {
			t.Fatal(err)
		}
	}
	for range 300 {
		q := frequentQuery(r)
		if r.IntN(3) == 0 {
			q.Vector = wordVector(fmt.Sprintf("w%dx", r.IntN(60)), 32)
		}
		q.Also = []string{"d7", "d5", fmt.Sprintf("d%d", r.IntN(7000))}
		a, b := answer(t, plain, q), answer(t, brief, q)
		if x, y := bytesOf(t, a.Hits), bytesOf(t, b.Hits); x != y || !slices.Equal(a.Words, b.Words) {
			t.Fatalf("%+v:\n%s\n%s", q, x, y)
		}
	}
}

// TestTheSpreadOfManyScoresIsEstimated holds the spread that is taken from a part against that of all.
func TestTheSpreadOfManyScoresIsEstimated(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(12, 3))
	docs := frequentDocs(r, 20_000)
	ix := open(t, Options{Dir: t.TempDir(), HotDocs: 5000})
	put(t, ix, docs...)
	settle(t, ix)
	for _, text := range []string{"w0x", "w0x w1x", "w0x w3x w20x", "w2x w30x w40x w59x"} {
		var got [2]Answer
		for i, most := range []int{math.MaxInt, 1} {
			ix.opts.rules.exhaustive = most
			got[i] = answer(t, ix, Query{Text: text, View: memory.View{All: true}})
		}
		want, some := got[0].Text, got[1].Text
		if some == want || some.N%lowOneOf != 0 {
			t.Errorf("%s: %+v is not of a part", text, some)
		}
		if n := float64(some.N) / float64(want.N); n < 0.7 || n > 1.4 || math.Abs(some.Mean-want.Mean) > want.Dev/3 || some.Dev < want.Dev*0.7 || some.Dev > want.Dev*1.4 {
			t.Errorf("%s: %+v, of all %+v", text, some, want)
		}
	}
}

// TestPeaksBoundEveryPosting holds the bounds of stretches against the postings, for any mean length.
func TestPeaksBoundEveryPosting(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 3))
	for range 200 {
		c, l := newColumns(), newList()
		for place := range 1 + r.IntN(2000) {
			c.add(uint32(place), uint16(r.IntN(1+r.IntN(3000))), 0, r.Uint64(), nil)
			if r.IntN(3) > 0 {
				l.add(place, 1+uint32(r.IntN(1+r.IntN(40))))
			}
		}
		raw, err := l.pack(c)
		if err != nil {
			t.Fatal(err)
		}
		p, err := readPostings(l.n, true, raw, c.count())
		if err != nil {
			t.Fatal(err)
		}
		if again, err := plain(l.n, true, raw); err != nil || !slices.Equal(again, l.buf) || !slices.Equal(p.buf, l.buf) {
			t.Fatalf("%d postings are not read as they were written: %v", l.n, err)
		}
		k := ranker{docs: 5000, flat: k1 * (1 - b), per: k1 * b / (1 + 500*r.Float64())}
		w := k.weights(1+r.IntN(5000), 1)
		n, low := 0, 0
		err = p.each(nil, c.count(), func(local int, tf uint32) {
			bound := w.bound(p)
			if p.stretches != nil {
				bound = w.most(p.stretches[n/stretchPostings].peaks)
			}
			if got := w.of(tf, c.lens[local]); got > bound {
				t.Fatalf("posting %d is worth %v, more than %v", n, got, bound)
			}
			if n++; c.hashes[local] <= lowHash {
				low++
			}
		})
		if err != nil || n != l.n {
			t.Fatalf("%d postings of %d: %v", n, l.n, err)
		}
		if p.stretches != nil {
			_ = walk(p.sample, c.count(), func(int, uint32) { low-- })
			if low != 0 {
				t.Errorf("the sample lacks %d", low)
			}
		}
	}
}

func TestPickingFindsThePostingsOfPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 3))
	for _, step := range []int{1, 3, 40} {
		c, l := newColumns(), newList()
		tfs := map[uint32]uint32{}
		for place := range 9000 {
			c.add(uint32(place), 10, 0, r.Uint64(), nil)
			if r.IntN(step) == 0 && place != 777 {
				tfs[uint32(place)] = 1 + uint32(r.IntN(3))
				l.add(place, tfs[uint32(place)])
			}
		}
		raw, err := l.pack(c)
		if err != nil {
			t.Fatal(err)
		}
		p, err := readPostings(l.n, true, raw, c.count())
		if err != nil {
			t.Fatal(err)
		}
		for _, density := range []int{1, 7, 500, 20_000} {
			var places []uint32
			want := map[uint32]uint32{}
			for place := range uint32(9000) {
				if place == 777 || r.IntN(density) == 0 {
					places = append(places, place)
					if tf, ok := tfs[place]; ok {
						want[place] = tf
					}
				}
			}
			err := p.pick(places, c.count(), func(i int, tf uint32) {
				if want[places[i]] != tf {
					t.Errorf("place %d has %d, want %d", places[i], tf, want[places[i]])
				}
				delete(want, places[i])
			})
			if err != nil || len(want) > 0 {
				t.Errorf("one of %d: %d are not found, %v", density, len(want), err)
			}
		}
	}
}
