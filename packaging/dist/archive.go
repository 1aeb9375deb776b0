package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// entry is a file or folder in an archive.
type entry struct {
	name string // with slashes
	path string
	info fs.FileInfo
}

// mode is the entry's in a package: everybody may read it, and run what is a program, whatever the umask of who builds it.
func (e entry) mode() fs.FileMode {
	switch {
	case e.info.IsDir():
		return fs.ModeDir | 0o755
	case e.info.Mode()&0o100 != 0:
		return 0o755
	}
	return 0o644
}

// entries are what lies below a folder, in the order of the names.
func entries(dir string) ([]entry, error) {
	var out []entry
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		out = append(out, entry{filepath.ToSlash(rel), path, info})
		return err
	})
	return out, err
}

// archive is a format of archives.
type archive interface {
	add(e entry, made time.Time) (io.Writer, error)
	Close() error
}

// pack writes what lies below a folder into an archive: sorted, owned by root, all of one time.
func pack(dir, to string, made time.Time) (err error) {
	list, err := entries(dir)
	if err != nil {
		return err
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = first(err, f.Close()) }()
	a, err := newArchive(to, f)
	if err != nil {
		return err
	}
	for _, e := range list {
		w, err := a.add(e, made)
		if err != nil {
			return err
		}
		if e.info.IsDir() {
			continue
		}
		if err := feed(w, e.path); err != nil {
			return err
		}
	}
	return a.Close()
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func feed(w io.Writer, path string) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = first(err, f.Close()) }()
	_, err = io.Copy(w, f)
	return err
}

func newArchive(name string, f io.Writer) (archive, error) {
	if filepath.Ext(name) == ".zip" {
		return zipped{zip.NewWriter(f)}, nil
	}
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	return tarred{tar.NewWriter(z), z}, nil
}

type zipped struct{ *zip.Writer }

func (z zipped) add(e entry, made time.Time) (io.Writer, error) {
	h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: made}
	h.SetMode(e.mode())
	if e.info.IsDir() {
		h.Name, h.Method = h.Name+"/", zip.Store
	}
	return z.CreateHeader(h)
}

type tarred struct {
	*tar.Writer
	z *gzip.Writer
}

func (t tarred) add(e entry, made time.Time) (io.Writer, error) {
	h := &tar.Header{Name: e.name, Mode: int64(e.mode().Perm()), ModTime: made, Format: tar.FormatPAX, Typeflag: tar.TypeReg, Size: e.info.Size()}
	if e.info.IsDir() {
		h.Name, h.Typeflag, h.Size = h.Name+"/", tar.TypeDir, 0
	}
	return t.Writer, t.WriteHeader(h)
}

func (t tarred) Close() error { return first(t.Writer.Close(), t.z.Close()) }
