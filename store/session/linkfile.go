package session

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"dormouse/store/disk"
	"dormouse/store/gitrepo"
)

// linksFile is a copy of what is told by the commits and the headers of the committed nodes: which node follows on which, of which
// turn it is, and which commits there are. Without it every node has to be read to open a turn. It is derived: it is believed as far
// as it fits what git says, lies in .git and never leaves the machine, is written without fsync, and can be deleted.
const linksFile = "dormouse-links"

// A links file is a row of segments, one for each batch that committed. Numbers are little-endian, in 4 bytes each.
//
//	signature, CRC-32C of what follows, its length without these three
//	places of the first node and the first commit, counts of nodes, commits and names
//	names: length, bytes
//	nodes: the first 4 bytes of the blob's name, then the bond
//	commits: 20 bytes of the name, parent, turn, newest
const (
	linkSignature = "DML1"
	linkHead      = len(linkSignature) + 8
	linkCounts    = 5 * 4
	linkNode      = 5 * 4
	linkMark      = 20 + 3*4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// saved is what a links file holds.
type saved struct {
	bonds
	blobs [][4]byte // the beginnings of the nodes' names, to know that they are the same
	marks []mark
	kept  kept
}

// whole is what the good segments told.
func (s *saved) whole(k kept) saved {
	s.list, s.blobs, s.marks, s.bonds.names, s.kept = s.list[:k.nodes], s.blobs[:k.nodes], s.marks[:k.marks], s.bonds.names[:k.names], k
	return *s
}

// readLinks reads a session's links file up to what is not whole; nothing where there is none.
func readLinks(dir string) (saved, error) {
	f, err := os.Open(filepath.Join(dir, ".git", linksFile))
	if errors.Is(err, fs.ErrNotExist) {
		return saved{}, nil
	}
	if err != nil {
		return saved{}, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	info, err := f.Stat()
	if err != nil || info.Size() > maxLinks {
		return saved{}, err
	}
	raw := make([]byte, info.Size())
	if _, err := io.ReadFull(f, raw); err != nil {
		return saved{}, err
	}
	return parseLinks(raw), nil
}

// maxLinks is more than the links file of the longest session has.
const maxLinks = 1 << 28

// parseLinks reads segments up to the first that is cut off, damaged or does not follow on.
func parseLinks(raw []byte) saved {
	var s saved
	var good kept
	for rest := raw; ; {
		n := s.segment(rest)
		if n == 0 {
			return s.whole(good)
		}
		rest, good = rest[n:], kept{len(s.list), len(s.marks), len(s.bonds.names), good.size + int64(n)}
	}
}

// segment takes the first segment of raw and says how long it is; 0 when it is no good.
func (s *saved) segment(raw []byte) (size int) {
	if len(raw) < linkHead+linkCounts || string(raw[:4]) != linkSignature {
		return 0
	}
	size = linkHead + int(binary.LittleEndian.Uint32(raw[8:]))
	if size > len(raw) || size < linkHead+linkCounts || crc32.Checksum(raw[8:size], castagnoli) != binary.LittleEndian.Uint32(raw[4:]) {
		return 0
	}
	in := cursor{raw[linkHead:size]}
	first, firstMark, nodes, marks, names := in.number(), in.number(), in.number(), in.number(), in.number()
	if int(first) != len(s.list) || int(firstMark) != len(s.marks) {
		return 0
	}
	for ; names > 0; names-- {
		n := in.number()
		if n < 0 || int(n) > len(in.left) {
			return 0
		}
		s.bonds.names = append(s.bonds.names, string(in.take(int(n))))
	}
	if nodes < 0 || marks < 0 || len(in.left) != int(nodes)*linkNode+int(marks)*linkMark {
		return 0
	}
	if !s.readNodes(in.take(int(nodes)*linkNode)) || !s.readMarks(in.left) {
		return 0
	}
	return size
}

// readNodes adds nodes, if what they refer to is there.
func (s *saved) readNodes(raw []byte) bool {
	n, names := len(raw)/linkNode, int32(len(s.bonds.names))
	total := int32(len(s.list) + n)
	s.list, s.blobs = slices.Grow(s.list, n), slices.Grow(s.blobs, n)
	ref := func(at int32) bool { return at < total && (at >= none || far(at) >= 0 && far(at) < names) }
	for ; len(raw) > 0; raw = raw[linkNode:] {
		b := bond{turn: int32At(raw, 4), parent: int32At(raw, 8), calledBy: int32At(raw, 12), agent: int32At(raw, 16)}
		if b.turn < 0 || !ref(b.parent) || !ref(b.calledBy) || b.agent < 0 || b.agent > names {
			return false
		}
		s.list, s.blobs = append(s.list, b), append(s.blobs, [4]byte(raw))
	}
	return true
}

// readMarks adds commits, if what they refer to is there.
func (s *saved) readMarks(raw []byte) bool {
	s.marks = slices.Grow(s.marks, len(raw)/linkMark)
	for ; len(raw) > 0; raw = raw[linkMark:] {
		m := mark{oid: gitrepo.OID(raw), parent: int32At(raw, 20), turn: int32At(raw, 24), newest: int32At(raw, 28)}
		if m.newest < 0 || int(m.newest) >= len(s.list) || m.parent < none || int(m.parent) >= len(s.marks) {
			return false
		}
		s.marks = append(s.marks, m)
	}
	return true
}

func int32At(raw []byte, at int) int32 { return int32(binary.LittleEndian.Uint32(raw[at:])) }

// cursor takes bytes and numbers from a segment.
type cursor struct{ left []byte }

func (c *cursor) take(n int) []byte {
	out := c.left[:n]
	c.left = c.left[n:]
	return out
}

func (c *cursor) number() int32 {
	if len(c.left) < 4 {
		c.left = nil
		return none
	}
	return int32At(c.take(4), 0)
}

// appendLinks adds to a session's links file, which has size bytes that are good, what is new from a node, a commit and a name on.
// It gives the new size.
func appendLinks(dir string, size int64, s *state, node, mark, name int) (int64, error) {
	seg := s.encodeLinks(node, mark, name)
	f, err := disk.OpenFile(filepath.Join(dir, ".git", linksFile), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return size, fmt.Errorf("write links: %w", err)
	}
	info, err := f.Stat()
	if err == nil && info.Size() != size {
		err = f.Truncate(size) // what was cut off or did not fit
	}
	if err == nil {
		_, err = f.WriteAt(seg, size)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return size, fmt.Errorf("write links: %w", err)
	}
	return size + int64(len(seg)), nil
}

// encodeLinks is the segment of the committed nodes, the commits and the names from these places on.
func (s *state) encodeLinks(node, mark, name int) []byte {
	var b bytes.Buffer
	b.Grow(linkHead + linkCounts + (s.committed-node)*linkNode + (len(s.marks)-mark)*linkMark)
	b.WriteString(linkSignature + "\x00\x00\x00\x00\x00\x00\x00\x00")
	put := func(list ...int32) {
		for _, n := range list {
			_, _ = b.Write(binary.LittleEndian.AppendUint32(b.AvailableBuffer(), uint32(n)))
		}
	}
	names := s.bonds.names[name:]
	put(int32(node), int32(mark), int32(s.committed-node), int32(len(s.marks)-mark), int32(len(names)))
	for _, n := range names {
		put(int32(len(n)))
		b.WriteString(n)
	}
	for i := node; i < s.committed; i++ {
		x := s.bonds.list[i]
		b.Write(s.entries[i].oid[:4])
		put(x.turn, x.parent, x.calledBy, x.agent)
	}
	for _, m := range s.marks[mark:] {
		b.Write(m.oid[:])
		put(m.parent, m.turn, m.newest)
	}
	raw := b.Bytes()
	binary.LittleEndian.PutUint32(raw[8:], uint32(len(raw)-linkHead))
	binary.LittleEndian.PutUint32(raw[4:], crc32.Checksum(raw[8:], castagnoli))
	return raw
}
