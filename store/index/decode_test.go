package index

import (
	"reflect"
	"slices"
	"testing"

	"dormouse/store/index/words"
	"dormouse/store/memory"
)

// FuzzDecoders hands any bytes to what reads the index: they say no or give something, and never fail otherwise.
func FuzzDecoders(f *testing.F) {
	var block []byte
	w := blockWriter{emit: func(_ string, b []byte) error { block = slices.Clone(b); return nil }}
	l := newList()
	l.add(3, 1)
	l.add(200, 7)
	for _, term := range []string{"alpha", "alphabet", "beta"} {
		if err := w.add(term, l.n, l.buf); err != nil {
			f.Fatal(err)
		}
	}
	if err := w.flush(); err != nil {
		f.Fatal(err)
	}
	c := newColumns()
	c.add(5, 20, 1_700_000_000, 42, nil)
	c.add(9, 65535, 0, 43, nil)
	h := &hotDoc{length: 3, time: -1, hash: 7, facets: []string{"s:global"}, terms: []termCount{{"word", 2}}}
	v := (&generation{entry: generationEntry{Dims: 8}}).code([]float32{1, 2, 3, 0, 0, -1, 5, 1})
	var vecs vecBlock
	vecs.set(5, &v)
	var codes codeChunk
	codes.set(200, &v)
	for _, seed := range [][]byte{vecs.encode(), codes.encode(), block, l.buf, c.encode(), h.encode(), nil, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}} {
		f.Add(seed)
	}
	codec, err := newCodec()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for e, err := range entries(b) {
			if err == nil {
				_ = walk(e.postings, 1000, func(local int, _ uint32) {
					if local < 0 || local >= 1000 {
						t.Fatalf("posting %d of 1000 documents", local)
					}
				})
			}
		}
		if c, err := decodeColumns(b); err == nil && len(c.lens) != c.count() {
			t.Fatal("columns of different lengths")
		}
		_, _ = decodeHot(1, b)
		for _, dims := range []int{8, 64} {
			if v, err := decodeVecBlock(b, dims); err == nil && !slices.Equal(v.encode(), b) {
				t.Fatal("a block of vectors is not what was read")
			}
			if c, err := decodeChunk(b, dims); err == nil && !slices.Equal(c.encode(), b) {
				t.Fatal("a chunk of codes is not what was read")
			}
			_, _, _ = entryOf(b, dims, 5)
		}
		_, _, _ = parseID(b)
		_, _ = codec.unpack(b)
		_, _ = decode(b)
		_, _, _ = find(b, "alpha")
	})
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	d := Doc{ID: "x", Kind: KindEvent, Scope: memory.Global, Session: "s", Project: "p", Turn: 3, Nodes: []string{"n1", "n2"}, Superseded: true,
		Time: -5, Label: "work", Trust: memory.TrustPerson, Title: "A title", Body: "some body", Path: "a/b.go"}
	if got, err := decode(encode(&d)); err != nil || !reflect.DeepEqual(got, d) {
		t.Errorf("%+v\n%+v\n%v", got, d, err)
	}
	h := analyze(words.New(), &d)
	got, err := decodeHot(h.num, h.encode())
	if err != nil || !slices.Equal(got.terms, h.terms) || !slices.Equal(got.facets, h.facets) ||
		got.time != h.time || got.length != h.length || got.hash != h.hash {
		t.Errorf("%+v\n%+v\n%v", got, h, err)
	}
}
