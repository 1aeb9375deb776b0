package index

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// columns holds what ranking and filters need of each document of a segment, by its place in the segment.
type columns struct {
	nums   []uint32 // document numbers, ascending
	lens   []uint16 // weighted number of base terms; longer ones count as 65,535
	times  []int64  // Unix seconds, 0 unknown
	hashes []uint64 // of the id, for an order among equals that does not depend on the number
	facets facets
	low    []lowDoc // documents whose hashes are at most lowHash, by ascending places
}

// lowDoc is a document of the samples.
type lowDoc struct {
	hash  uint64
	place uint32
}

// lowHash is a bound that few hashes lie below, so that a small sample of documents is found without looking at all.
const lowHash = 1 << 58

// lowOneOf is of how many documents one has such a hash.
const lowOneOf = 64

// note adds the last document to the lists that follow from its numbers.
func (c *columns) note() {
	if at := c.count() - 1; c.hashes[at] <= lowHash {
		c.low = append(c.low, lowDoc{c.hashes[at], uint32(at)})
	}
}

func newColumns() *columns { return &columns{facets: facets{}} }

func (c *columns) count() int { return len(c.nums) }

func (c *columns) add(num uint32, length uint16, time int64, hash uint64, names []string) {
	local := uint32(c.count())
	c.nums = append(c.nums, num)
	c.lens = append(c.lens, length)
	c.times = append(c.times, time)
	c.hashes = append(c.hashes, hash)
	c.note()
	for _, n := range names {
		c.facets.add(n, local)
	}
}

// place finds a document number.
func (c *columns) place(num uint32) (int, bool) { return slices.BinarySearch(c.nums, num) }

// encode writes all but the facets.
func (c *columns) encode() []byte {
	out := binary.AppendUvarint(nil, uint64(c.count()))
	var num uint32
	var time int64
	for i := range c.nums {
		out = binary.AppendUvarint(out, uint64(c.nums[i]-num))
		out = binary.AppendUvarint(out, uint64(c.lens[i]))
		out = binary.AppendVarint(out, c.times[i]-time)
		out = binary.LittleEndian.AppendUint64(out, c.hashes[i])
		num, time = c.nums[i], c.times[i]
	}
	return out
}

func decodeColumns(buf []byte) (*columns, error) {
	r := reader{buf: buf}
	n := r.uvarint()
	if r.bad || n > uint64(len(buf)) {
		return nil, errCorrupt
	}
	c := &columns{
		nums: make([]uint32, 0, n), lens: make([]uint16, 0, n), times: make([]int64, 0, n), hashes: make([]uint64, 0, n),
		facets: facets{},
	}
	var num uint64
	var time int64
	for range n {
		num += r.uvarint()
		length := r.uvarint()
		time += r.varint()
		if length > math.MaxUint16 || num > math.MaxUint32 {
			return nil, errCorrupt
		}
		hash := r.bytes(8)
		if r.bad {
			return nil, errCorrupt
		}
		c.nums = append(c.nums, uint32(num))
		c.lens = append(c.lens, uint16(length))
		c.times = append(c.times, time)
		c.hashes = append(c.hashes, binary.LittleEndian.Uint64(hash))
		c.note()
	}
	return c, nil
}

func hashID(id string) uint64 { return xxhash.Sum64String(id) }
