package index

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/dgraph-io/badger/v4"

	"dormouse/store/index/words"
)

// Weights of the fields: how often a word of a field counts. They are whole numbers, so that counts stay exact.
const (
	titleWeight = 2
	bodyWeight  = 1
	pathWeight  = 1
)

// maxField is how many bytes of a field are searched.
const maxField = 64 << 10

// hotDoc is what the text index knows of a document before it is in a segment.
type hotDoc struct {
	num    uint32
	length uint16
	time   int64
	hash   uint64
	facets []string
	terms  []termCount // ascending
}

type termCount struct {
	term string
	tf   uint32
}

// scratch is what analyze needs while it works; making it anew each time would be a tenth of all that building an index allocates.
type scratch struct {
	counts map[string]uint32
	order  []string
}

var scratches = sync.Pool{New: func() any { return &scratch{counts: map[string]uint32{}} }}

// analyze cuts a document into its terms.
func analyze(a *words.Analyzer, d *Doc) *hotDoc {
	tmp := scratches.Get().(*scratch)
	defer scratches.Put(tmp)
	clear(tmp.counts)
	counts := tmp.counts
	length := 0
	language := a.LanguageOf(d.Title, d.Body)
	field := func(text string, weight int) {
		if text == "" {
			return
		}
		a.TextIn(language, clip(text, maxField), func(term string, base bool) {
			counts[term] += uint32(weight)
			if base {
				length += weight
			}
		})
	}
	field(d.Title, titleWeight)
	field(d.Body, bodyWeight)
	field(d.Path, pathWeight)
	h := &hotDoc{
		length: uint16(min(length, math.MaxUint16)), time: d.Time, hash: hashID(d.ID), facets: facetsOf(d),
		terms: make([]termCount, 0, len(counts)),
	}
	tmp.order = slices.AppendSeq(tmp.order[:0], maps.Keys(counts))
	slices.Sort(tmp.order)
	for _, t := range tmp.order {
		h.terms = append(h.terms, termCount{t, counts[t]})
	}
	return h
}

// clip cuts a text to at most n bytes, at the beginning of a character.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xC0 == 0x80 {
		n--
	}
	return text[:n]
}

func (h *hotDoc) encode() []byte {
	out := binary.AppendUvarint(nil, uint64(h.length))
	out = binary.AppendVarint(out, h.time)
	out = binary.LittleEndian.AppendUint64(out, h.hash)
	out = binary.AppendUvarint(out, uint64(len(h.facets)))
	for _, f := range h.facets {
		out = binary.AppendUvarint(out, uint64(len(f)))
		out = append(out, f...)
	}
	for _, t := range h.terms {
		out = binary.AppendUvarint(out, uint64(len(t.term)))
		out = append(out, t.term...)
		out = binary.AppendUvarint(out, uint64(t.tf))
	}
	return out
}

func decodeHot(num uint32, buf []byte) (*hotDoc, error) {
	h := &hotDoc{num: num}
	r := reader{buf: buf}
	length := r.uvarint()
	h.length, h.time = uint16(min(length, math.MaxUint16)), r.varint()
	if hash := r.bytes(8); !r.bad {
		h.hash = binary.LittleEndian.Uint64(hash)
	}
	for n := r.uvarint(); n > 0 && !r.bad; n-- {
		h.facets = append(h.facets, r.string())
	}
	for len(r.buf) > 0 {
		h.terms = append(h.terms, termCount{r.string(), uint32(r.uvarint())})
	}
	if r.bad {
		return nil, errCorrupt
	}
	return h, nil
}

// readHot reads the documents again that no segment holds.
func (ix *Index) readHot(txn *badger.Txn) error {
	hot := newHot()
	opt := badger.DefaultIteratorOptions
	opt.Prefix = []byte{keyHot}
	it := txn.NewIterator(opt)
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		num := binary.BigEndian.Uint32(it.Item().Key()[1:])
		if num < ix.next {
			return fmt.Errorf("%w: document %d is in a segment and new", errCorrupt, num)
		}
		err := it.Item().Value(func(v []byte) error {
			h, err := decodeHot(num, v)
			if err == nil {
				hot.add(h)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("new document %d: %w", num, err)
		}
	}
	if n := hot.cols.count(); n > 0 {
		ix.next = hot.cols.nums[n-1] + 1
	}
	ix.pieces = append(ix.pieces, hot)
	return nil
}

func segmentOf(key []byte) uint32 { return binary.BigEndian.Uint32(key[1:5]) }
