package index

import (
	"encoding/binary"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// generation is all vectors that one model made. The first of the index's generations is the one that queries are compared
// with; the second, while there is one, is being made to take its place.
type generation struct {
	entry   generationEntry
	vectors Vectors // Embed is nil where the model can't be had: its vectors stay, and no new ones come
}

// The places of generations in Index.gens and piece.vecs.
const (
	serving  = 0
	building = 1
	slots    = 2
)

type generationEntry struct {
	ID    uint32 `json:"id"`
	Model string `json:"model"`
	Dims  int    `json:"dims"`
	// Coding is the version of how its vectors are written.
	Coding int `json:"coding,omitempty"`
}

func (e *generationEntry) of(v *Vectors) bool {
	return e != nil && e.Model == v.Model && e.Dims == v.Dims
}

// legible is the entry, or nil where its vectors are written in a way that this program can't read: they are made anew, and the text
// answers meanwhile.
func (e *generationEntry) legible() *generationEntry {
	if e != nil && e.Coding != vectorCoding {
		return nil
	}
	return e
}

// code makes a vector ready to be stored.
func (g *generation) code(v []float32) coded {
	scale, vals := quantize(v)
	if vals == nil {
		return coded{}
	}
	return coded{scale, vals, signs(turn(v))}
}

// generationsFor is what the manifest says of generations when the index is opened with the given vectors.
func generationsFor(man manifest, want *Vectors, keep bool) manifest {
	man.Serving, man.Building = man.Serving.legible(), man.Building.legible()
	switch {
	case want.Model == "" && keep:
	case want.Model == "":
		man.Serving, man.Building = nil, nil
	case man.Serving == nil:
		man.Serving, man.Building = man.newGeneration(want), nil
	case man.Serving.of(want):
		if !man.Building.of(want) { // of the same model while it is made anew
			man.Building = nil
		}
	case !man.Building.of(want):
		man.Building = man.newGeneration(want)
	}
	return man
}

func (m *manifest) newGeneration(v *Vectors) *generationEntry {
	m.LastGeneration++
	return &generationEntry{ID: m.LastGeneration, Model: v.Model, Dims: v.Dims, Coding: vectorCoding}
}

// openVectors puts the generations in force that the manifest and the options agree on, and reads their codes; mu is held, or
// nobody knows the index yet.
func (ix *Index) openVectors() error {
	man := generationsFor(ix.man, &ix.opts.Vectors, ix.opts.KeepVectors)
	if man.LastGeneration != ix.man.LastGeneration || man.Serving != ix.man.Serving || man.Building != ix.man.Building {
		if err := ix.setManifest(man); err != nil {
			return err
		}
	}
	ix.gens = [slots]*generation{}
	for slot, e := range []*generationEntry{man.Serving, man.Building} {
		if e != nil {
			ix.gens[slot] = ix.generation(*e)
		}
	}
	known := func(e *generationEntry, gen uint32) bool { return e != nil && e.ID == gen }
	err := ix.removeGenerations(func(gen uint32) bool { return !known(man.Serving, gen) && !known(man.Building, gen) })
	if err != nil {
		return err
	}
	return ix.db.view(func(txn *badger.Txn) error {
		for slot, g := range ix.gens {
			if err := ix.readCodes(txn, slot, g); err != nil {
				return err
			}
		}
		return nil
	})
}

// generation finds the embedder of an entry.
func (ix *Index) generation(e generationEntry) *generation {
	g := &generation{entry: e}
	switch {
	case e.of(&ix.opts.Vectors):
		g.vectors = ix.opts.Vectors
	case ix.opts.Former != nil:
		if v, ok := ix.opts.Former(e.Model); ok && e.of(&v) {
			g.vectors = v
		}
	}
	return g
}

// setManifest writes a manifest and puts it in force; mu is held, or nobody knows the index yet.
func (ix *Index) setManifest(man manifest) error {
	raw, err := man.encode()
	if err == nil {
		err = ix.db.update(func(txn *badger.Txn) error { return txn.Set(manifestKey(), raw) })
	}
	if err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	ix.man = man
	return nil
}

// readCodes fills the columns of a generation and notes vectors whose documents are gone.
func (ix *Index) readCodes(txn *badger.Txn, slot int, g *generation) error {
	for _, p := range ix.pieces {
		p.vecs[slot] = nil
		if g != nil {
			p.vecs[slot] = newVecColumn(g.entry.Dims, p.cols.count())
			p.vecs[slot].forgetNibbles()
		}
	}
	if g == nil {
		return nil
	}
	opt := badger.DefaultIteratorOptions
	opt.Prefix = numKey(keyCodes, g.entry.ID)
	it := txn.NewIterator(opt)
	defer it.Close()
	at := places{pieces: ix.pieces}
	for it.Rewind(); it.Valid(); it.Next() {
		key := it.Item().Key()
		base := binary.BigEndian.Uint32(key[5:]) * chunkDocs
		err := it.Item().Value(func(v []byte) error {
			c, err := decodeChunk(v, g.entry.Dims)
			if err == nil {
				ix.garbage = append(ix.garbage, at.take(slot, base, c)...)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("vectors from number %d on: %w", base, err)
		}
	}
	return nil
}

// places walks all documents in the order of their numbers.
type places struct {
	pieces []*piece
	piece  int
	place  int
}

// take hands the codes of a chunk to the documents that they are of, and returns the numbers that no document has. Chunks come
// in ascending order.
func (at *places) take(slot int, base uint32, c *codeChunk) (orphans []uint32) {
	left := c.made
	for ; at.piece < len(at.pieces); at.piece, at.place = at.piece+1, 0 {
		p := at.pieces[at.piece]
		for ; at.place < p.cols.count() && p.cols.nums[at.place] < base+chunkDocs; at.place++ {
			num := p.cols.nums[at.place]
			if num < base {
				continue
			}
			i := int(num - base)
			bit := uint64(1) << (i & 63)
			if left[i>>6]&bit == 0 {
				continue
			}
			left[i>>6] &^= bit
			p.vecs[slot].made[at.place>>6] |= 1 << (at.place & 63)
			if c.codes[i] != nil {
				p.vecs[slot].note(at.place, c.codes[i])
			}
		}
		if at.place < p.cols.count() {
			break
		}
	}
	for i := range chunkDocs {
		if left[i>>6]>>(i&63)&1 != 0 {
			orphans = append(orphans, base+uint32(i))
		}
	}
	return orphans
}

// removeGenerations deletes the vectors of the generations of which gone is true.
func (ix *Index) removeGenerations(gone func(gen uint32) bool) error {
	for _, kind := range []byte{keyVectors, keyCodes} {
		if err := ix.removeVectors(kind, gone); err != nil {
			return fmt.Errorf("remove vectors of another model: %w", err)
		}
	}
	return nil
}

func (ix *Index) removeVectors(kind byte, gone func(gen uint32) bool) error {
	wb, end, err := ix.db.batch()
	if err != nil {
		return err
	}
	defer end()
	err = ix.db.view(func(txn *badger.Txn) error {
		opt := badger.DefaultIteratorOptions
		opt.PrefetchValues = false
		opt.Prefix = []byte{kind}
		it := txn.NewIterator(opt)
		defer it.Close()
		for it.Rewind(); it.Valid(); {
			gen := segmentOf(it.Item().Key())
			if !gone(gen) {
				it.Seek(numKey(kind, gen+1))
				continue
			}
			if err := ix.room(64); err != nil {
				return err
			}
			if err := wb.Delete(it.Item().KeyCopy(nil)); err != nil {
				return err
			}
			it.Next()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return wb.Flush()
}
