package gitrepo

import (
	"cmp"
	"errors"
	"fmt"
	"os"
)

// Reader reads many objects of a repository and keeps the packs that it needed open until Close. It is for one goroutine.
type Reader struct {
	repo  *Repo
	open  map[*pack]*packFile
	files []*os.File
	depth int // of bases found by name
}

// Reader begins to read.
func (r *Repo) Reader() *Reader { return &Reader{repo: r, open: map[*pack]*packFile{}} }

// Close lets the packs go.
func (x *Reader) Close() error {
	var errs []error
	for _, f := range x.files {
		errs = append(errs, f.Close())
	}
	x.open, x.files = map[*pack]*packFile{}, nil
	return errors.Join(errs...)
}

// Object reads one object. The error wraps ErrNotFound when the repository does not have it.
func (x *Reader) Object(oid OID) (Kind, []byte, error) {
	p, offset, err := x.locate(oid)
	if err != nil {
		return 0, nil, err
	}
	if p == nil {
		return x.repo.readLoose(oid)
	}
	if x.depth > maxChain {
		return 0, nil, fmt.Errorf("object %s of %s: %w", oid, x.repo.dir, errDelta)
	}
	x.depth++
	kind, data, err := p.object(offset, x.Object)
	x.depth--
	if err != nil {
		return 0, nil, fmt.Errorf("object %s in %s.pack: %w", oid, p.pack.base, err)
	}
	return kind, data, nil
}

// Size is an object's length in bytes; of a packed one it is read without unpacking the object.
func (x *Reader) Size(oid OID) (int, error) {
	p, offset, err := x.locate(oid)
	if err != nil {
		return 0, err
	}
	if p != nil {
		size, err := p.size(offset)
		if err != nil {
			return 0, fmt.Errorf("object %s in %s.pack: %w", oid, p.pack.base, err)
		}
		return size, nil
	}
	_, size, _, file, err := x.repo.openLoose(oid)
	if err != nil {
		return 0, err
	}
	return size, file.Close()
}

// locate finds the pack that has an object; nil when it has to be looked for in a file of its own. The packs are listed anew
// once when nobody has it, since git gc may have moved it.
func (x *Reader) locate(oid OID) (*packFile, int64, error) {
	for _, anew := range []bool{false, true} {
		packs, err := x.repo.listPacks(anew)
		if err != nil {
			return nil, 0, err
		}
		for _, p := range packs {
			offset, ok := p.idx.find(oid)
			if !ok {
				continue
			}
			f, err := x.file(p)
			if errors.Is(err, os.ErrNotExist) && !anew {
				break
			}
			return f, offset, err
		}
		if x.repo.hasLoose(oid) {
			return nil, 0, nil
		}
	}
	return nil, 0, fmt.Errorf("object %s of %s: %w", oid, x.repo.dir, ErrNotFound)
}

func (x *Reader) file(p *pack) (*packFile, error) {
	if f := x.open[p]; f != nil {
		return f, nil
	}
	f, err := os.Open(p.base + ".pack")
	if err != nil {
		return nil, err
	}
	x.files = append(x.files, f)
	x.open[p] = &packFile{pack: p, file: f}
	return x.open[p], nil
}

func (r *Repo) hasLoose(oid OID) bool {
	_, err := os.Stat(r.loosePath(oid))
	return err == nil
}

// Compare puts objects into the order in which they lie in their packs.
func (x *Reader) Compare(a, b OID) int {
	pack, at := x.place(a)
	other, there := x.place(b)
	return cmp.Or(cmp.Compare(pack, other), cmp.Compare(at, there))
}

func (x *Reader) place(oid OID) (pack string, offset int64) {
	p, offset, err := x.locate(oid)
	if err != nil || p == nil {
		return "", 0
	}
	return p.pack.base, offset
}

// Has reports whether the repository has an object.
func (r *Repo) Has(oid OID) bool {
	x := r.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	_, _, err := x.locate(oid)
	return err == nil
}

// Object reads one object. To read many, use a Reader.
func (r *Repo) Object(oid OID) (Kind, []byte, error) {
	x := r.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	return x.Object(oid)
}
