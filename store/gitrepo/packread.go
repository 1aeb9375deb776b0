package gitrepo

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// pack is a pack of the repository and its index, which is kept in memory.
type pack struct {
	base string // path without .pack and .idx
	idx  packIndex

	once    sync.Once
	offsets []int64 // of all objects, in their order in the pack; made when they are needed
}

// bytes is the length of the pack's file.
func (p *pack) bytes() (int64, error) {
	info, err := os.Stat(p.base + ".pack")
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// maxChain bounds how many deltas may stand on each other.
const maxChain = 4096

// listPacks gives the packs as they were found last, or finds them anew.
func (r *Repo) listPacks(anew bool) ([]*pack, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.packs != nil && !anew {
		return r.packs, nil
	}
	names, err := list(filepath.Join(r.git, "objects", "pack"), "pack-", ".idx")
	if err != nil {
		return nil, err
	}
	known := map[string]*pack{}
	for _, p := range r.packs {
		known[p.base] = p
	}
	found := make([]*pack, 0, len(names))
	for _, name := range names {
		base := strings.TrimSuffix(name, ".idx")
		if p := known[base]; p != nil {
			found = append(found, p)
			continue
		}
		raw, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			continue // repacked meanwhile
		}
		if err != nil {
			return nil, err
		}
		idx, err := parseIndex(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		found = append(found, &pack{base: base, idx: idx})
	}
	r.packs = found
	return found, nil
}

// addPack adds a pack that was just made to the listed ones.
func (r *Repo) addPack(base string, idx []byte) error {
	parsed, err := parseIndex(idx)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.packs == nil || slices.ContainsFunc(r.packs, func(p *pack) bool { return p.base == base }) {
		return nil // they will be listed when they are needed, or it was made before
	}
	r.packs = append(slices.Clip(r.packs), &pack{base: base, idx: parsed})
	return nil
}

// PackCount is the number of packs as they were found last.
func (r *Repo) PackCount() int {
	packs, err := r.listPacks(false)
	if err != nil {
		return 0
	}
	return len(packs)
}

// packFile reads the objects of one open pack. It keeps the long object that was built last, since the next one may be a delta on it.
type packFile struct {
	pack  *pack
	built struct {
		offset int64
		kind   Kind
		data   []byte
	}
	file io.ReaderAt
	buf  *bufio.Reader
	z    io.ReadCloser
}

// entryHead is what stands before an object's compressed bytes in a pack.
type entryHead struct {
	kind Kind
	size int   // of the content, or of the delta
	base int64 // offset of the base of an offsetDelta
	ref  OID   // name of the base of a refDelta
}

// head reads the start of the entry at offset and leaves p.buf at its compressed bytes.
func (p *packFile) head(offset int64) (h entryHead, err error) {
	section := io.NewSectionReader(p.file, offset, 1<<62)
	if p.buf == nil {
		p.buf = bufio.NewReaderSize(section, 8<<10)
	} else {
		p.buf.Reset(section)
	}
	b, err := p.buf.ReadByte()
	if err != nil {
		return h, err
	}
	h.kind = Kind(b >> 4 & 7)
	size := uint64(b & 15)
	for shift := 4; b&0x80 != 0; shift += 7 {
		if b, err = p.buf.ReadByte(); err != nil {
			return h, err
		}
		if shift > 32 {
			return h, errors.New("size of an object is out of range")
		}
		size |= uint64(b&0x7f) << shift
	}
	if size > maxObject {
		return h, fmt.Errorf("an object of %d bytes is too large to read", size)
	}
	h.size = int(size)
	switch h.kind {
	case offsetDelta:
		h.base, err = p.baseOffset(offset)
	case refDelta:
		_, err = io.ReadFull(p.buf, h.ref[:])
	case Commit, Tree, Blob, Tag:
	default:
		err = fmt.Errorf("unknown %s in a pack", h.kind)
	}
	return h, err
}

// baseOffset reads the distance to a base: 7 bits a byte, the high ones first, one added at each continuation.
func (p *packFile) baseOffset(offset int64) (int64, error) {
	b, err := p.buf.ReadByte()
	if err != nil {
		return 0, err
	}
	back := int64(b & 0x7f)
	for b&0x80 != 0 {
		if b, err = p.buf.ReadByte(); err != nil {
			return 0, err
		}
		back = (back+1)<<7 | int64(b&0x7f)
		if back > offset {
			break
		}
	}
	if back <= 0 || back > offset {
		return 0, errDelta
	}
	return offset - back, nil
}

// inflate starts to unpack the bytes after a head.
func (p *packFile) inflate() (err error) {
	if p.z == nil {
		p.z, err = zlib.NewReader(p.buf)
		return err
	}
	return p.z.(zlib.Resetter).Reset(p.buf, nil)
}

// object unpacks the object at offset. find resolves bases that are given by name.
func (p *packFile) object(offset int64, find func(OID) (Kind, []byte, error)) (Kind, []byte, error) {
	kind, data, err := p.unpack(offset, find)
	if err == nil && len(data) >= longObject {
		p.built.offset, p.built.kind, p.built.data = offset, kind, data
	}
	return kind, data, err
}

// longObject is the length in bytes from which an object is kept for the one that is a delta on it.
const longObject = 64 << 10

func (p *packFile) unpack(offset int64, find func(OID) (Kind, []byte, error)) (Kind, []byte, error) {
	var deltas [][]byte
	for {
		if p.built.data != nil && offset == p.built.offset && len(deltas) > 0 {
			data, err := build(p.built.data, deltas)
			return p.built.kind, data, err
		}
		h, err := p.head(offset)
		if err != nil {
			return 0, nil, err
		}
		if err := p.inflate(); err != nil {
			return 0, nil, err
		}
		data, err := readExactly(p.z, h.size)
		if err != nil {
			return 0, nil, err
		}
		switch h.kind {
		case offsetDelta:
			deltas = append(deltas, data)
			offset = h.base
		case refDelta:
			deltas = append(deltas, data)
			kind, base, err := find(h.ref)
			if err != nil {
				return 0, nil, err
			}
			data, err = build(base, deltas)
			return kind, data, err
		default:
			data, err = build(data, deltas)
			return h.kind, data, err
		}
		if len(deltas) > maxChain {
			return 0, nil, errDelta
		}
	}
}

// build applies deltas, the last one first.
func build(data []byte, deltas [][]byte) (_ []byte, err error) {
	for i := len(deltas) - 1; i >= 0; i-- {
		if data, err = applyDelta(data, deltas[i]); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// size is the length of the object at offset, without building it.
func (p *packFile) size(offset int64) (int, error) {
	h, err := p.head(offset)
	if err != nil || h.kind != offsetDelta && h.kind != refDelta {
		return h.size, err
	}
	if err := p.inflate(); err != nil {
		return 0, err
	}
	start := make([]byte, min(h.size, 20))
	if _, err := io.ReadFull(p.z, start); err != nil {
		return 0, err
	}
	_, size, _, err := deltaSizes(start)
	return size, err
}
