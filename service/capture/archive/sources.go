package archive

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/service/capture/share"
)

// source is one file of conversations that can be read from any place.
type source struct {
	name string
	*os.File
	temporary bool
}

func (s *source) close() error {
	err := s.File.Close()
	if s.temporary {
		_ = os.Remove(s.File.Name()) // it is gone already where an open file may lose its name
	}
	return err
}

// holds reports whether a file of an export may hold conversations, by its name.
func holds(name string) bool {
	name = strings.ToLower(path.Base(filepath.ToSlash(name)))
	return strings.HasPrefix(name, "conversations") && strings.HasSuffix(name, ".json")
}

// each calls use with the files of conversations of an export, in the order of their names; a file that is no zip is one of them
// whatever its name. An error of use ends it.
func each(path string, use func(name string, open func() (io.ReadCloser, error)) error) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return eachInFolder(path, use)
	case strings.EqualFold(filepath.Ext(path), ".zip"):
		return eachInZip(path, use)
	}
	return use(path, func() (io.ReadCloser, error) { return share.Open(path) })
}

// eachInFolder looks into a folder and into those in it.
func eachInFolder(dir string, use func(string, func() (io.ReadCloser, error)) error) error {
	top, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range top {
		if !e.IsDir() {
			names = append(names, filepath.Join(dir, e.Name()))
			continue
		}
		inner, err := os.ReadDir(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		for _, i := range inner {
			if !i.IsDir() {
				names = append(names, filepath.Join(dir, e.Name(), i.Name()))
			}
		}
	}
	for _, name := range names {
		if !holds(name) {
			continue
		}
		if err := use(name, func() (io.ReadCloser, error) { return share.Open(name) }); err != nil {
			return err
		}
	}
	return nil
}

func eachInZip(path string, use func(string, func() (io.ReadCloser, error)) error) error {
	f, err := share.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	info, err := f.Stat()
	if err != nil {
		return err
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil {
		return fmt.Errorf("%w; it may be only a part of the download, take it again", err)
	}
	files := slices.Clone(z.File)
	slices.SortStableFunc(files, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	for _, e := range files {
		if !holds(e.Name) || e.FileInfo().IsDir() {
			continue
		}
		if err := use(path+"/"+e.Name, e.Open); err != nil {
			return err
		}
	}
	return nil
}

// sources opens the files of conversations of an export.
func sources(path string) (out []*source, err error) {
	err = each(path, func(name string, open func() (io.ReadCloser, error)) error {
		in, err := open()
		if err != nil {
			return err
		}
		f, plain := in.(*os.File)
		s := &source{name: name, File: f}
		if !plain {
			s, err = unpack(name, in)
			err = errors.Join(err, in.Close())
		}
		if s != nil {
			out = append(out, s)
		}
		return err
	})
	if err != nil {
		for _, s := range out {
			_ = s.close() // the first error counts
		}
		return nil, err
	}
	return out, nil
}

// unpack copies a file of an archive to where it can be read from any place.
func unpack(name string, in io.Reader) (*source, error) {
	f, err := os.CreateTemp("", "dormouse-import-*")
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", name, err)
	}
	_ = os.Remove(f.Name()) // fails where an open file keeps its name; close does it then
	s := &source{name: name, File: f, temporary: true}
	if _, err := io.Copy(f, in); err != nil {
		return s, fmt.Errorf("unpack %s: %w", name, err)
	}
	return s, nil
}
