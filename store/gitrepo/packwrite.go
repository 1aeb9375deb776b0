package gitrepo

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync"

	"dormouse/store/disk"
)

// tiny is the length in bytes below which compressing gains nothing.
const tiny = 32

// rawStart is how many of the first bytes of a new repository's pack are not compressed: two blocks of most file systems. What fits into
// them gains a block at most by compressing, of the dozen that a repository takes with its files and folders, and many of an import's have
// little more.
const rawStart = 2 * 4096

// packBuffer is how many bytes of a pack wait before they are written.
const packBuffer = 64 << 10

const packSignature = "PACK\x00\x00\x00\x02"

// PackWriter streams objects into one new pack. Nothing of it is in the repository before Finish.
type PackWriter struct {
	repo *Repo
	file *disk.File // nil while nothing is written of the pack of a draft
	*packRoom
	offset int64
	list   []packed
	name   string // after Finish
}

// packRoom is the memory of a PackWriter. It is used again: growing it anew costs more than a small pack does otherwise.
type packRoom struct {
	out     []byte       // what the file lacks
	scratch bytes.Buffer // one entry
}

var packRooms = sync.Pool{New: func() any { return &packRoom{} }}

// leave gives the memory back.
func (w *PackWriter) leave() {
	room := w.packRoom
	if w.packRoom = nil; room == nil || cap(room.out)+room.scratch.Cap() > maxRoom {
		return
	}
	room.out = room.out[:0]
	room.scratch.Reset()
	packRooms.Put(room)
}

// maxRoom is how much memory is kept to be used again, in bytes.
const maxRoom = 1 << 20

// NewPack begins a pack. It must end with Finish or Abort.
func (r *Repo) NewPack() (*PackWriter, error) {
	w := &PackWriter{repo: r, packRoom: packRooms.Get().(*packRoom)}
	if r.draft == nil {
		if err := w.create(); err != nil {
			return nil, err
		}
	}
	if err := w.write([]byte(packSignature + "\x00\x00\x00\x00")); err != nil {
		w.Abort()
		return nil, err
	}
	return w, nil
}

// create makes the file that gets the pack's name in the end.
func (w *PackWriter) create() (err error) {
	if w.file, err = disk.CreateTemp(filepath.Join(w.repo.git, "objects", "pack"), tempPrefix+"pack_*"); err != nil {
		return fmt.Errorf("begin pack in %s: %w", w.repo.dir, err)
	}
	return nil
}

// Add stores an object whole and gives its name. The same object must not be added twice.
func (w *PackWriter) Add(k Kind, content []byte) (OID, error) {
	oid := Sum(k, content)
	return oid, w.AddAs(oid, k, content)
}

// AddAs is Add for an object whose name, as Sum gives it, is known.
func (w *PackWriter) AddAs(oid OID, k Kind, content []byte) error {
	return w.entry(oid, k, len(content), nil, content)
}

// AddPrefixes stores content whole and, for every length in lens, its first bytes as an object of its own: a delta of a few
// bytes on the whole. The names are in the order of lens. A length must be given once and be less than the whole.
func (w *PackWriter) AddPrefixes(k Kind, content []byte, lens []int) (whole OID, prefixes []OID, err error) {
	at := w.offset
	if whole, err = w.Add(k, content); err != nil {
		return whole, nil, err
	}
	prefixes, err = w.addPrefixes(k, at, content, lens)
	return whole, prefixes, err
}

// Base is an object that was added to a pack, its length, and how many of its first bytes another one begins with.
type Base struct {
	OID          OID
	Size, Shared int
}

// AddBranch is AddPrefixes for a content that begins like another one: it is stored as a delta on it, with what it does not
// share.
func (w *PackWriter) AddBranch(k Kind, base Base, content []byte, lens []int) (whole OID, prefixes []OID, err error) {
	at, ok := w.offsetOf(base.OID)
	if !ok {
		return whole, nil, fmt.Errorf("object %s of the new pack: %w", base.OID, ErrNotFound)
	}
	whole = Sum(k, content)
	here := w.offset
	delta := branchDelta(base.Size, base.Shared, content[base.Shared:])
	if err := w.entry(whole, offsetDelta, len(delta), backOffset(here-at), delta); err != nil {
		return whole, nil, err
	}
	prefixes, err = w.addPrefixes(k, here, content, lens)
	return whole, prefixes, err
}

// addPrefixes stores the first bytes of content, which lies at base.
func (w *PackWriter) addPrefixes(k Kind, base int64, content []byte, lens []int) ([]OID, error) {
	prefixes := make([]OID, len(lens))
	for i, n := range lens {
		prefixes[i] = Sum(k, content[:n])
		delta := prefixDelta(len(content), n)
		if err := w.entry(prefixes[i], offsetDelta, len(delta), backOffset(w.offset-base), delta); err != nil {
			return nil, err
		}
	}
	return prefixes, nil
}

// offsetOf is where an object of the new pack lies. It looks from the newest one back.
func (w *PackWriter) offsetOf(oid OID) (int64, bool) {
	for i := len(w.list) - 1; i >= 0; i-- {
		if w.list[i].oid == oid {
			return w.list[i].offset, true
		}
	}
	return 0, false
}

// entry writes one object: its head, what its kind puts between, and data compressed.
func (w *PackWriter) entry(oid OID, k Kind, size int, between, data []byte) error {
	w.scratch.Reset()
	w.head(k, size)
	w.scratch.Write(between)
	if err := w.compress(k, data); err != nil {
		return fmt.Errorf("pack object %s: %w", oid, err)
	}
	w.list = append(w.list, packed{oid: oid, crc: crc32.ChecksumIEEE(w.scratch.Bytes()), offset: w.offset})
	return w.write(w.scratch.Bytes())
}

