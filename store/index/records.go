package index

import (
	lru "container/list"
	"context"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/dgraph-io/badger/v4"
	"github.com/philippgille/chromem-go"

	"dormouse/store/memory"
)

// The distilled records of a scope, which is all that is not a turn, are compared one by one by chromem-go, exactly: they are what
// matters most, and few. It holds them in memory alone; they are read from the database. A scope with more of them than
// scopeRecords goes by codes, as turns do, and so does a reader of all scopes.
const (
	scopeRecords = 10_000 // twice as many cost more than a whole query may
	heldRecords  = 30_000 // of all scopes; those that were asked for longest ago make room
)

// records holds the vectors of records by scope.
type records struct {
	mu     sync.Mutex
	scopes map[memory.Scope]*lru.Element // of *recordSet
	recent lru.List                      // last asked first
	held   int
}

// recordSet is the records of one scope.
type recordSet struct {
	scope   memory.Scope
	version int // of the records that it was brought up to
	nums    *roaring.Bitmap
	docs    *chromem.Collection
}

// forget drops everything: the numbers or the generation changed.
func (r *records) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.scopes, r.held = nil, 0
	r.recent.Init()
}

// records finds the nearest records of the scopes that the reader sees, and takes the places of those scopes' records out of what is left
// to look through.
func (s *scan) records(ctx context.Context, view memory.View, limit int) (found []near, err error) {
	for _, scope := range view.Scopes() {
		in := make([]*roaring.Bitmap, len(s.ix.pieces))
		all := 0
		for i, p := range s.ix.pieces {
			in[i] = p.recordsOf(scope)
			all += int(in[i].GetCardinality())
		}
		if all == 0 || all > scopeRecords {
			continue
		}
		wanted := s.takeOut(in)
		if wanted.IsEmpty() {
			continue
		}
		set, err := s.ix.records.get(ctx, s, scope, in)
		if err != nil {
			return nil, err
		}
		nums, err := set.nearest(ctx, s.asked, wanted, limit)
		if err != nil {
			return nil, err
		}
		for _, num := range nums {
			p, place, ok := s.ix.find(num)
			if !ok {
				return nil, fmt.Errorf("%w: record %d is in no segment", errCorrupt, num)
			}
			found = append(found, s.at(p, place))
		}
	}
	return found, nil
}

// recordsOf is the places of the records of a scope that have a vector.
func (p *piece) recordsOf(scope memory.Scope) *roaring.Bitmap {
	f := p.cols.facets
	all := f[scopeFacet(scope)]
	if all == nil || p.vecs[serving] == nil {
		return roaring.New()
	}
	out := roaring.AndNot(all, p.dead)
	if turns := f[kindFacet(KindTurn)]; turns != nil {
		out.AndNot(turns)
	}
	if out.IsEmpty() {
		return out
	}
	has := p.vecs[serving]
	var without []uint32
	for it := out.Iterator(); it.HasNext(); {
		if place := it.Next(); !has.hasOne(int(place)) {
			without = append(without, place)
		}
	}
	for _, place := range without {
		out.Remove(place)
	}
	return out
}

// takeOut removes places from what is looked through, and returns the numbers of those that were in it.
func (s *scan) takeOut(in []*roaring.Bitmap) *roaring.Bitmap {
	nums := roaring.New()
	for i, set := range in {
		allow := s.allow[i]
		if allow == nil {
			continue
		}
		for it := set.Iterator(); it.HasNext(); {
			place := it.Next()
			if bit := uint64(1) << (place & 63); allow[place>>6]&bit != 0 {
				allow[place>>6] &^= bit
				nums.Add(s.ix.pieces[i].cols.nums[place])
			}
		}
	}
	return nums
}

