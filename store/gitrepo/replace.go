package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"dormouse/store/disk"
)

// sparePrefix begins the name of a file that waits to be written anew. It is one of those that RemoveTemps deletes.
const sparePrefix = tempPrefix + "spare_"

// Replace replaces a small file that is written often, durably: after a crash it holds the old bytes or the new ones. name is
// that of its spare file in .git, on the same file system; see replaceFile.
func (r *Repo) Replace(path, name string, data []byte) error {
	return r.replaceFile(path, name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// replaceFile is writeFile for a file that is replaced with every turn. Making a file can cost more than all else in a turn,
// so none is made: the new content goes into the spare file, which is what path was before it was replaced last; then the two
// change names. While somebody else holds the spare file by another name, such as a backup made of hard links, or where the
// system does not tell, a new file is made instead.
func (r *Repo) replaceFile(path, name string, fill func(io.Writer) error) (err error) {
	if r.draft != nil {
		var b bytes.Buffer
		if err := fill(&b); err != nil {
			return err
		}
		return writeOnce(path, true, b.Bytes())
	}
	spare := filepath.Join(r.git, sparePrefix+name)
	f, err := openSpare(spare)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = disk.Remove(spare)
			err = fmt.Errorf("write %s: %w", path, err)
		}
	}()
	if err := fill(f); err != nil {
		return err
	}
	end, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Truncate(end), f.Sync()); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := exchange(spare, path); err != nil {
		return err
	}
	return disk.SyncDir(filepath.Dir(path))
}

// openSpare opens the spare file for writing, or makes it.
func openSpare(spare string) (*disk.File, error) {
	f, err := disk.OpenFile(spare, os.O_WRONLY, 0)
	if err == nil {
		if info, err := f.Stat(); err == nil && soleName(info) {
			return f, nil
		}
		if err := errors.Join(f.Close(), disk.Remove(spare)); err != nil {
			return nil, err
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return disk.OpenFile(spare, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
}

// exchange gives spare the name path, and what was path the name spare where that is possible. At every moment path is one
// of the two.
func exchange(spare, path string) error {
	old := spare + "_old"
	if err := disk.Remove(old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	kept := keepsNames && disk.Link(path, old) == nil
	if err := disk.Rename(spare, path); err != nil {
		return err
	}
	if kept {
		_ = disk.Rename(old, spare) // else the next time makes a file
	}
	return nil
}
