package index

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// manifest says which segments there are, in the order of their documents' numbers.
type manifest struct {
	NextSegment uint32         `json:"next_segment"`
	Segments    []segmentEntry `json:"segments"`

	// The vectors that queries are compared with, and those that are being made to take their place.
	Serving        *generationEntry `json:"vectors,omitempty"`
	Building       *generationEntry `json:"vectors_building,omitempty"`
	LastGeneration uint32           `json:"last_generation,omitempty"`

	// Terms is the version of the rules that cut documents into terms; 0 where it was not noted. Documents with numbers below OldTerms
	// may have terms by other rules.
	Terms    int    `json:"terms,omitempty"`
	OldTerms uint32 `json:"old_terms,omitempty"`
}

type segmentEntry struct {
	ID uint32 `json:"id"`
	// Sizes of its parts in values, so that a missing one is noticed.
	Blocks  int `json:"blocks"`
	Columns int `json:"columns"`
	Facets  int `json:"facets"`
	First   int `json:"first"`
	// Packed says that its long lists of postings are cut into stretches, as all are that are written now.
	Packed bool `json:"packed,omitempty"`
}

func (m manifest) encode() ([]byte, error) { return json.Marshal(m) }

// writeManifest makes the manifest of a new index durable, so that an index without one is known as broken.
func (ix *Index) writeManifest() error {
	raw, err := manifest{NextSegment: 1, Terms: ix.opts.rules.version}.encode()
	if err != nil {
		return err
	}
	if err := ix.db.update(func(txn *badger.Txn) error { return txn.Set(manifestKey(), raw) }); err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	db, err := ix.db.use(true)
	if err != nil {
		return err
	}
	defer ix.db.done()
	return db.Sync()
}

// read loads the manifest, its segments and the hot documents, and removes segments that the manifest does not know.
func (ix *Index) read() error {
	var garbage []uint32
	err := ix.db.view(func(txn *badger.Txn) error {
		raw, err := value(txn, manifestKey())
		if err == nil {
			err = json.Unmarshal(raw, &ix.man)
		}
		if err != nil {
			return fmt.Errorf("%w: read the manifest: %w", errCorrupt, err)
		}
		for _, e := range ix.man.Segments {
			p, err := readSegment(txn, e)
			if err != nil {
				return fmt.Errorf("segment %d: %w", e.ID, err)
			}
			ix.pieces = append(ix.pieces, p)
			if n := p.cols.count(); n > 0 {
				ix.next = max(ix.next, p.cols.nums[n-1]+1)
			}
		}
		if err := ix.readHot(txn); err != nil {
			return err
		}
		garbage = unknownSegments(txn, ix.man)
		return nil
	})
	if err != nil {
		return err
	}
	for _, seg := range garbage {
		ix.man.NextSegment = max(ix.man.NextSegment, seg+1)
		if err := ix.removeSegment(seg); err != nil {
			return err
		}
	}
	if err := ix.noteRules(); err != nil {
		return err
	}
	return ix.openVectors()
}

func readSegment(txn *badger.Txn, e segmentEntry) (*piece, error) {
	raw, err := readParts(txn, e.ID, partColumns, e.Columns)
	if err != nil {
		return nil, err
	}
	cols, err := decodeColumns(raw)
	if err != nil {
		return nil, err
	}
	if raw, err = readParts(txn, e.ID, partFacets, e.Facets); err != nil {
		return nil, err
	}
	if cols.facets, err = decodeFacets(raw); err != nil {
		return nil, err
	}
	if raw, err = readParts(txn, e.ID, partFirst, e.First); err != nil {
		return nil, err
	}
	p := &piece{id: e.ID, cols: cols, packed: e.Packed}
	r := reader{buf: raw}
	for len(r.buf) > 0 {
		p.first = append(p.first, r.string())
	}
	if r.bad || len(p.first) != e.Blocks {
		return nil, errCorrupt
	}
	item, err := txn.Get(numKey(keyDead, e.ID))
	switch {
	case errors.Is(err, badger.ErrKeyNotFound):
		p.setDead(nil)
		return p, nil
	case err != nil:
		return nil, err
	}
	if raw, err = item.ValueCopy(nil); err != nil {
		return nil, err
	}
	dead, err := decodeBitmap(raw)
	if err != nil {
		return nil, err
	}
	p.setDead(dead)
	return p, nil
}

func readParts(txn *badger.Txn, seg uint32, part byte, n int) ([]byte, error) {
	var out []byte
	for i := range n {
		v, err := value(txn, segmentKey(seg, part, i))
		if err != nil {
			return nil, err
		}
		out = append(out, v...)
	}
	return out, nil
}

// unknownSegments lists the segments that have keys and are not in the manifest: a crash cut their making or removal short.
func unknownSegments(txn *badger.Txn, man manifest) []uint32 {
	known := map[uint32]bool{}
	for _, e := range man.Segments {
		known[e.ID] = true
	}
	opt := badger.DefaultIteratorOptions
	opt.PrefetchValues = false
	opt.Prefix = []byte{keySegment}
	it := txn.NewIterator(opt)
	defer it.Close()
	var out []uint32
	for it.Rewind(); it.Valid(); {
		seg := segmentOf(it.Item().Key())
		if !known[seg] {
			out = append(out, seg)
		}
		it.Seek(numKey(keySegment, seg+1))
	}
	return out
}

// removeSegment deletes the keys of a segment.
func (ix *Index) removeSegment(seg uint32) error {
	if err := ix.room(noteBytes); err != nil {
		return fmt.Errorf("remove segment %d: %w", seg, err)
	}
	wb, end, err := ix.db.batch()
	if err != nil {
		return fmt.Errorf("remove segment %d: %w", seg, err)
	}
	defer end()
	err = ix.db.view(func(txn *badger.Txn) error {
		opt := badger.DefaultIteratorOptions
		opt.PrefetchValues = false
		opt.Prefix = numKey(keySegment, seg)
		it := txn.NewIterator(opt)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			if err := wb.Delete(it.Item().KeyCopy(nil)); err != nil {
				return err
			}
		}
		return wb.Delete(numKey(keyDead, seg))
	})
	if err == nil {
		err = wb.Flush()
	}
	if err != nil {
		return fmt.Errorf("remove segment %d: %w", seg, err)
	}
	return nil
}
