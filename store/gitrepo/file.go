package gitrepo

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Modes of what is written: for its owner alone.
const (
	dirMode  fs.FileMode = 0o700
	fileMode fs.FileMode = 0o600
)

// tempPrefix begins the name of every unfinished file. It is the prefix that git's own clean-up knows in objects/.
const tempPrefix = "tmp_"

// LeftOver reports whether a file in .git with this name is an unfinished one, when nobody is writing it.
func LeftOver(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && !strings.HasPrefix(name, sparePrefix)
}

// writeFile replaces path by what fill writes: temporary file, fsync when durable, rename, fsync of the folder when durable.
func writeFile(path string, durable bool, fill func(io.Writer) error) error {
	return writeFileVia(filepath.Dir(path), path, durable, fill)
}

// writeFileVia is writeFile with the temporary file in another folder of the same file system, for places in which git takes
// every file for one of its own.
func writeFileVia(tempDir, path string, durable bool, fill func(io.Writer) error) (err error) {
	tmp, err := os.CreateTemp(tempDir, tempPrefix+"*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			_ = tmp.Close()
			_ = os.Remove(tmp.Name())
			err = fmt.Errorf("write %s: %w", path, err)
		}
	}()
	if err := fill(tmp); err != nil {
		return err
	}
	if durable {
		if err := tmp.Sync(); err != nil {
			return err
		}
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	if durable {
		return syncDir(filepath.Dir(path))
	}
	return nil
}

func writeBytes(path string, durable bool, data []byte) error {
	return writeFile(path, durable, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// syncDir flushes a folder's entries to the disk. Windows has no such call.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, os.ErrInvalid) {
		return err
	}
	return nil
}
