package index

import (
	"context"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// made is the vectors of a batch of documents, by generation; what is nil is made later.
type made map[*generation][]*coded

// embedNow finds the vectors of documents that are being put: those that are there stay with a text that stays, others are made where
// the embedder is quick. A failure of it costs no document: its vector waits.
func (ix *Index) embedNow(ctx context.Context, list []prepared) (made, error) {
	ix.mu.RLock()
	gens := ix.gens
	ix.mu.RUnlock()
	out := made{}
	for slot, g := range gens {
		if g == nil {
			continue
		}
		vecs, err := ix.keptVectors(slot, g, list)
		if err != nil {
			return nil, err
		}
		if g.vectors.Embed != nil && !g.vectors.Later {
			ix.embedRest(ctx, g, list, vecs)
		}
		out[g] = vecs
	}
	return out, nil
}

// embedRest makes the vectors that are missing.
func (ix *Index) embedRest(ctx context.Context, g *generation, list []prepared, vecs []*coded) {
	var texts []string
	var at []int
	for i := range list {
		if vecs[i] == nil {
			texts, at = append(texts, list[i].text), append(at, i)
		}
	}
	if len(texts) == 0 {
		return
	}
	fresh, err := g.embed(ctx, texts)
	ix.noteEmbedding(err)
	for i := range fresh {
		vecs[at[i]] = &fresh[i]
	}
}

// keptVectors reads the vectors of documents that are written again with the same text.
func (ix *Index) keptVectors(slot int, g *generation, list []prepared) ([]*coded, error) {
	out := make([]*coded, len(list))
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if ix.gens[slot] != g { // another model took over meanwhile
		return out, nil
	}
	txn, end, err := ix.db.begin(false)
	if err != nil {
		return nil, err
	}
	defer end()
	for i := range list {
		if !list[i].same {
			continue
		}
		p, place, ok := ix.locate(*list[i].old)
		if !ok || !p.vecs[slot].isMade(place) {
			continue
		}
		v := &coded{}
		if p.vecs[slot].hasOne(place) {
			var err error
			if v, err = g.read(txn, *list[i].old); err != nil {
				return nil, err
			}
			v.code = p.vecs[slot].code(nil, place)
		}
		out[i] = v
	}
	return out, nil
}

// read reads a vector that is made, without its code.
func (g *generation) read(txn *badger.Txn, num uint32) (*coded, error) {
	raw, err := value(txn, vecKey(keyVectors, g.entry.ID, num/blockDocs))
	if err != nil {
		return nil, fmt.Errorf("the vector of document %d: %w", num, err)
	}
	scale, vals, err := entryOf(raw, g.entry.Dims, int(num%blockDocs))
	if err == nil && vals == nil {
		err = errCorrupt
	}
	if err != nil {
		return nil, fmt.Errorf("the vector of document %d: %w", num, err)
	}
	v := &coded{scale: scale, vals: make([]int8, len(vals))}
	for i, x := range vals {
		v.vals[i] = int8(x)
	}
	return v, nil
}

// noteEmbedding remembers why vectors could not be made, until they could.
func (ix *Index) noteEmbedding(err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if err != nil && ix.embedding == nil {
		ix.opts.Logger.Warn("vectors are not made; they are made later", "component", "index", "error", err)
	}
	ix.embedding = err
}

// writeVectors stores what was embedded, and takes away what an earlier document of a number may have left; mu is held.
func (ix *Index) writeVectors(txn *badger.Txn, list []prepared, vecs made) error {
	for slot, g := range ix.gens {
		if g == nil {
			continue
		}
		e := newVecEdit(g)
		for i := range list {
			if err := e.set(txn, list[i].hot.num, ix.vectorsOf(vecs, i)[slot]); err != nil {
				return err
			}
		}
		if err := e.write(txn); err != nil {
			return err
		}
	}
	return nil
}

// vectorsOf is the vectors of a document of a batch in the generations that count now; mu is held.
func (ix *Index) vectorsOf(vecs made, i int) (out [slots]*coded) {
	for slot, g := range ix.gens {
		if list := vecs[g]; g != nil && list != nil {
			out[slot] = list[i]
		}
	}
	return out
}

// lateDocs is how many texts are embedded at once when vectors are made later.
const lateDocs = 64

// late is a batch of documents whose vectors are being made.
type late struct {
	gen   *generation
	nums  []uint32
	texts []string
}

// MakeVectors makes the vectors that wait: those of documents that were put while the embedder failed or with one that takes long,
// and those of another model, which takes over when its vectors are whole. It can be ended at any moment and goes on where it
// was. It returns when nothing waits, or with the embedder's error: the caller tries again later.
func (ix *Index) MakeVectors(ctx context.Context) error {
	ix.late.Lock()
	defer ix.late.Unlock()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := ix.nextLate()
		if err != nil {
			return ix.check(fmt.Errorf("make vectors: %w", err))
		}
		if b == nil {
			more, err := ix.promote()
			if err != nil {
				return ix.check(fmt.Errorf("make vectors: %w", err))
			}
			if !more {
				return nil
			}
			continue
		}
		vecs, err := b.gen.embed(ctx, b.texts)
		ix.noteEmbedding(err)
		if err != nil {
			return fmt.Errorf("make vectors: %w", err)
		}
		if err := ix.storeLate(b, vecs); err != nil {
			return ix.check(fmt.Errorf("make vectors: %w", err))
		}
	}
}

