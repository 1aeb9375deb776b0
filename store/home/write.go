package home

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"dormouse/store/disk"
)

// WriteFile replaces path by data: temporary file in the same folder, fsync, rename, fsync of the folder. After a crash the
// file holds the old bytes or the new ones, never a mix.
func WriteFile(path string, data []byte) error {
	return WriteTo(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// TempPrefix begins the name of a file that is not whole yet, which an interrupted WriteTo leaves behind.
const TempPrefix = ".tmp-"

// WriteTo is WriteFile for content that is produced by fill. When fill fails, path is left as it was.
func WriteTo(path string, fill func(io.Writer) error) error {
	return disk.Replace(filepath.Dir(path), TempPrefix+"*", path, true, fill)
}

// RemoveTemps deletes what an interrupted WriteTo left behind in dir. It is for the lock's holder alone.
func RemoveTemps(dir string) error {
	names, err := List(dir, TempPrefix, "")
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := disk.Remove(n); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove left-over %s: %w", n, err)
		}
	}
	return nil
}
