package gitrepo

import (
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"dormouse/store/disk"
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
func writeFileVia(tempDir, path string, durable bool, fill func(io.Writer) error) error {
	return disk.Replace(tempDir, tempPrefix+"*", path, durable, fill)
}

// writeBytes is writeFile of the repository's own, of what a draft writes once.
func (r *Repo) writeBytes(path string, durable bool, data []byte) error {
	if r.draft != nil {
		return writeOnce(path, durable, data)
	}
	return writeFile(path, durable, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
