package index

import (
	"context"
	"fmt"
	"sort"

	"github.com/dgraph-io/badger/v4"
)

// noteRules notes in the manifest that all documents which are there may have terms by other rules, where the rules are not those that it
// names; nobody knows the index yet, or mu is held.
func (ix *Index) noteRules() error {
	if ix.man.Terms == ix.opts.rules.version {
		return nil
	}
	man := ix.man
	man.Terms, man.OldTerms = ix.opts.rules.version, ix.next
	return ix.setManifest(man)
}

// Refresh makes the terms of documents anew that other rules made, the newest first, of what is kept of them. They answer as they are until
// then, and keep their vectors. It can be ended at any moment and goes on where it was.
func (ix *Index) Refresh(ctx context.Context) error {
	for {
		more, err := ix.refreshSome(ctx)
		if err != nil {
			return ix.check(fmt.Errorf("make terms of documents anew: %w", err))
		}
		if !more {
			return nil
		}
	}
}

func (ix *Index) refreshSome(ctx context.Context) (more bool, err error) {
	ix.writing.Lock()
	defer ix.writing.Unlock()
	if err := ix.ready(ctx); err != nil {
		return false, err
	}
	docs, err := ix.nextOutdated()
	switch {
	case err != nil:
		return false, err
	case len(docs) == 0:
		return false, ix.refreshed()
	}
	return true, ix.putBatch(ctx, docs[:ix.batch(docs)], true)
}

// nextOutdated reads some of the documents with old terms, the newest first.
func (ix *Index) nextOutdated() (docs []Doc, err error) {
	if ix.current() {
		return nil, nil
	}
	err = ix.view(func(txn *badger.Txn) error {
		size := 0
		for i := len(ix.pieces) - 1; i >= 0; i-- {
			p := ix.pieces[i]
			for place := ix.outdatedIn(p) - 1; place >= 0; place-- {
				if p.dead.ContainsInt(place) {
					continue
				}
				d, err := ix.record(txn, p.cols.nums[place])
				if err != nil {
					return err
				}
				docs = append(docs, d)
				if size += len(d.Body); size > batchBytes || len(docs) == batchDocs {
					return nil
				}
			}
		}
		return nil
	})
	return docs, err
}

// current reports whether no document has old terms, without a look at the database.
func (ix *Index) current() bool {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.man.OldTerms == 0
}

// outdatedIn is how many of a piece's first places hold documents with old terms, the dead among them.
func (ix *Index) outdatedIn(p *piece) int {
	return sort.Search(p.cols.count(), func(i int) bool { return p.cols.nums[i] >= ix.man.OldTerms })
}

// outdated counts the live documents with old terms; mu is held.
func (ix *Index) outdated() (n int) {
	if ix.man.OldTerms == 0 {
		return 0
	}
	for _, p := range ix.pieces {
		until := ix.outdatedIn(p)
		n += until
		if until > 0 {
			n -= int(p.dead.Rank(uint32(until - 1)))
		}
	}
	return n
}

// refreshed notes that no document has old terms.
func (ix *Index) refreshed() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	switch {
	case ix.broken != nil:
		return ix.broken
	case ix.db.isClosed():
		return badger.ErrDBClosed
	case ix.man.OldTerms == 0:
		return nil
	}
	man := ix.man
	man.OldTerms = 0
	return ix.setManifest(man)
}
