package index

import (
	"github.com/RoaringBitmap/roaring/v2"
	"github.com/dgraph-io/badger/v4"

	"dormouse/store/memory"
)

// allowed is the documents of a segment that a query may find, as one bit a document; nil where there is none. It is taken
// before any score is computed. only are the numbers of those that are asked for by their ids; nil where none are.
func allowed(p *piece, q *Query, only []uint32) []uint64 {
	f := p.cols.facets
	set := visible(f, q.View)
	if set == nil || set.IsEmpty() {
		return nil
	}
	for _, wanted := range [][]string{
		names(q.Kinds, kindFacet), names(q.Sessions, sessionFacet), names(q.Projects, projectFacet),
	} {
		if len(wanted) > 0 {
			set.And(anyOf(f, wanted))
		}
	}
	if b := f[superseded]; b != nil && !q.Superseded {
		set.AndNot(b)
	}
	if only != nil {
		set.And(p.placesOf(only))
	}
	set.AndNot(p.dead)
	if q.Since != 0 || q.Until != 0 {
		within(set, p.cols.times, q.Since, q.Until)
	}
	if set.IsEmpty() {
		return nil
	}
	out := make([]uint64, max((p.cols.count()+63)/64, int(set.DenseSize())))
	set.WriteDenseTo(out)
	return out
}

// visible is the documents of the scopes that the view sees. The result is the caller's own.
func visible(f facets, view memory.View) *roaring.Bitmap {
	if view.All {
		var all []*roaring.Bitmap
		for name, b := range f {
			if len(name) > 2 && name[:2] == "s:" && view.Sees(memory.Scope(name[2:])) {
				all = append(all, b)
			}
		}
		return roaring.FastOr(all...)
	}
	return anyOf(f, names(view.Scopes(), scopeFacet))
}

func anyOf(f facets, names []string) *roaring.Bitmap {
	var sets []*roaring.Bitmap
	for _, n := range names {
		if b := f[n]; b != nil {
			sets = append(sets, b)
		}
	}
	return roaring.FastOr(sets...)
}

func names[T any](values []T, facet func(T) string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = facet(v)
	}
	return out
}

// within takes out what lies outside [since, until) or has no time.
func within(set *roaring.Bitmap, times []int64, since, until int64) {
	var out []uint32
	for it := set.Iterator(); it.HasNext(); {
		v := it.Next()
		if t := times[v]; t == 0 || since != 0 && t < since || until != 0 && t >= until {
			out = append(out, v)
		}
	}
	for _, v := range out {
		set.Remove(v)
	}
}

// numbersOf are the numbers of documents by their ids; nil for nil. Ids that no document has are left out.
func numbersOf(txn *badger.Txn, ids []string) ([]uint32, error) {
	if ids == nil {
		return nil, nil
	}
	nums := make([]uint32, 0, len(ids))
	for _, id := range ids {
		num, _, err := getID(txn, id)
		if err != nil {
			return nil, err
		}
		if num != nil {
			nums = append(nums, *num)
		}
	}
	return nums, nil
}

// placesOf are the places of those of some documents that the piece holds.
func (p *piece) placesOf(nums []uint32) *roaring.Bitmap {
	out := roaring.New()
	for _, n := range nums {
		if place, ok := p.cols.place(n); ok {
			out.Add(uint32(place))
		}
	}
	return out
}
