package gitrepo

import (
	"encoding/binary"
	"errors"
)

// copyMax is the most bytes that one copy instruction of a delta can take in every version of the format.
const copyMax = 1 << 16

var errDelta = errors.New("damaged delta")

// insertMax is the most bytes that one instruction can insert.
const insertMax = 127

// prefixDelta is the delta that makes the first n bytes out of a base of size bytes.
func prefixDelta(size, n int) []byte { return branchDelta(size, n, nil) }

// branchDelta is the delta that makes the first n bytes of a base of size bytes, and then tail.
func branchDelta(size, n int, tail []byte) []byte {
	d := binary.AppendUvarint(nil, uint64(size))
	d = binary.AppendUvarint(d, uint64(n+len(tail)))
	for at := 0; at < n; {
		take := min(n-at, copyMax)
		d = appendCopy(d, uint32(at), uint32(take))
		at += take
	}
	for len(tail) > 0 {
		take := min(len(tail), insertMax)
		d = append(append(d, byte(take)), tail[:take]...)
		tail = tail[take:]
	}
	return d
}

// appendCopy adds "copy size bytes from offset". The first byte says which bytes of the two numbers follow; a size of
// 65,536 is written as none.
func appendCopy(d []byte, offset, size uint32) []byte {
	if size == copyMax {
		size = 0
	}
	at := len(d)
	op := byte(0x80)
	d = append(d, op)
	for i := range 4 {
		if b := byte(offset >> (8 * i)); b != 0 {
			op |= 1 << i
			d = append(d, b)
		}
	}
	for i := range 2 {
		if b := byte(size >> (8 * i)); b != 0 {
			op |= 0x10 << i
			d = append(d, b)
		}
	}
	d[at] = op
	return d
}

// deltaSizes reads the sizes of base and result from a delta's start and gives the instructions.
func deltaSizes(d []byte) (base, result int, rest []byte, err error) {
	var v [2]uint64
	for i := range v {
		n := 0
		if v[i], n = binary.Uvarint(d); n <= 0 || v[i] > maxObject {
			return 0, 0, nil, errDelta
		}
		d = d[n:]
	}
	return int(v[0]), int(v[1]), d, nil
}

// applyDelta makes an object out of its base.
func applyDelta(base, delta []byte) ([]byte, error) {
	size, want, d, err := deltaSizes(delta)
	if err != nil || size != len(base) {
		return nil, errDelta
	}
	out := make([]byte, 0, min(want, len(base)+len(delta)))
	for len(d) > 0 {
		op := d[0]
		d = d[1:]
		var piece []byte
		if op&0x80 != 0 {
			piece, d, err = copied(base, op, d)
		} else {
			piece, d, err = inserted(op, d)
		}
		if err != nil || len(out)+len(piece) > want {
			return nil, errDelta
		}
		out = append(out, piece...)
	}
	if len(out) != want {
		return nil, errDelta
	}
	return out, nil
}

func inserted(op byte, d []byte) (piece, rest []byte, err error) {
	n := int(op)
	if n == 0 || n > len(d) {
		return nil, nil, errDelta
	}
	return d[:n], d[n:], nil
}

func copied(base []byte, op byte, d []byte) (piece, rest []byte, err error) {
	var v [7]byte // offset in the first four, size in the last three, little end first
	for i := range v {
		if op&(1<<i) == 0 {
			continue
		}
		if len(d) == 0 {
			return nil, nil, errDelta
		}
		v[i], d = d[0], d[1:]
	}
	offset := int64(binary.LittleEndian.Uint32(v[:4]))
	size := int64(v[4]) | int64(v[5])<<8 | int64(v[6])<<16
	if size == 0 {
		size = copyMax
	}
	if offset+size > int64(len(base)) {
		return nil, nil, errDelta
	}
	return base[offset : offset+size], d, nil
}
