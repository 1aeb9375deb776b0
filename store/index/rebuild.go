package index

import (
	"context"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// Rebuild has all vectors made anew by the model of Options.Vectors. Those that are there answer until the new ones are whole,
// which is MakeVectors' work. A rebuild that is under way goes on. Without vectors it does nothing.
func (ix *Index) Rebuild() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	switch {
	case ix.broken != nil:
		return ix.broken
	case ix.db.isClosed():
		return badger.ErrDBClosed
	case ix.opts.Vectors.Model == "" || ix.gens[building] != nil:
		return nil
	}
	man := ix.man
	man.Building = man.newGeneration(&ix.opts.Vectors)
	if err := ix.setManifest(man); err != nil {
		return fmt.Errorf("rebuild the vectors of the index: %w", err)
	}
	g := ix.generation(*man.Building)
	ix.gens[building] = g
	for _, p := range ix.pieces {
		p.vecs[building] = newVecColumn(g.entry.Dims, p.cols.count())
	}
	return nil
}

// Embed makes the vectors of queries with the model whose vectors are searched. It gives nil where there are none or the model
// can't be had.
func (ix *Index) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	ix.mu.RLock()
	g := ix.gens[serving]
	ix.mu.RUnlock()
	if g == nil || g.vectors.Embed == nil {
		return nil, nil
	}
	if g.vectors.Query != nil {
		return g.vectors.Query(ctx, texts)
	}
	return g.vectors.Embed(ctx, texts)
}

// Known is the share of the words of a query that the model knows whose vectors are searched, 0 to 1. Where it does not tell, told is
// false and the share 1.
func (ix *Index) Known(text string) (share float64, told bool) {
	ix.mu.RLock()
	g := ix.gens[serving]
	ix.mu.RUnlock()
	if g == nil || g.vectors.Known == nil {
		return 1, false
	}
	return g.vectors.Known(text), true
}

// SetVectors is what Open does with Options.Vectors, for a model that could not be had then.
func (ix *Index) SetVectors(v Vectors) error {
	if err := v.check(); err != nil {
		return err
	}
	release, err := ix.alone()
	if err != nil {
		return err
	}
	defer release()
	ix.opts.Vectors, ix.opts.KeepVectors = v, false
	ix.records.forget()
	ix.sampled.forget()
	if err := ix.openVectors(); err != nil {
		return fmt.Errorf("take the vectors of %s: %w", v.Model, err)
	}
	return nil
}

// promote puts a generation in force that is whole, and reports whether it did.
func (ix *Index) promote() (bool, error) {
	old, err := ix.swap()
	if err != nil || old == 0 {
		return false, err
	}
	return true, ix.removeGenerations(func(gen uint32) bool { return gen == old })
}

// swap puts the generation that is being made in force where it is whole, and returns the id of the one that it replaced.
func (ix *Index) swap() (old uint32, err error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	g := ix.gens[building]
	switch {
	case ix.broken != nil:
		return 0, ix.broken
	case ix.db.isClosed():
		return 0, badger.ErrDBClosed
	case g == nil || ix.waiting(building) > 0:
		return 0, nil
	}
	man := ix.man
	man.Serving, man.Building = man.Building, nil
	old = ix.man.Serving.ID
	if err := ix.setManifest(man); err != nil {
		return 0, err
	}
	ix.formerDims = ix.gens[serving].entry.Dims
	ix.gens = [slots]*generation{g}
	for _, p := range ix.pieces {
		p.vecs = [slots]*vecColumn{p.vecs[building]}
	}
	ix.records.forget()
	ix.sampled.forget()
	return old, nil
}