// nextLate picks documents whose vectors wait, of the generation that serves first, the newest first; nil where none do.
func (ix *Index) nextLate() (b *late, err error) {
	if !ix.anyLate() {
		return nil, nil
	}
	err = ix.view(func(txn *badger.Txn) error {
		for slot, g := range ix.gens {
			if g == nil || g.vectors.Embed == nil {
				continue
			}
			nums := ix.lateNums(slot, lateDocs)
			if len(nums) == 0 {
				continue
			}
			b = &late{gen: g, nums: nums}
			for _, num := range nums {
				d, err := ix.record(txn, num)
				if err != nil {
					return err
				}
				b.texts = append(b.texts, embedded(&d))
			}
			return nil
		}
		return nil
	})
	return b, err
}

// anyLate reports whether a vector waits, without a look at the database. A broken index has it that one does, which finds the error.
func (ix *Index) anyLate() bool {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	for slot, g := range ix.gens {
		if g != nil && g.vectors.Embed != nil && len(ix.lateNums(slot, 1)) > 0 {
			return true
		}
	}
	return ix.broken != nil || ix.db.isClosed()
}

func (ix *Index) lateNums(slot, most int) (nums []uint32) {
	for i := len(ix.pieces) - 1; i >= 0; i-- {
		p := ix.pieces[i]
		if p.cols.count() == 0 {
			continue
		}
		for place := p.cols.count() - 1; place >= 0; place-- {
			if place&63 == 63 && p.vecs[slot].made[place>>6] == ^uint64(0) {
				place -= 63
				continue
			}
			if !p.vecs[slot].isMade(place) && !p.dead.ContainsInt(place) {
				if nums = append(nums, p.cols.nums[place]); len(nums) == most {
					return nums
				}
			}
		}
	}
	return nums
}

// storeLate writes vectors that were made. Documents that are gone meanwhile get none.
func (ix *Index) storeLate(b *late, vecs []coded) error {
	if err := ix.room(len(vecs) * (2*entrySize(b.gen.entry.Dims) + 64)); err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	slot := -1
	for i, g := range ix.gens {
		if g == b.gen {
			slot = i
		}
	}
	switch {
	case ix.broken != nil:
		return ix.broken
	case ix.db.isClosed():
		return badger.ErrDBClosed
	case slot < 0: // another model, or all numbers were given anew
		return nil
	}
	txn, end, err := ix.db.begin(true)
	if err != nil {
		return err
	}
	defer end()
	e := newVecEdit(b.gen)
	apply := func() {}
	for i, num := range b.nums {
		p, place, ok := ix.locate(num)
		if !ok || p.dead.ContainsInt(place) {
			continue
		}
		if err := e.set(txn, num, &vecs[i]); err != nil {
			return err
		}
		before := apply
		apply = func() { before(); p.vecs[slot].set(place, &vecs[i]); ix.noteRecord(p, place) }
	}
	if err := e.write(txn); err != nil {
		return err
	}
	if err := txn.Commit(); err != nil {
		return err
	}
	apply()
	return nil
}

// waiting counts the documents whose vectors of a generation are not made; mu is held.
func (ix *Index) waiting(slot int) (n int) {
	for _, p := range ix.pieces {
		if p.vecs[slot] != nil {
			n += p.waiting(slot)
		}
	}
	return n
}
