package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/y"

	"dormouse/store/home"
)

// kick tells the maintainer that there may be something to do.
func (ix *Index) kick() {
	select {
	case ix.work <- struct{}{}:
	default:
	}
}

// maintain writes frozen pieces and merges segments until Close. What fails is tried again when the next documents come.
func (ix *Index) maintain() {
	defer close(ix.done)
	for {
		select {
		case <-ix.stop:
			return
		case <-ix.work:
		}
		for ix.step() {
			select {
			case <-ix.stop:
				return
			default:
			}
		}
	}
}

// Settle waits until nothing is left to do in the background: searches are fastest then, and the files smallest.
func (ix *Index) Settle(ctx context.Context) error {
	return ix.await(ctx, func() bool {
		from, to := ix.plan()
		if from == to && len(ix.garbage) == 0 {
			return true
		}
		ix.kick()
		return false
	})
}

// await waits until ok, which is asked with mu held whenever the maintainer finished something.
func (ix *Index) await(ctx context.Context, ok func() bool) error {
	stop := context.AfterFunc(ctx, func() {
		ix.mu.Lock()
		defer ix.mu.Unlock()
		ix.progress.Broadcast()
	})
	defer stop()
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for {
		select {
		case <-ix.stop:
			return badger.ErrDBClosed
		default:
		}
		switch {
		case ix.broken != nil:
			return ix.broken
		case ctx.Err() != nil:
			return ctx.Err()
		case ok():
			return nil
		case ix.failed != nil: // told once, then tried again
			err := ix.failed
			ix.failed = nil
			return err
		}
		ix.progress.Wait()
	}
}

// step does the next piece of work and reports whether there may be more.
func (ix *Index) step() bool {
	ix.maintaining.Lock()
	defer ix.maintaining.Unlock()
	ix.mu.RLock()
	from, to := ix.plan()
	var sources []*source
	for _, p := range ix.pieces[from:to] {
		sources = append(sources, &source{piece: p, dead: p.dead.Clone()})
	}
	id := ix.man.NextSegment
	ix.mu.RUnlock()
	more := true
	var err error
	if len(sources) == 0 {
		if more, err = ix.sweep(); err != nil {
			err = fmt.Errorf("take vectors of deleted documents out of the search index: %w", err)
		}
	} else if err = ix.replace(id, sources); err != nil {
		err = fmt.Errorf("write segment %d of the search index: %w", id, err)
	}
	if err = ix.check(err); err != nil {
		ix.opts.Logger.Error("search index", "component", "index", "error", err)
	}
	ix.mu.Lock()
	ix.failed = err
	ix.progress.Broadcast()
	ix.mu.Unlock()
	return more && err == nil
}

// plan chooses the neighbouring pieces that become one segment next; mu is held. Frozen pieces,
// segments that are mostly dead and those without stretches come first, then runs of MergeFactor segments of like size, small ones before large ones.
func (ix *Index) plan() (from, to int) {
	segments := 0
	for i, p := range ix.pieces[:len(ix.pieces)-1] {
		if p.id == 0 {
			return i, i + 1
		}
		if p.live*2 < p.cols.count() || !p.packed {
			return i, i + 1
		}
		segments++
	}
	for size := ix.opts.HotDocs; size < ix.opts.SegmentDocs; size *= ix.opts.MergeFactor {
		run, docs := 0, 0
		for i, p := range ix.pieces[:segments] {
			if p.live > size || docs+p.live > ix.opts.SegmentDocs {
				run, docs = 0, 0
				if p.live > size {
					continue
				}
			}
			run, docs = run+1, docs+p.live
			if run >= ix.opts.MergeFactor {
				return i + 1 - run, i + 1
			}
		}
	}
	return 0, 0
}

// replace builds a segment of the sources and puts it in their place.
func (ix *Index) replace(id uint32, sources []*source) error {
	p, entry, err := ix.build(id, sources)
	if err != nil {
		return errors.Join(err, ix.removeSegment(id))
	}
	if err := ix.commit(p, entry, sources); err != nil {
		return errors.Join(err, ix.removeSegment(id))
	}
	for _, s := range sources {
		if s.id != 0 {
			if err := ix.removeSegment(s.id); err != nil {
				return err
			}
		}
	}
	return nil
}

