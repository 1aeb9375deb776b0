package gitrepo

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"
)

// An index of a pack, version 2 (git's Documentation/gitformat-pack): signature, version, 256 cumulative counts by first byte,
// then for every object in the order of names: 20-byte names, 4-byte CRC-32s of the packed bytes, 4-byte offsets (with the
// top bit set: a place in the table of 8-byte offsets that follows), then the SHA-1 of the pack and of the index.
const (
	idxSignature = "\xfftOc"
	idxFanout    = 8
	idxNames     = idxFanout + 256*4
	largeOffset  = 1 << 31
)

// packIndex is the content of an .idx file.
type packIndex struct {
	raw   []byte
	count int
}

func parseIndex(raw []byte) (packIndex, error) {
	if len(raw) < idxNames+2*sha1.Size || string(raw[:4]) != idxSignature || binary.BigEndian.Uint32(raw[4:]) != 2 {
		return packIndex{}, errors.New("not a pack index of version 2")
	}
	last := uint32(0)
	for i := range 256 {
		n := binary.BigEndian.Uint32(raw[idxFanout+4*i:])
		if n < last {
			return packIndex{}, errors.New("pack index has falling counts")
		}
		last = n
	}
	if uint64(len(raw)) < uint64(idxNames)+uint64(last)*28+2*sha1.Size {
		return packIndex{}, errors.New("pack index is cut off")
	}
	return packIndex{raw: raw, count: int(last)}, nil
}

// find gives the offset of an object in the pack.
func (x packIndex) find(oid OID) (int64, bool) {
	i, ok := x.place(oid)
	if !ok {
		return 0, false
	}
	return x.offset(i)
}

// sum is the CRC-32 of an object's bytes in the pack.
func (x packIndex) sum(oid OID) (uint32, error) {
	i, ok := x.place(oid)
	if !ok {
		return 0, ErrNotFound
	}
	return binary.BigEndian.Uint32(x.raw[idxNames+20*x.count+4*i:]), nil
}

// place is where an object stands among the names.
func (x packIndex) place(oid OID) (int, bool) {
	low := 0
	if oid[0] > 0 {
		low = x.fanout(int(oid[0]) - 1)
	}
	high := x.fanout(int(oid[0]))
	i := low + sort.Search(high-low, func(i int) bool { return bytes.Compare(x.name(low+i), oid[:]) >= 0 })
	return i, i < high && bytes.Equal(x.name(i), oid[:])
}

func (x packIndex) fanout(b int) int  { return int(binary.BigEndian.Uint32(x.raw[idxFanout+4*b:])) }
func (x packIndex) name(i int) []byte { return x.raw[idxNames+20*i:][:20] }
func (x packIndex) offsets() []byte   { return x.raw[idxNames+24*x.count:] }
func (x packIndex) offset(i int) (int64, bool) {
	o := binary.BigEndian.Uint32(x.offsets()[4*i:])
	if o < largeOffset {
		return int64(o), true
	}
	large := x.raw[idxNames+28*x.count : len(x.raw)-2*sha1.Size]
	at := 8 * int(o&^largeOffset)
	if at+8 > len(large) {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(large[at:]) &^ (1 << 63)), true
}

// packed is one object of a pack that is being written.
type packed struct {
	oid    OID
	crc    uint32
	offset int64
}

// encodePackIndex is the .idx of a pack with these objects and this SHA-1. It sorts the list.
func encodePackIndex(list []packed, pack OID) ([]byte, error) {
	slices.SortFunc(list, func(a, b packed) int { return bytes.Compare(a.oid[:], b.oid[:]) })
	for i := 1; i < len(list); i++ {
		if list[i].oid == list[i-1].oid {
			return nil, fmt.Errorf("object %s was packed twice", list[i].oid)
		}
	}
	raw := append(make([]byte, 0, idxNames+28*len(list)+2*sha1.Size), idxSignature+"\x00\x00\x00\x02"...)
	next := 0
	for b := range 256 {
		for next < len(list) && int(list[next].oid[0]) == b {
			next++
		}
		raw = binary.BigEndian.AppendUint32(raw, uint32(next))
	}
	for _, p := range list {
		raw = append(raw, p.oid[:]...)
	}
	for _, p := range list {
		raw = binary.BigEndian.AppendUint32(raw, p.crc)
	}
	var large []byte
	for _, p := range list {
		if p.offset < largeOffset {
			raw = binary.BigEndian.AppendUint32(raw, uint32(p.offset))
			continue
		}
		raw = binary.BigEndian.AppendUint32(raw, largeOffset|uint32(len(large)/8))
		large = binary.BigEndian.AppendUint64(large, uint64(p.offset))
	}
	raw = append(append(raw, large...), pack[:]...)
	sum := sha1.Sum(raw)
	return append(raw, sum[:]...), nil
}