// head adds an entry's kind and size to scratch: 4 bits of the size in the first byte, then 7 a byte, the low ones first.
func (w *PackWriter) head(k Kind, size int) {
	b := byte(k)<<4 | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		w.scratch.WriteByte(b | 0x80)
		b = byte(size & 0x7f)
	}
	w.scratch.WriteByte(b)
}

// compress adds data to scratch as a zlib stream.
func (w *PackWriter) compress(k Kind, data []byte) error {
	if k == Tree || len(data) < tiny || w.repo.draft != nil && w.offset+int64(len(data)) <= rawStart {
		w.scratch.Grow(len(data) + len(data)/storedMax*5 + 16)
		w.scratch.Write(appendStored(w.scratch.AvailableBuffer(), data))
		return nil
	}
	return deflate(&w.scratch, func(z io.Writer) error {
		_, err := z.Write(data)
		return err
	})
}

func (w *PackWriter) write(b []byte) error {
	w.out = append(w.out, b...)
	w.offset += int64(len(b))
	if len(w.out) >= packBuffer {
		return w.flush()
	}
	return nil
}

// flush gives the file what it lacks.
func (w *PackWriter) flush() error {
	if w.file == nil {
		if err := w.create(); err != nil {
			return err
		}
	}
	if _, err := w.file.Write(w.out); err != nil {
		return fmt.Errorf("write pack %s: %w", w.file.Name(), err)
	}
	w.out = w.out[:0]
	return nil
}

// backOffset encodes the distance to a base, the reverse of packFile.baseOffset.
func backOffset(back int64) []byte {
	b := []byte{byte(back & 0x7f)}
	for back >>= 7; back > 0; back >>= 7 {
		back--
		b = append(b, 0x80|byte(back&0x7f))
	}
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return b
}

// Read gives back an object that was added whole. It looks from the newest one back.
func (w *PackWriter) Read(oid OID) ([]byte, error) {
	at, ok := w.offsetOf(oid)
	if !ok {
		return nil, fmt.Errorf("object %s of the new pack: %w", oid, ErrNotFound)
	}
	if err := w.flush(); err != nil {
		return nil, err
	}
	p := &packFile{file: w.file.File}
	_, data, err := p.object(at, func(OID) (Kind, []byte, error) { return 0, nil, errDelta })
	return data, err
}

// Finish makes the pack part of the repository, durably: pack first, then the index, by which git finds it. A pack without
// objects is dropped.
func (w *PackWriter) Finish() (err error) {
	defer func() {
		if err != nil {
			w.Abort()
			err = fmt.Errorf("finish pack in %s: %w", w.repo.dir, err)
		}
	}()
	if len(w.list) == 0 {
		w.Abort()
		return nil
	}
	sum, err := w.seal()
	if err != nil {
		return err
	}
	dir := filepath.Join(w.repo.git, "objects", "pack")
	base := filepath.Join(dir, "pack-"+sum.String())
	raw, err := encodePackIndex(w.list, sum)
	if err != nil {
		return err
	}
	if err := w.place(base, raw); err != nil {
		return err
	}
	w.name = filepath.Base(base)
	w.leave()
	return w.repo.addPack(base, raw)
}

// place gives the pack and its index their names. When that fails, there is neither: an index without its pack is damage. A pack that
// was there before with the same content, and so the same name, is let be.
func (w *PackWriter) place(base string, index []byte) error {
	if _, err := w.repo.stat(base + ".idx"); err == nil {
		if _, err := os.Stat(base + ".pack"); err == nil {
			return disk.Remove(w.file.Name())
		}
	}
	var err error
	if w.file == nil {
		err = w.repo.writeBytes(base+".pack", true, w.out)
	} else {
		err = disk.Rename(w.file.Name(), base+".pack")
	}
	if err != nil {
		return err
	}
	err = w.repo.writeBytes(base+".idx", true, index)
	if err != nil {
		err = errors.Join(err, removePack(base))
	}
	return err
}

// Name is the finished pack's name, as PackInfo has it; empty where nothing was added. It may be that of a pack that was there
// before with the same content.
func (w *PackWriter) Name() string { return w.name }

// seal writes the number of objects into the header and the SHA-1 of all at the end, and closes the file. The sum is taken
// in a second pass, since the header was not known in the first.
func (w *PackWriter) seal() (sum OID, err error) {
	count := binary.BigEndian.AppendUint32(nil, uint32(len(w.list)))
	if int64(len(w.out)) == w.offset { // a small one, of which nothing was written
		copy(w.out[len(packSignature):], count)
		sum = sha1.Sum(w.out)
		w.out = append(w.out, sum[:]...)
		if w.file == nil {
			return sum, nil
		}
		return sum, errors.Join(w.flush(), w.file.Sync(), w.file.Close())
	}
	if err := w.flush(); err != nil {
		return sum, err
	}
	if _, err := w.file.WriteAt(count, int64(len(packSignature))); err != nil {
		return sum, err
	}
	if _, err := w.file.Seek(0, io.SeekStart); err != nil {
		return sum, err
	}
	h := sha1.New()
	if _, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{w.file}, make([]byte, 256<<10)); err != nil {
		return sum, err
	}
	h.Sum(sum[:0])
	if _, err := w.file.Write(sum[:]); err != nil {
		return sum, err
	}
	if err := w.file.Sync(); err != nil {
		return sum, err
	}
	return sum, w.file.Close()
}

// Abort drops the pack. After Finish it does nothing.
func (w *PackWriter) Abort() {
	w.leave()
	if w.file == nil {
		return
	}
	_ = w.file.Close()
	_ = disk.Remove(w.file.Name())
}
