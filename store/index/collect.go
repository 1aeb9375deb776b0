package index

import (
	"context"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// staleShare is how much of a file of values has to be stale before it is written anew.
const staleShare = 0.5

// Collect has the database give back the room of values that are stale: it writes each file anew of which half is. between is passed
// before each file; its error ends the collecting. files is how many were written anew.
func (ix *Index) Collect(ctx context.Context, between func(context.Context) error) (files int, err error) {
	for {
		if err := between(ctx); err != nil {
			return files, err
		}
		err := ix.collectOne()
		switch {
		case err == nil:
			files++
		case errors.Is(err, badger.ErrNoRewrite), errors.Is(err, badger.ErrRejected): // nothing is left to do, or somebody else does it
			return files, nil
		default:
			return files, fmt.Errorf("collect the values of the search index: %w", ix.check(err))
		}
	}
}

// collectOne keeps the work in the background and Reset away from the files.
func (ix *Index) collectOne() error {
	ix.maintaining.Lock()
	defer ix.maintaining.Unlock()
	db, err := ix.db.use(true)
	if err != nil {
		return err
	}
	defer ix.db.done()
	return db.RunValueLogGC(staleShare)
}
