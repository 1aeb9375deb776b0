package index

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestStoredVectorsAreNearTheirOriginals(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, dims := range []int{1, 2, 3, 40, 64, 128, 200, 768, 1536} {
		g := &generation{entry: generationEntry{Dims: dims}}
		for range 20 {
			v, q := randomVector(r, dims, nil), randomVector(r, dims, nil)
			c := g.code(v)
			var b vecBlock
			b.set(3, &c)
			scale, vals, err := entryOf(b.encode(), dims, 3)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := newAsked(q).cosine(scale, vals), cosineOf(q, v); math.Abs(got-want) > 0.02 {
				t.Errorf("%d numbers: cosine %v, want %v", dims, got, want)
			}
			if len(c.code) != codeWords(dims) || len(c.code)*64 < min(leastBits, 192) {
				t.Errorf("%d numbers: a code of %d words", dims, len(c.code))
			}
			a, b2 := turn(v), turn(q)
			if got, want := cosineOf(a, b2)/float64(turns(dims)), cosineOf(q, v); math.Abs(got-want) > 1e-4 {
				t.Errorf("%d numbers: turning changes an angle from %v to %v", dims, want, got)
			}
		}
	}
}

func TestBlocksAndChunksAreReadAsWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	g := &generation{entry: generationEntry{Dims: 70}}
	var b vecBlock
	var c codeChunk
	want := map[int]coded{}
	for range 60 {
		i := r.IntN(blockDocs)
		v := g.code(randomVector(r, 70, nil))
		switch r.IntN(4) {
		case 0:
			v = coded{}
			fallthrough
		case 1, 2:
			b.set(i, &v)
			c.set(16*i, &v)
			want[i] = v
		default:
			b.set(i, nil)
			c.set(16*i, nil)
			delete(want, i)
		}
	}
	b2, err := decodeVecBlock(b.encode(), 70)
	if err != nil {
		t.Fatal(err)
	}
	c2, err := decodeChunk(c.encode(), 70)
	if err != nil {
		t.Fatal(err)
	}
	for i := range blockDocs {
		v, made := want[i]
		if b2.made>>i&1 != 0 != made || b2.has>>i&1 != 0 != (v.vals != nil) {
			t.Errorf("place %d: made %v", i, made)
		}
		if !slices.Equal(c2.codes[16*i], v.code) {
			t.Errorf("place %d: another code", i)
		}
		_, vals, err := entryOf(b.encode(), 70, i)
		if err != nil || len(vals) != len(v.vals) {
			t.Fatalf("place %d: %d numbers, %v", i, len(vals), err)
		}
		for k := range vals {
			if int8(vals[k]) != v.vals[k] {
				t.Fatalf("place %d: number %d differs", i, k)
			}
		}
	}
	if (&codeChunk{}).empty() != true || c.empty() {
		t.Error("empty chunks are not told")
	}
}
