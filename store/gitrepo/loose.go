package gitrepo

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zlib"
)

// maxObject bounds what is read into memory on the word of a header, in bytes.
const maxObject = 1 << 30

// WriteLoose stores an object in a file of its own, durably, and gives its name. An object that is there is not written
// again.
func (r *Repo) WriteLoose(k Kind, content []byte) (OID, error) {
	oid := Sum(k, content)
	if r.Has(oid) {
		return oid, nil
	}
	path, err := r.looseDir(oid)
	if err != nil {
		return oid, fmt.Errorf("write object %s: %w", oid, err)
	}
	return oid, writeFileVia(filepath.Join(r.git, "objects"), path, true, func(w io.Writer) error {
		return deflate(w, func(z io.Writer) error {
			if _, err := z.Write(looseHeader(k, len(content))); err != nil {
				return err
			}
			_, err := z.Write(content)
			return err
		})
	})
}

func (r *Repo) loosePath(oid OID) string {
	name := oid.String()
	return filepath.Join(r.git, "objects", name[:2], name[2:])
}

// openLoose opens an object's own file and reads its header. ErrNotFound when it has none.
func (r *Repo) openLoose(oid OID) (k Kind, size int, content io.Reader, file io.Closer, err error) {
	f, err := os.Open(r.loosePath(oid))
	if errors.Is(err, os.ErrNotExist) {
		return 0, 0, nil, nil, fmt.Errorf("object %s of %s: %w", oid, r.dir, ErrNotFound)
	}
	if err != nil {
		return 0, 0, nil, nil, err
	}
	k, size, content, err = looseReader(f)
	if err != nil {
		_ = f.Close()
		return 0, 0, nil, nil, fmt.Errorf("object %s of %s is damaged: %w", oid, r.dir, err)
	}
	return k, size, content, f, nil
}

func looseReader(f io.Reader) (Kind, int, io.Reader, error) {
	z, err := zlib.NewReader(f)
	if err != nil {
		return 0, 0, nil, err
	}
	b := bufio.NewReader(z)
	head, err := b.ReadString(0)
	if err != nil {
		return 0, 0, nil, err
	}
	kind, length, _ := strings.Cut(strings.TrimSuffix(head, "\x00"), " ")
	k, err := parseKind(kind)
	if err != nil {
		return 0, 0, nil, err
	}
	size, err := strconv.Atoi(length)
	if err != nil || size < 0 || size > maxObject {
		return 0, 0, nil, fmt.Errorf("length %q", length)
	}
	return k, size, b, nil
}

func (r *Repo) readLoose(oid OID) (Kind, []byte, error) {
	k, size, content, file, err := r.openLoose(oid)
	if err != nil {
		return 0, nil, err
	}
	defer file.Close() //nolint:errcheck // opened for reading
	data, err := readExactly(content, size)
	if err != nil {
		return 0, nil, fmt.Errorf("object %s of %s is damaged: %w", oid, r.dir, err)
	}
	return k, data, nil
}

// believed is how many bytes are made room for on the word of a header.
const believed = 16 << 20

// readExactly reads size bytes and then the end, at which a zlib stream checks its sum. It trusts a size only as far as
// bytes come.
func readExactly(from io.Reader, size int) ([]byte, error) {
	if size < 1<<20 {
		data := make([]byte, size)
		if _, err := io.ReadFull(from, data); err != nil {
			return nil, err
		}
		return data, atEnd(from)
	}
	var b bytes.Buffer
	b.Grow(min(size, believed) + bytes.MinRead)
	n, err := io.Copy(&b, io.LimitReader(from, int64(size)))
	if err != nil {
		return nil, err
	}
	if n != int64(size) {
		return nil, io.ErrUnexpectedEOF
	}
	return b.Bytes(), atEnd(from)
}

func atEnd(from io.Reader) error {
	var more [1]byte
	_, err := io.ReadFull(from, more[:])
	if err == nil {
		return errors.New("longer than it says")
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