// get is the set of a scope as it is now.
func (r *records) get(ctx context.Context, s *scan, scope memory.Scope, in []*roaring.Bitmap) (*recordSet, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.scopes[scope]
	if e == nil {
		c, err := chromem.NewDB().CreateCollection(string(scope), nil, noEmbedding)
		if err != nil {
			return nil, fmt.Errorf("hold the records of %s: %w", scope, err)
		}
		e = r.recent.PushFront(&recordSet{scope: scope, version: -1, nums: roaring.New(), docs: c})
		if r.scopes == nil {
			r.scopes = map[memory.Scope]*lru.Element{}
		}
		r.scopes[scope] = e
	}
	r.recent.MoveToFront(e)
	set := e.Value.(*recordSet)
	if set.version != s.ix.recordVersion {
		before := int(set.nums.GetCardinality())
		if err := set.update(ctx, s, in); err != nil {
			return nil, err
		}
		r.held += int(set.nums.GetCardinality()) - before
	}
	for r.held > heldRecords && r.recent.Len() > 1 {
		old := r.recent.Remove(r.recent.Back()).(*recordSet)
		delete(r.scopes, old.scope)
		r.held -= int(old.nums.GetCardinality())
	}
	return set, nil
}

func noEmbedding(context.Context, string) ([]float32, error) {
	return nil, fmt.Errorf("the index hands vectors in")
}

// update brings a set up to the records that are there.
func (set *recordSet) update(ctx context.Context, s *scan, in []*roaring.Bitmap) error {
	now := roaring.New()
	for i, places := range in {
		for it := places.Iterator(); it.HasNext(); {
			now.Add(s.ix.pieces[i].cols.nums[it.Next()])
		}
	}
	var gone []string
	for it := roaring.AndNot(set.nums, now).Iterator(); it.HasNext(); {
		gone = append(gone, recordID(it.Next()))
	}
	if len(gone) > 0 {
		if err := set.docs.Delete(ctx, nil, nil, gone...); err != nil {
			return fmt.Errorf("hold the records of %s: %w", set.scope, err)
		}
	}
	g := s.ix.gens[serving]
	come := roaring.AndNot(now, set.nums)
	set.nums.And(now)
	for it := come.Iterator(); it.HasNext(); {
		num := it.Next()
		v, err := readVector(s.txn, g, num)
		if err != nil {
			return err
		}
		if err := set.docs.AddDocument(ctx, chromem.Document{ID: recordID(num), Embedding: v}); err != nil {
			return fmt.Errorf("hold the records of %s: %w", set.scope, err)
		}
		set.nums.Add(num)
	}
	set.version = s.ix.recordVersion
	return nil
}

// recordID is a number as an id of chromem's.
func recordID(num uint32) string { return string(binary.BigEndian.AppendUint32(nil, num)) }

// readVector reads a vector as it is stored.
func readVector(txn *badger.Txn, g *generation, num uint32) (v []float32, err error) {
	item, err := txn.Get(vecKey(keyVectors, g.entry.ID, num/blockDocs))
	if err == nil {
		err = item.Value(func(block []byte) error {
			scale, vals, err := entryOf(block, g.entry.Dims, int(num%blockDocs))
			if err == nil && vals == nil {
				err = errCorrupt
			}
			for _, x := range vals {
				v = append(v, scale*float32(int8(x)))
			}
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("the vector of document %d: %w", num, missing(err))
	}
	return v, nil
}

// alike is how far apart two cosines are at least that chromem-go tells apart.
const alike = 1e-5

// nearest finds the wanted records that are nearest: as many as the limit says, and all that are as near as the last of those. It asks
// for more until it has them, since chromem-go knows nothing of filters such as a time.
func (set *recordSet) nearest(ctx context.Context, a *asked, wanted *roaring.Bitmap, limit int) ([]uint32, error) {
	have := set.docs.Count()
	limit = min(limit, int(wanted.GetCardinality()))
	for n := min(have, limit+limit/2+16); ; n = min(have, 4*n) {
		list, err := set.docs.QueryEmbedding(ctx, a.exact, n, nil, nil)
		if err != nil {
			return nil, fmt.Errorf("search the records of %s: %w", set.scope, err)
		}
		var nums []uint32
		last := float32(2)
		for _, r := range list {
			num := binary.BigEndian.Uint32([]byte(r.ID))
			if !wanted.Contains(num) || len(nums) >= limit && r.Similarity < last-alike {
				continue
			}
			if nums = append(nums, num); len(nums) <= limit {
				last = r.Similarity
			}
		}
		if n == have || len(nums) >= limit && list[n-1].Similarity < last-alike {
			return nums, nil
		}
	}
}
