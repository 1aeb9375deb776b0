package index

import "github.com/dgraph-io/badger/v4"

// Sizes is what the index holds, in bytes of keys and values.
type Sizes struct {
	Text    int64 // segments, terms of new documents, what is deleted
	Vectors int64
	Shown   int64 // the documents as they are shown, packed
	IDs     int64
	Other   int64 // cursors and watermarks, the manifest
}

// Sizes adds up what the index holds. It reads all keys, which takes a while.
func (ix *Index) Sizes() (s Sizes, err error) {
	of := map[byte]*int64{
		keySegment: &s.Text, keyHot: &s.Text, keyDead: &s.Text, keyVectors: &s.Vectors, keyCodes: &s.Vectors, keyRecord: &s.Shown, keyID: &s.IDs,
	}
	err = ix.view(func(txn *badger.Txn) error {
		opt := badger.DefaultIteratorOptions
		opt.PrefetchValues = false
		it := txn.NewIterator(opt)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			n := of[it.Item().Key()[0]]
			if n == nil {
				n = &s.Other
			}
			*n += it.Item().KeySize() + it.Item().ValueSize()
		}
		return nil
	})
	return s, err
}