// commit makes the new segment the one that counts, in one transaction: with the documents that died meanwhile, and
// without the notes on the new documents that it now holds.
func (ix *Index) commit(p *piece, entry segmentEntry, sources []*source) error {
	if err := ix.room(noteBytes); err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	late := roaring.New()
	for _, s := range sources {
		died := roaring.AndNot(s.piece.dead, s.dead)
		for it := died.Iterator(); it.HasNext(); {
			late.Add(uint32(s.moved[it.Next()]))
		}
	}
	from := slices.Index(ix.pieces, sources[0].piece)
	man := ix.man
	man.NextSegment, man.Segments = p.id+1, nil
	for _, e := range ix.man.Segments {
		if !slices.ContainsFunc(sources, func(s *source) bool { return s.id == e.ID }) {
			man.Segments = append(man.Segments, e)
		}
	}
	empty := p.cols.count() == 0
	if !empty {
		man.Segments = slices.Insert(man.Segments, from, entry)
	}
	if err := ix.commitTxn(man, p, late, sources); err != nil {
		return err
	}
	p.setDead(late)
	for slot, g := range ix.gens {
		if g != nil {
			p.vecs[slot] = moveVectors(slot, g.entry.Dims, p, sources)
		}
	}
	ix.man = man
	pieces := slices.Clone(ix.pieces[:from])
	if !empty {
		pieces = append(pieces, p)
	}
	ix.pieces = append(pieces, ix.pieces[from+len(sources):]...)
	for _, s := range sources {
		for i, to := range s.moved {
			if to < 0 && ix.hasVectors(s.piece, i) {
				ix.garbage = append(ix.garbage, s.cols.nums[i])
			}
		}
	}
	return nil
}

// hasVectors reports whether anything is stored for a document in any generation.
func (ix *Index) hasVectors(p *piece, place int) bool {
	for slot, g := range ix.gens {
		if g != nil && p.vecs[slot].isMade(place) {
			return true
		}
	}
	return false
}

func (ix *Index) commitTxn(man manifest, p *piece, late *roaring.Bitmap, sources []*source) error {
	txn, end, err := ix.db.begin(true)
	if err != nil {
		return err
	}
	defer end()
	raw, err := man.encode()
	if err != nil {
		return err
	}
	if err := txn.Set(manifestKey(), raw); err != nil {
		return err
	}
	if !late.IsEmpty() {
		if raw, err = late.ToBytes(); err == nil {
			err = txn.Set(numKey(keyDead, p.id), raw)
		}
		if err != nil {
			return err
		}
	}
	for _, s := range sources {
		if s.id != 0 {
			continue
		}
		for i, num := range s.cols.nums {
			if s.piece.dead.ContainsInt(i) {
				continue // its note went with it
			}
			if err := txn.Delete(numKey(keyHot, num)); err != nil {
				return err
			}
		}
	}
	return txn.Commit()
}

// check notes an error that says that the index's bytes are wrong: from then on every call fails with ErrBroken, and the
// next Open makes a new index.
func (ix *Index) check(err error) error {
	if err == nil || !damaged(err) {
		return err
	}
	err = fmt.Errorf("%w: %w", ErrBroken, err)
	ix.db.broken.Store(true)
	ix.mu.Lock()
	first := ix.broken == nil
	ix.broken = err
	ix.mu.Unlock()
	if first {
		ix.opts.OnBroken(err)
	}
	mark := filepath.Join(ix.opts.Dir, brokenFile)
	if werr := home.WriteFile(mark, []byte(err.Error()+"\n")); werr != nil && !errors.Is(werr, os.ErrNotExist) {
		return errors.Join(err, werr)
	}
	return err
}

func damaged(err error) bool {
	return errors.Is(err, errCorrupt) || errors.Is(err, badger.ErrTruncateNeeded) || errors.Is(err, y.ErrChecksumMismatch)
}
