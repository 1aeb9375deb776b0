package index

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/dgraph-io/badger/v4"
)

// Limits of one transaction of Put.
const (
	batchDocs  = 256
	batchBytes = 256 << 10
)

// prepared is a document on its way into the index.
type prepared struct {
	id     string
	old    *uint32 // the number under which it is there
	digest uint64
	record []byte
	hot    *hotDoc
	text   string // that its vectors stand for
	same   bool   // what is there has the same text, so its vectors stand for it too
}

// Put adds documents, or replaces those whose ids are there. A document that is there with the same content costs one
// look-up. Each document is there as a whole or not at all; when Put fails some may be in.
func (ix *Index) Put(ctx context.Context, docs []Doc) error {
	for i := range docs {
		if docs[i].ID == "" || !docs[i].Scope.Valid() {
			return fmt.Errorf("index document %q: it needs an id and a valid scope, and its scope is %q", docs[i].ID, docs[i].Scope)
		}
	}
	ix.writing.Lock()
	defer ix.writing.Unlock()
	for len(docs) > 0 {
		if err := ix.ready(ctx); err != nil {
			return err
		}
		n := ix.batch(docs)
		if err := ix.putBatch(ctx, docs[:n], false); err != nil {
			return ix.check(fmt.Errorf("index %d documents from %s on: %w", n, docs[0].ID, err))
		}
		docs = docs[n:]
	}
	return nil
}

func (ix *Index) batch(docs []Doc) int {
	size := 0
	for i := range docs {
		d := &docs[i]
		size += 2*(len(d.ID)+len(d.Title)+len(d.Body)+len(d.Path)) + 256 + 2*ix.opts.Vectors.Dims
		if i > 0 && size > batchBytes {
			return i
		}
	}
	return min(len(docs), batchDocs)
}

// ready waits until the maintainer has caught up, so that memory stays bounded in a bulk load.
func (ix *Index) ready(ctx context.Context) error {
	return ix.await(ctx, func() bool {
		if ix.frozen() < 2 {
			return true
		}
		ix.kick()
		return false
	})
}

// frozen counts the pieces in memory that wait to be written; mu is held.
func (ix *Index) frozen() int {
	n := 0
	for _, p := range ix.pieces[:len(ix.pieces)-1] {
		if p.id == 0 {
			n++
		}
	}
	return n
}

// putBatch writes some documents; anew says that those which are there with the same content are written again.
func (ix *Index) putBatch(ctx context.Context, docs []Doc, anew bool) error {
	list, err := ix.prepare(docs, anew)
	if err != nil || len(list) == 0 {
		return err
	}
	vecs, err := ix.embedNow(ctx, list)
	if err != nil {
		return err
	}
	if err := ix.room(sizeOf(list)); err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	txn, end, err := ix.db.begin(true)
	if err != nil {
		return err
	}
	defer end()
	next := ix.next
	var added []*hotDoc
	dead := ix.newGraves()
	for _, p := range list {
		if p.old != nil {
			if err := dead.bury(txn, *p.old); err != nil {
				return err
			}
		}
		p.hot.num = next
		next++
		err = errors.Join(
			txn.Set(idKey(p.id), idValue(p.hot.num, p.digest)),
			txn.Set(numKey(keyRecord, p.hot.num), p.record),
			txn.Set(numKey(keyHot, p.hot.num), p.hot.encode()))
		if err != nil {
			return err
		}
		added = append(added, p.hot)
	}
	if err := errors.Join(dead.write(txn), ix.writeVectors(txn, list, vecs)); err != nil {
		return err
	}
	if err := txn.Commit(); err != nil {
		return err
	}
	dead.apply()
	ix.next = next
	for i, h := range added {
		ix.addHot(h, ix.vectorsOf(vecs, i))
	}
	return nil
}

// sizeOf is about how many bytes it takes to write the documents.
func sizeOf(list []prepared) int {
	n := 0
	for i := range list {
		n += 256 + len(list[i].record) + 12*len(list[i].hot.terms)
	}
	return n
}

// prepare picks the documents that are new or changed, the last of each id, and packs them and cuts them into terms. The
// writer's lock is held, so nothing changes until they are written.
func (ix *Index) prepare(docs []Doc, anew bool) ([]prepared, error) {
	a := ix.analyzers.Get()
	defer ix.analyzers.Put(a)
	txn, end, err := ix.db.begin(false)
	if err != nil {
		return nil, err
	}
	defer end()
	out := make([]prepared, 0, len(docs))
	seen := map[string]bool{}
	for i := range slices.Backward(docs) {
		d := &docs[i]
		if seen[d.ID] {
			continue
		}
		seen[d.ID] = true
		raw := encode(d)
		digest := xxhash.Sum64(raw)
		old, was, err := getID(txn, d.ID)
		if err != nil {
			return nil, err
		}
		if old != nil && was == digest && !anew {
			continue
		}
		p := prepared{id: d.ID, old: old, digest: digest, record: ix.codec.pack(raw), hot: ix.opts.rules.cut(a, d), text: embedded(d)}
		if p.same, err = ix.sameText(txn, &p); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	slices.Reverse(out)
	return out, nil
}

// sameText reports whether the document that is there under an id has the text that its vectors are to stand for.
func (ix *Index) sameText(txn *badger.Txn, p *prepared) (bool, error) {
	if p.old == nil || ix.opts.Vectors.Model == "" {
		return false, nil
	}
	old, err := ix.record(txn, *p.old)
	return err == nil && embedded(&old) == p.text, err
}

// addHot adds a document to the hot piece, and freezes that when it is full; mu is held.
func (ix *Index) addHot(h *hotDoc, vecs [slots]*coded) {
	hot := ix.pieces[len(ix.pieces)-1]
	hot.add(h)
	for slot, g := range ix.gens {
		if g != nil {
			hot.addVector(slot, g.entry.Dims, vecs[slot])
		}
	}
	ix.noteRecord(hot, hot.cols.count()-1)
	if hot.cols.count() >= ix.opts.HotDocs {
		ix.pieces = append(ix.pieces, newHot())
		ix.kick()
	}
}

// getID finds the number of an id; nil where it is unknown.
func getID(txn *badger.Txn, id string) (num *uint32, digest uint64, err error) {
	item, err := txn.Get(idKey(id))
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	var n uint32
	err = item.Value(func(v []byte) (err error) {
		n, digest, err = parseID(v)
		return err
	})
	return &n, digest, err
}
