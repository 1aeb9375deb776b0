package index

import (
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// Area is a named set of keys and values in the index, for cursors and watermarks. It is lost when the index is made again,
// so what is in it must be no more than a way to do less work.
type Area struct {
	ix   *Index
	name string
}

// Area is the area of a name, which must hold no zero byte. It is there without being made.
func (ix *Index) Area(name string) Area { return Area{ix, name} }

// Get reads a key; ok is false where it is not there.
func (a Area) Get(key string) (val []byte, ok bool, err error) {
	err = a.ix.view(func(txn *badger.Txn) error {
		item, err := txn.Get(areaKey(a.name, key))
		if errors.Is(err, badger.ErrKeyNotFound) {
			return nil
		}
		if err == nil {
			ok = true
			val, err = item.ValueCopy(nil)
		}
		return err
	})
	return val, ok && err == nil, a.wrap("read", key, err)
}

// Put writes a key. It is in every read that follows, and outlives a crash of the process.
func (a Area) Put(key string, val []byte) error {
	return a.update("write", key, 64+len(key)+len(val), func(txn *badger.Txn) error { return txn.Set(areaKey(a.name, key), val) })
}

// Delete takes a key away. It is no error that it is not there.
func (a Area) Delete(key string) error {
	return a.update("delete", key, 64+len(key), func(txn *badger.Txn) error { return txn.Delete(areaKey(a.name, key)) })
}

func (a Area) update(verb, key string, size int, fn func(*badger.Txn) error) error {
	if err := a.ix.room(size); err != nil {
		return a.wrap(verb, key, err)
	}
	a.ix.mu.RLock()
	err := a.ix.broken
	if err == nil && a.ix.db.isClosed() {
		err = badger.ErrDBClosed
	}
	if err == nil {
		err = a.ix.db.update(fn)
	}
	a.ix.mu.RUnlock()
	return a.wrap(verb, key, a.ix.check(err))
}

// Each calls fn for every key that begins with prefix, in ascending order, as they were when it began. An error of fn ends
// it and is returned. fn must not call the index.
func (a Area) Each(prefix string, fn func(key string, val []byte) error) error {
	err := a.ix.view(func(txn *badger.Txn) error {
		opt := badger.DefaultIteratorOptions
		opt.Prefix = areaKey(a.name, prefix)
		it := txn.NewIterator(opt)
		defer it.Close()
		skip := len(areaKey(a.name, ""))
		for it.Rewind(); it.Valid(); it.Next() {
			val, err := it.Item().ValueCopy(nil)
			if err == nil {
				err = fn(string(it.Item().Key()[skip:]), val)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return a.wrap("list", prefix, err)
}

func (a Area) wrap(verb, key string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s %q in the index: %w", verb, a.name, key, err)
}
