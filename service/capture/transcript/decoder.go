package transcript

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"

	"dormouse/store/memory"
)

// decodeRoom is how much base64 is decoded at once, in bytes.
const decodeRoom = 32 << 10

// decoder takes base64 in pieces, and sums and hands on what it stands for. It takes just what encoding/base64 takes as a whole:
// ends of lines are no part of it, padding is its end.
type decoder struct {
	use    func([]byte) // gets the bytes; may be nil
	sum    hash.Hash
	bytes  int
	held   []byte // not decoded yet, without ends of lines
	plain  []byte
	padded bool // the end has come
	bad    bool // it is no base64
}

func newDecoder(use func([]byte)) *decoder { return &decoder{use: use, sum: sha256.New()} }

func (d *decoder) write(p []byte) {
	for len(p) > 0 && !d.bad {
		n := min(len(p), decodeRoom)
		d.hold(p[:n])
		p = p[n:]
		d.decode(len(d.held) &^ 3)
	}
}

// hold adds what is no end of a line.
func (d *decoder) hold(p []byte) {
	for len(p) > 0 {
		i := bytes.IndexAny(p, "\r\n")
		if i < 0 {
			d.held = append(d.held, p...)
			return
		}
		d.held = append(d.held, p[:i]...)
		p = p[i+1:]
	}
}

// decode takes the first n of what is held, whole groups of four.
func (d *decoder) decode(n int) {
	if n == 0 {
		return
	}
	if d.plain == nil {
		d.plain = make([]byte, base64.StdEncoding.DecodedLen(decodeRoom+4))
	}
	k, err := base64.StdEncoding.Decode(d.plain, d.held[:n])
	if d.padded || err != nil {
		d.bad = true
		return
	}
	d.padded = d.held[n-1] == '='
	d.held = append(d.held[:0], d.held[n:]...)
	d.sum.Write(d.plain[:k])
	d.bytes += k
	if d.use != nil {
		d.use(d.plain[:k])
	}
}

// end is the fingerprint of all; ok is false where it was no base64.
func (d *decoder) end() (i memory.Image, ok bool) {
	if d.bad || len(d.held) > 0 {
		return i, false
	}
	return memory.Image{Bytes: d.bytes, SHA256: hex.EncodeToString(d.sum.Sum(nil))}, true
}
