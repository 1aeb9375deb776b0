package index

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"dormouse/store/memory"
)

// TestHeldListsStayWithinTheirBytes puts more in than may be held, asking for one of them all the time.
func TestHeldListsStayWithinTheirBytes(t *testing.T) {
	var h heldLists
	h.put(1, "short", &postings{buf: make([]byte, heldFrom-1)})
	if h.get(1, "short") != nil || h.bytes != 0 {
		t.Error("a short list is held")
	}
	size := heldBytes / 20
	for i := range 60 {
		h.put(uint32(i), "term", &postings{n: i, buf: make([]byte, size)})
		h.put(uint32(i), "term", &postings{n: -1, buf: make([]byte, size)})
		if p := h.get(0, "term"); p == nil || p.n != 0 {
			t.Fatalf("after %d lists the one that is always asked for is %+v", i, p)
		}
	}
	if len(h.lists) != 20 || h.recent.Len() != 20 || h.bytes != 20*size || h.get(1, "term") != nil || h.get(59, "term") == nil {
		t.Errorf("%d lists of %d bytes are held", len(h.lists), h.bytes)
	}
	if h.forget(); h.bytes != 0 || h.get(59, "term") != nil {
		t.Error("something is not forgotten")
	}
}

// TestHeldListsAreThoseOfTheIndexNow asks before and after documents were deleted, segments merged, and all was dropped and filled again.
func TestHeldListsAreThoseOfTheIndexNow(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(15, 3))
	fill := func(ix *Index, docs []Doc) {
		put(t, ix, docs...)
		settle(t, ix)
	}
	one := open(t, Options{Dir: t.TempDir(), HotDocs: 1200, MergeFactor: 2, SegmentDocs: 9000, rules: rules{exhaustive: 1}})
	for round := range 2 {
		docs := frequentDocs(r, 5000)
		other := open(t, Options{Dir: t.TempDir(), rules: rules{exhaustive: math.MaxInt}})
		fill(one, docs[:2500])
		check := func(when string) {
			t.Helper()
			for i := range 20 {
				q := Query{Text: fmt.Sprintf("w%dx w%dx", i, i+7), View: memory.View{All: true}}
				if a, b := bytesOf(t, search(t, one, q)), bytesOf(t, search(t, other, q)); a != b {
					t.Fatalf("round %d, %s, %s:\n%s\n%s", round, when, q.Text, a, b)
				}
			}
		}
		fill(other, docs[:2500])
		check("at first")
		if one.held.bytes == 0 {
			t.Fatal("nothing is held")
		}
		fill(one, docs[2500:])
		fill(other, docs[2500:])
		for _, ix := range []*Index{one, other} {
			if err := ix.Delete(t.Context(), []string{"d1", "d2", "d2600"}); err != nil {
				t.Fatal(err)
			}
		}
		check("with more")
		if err := one.Reset(); err != nil {
			t.Fatal(err)
		}
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSearchesAtOnceShareWhatIsHeld has several readers ask the same while somebody writes.
func TestSearchesAtOnceShareWhatIsHeld(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(16, 3))
	ix := open(t, Options{Dir: t.TempDir(), HotDocs: 1000, MergeFactor: 2, rules: rules{exhaustive: 1}})
	put(t, ix, frequentDocs(r, 3000)...)
	settle(t, ix)
	queries := make([]Query, 25)
	want := make([]string, len(queries))
	for i := range queries {
		queries[i] = frequentQuery(r)
		queries[i].View = memory.View{Project: "a"}
		want[i] = bytesOf(t, search(t, ix, queries[i]))
	}
	ix.held.forget()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i, q := range queries {
				hits, err := ix.Search(context.Background(), q)
				if got := bytesOf(t, hits); err != nil || got != want[i] {
					t.Errorf("%+v: %v\n%s\n%s", q, err, got, want[i])
				}
			}
		})
	}
	for i := range 150 { // in a scope that the readers don't see
		if err := ix.Put(t.Context(), []Doc{{ID: fmt.Sprint("other", i), Kind: KindTurn, Scope: memory.ProjectScope("other"), Body: "w0x w1x w2x"}}); err != nil {
			t.Error(err)
		}
	}
	all.Wait()
}
