package gitrepo

import (
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"dormouse/store/disk"
)

// WriteLooseFrom is WriteLoose for a content that is too long for memory; it is read twice. size is its length in bytes.
func (r *Repo) WriteLooseFrom(k Kind, size int64, content io.ReadSeeker) (OID, error) {
	var oid OID
	h := newObjectHash(k, size)
	if n, err := io.Copy(h, content); err != nil || n != size {
		return oid, fmt.Errorf("write object of %s: %d of %d bytes were read: %w", r.dir, n, size, errors.Join(err, io.ErrUnexpectedEOF))
	}
	h.Sum(oid[:0])
	if r.Has(oid) {
		return oid, nil
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return oid, fmt.Errorf("write object %s: %w", oid, err)
	}
	path, err := r.looseDir(oid)
	if err != nil {
		return oid, fmt.Errorf("write object %s: %w", oid, err)
	}
	return oid, writeFileVia(filepath.Join(r.git, "objects"), path, true, func(w io.Writer) error {
		return deflate(w, func(z io.Writer) error {
			if _, err := z.Write(looseHeader(k, int(size))); err != nil {
				return err
			}
			_, err := io.Copy(z, content)
			return err
		})
	})
}

func newObjectHash(k Kind, size int64) hash.Hash {
	h := sha1.New()
	h.Write(looseHeader(k, int(size)))
	return h
}

// AddFrom is Add for a content that is too long for memory. After an error only Abort is left.
func (w *PackWriter) AddFrom(k Kind, size int64, content io.Reader) (OID, error) {
	var oid OID
	w.scratch.Reset()
	w.head(k, int(size))
	sum := &summed{to: w}
	if _, err := sum.Write(w.scratch.Bytes()); err != nil {
		return oid, err
	}
	start := w.offset - sum.n
	h := newObjectHash(k, size)
	err := deflate(sum, func(z io.Writer) error {
		n, err := io.Copy(z, io.TeeReader(content, h))
		if err == nil && n != size {
			err = fmt.Errorf("%d of %d bytes came", n, size)
		}
		return err
	})
	if err != nil {
		return oid, fmt.Errorf("pack object: %w", err)
	}
	h.Sum(oid[:0])
	w.list = append(w.list, packed{oid: oid, crc: sum.crc, offset: start})
	return oid, nil
}

// summed writes to a pack and takes the CRC-32 of what it writes.
type summed struct {
	to  *PackWriter
	crc uint32
	n   int64
}

func (s *summed) Write(p []byte) (int, error) {
	s.crc = crc32.Update(s.crc, crc32.IEEETable, p)
	s.n += int64(len(p))
	return len(p), s.to.write(p)
}

// Stream reads one object without having it whole in memory, as far as it is stored whole. Close must be called, before the
// Reader's. A damage of the object shows as an error at the end.
func (x *Reader) Stream(oid OID) (k Kind, size int64, content io.ReadCloser, err error) {
	p, offset, err := x.locate(oid)
	if err != nil {
		return 0, 0, nil, err
	}
	if p == nil {
		k, n, data, file, err := x.repo.openLoose(oid)
		if err != nil {
			return 0, 0, nil, err
		}
		return k, int64(n), whole(data, n, file), nil
	}
	own := &packFile{pack: p.pack, file: p.file} // with a buffer of its own
	h, err := own.head(offset)
	if err == nil && (h.kind == offsetDelta || h.kind == refDelta) {
		k, data, err := x.Object(oid)
		return k, int64(len(data)), io.NopCloser(bytes.NewReader(data)), err
	}
	if err == nil {
		err = own.inflate()
	}
	if err != nil {
		return 0, 0, nil, fmt.Errorf("object %s in %s.pack: %w", oid, p.pack.base, err)
	}
	return h.kind, int64(h.size), whole(own.z, h.size, own.z), nil
}

// Start reads the first n bytes of an object, or all that there are. A packed one is unpacked no further, so that a damage after them
// does not show.
func (x *Reader) Start(oid OID, n int) ([]byte, error) {
	p, offset, err := x.locate(oid)
	if err != nil {
		return nil, err
	}
	var h entryHead
	if p != nil {
		h, err = p.head(offset)
	}
	if p == nil || err == nil && (h.kind == offsetDelta || h.kind == refDelta) {
		_, data, err := x.Object(oid)
		return data[:min(n, len(data))], err
	}
	if err == nil {
		err = p.inflate()
	}
	data := make([]byte, min(n, h.size))
	if err == nil {
		_, err = io.ReadFull(p.z, data)
	}
	if err != nil {
		return nil, fmt.Errorf("object %s in %s.pack: %w", oid, p.pack.base, err)
	}
	return data, nil
}

// whole reads size bytes and then the end, at which a zlib stream checks its sum.
func whole(from io.Reader, size int, close io.Closer) io.ReadCloser {
	return struct {
		io.Reader
		io.Closer
	}{&exact{from: from, left: size}, close}
}

type exact struct {
	from io.Reader
	left int
}

func (e *exact) Read(p []byte) (int, error) {
	if e.left == 0 {
		if err := atEnd(e.from); err != nil {
			return 0, err
		}
		return 0, io.EOF
	}
	n, err := e.from.Read(p[:min(len(p), e.left)])
	e.left -= n
	if errors.Is(err, io.EOF) && e.left > 0 {
		err = io.ErrUnexpectedEOF
	} else if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// looseDir makes the folder that an object's own file lies in, and gives the file's path.
func (r *Repo) looseDir(oid OID) (path string, err error) {
	path = r.loosePath(oid)
	dir := filepath.Dir(path)
	if err := disk.Mkdir(dir, dirMode); errors.Is(err, os.ErrExist) {
		return path, nil
	} else if err != nil {
		return "", err
	}
	return path, disk.SyncDir(filepath.Dir(dir))
}
