package index

import (
	"context"
	"errors"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/dgraph-io/badger/v4"
)

// Delete takes documents out. Ids that are not there are passed over.
func (ix *Index) Delete(ctx context.Context, ids []string) error {
	ix.writing.Lock()
	defer ix.writing.Unlock()
	for len(ids) > 0 {
		if err := ix.ready(ctx); err != nil {
			return err
		}
		n := min(len(ids), batchDocs)
		if err := ix.deleteBatch(ids[:n]); err != nil {
			return ix.check(fmt.Errorf("take %d documents from %s on out of the index: %w", n, ids[0], err))
		}
		ids = ids[n:]
	}
	return nil
}

func (ix *Index) deleteBatch(ids []string) error {
	if err := ix.room(64 * len(ids)); err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	txn, end, err := ix.db.begin(true)
	if err != nil {
		return err
	}
	defer end()
	dead := ix.newGraves()
	for _, id := range ids {
		num, _, err := getID(txn, id)
		if err != nil {
			return err
		}
		if num == nil {
			continue
		}
		if err := errors.Join(txn.Delete(idKey(id)), dead.bury(txn, *num)); err != nil {
			return err
		}
	}
	if err := dead.write(txn); err != nil {
		return err
	}
	if err := txn.Commit(); err != nil {
		return err
	}
	dead.apply()
	if len(dead.places) > 0 {
		ix.kick()
	}
	return nil
}

// graves collects the deletions of one transaction. They take effect in memory only after the transaction did.
type graves struct {
	ix     *Index
	places map[*piece]*roaring.Bitmap
}

func (ix *Index) newGraves() *graves { return &graves{ix, map[*piece]*roaring.Bitmap{}} }

// bury deletes the keys of a document and notes its place.
func (g *graves) bury(txn *badger.Txn, num uint32) error {
	p, place, ok := g.ix.locate(num)
	if !ok {
		return fmt.Errorf("%w: document %d is in no segment", errCorrupt, num)
	}
	if g.places[p] == nil {
		g.places[p] = roaring.New()
	}
	g.places[p].AddInt(place)
	err := txn.Delete(numKey(keyRecord, num))
	if p.id == 0 {
		err = errors.Join(err, txn.Delete(numKey(keyHot, num)))
	}
	return err
}

// write stores which documents of segments are dead. Those in memory need no note: their keys are gone.
func (g *graves) write(txn *badger.Txn) error {
	for p, places := range g.places {
		if p.id == 0 {
			continue
		}
		raw, err := roaring.Or(p.dead, places).ToBytes()
		if err != nil {
			return err
		}
		if err := txn.Set(numKey(keyDead, p.id), raw); err != nil {
			return err
		}
	}
	return nil
}

func (g *graves) apply() {
	for p, places := range g.places {
		for it := places.Iterator(); it.HasNext(); {
			place := it.Next()
			p.kill(int(place))
			g.ix.noteRecord(p, int(place))
		}
	}
}

// locate finds the piece and the place of a document; mu is held.
func (ix *Index) locate(num uint32) (*piece, int, bool) {
	i, place, ok := ix.find(num)
	if !ok {
		return nil, 0, false
	}
	return ix.pieces[i], place, true
}

// find is locate that tells the piece by its number.
func (ix *Index) find(num uint32) (piece, place int, ok bool) {
	for i, p := range ix.pieces {
		if n := p.cols.count(); n == 0 || p.cols.nums[n-1] < num {
			continue
		}
		place, ok = p.cols.place(num)
		return i, place, ok
	}
	return 0, 0, false
}

// noteRecord notes that a document, or its vector, changed; mu is held.
func (ix *Index) noteRecord(p *piece, place int) {
	if turns := p.cols.facets[kindFacet(KindTurn)]; turns == nil || !turns.ContainsInt(place) {
		ix.recordVersion++
	}
}
