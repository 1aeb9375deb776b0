//go:build !linux

package disk

import (
	"io/fs"
	"os"
)

// flushDir flushes a folder's entries.
func flushDir(dir string) error {
	f, err := openFile(dir, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	return f.Sync()
}

// writeNew is WriteNew where nobody watches.
func writeNew(path string, mode fs.FileMode, durable bool, content []byte) error {
	return writeNewFile(path, mode, durable, content)
}
