package shadow

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// ErrTarget says that files cannot be restored to a folder. Its text says why.
var ErrTarget = errors.New("cannot restore there")

// Target is a folder to restore files to.
type Target struct {
	Dir string // absolute; it is made where it is missing
	// Force writes also into a folder that is not empty, over files of the same names.
	Force bool
	// Forbidden are folders that nothing is restored to, nor above or below: the project's own, and the state folder.
	Forbidden []string
}

// Restored is what became of one file.
type Restored struct {
	Path string `json:"path"`
	From Source `json:"from"`
	// Why says why the file was not written; empty where it was.
	Why string `json:"why,omitempty"`
}

// Restore writes the files of some changes to another folder, as they were on one side of them. Nothing is ever written outside
// the folder, through a symbolic link neither. The error wraps ErrTarget where another folder has to be chosen.
func Restore(changes []Change, side string, to Target) ([]Restored, error) {
	if err := to.check(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(to.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("restore to %s: %w", to.Dir, err)
	}
	root, err := os.OpenRoot(to.Dir)
	if err != nil {
		return nil, fmt.Errorf("restore to %s: %w", to.Dir, err)
	}
	defer root.Close() //nolint:errcheck // every file is closed with a check
	var out []Restored
	for i := range changes {
		one := changes[i].New
		if side == Before {
			one = changes[i].Old
		}
		r := Restored{Path: changes[i].Path, From: one.From, Why: one.Why}
		switch {
		case r.Why != "":
		case !one.Exists:
			r.Why = "it was not there"
		case !writable(runtime.GOOS, r.Path):
			r.Why = "this system has no file of that name"
		default:
			if err := write(root, r.Path, one.Text, to.Force); errors.Is(err, errInTheWay) {
				r.Why = err.Error()
			} else if err != nil {
				return out, fmt.Errorf("restore %s to %s: %w", r.Path, to.Dir, err)
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// check refuses folders that are not to be touched.
func (t *Target) check() error {
	if !filepath.IsAbs(t.Dir) {
		return fmt.Errorf("%w: %q: give the folder's whole path", ErrTarget, t.Dir)
	}
	dir := resolve(t.Dir)
	for _, f := range t.Forbidden {
		if f == "" || !filepath.IsAbs(f) {
			continue
		}
		f = resolve(f)
		if f == dir || leads(dir, f) || leads(f, dir) || sameFile(f, dir) {
			return fmt.Errorf("%w: %s is, holds or lies in %s, which is left alone: choose another folder", ErrTarget, t.Dir, f)
		}
	}
	list, err := os.ReadDir(t.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%w: %w", ErrTarget, err)
	case len(list) > 0 && !t.Force:
		return fmt.Errorf("%w: %s is not empty: choose another folder, or insist with --force to write over what is there", ErrTarget, t.Dir)
	}
	return nil
}

// leads reports whether a folder lies below another one.
func leads(above, dir string) bool {
	rel, err := filepath.Rel(above, dir)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// resolve is a path with its symbolic links followed as far as it exists.
func resolve(p string) string {
	p = filepath.Clean(p)
	rest := ""
	for at := p; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if filepath.Dir(at) == at {
			return p
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

var errInTheWay = errors.New("something else is in the way")

// write writes one file below root: beside its place, then into it.
func write(root *os.Root, rel, text string, force bool) (err error) {
	if err := folders(root, path.Dir(rel)); err != nil {
		return err
	}
	name := filepath.FromSlash(rel)
	switch info, err := root.Lstat(name); {
	case err == nil && (!force || !info.Mode().IsRegular()):
		return errInTheWay
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	tmp := name + ".dormouse-new"
	if err := root.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errInTheWay
	}
	f, err := root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(tmp, name)
	}
	if err != nil {
		_ = root.Remove(tmp)
	}
	return err
}

// folders makes the folders of a file. One that is no folder is in the way, also a symbolic link to one.
func folders(root *os.Root, dir string) error {
	if dir == "." {
		return nil
	}
	at := ""
	for part := range strings.SplitSeq(dir, "/") {
		at = filepath.Join(at, part)
		if err := root.Mkdir(at, 0o755); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrExist) {
			return err
		}
		if info, err := root.Lstat(at); err != nil || !info.IsDir() {
			return errInTheWay
		}
	}
	return nil
}
