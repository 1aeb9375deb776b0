package index

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4"
)

// Reset empties the index and has the database delete its files, so that no word of any document is left on the disk: deleting
// a document only marks it, until its segment is merged and the database has compacted. The keys of the named areas stay. Who
// calls it fills the index again. It waits for searches and writes that go on; a crash leaves an index that Open makes again.
func (ix *Index) Reset(areas ...string) error {
	release, err := ix.alone()
	if err != nil {
		return err
	}
	defer release()
	kept, err := ix.keysOf(areas)
	if err != nil {
		return fmt.Errorf("empty the index: %w", err)
	}
	db, err := ix.db.use(true)
	if err != nil {
		return fmt.Errorf("empty the index: %w", err)
	}
	defer ix.db.done()
	if err := db.DropAll(); err != nil {
		return fmt.Errorf("empty the index: %w", err)
	}
	wb, end, err := ix.db.batch()
	if err != nil {
		return fmt.Errorf("empty the index: %w", err)
	}
	defer end()
	for _, kv := range kept {
		if err := wb.Set(kv.key, kv.val); err != nil {
			return fmt.Errorf("empty the index: %w", err)
		}
	}
	if err := wb.Flush(); err != nil {
		return fmt.Errorf("empty the index: %w", err)
	}
	if err := ix.writeManifest(); err != nil {
		return err
	}
	ix.man, ix.pieces, ix.next, ix.failed, ix.garbage = manifest{}, nil, 0, nil, nil
	ix.records.forget()
	ix.sampled.forget()
	ix.held.forget()
	ix.wrote.Store(0)
	if err := ix.read(); err != nil {
		return fmt.Errorf("empty the index: %w", err)
	}
	ix.progress.Broadcast()
	return nil
}

type keyValue struct{ key, val []byte }

// keysOf reads what the areas hold; mu is held.
func (ix *Index) keysOf(areas []string) (out []keyValue, err error) {
	err = ix.db.view(func(txn *badger.Txn) error {
		opt := badger.DefaultIteratorOptions
		opt.Prefix = []byte{keyArea}
		it := txn.NewIterator(opt)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			key := it.Item().KeyCopy(nil)
			name, _, _ := bytes.Cut(key[1:], []byte{0})
			if !slices.Contains(areas, string(name)) {
				continue
			}
			val, err := it.Item().ValueCopy(nil)
			if err != nil {
				return err
			}
			out = append(out, keyValue{key, val})
		}
		return nil
	})
	return out, err
}

// alone waits until nothing else reads or writes the index, and keeps it so until release is called.
func (ix *Index) alone() (release func(), err error) {
	ix.writing.Lock()
	ix.maintaining.Lock()
	ix.mu.Lock()
	release = func() {
		ix.mu.Unlock()
		ix.maintaining.Unlock()
		ix.writing.Unlock()
	}
	switch {
	case ix.broken != nil:
		err = ix.broken
	case ix.db.isClosed():
		err = badger.ErrDBClosed
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}
