package gitrepo

import (
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sort"
)

// anyKind lets Copy take an object of every kind.
const anyKind Kind = 0

// Copy stores an object that another pack of the repository holds, as it is compressed there; one that is stored otherwise is
// unpacked. The same object must not be added twice. It must be of this kind.
func (w *PackWriter) Copy(from *Reader, kind Kind, oid OID) error {
	p, offset, err := from.locate(oid)
	if err != nil {
		return err
	}
	if p != nil {
		h, err := p.head(offset)
		if err != nil {
			return fmt.Errorf("object %s in %s.pack: %w", oid, p.pack.base, err)
		}
		if h.kind == kind || kind == anyKind && h.kind <= Tag {
			return w.copyEntry(p, offset, oid)
		}
	}
	k, data, err := from.Object(oid)
	if err != nil {
		return err
	}
	if k != kind && kind != anyKind {
		return fmt.Errorf("object %s is a %s, not a %s", oid, k, kind)
	}
	_, err = w.Add(k, data)
	return err
}

// copyEntry copies the bytes of a packed object, after it compared them with the sum that the index has of them.
func (w *PackWriter) copyEntry(p *packFile, offset int64, oid OID) error {
	end, want, err := p.pack.extent(offset, oid)
	if err != nil {
		return fmt.Errorf("object %s in %s.pack: %w", oid, p.pack.base, err)
	}
	w.scratch.Reset()
	if _, err := io.Copy(&w.scratch, io.NewSectionReader(p.file, offset, end-offset)); err != nil {
		return fmt.Errorf("object %s in %s.pack: %w", oid, p.pack.base, err)
	}
	crc := crc32.ChecksumIEEE(w.scratch.Bytes())
	if crc != want {
		return fmt.Errorf("object %s in %s.pack is damaged", oid, p.pack.base)
	}
	w.list = append(w.list, packed{oid: oid, crc: crc, offset: w.offset})
	return w.write(w.scratch.Bytes())
}

// extent is where the entry of an object at offset ends in the pack, and the CRC-32 of its bytes.
func (p *pack) extent(offset int64, oid OID) (end int64, crc uint32, err error) {
	p.once.Do(func() {
		p.offsets = make([]int64, 0, p.idx.count)
		for i := range p.idx.count {
			if at, ok := p.idx.offset(i); ok {
				p.offsets = append(p.offsets, at)
			}
		}
		slices.Sort(p.offsets)
	})
	if crc, err = p.idx.sum(oid); err != nil {
		return 0, 0, err
	}
	i := sort.Search(len(p.offsets), func(i int) bool { return p.offsets[i] > offset })
	if i < len(p.offsets) {
		return p.offsets[i], crc, nil
	}
	size, err := p.bytes()
	return size - int64(len(OID{})), crc, err // the sum of the pack stands at its end
}
