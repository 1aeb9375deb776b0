package archive

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/service/capture/share"
)

// Asset is an image that an export holds in a file of its own.
type Asset struct {
	Named string // the SHA256 of the Image that a node gets for it
	File  string // what the file is called up to its first "-", "." or "_" after that, in any folder of the export
}

// shortest is how long such a beginning of a name must be, in bytes, to be taken for an id.
const shortest = 6

// handOver hands over the images of a conversation.
func (l *Library) handOver(ctx context.Context, raw []byte) error {
	if l.opts.Image == nil || l.Assets == nil {
		return nil
	}
	for _, a := range l.Assets(raw) {
		if l.assets == nil {
			var err error
			if l.assets, err = openAssets(l.path); err != nil {
				return fmt.Errorf("look for the images of the export %s: %w", l.path, err)
			}
		}
		for _, open := range l.assets.find(a.File) {
			if l.opts.Image(a.Named, open) {
				break
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// assets are the files of an export by their names.
type assets struct {
	files []asset // in the order of the names
	in    io.Closer
}

type asset struct {
	name string
	open func() (io.ReadCloser, error)
}

// openAssets lists the files of an export that is a folder or a zip file; of one file of conversations there are none.
func openAssets(path string) (a *assets, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	a = &assets{in: io.NopCloser(nil)}
	switch {
	case info.IsDir():
		err = a.folder(path)
	case strings.EqualFold(filepath.Ext(path), ".zip"):
		err = a.zip(path)
	}
	slices.SortStableFunc(a.files, func(x, y asset) int { return strings.Compare(x.name, y.name) })
	return a, err
}

func (a *assets) folder(dir string) error {
	root, err := os.OpenRoot(dir) // a link leads nowhere else
	if err != nil {
		return err
	}
	a.in = root
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		a.files = append(a.files, asset{path.Base(name), func() (io.ReadCloser, error) { return root.Open(filepath.FromSlash(name)) }})
		return nil
	})
}

func (a *assets) zip(file string) error {
	f, err := share.Open(file)
	if err != nil {
		return err
	}
	a.in = f
	info, err := f.Stat()
	if err != nil {
		return err
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil {
		return err
	}
	for _, e := range z.File {
		if !e.FileInfo().IsDir() {
			a.files = append(a.files, asset{path.Base(e.Name), e.Open})
		}
	}
	return nil
}

// find is how to open the files whose names begin so.
func (a *assets) find(begin string) (out []func() (io.ReadCloser, error)) {
	if len(begin) < shortest || strings.ContainsAny(begin, `/\`) {
		return nil
	}
	at, _ := slices.BinarySearchFunc(a.files, begin, func(f asset, s string) int { return strings.Compare(f.name, s) })
	for ; at < len(a.files) && strings.HasPrefix(a.files[at].name, begin); at++ {
		if rest := a.files[at].name[len(begin):]; rest == "" || strings.ContainsAny(rest[:1], "-._") {
			out = append(out, a.files[at].open)
		}
	}
	return out
}

func (a *assets) close() error {
	if a == nil {
		return nil
	}
	return a.in.Close()
}
