package index

import (
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// vecEdit collects changes to the blocks and chunks of one generation within a transaction. mu is held for writing from its first
// change until the transaction is through, so that no two change one block.
type vecEdit struct {
	g      *generation
	blocks map[uint32]*vecBlock
	chunks map[uint32]*codeChunk
	dirty  map[uint32]bool // blocks, and with each its chunk
}

func newVecEdit(g *generation) *vecEdit {
	return &vecEdit{g, map[uint32]*vecBlock{}, map[uint32]*codeChunk{}, map[uint32]bool{}}
}

// set stores the vector of a number; nil takes away what is there.
func (e *vecEdit) set(txn *badger.Txn, num uint32, v *coded) error {
	b, err := e.block(txn, num/blockDocs)
	if err != nil {
		return err
	}
	if v == nil && b.made>>(num%blockDocs)&1 == 0 {
		return nil
	}
	c, err := e.chunk(txn, num/chunkDocs)
	if err != nil {
		return err
	}
	e.dirty[num/blockDocs] = true
	b.set(int(num%blockDocs), v)
	c.set(int(num%chunkDocs), v)
	return nil
}

func (e *vecEdit) block(txn *badger.Txn, n uint32) (*vecBlock, error) {
	if b := e.blocks[n]; b != nil {
		return b, nil
	}
	b := &vecBlock{}
	raw, err := optional(txn, vecKey(keyVectors, e.g.entry.ID, n))
	if err == nil && raw != nil {
		b, err = decodeVecBlock(raw, e.g.entry.Dims)
	}
	e.blocks[n] = b
	return b, err
}

func (e *vecEdit) chunk(txn *badger.Txn, n uint32) (*codeChunk, error) {
	if c := e.chunks[n]; c != nil {
		return c, nil
	}
	c := &codeChunk{}
	raw, err := optional(txn, vecKey(keyCodes, e.g.entry.ID, n))
	if err == nil && raw != nil {
		c, err = decodeChunk(raw, e.g.entry.Dims)
	}
	e.chunks[n] = c
	return c, err
}

// write puts the changes into the transaction. What holds nothing any more is deleted.
func (e *vecEdit) write(txn *badger.Txn) error {
	chunks := map[uint32]bool{}
	for n := range e.dirty {
		b := e.blocks[n]
		chunks[n/(chunkDocs/blockDocs)] = true
		if err := setOrDelete(txn, vecKey(keyVectors, e.g.entry.ID, n), b.made == 0, b.encode); err != nil {
			return fmt.Errorf("write vectors: %w", err)
		}
	}
	for n := range chunks {
		c := e.chunks[n]
		if err := setOrDelete(txn, vecKey(keyCodes, e.g.entry.ID, n), c.empty(), c.encode); err != nil {
			return fmt.Errorf("write vectors: %w", err)
		}
	}
	return nil
}

func setOrDelete(txn *badger.Txn, key []byte, empty bool, encode func() []byte) error {
	if empty {
		return txn.Delete(key)
	}
	return txn.Set(key, encode())
}

// optional reads a key that need not be there; nil where it is not.
func optional(txn *badger.Txn, key []byte) ([]byte, error) {
	item, err := txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return item.ValueCopy(nil)
}

// sweepDocs is how many vectors of documents that are gone are taken away in one transaction.
const sweepDocs = 256

// sweep takes away vectors whose documents are gone, and reports whether there was one.
func (ix *Index) sweep() (bool, error) {
	if err := ix.room(sweepDocs * 64); err != nil {
		return false, err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	n := min(len(ix.garbage), sweepDocs)
	if n == 0 {
		return false, nil
	}
	nums := ix.garbage[:n]
	txn, end, err := ix.db.begin(true)
	if err != nil {
		return false, err
	}
	defer end()
	for _, g := range ix.gens {
		if g == nil {
			continue
		}
		e := newVecEdit(g)
		for _, num := range nums {
			if _, _, there := ix.locate(num); there { // the number was given again
				continue
			}
			if err := e.set(txn, num, nil); err != nil {
				return false, err
			}
		}
		if err := e.write(txn); err != nil {
			return false, err
		}
	}
	if err := txn.Commit(); err != nil {
		return false, err
	}
	ix.garbage = ix.garbage[n:]
	return true, nil
}
